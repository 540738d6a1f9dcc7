// Package history keeps what the calls of one workspace changed, so that they can be taken back: a
// journal of the calls, the old contents, and the records of changes under way.
//
// Its central type is Store, the state folder of one root. An Entry describes one call, and an Item
// what was done to one name: the kind of a step, with tags of what was there before and after it.
// Store.Keep adds an entry with old contents, Store.Drop removes one of a call that changed nothing
// after all, Store.Entries lists what can be taken back. A Record describes a change of several
// steps while it is made; it is found again if the process is killed.
//
// The package must not know the workspace: no places, no policy, no plans. It never looks at what
// is in the root, and never decides whether something may be taken back. Nothing here is needed for
// a read.
//
// # Files
//
//	journal.go   the list of completed changes; entry.go is one of them
//	keep.go      how old contents are kept, and kept.go which are
//	prune.go     what is removed when there is too much, lost.go what a power cut took
//	record.go    changes under way
//	root_id.go   whose state folder it is
package history
