// Package sandbox confines requests to one workspace folder: it resolves every path of a request,
// and it makes every change.
//
// A Workspace opens its root once. Every later access starts at that descriptor and goes on one
// open folder at a time. So descriptors decide what is opened, created, renamed or removed; path
// strings are never compared for that. A path is first checked as text (path.go), then walked
// (resolve.go): symbolic links that stay inside are followed, a link that leads outside is refused
// with its own error. The rules of package policy are applied to the path as given and as resolved.
//
// # The way through
//
// A write, an edit, a patch, a move, a delete, and their undo go this way:
//
//	Workspace.Commit        begins again while somebody else changes the same files
//	transaction.locate      finds each target: parse, policy, find, then policy and guards for what was found
//	lockSet.lock            locks the folders of the targets, and removes what a killed call left there; begins
//	                        again if one was killed part-way since Recover looked (await.go)
//	transaction.prepare     reads the old content, compares etags, asks the caller for the new one; looks through a folder
//	transaction.compile     makes missing parents, and a plan with its entry for the journal; if the file system doesn't allow
//	                        that way of a move, or of keeping a folder, it makes one for the next way
//	plan.run
//	    prepare             announces the plan, makes what arrives, keeps what goes: history.Store
//	    carryOut            makes the steps, each with a last look before it and one after it
//	    finish or takeBack  syncs and removes what was displaced; or takes the steps back
//	lockSet.release         closes what is open, and frees the locks
//
// The copy of a folder finds and locks its targets itself (begin, copyFolder), and makes a plan;
// from there on all is the same. Workspace.Recover comes before every call that changes something.
// A read needs no more than Workspace.Locate and Target.Open.
//
// # How a change is made
//
// A change is a plan (plan.go): a list of steps (plan_step.go). A step is about one name in one
// open folder, and has a temporary name beside it.
//
//	step      name, temporary name   afterwards     how
//	give      nothing, new           new, nothing   rename if free
//	exchange  old, new               new, old       rename that exchanges; else a rename over the old, or three renames
//	take      old, nothing           nothing, old   rename if free
//	rename    nothing                old            rename if free, or over an empty folder
//
// What arrives (plan_creation.go) is a new file, a second name of a file, a copy of a file or tree,
// a link, or a folder. A command only says which steps it needs:
//
//	write, edit, copy of a file    give, or exchange
//	patch                          for each file a give, an exchange or a take
//	delete                         take; of a tree, rename into a state folder on the same disk
//	move                           rename
//	move over a file               exchange for a second name of the moved file, then take the old name
//	move to another disk           give or exchange for a copy, then take the original
//	copy of a folder               give
//	undo                           the inverse of the entry: take for a give, and so on
//	undo of several calls          for each file what their inverses come to: a give, an exchange or a take
//
// Every plan is carried out alike. Its folders are locked, in the order of their IDs; missing
// parents are made, and the last of them locked. What arrives is made and synced. The old content
// is kept in the state folder, with an entry in the journal. If one file is replaced, this happens
// while the disk writes the new one. Then each step is applied, and what it displaced is looked at
// once more: if it isn't what was read, the step is undone and the call starts again, so
// nobody's change is overwritten. Then the folders are synced, and what was displaced is removed.
//
// Every plan is announced by a record in the state folder before anything is made: if it is killed,
// the next call that changes files removes what has its temporary names. A plan of one step uses
// fixed ones, and whoever locks the folder removes what has these (plan_aside.go): all such plans
// of a process share a record, which names each folder once. The record of a plan of several steps
// is synced, and again when all that arrives is ready: then it is renamed. After the last step it
// is renamed once more: between the two a recovery takes every step back, the last one first, and
// before and after that it only removes temporary files. To take a step back (plan_restore.go), a
// rollback and a recovery alike look at the two names of the step: by inode and content they tell
// how far it had come. So they can be killed as well, at any point. While one of the two names
// can't be read, nothing is moved, and the next call tries again.
//
//	killed                      one step                               several steps
//	before the first step       the temporary file is removed          the same, by the record
//	between or in steps         the step is made, or it is not         all steps are undone
//	after the last step         the displaced file is removed          the same, if the record was renamed
//	in a recovery               the next call does the same again
//
// Missing folders on the way have a record as well (plan_folders.go), and are made under a
// temporary name, so that the record can say which they are: a recovery removes those that are
// empty.
//
// Recover looks for records before a call has its locks. While the call waits for them, their
// holder may be killed, so it looks once more when it has them (await.go). If there is a new one,
// the call frees its locks, repairs, and begins again. A living record about the same paths is that
// of a recovery, which takes its locks one by one: the call awaits its end.
//
// What somebody else has put under a name meanwhile is never removed: if it can't stay, it gets a
// name with ".fsbox-conflict-", which the answer tells.
//
// Appending (append.go, in_place.go), and its undo, is no plan: it changes the file itself. So a
// process that has the file open sees what is added, and a kill leaves the old content and a first
// part of the new. Mkdir is none either: it makes one folder after the other, and there is nothing
// to undo except empty folders.
//
// # Files
//
//	workspace.go  the root, opened once
//	finder.go     what a path leads to, with locate.go: path.go as text, resolve.go on the disk, spelling.go as folders list it,
//	              only.go where changes are limited to approved paths, guard.go for host paths that requests must not change
//	plan*.go      a change as a list of steps: plan_run.go carries it out, plan_stage.go and plan_creation.go make what a step
//	              brings, plan_step.go makes the step, plan_restore.go takes it back, plan_lock.go locks, plan_aside.go clears up,
//	              plan_folders.go makes missing folders; onset.go tells a waiting caller whether it has begun
//	recover.go    what the next call does with changes that a kill cut short; await.go if that was while it waited for a lock
//	write*.go     a transaction, and its plan; keep.go keeps the old file
//	delete.go     what a transaction does to remove a link or folder, and move.go with transfer.go to move something;
//	              copy.go makes a plan too; tree_*.go is for whole folders, tag.go tells if one changed
//	append.go     adds to a file in place: in_place.go changes it, if it has one name
//	undo*.go      takes entries of the history back
//	wall.go       which folders the kernel allows
//
// What a call changed is kept in a history.Store, from which Undo takes it back.
//
// Package dir makes all system calls about files, for one open folder at a time. This package knows
// no JSON, no flags and no exit status. Its errors about paths are *dir.PathError.
package sandbox
