// Package history keeps what the calls of one workspace changed, so that they can be undone: a
// journal of the calls, the old contents, and the records of changes under way.
//
// Its central type is Store, the state folder of one root. An Entry describes one call, and an Item
// what was done to one name: the kind of a step, with tags of what was there before and after it.
// Store.Keep adds an entry with old contents, Store.Drop removes one of a call that changed nothing
// after all, Store.Entries lists what can be undone. A Record describes a change of several
// steps while it is made; it is found again if the process is killed.
//
// The package must not know the workspace: no places, no policy, no plans. It never looks at what
// is in the root, and never decides whether something may be undone. Nothing here is needed for
// a read.
//
// # The way through
//
// A change of one step: Store.Note names its folder in the record of this process; Store.Keep gives
// the old content a name in the state folder (state.store), adds a line to the journal
// (state.record), and prunes when that is due. A change of several steps has a record of its own:
// Announce, Begin when all is ready, Commit after the last step, Record.End. If the process is
// killed, the next one finds the record by Store.Records, takes it over by Adopt, and reads it.
//
// An undo reads the journal by Store.Entries or Since, and old contents by Store.Content. All that
// reads or changes the journal holds the lock of the state folder (state.alone), but never longer
// than that takes.
//
// # Files
//
//	journal.go   the list of completed changes; entry.go is one of them
//	keep.go      how old contents are kept, and kept.go which are
//	prune.go     what is removed when there is too much, lost.go what a power cut took
//	record.go    changes under way; underway.go lists those that may be half made
//	root_id.go   whose state folder it is
package history
