// Package plan makes a change of several names as a whole or not at all.
//
// # How a change is made
//
// A change is a plan (plan.go): a list of steps (step.go). A step is about one name in one
// open folder, and has a temporary name beside it.
//
//	step      name, temporary name   afterwards     how
//	create    nothing, new           new, nothing   rename if free
//	replace   old, new               new, old       rename that exchanges; else a rename over the old, or two renames
//	remove    old, nothing           nothing, old   rename if free
//	rename    nothing                old            rename if free, or over an empty folder
//
// What arrives (created.go) is a new file, a second name of a file, a copy of a file or tree,
// a link, or a folder. A command only says which steps it needs:
//
//	write, edit, copy of a file    create, or replace
//	patch                          for each file one that creates, replaces or removes
//	delete                         remove; of a tree, rename into a state folder on the same disk
//	move                           rename
//	move over a file               replace by a second name of the moved file, then remove the old name
//	move to another disk           create a copy, or replace by it, then remove the original
//	copy of a folder               create
//	undo                           the inverse of the entry: remove for create, and so on
//	undo of several calls          for each file what their inverses come to: create, replace or remove
//
// Every plan is carried out alike. Its folders are locked, in the order of their IDs; missing
// parents are made, and the last of them locked. What arrives is made and synced. The old content
// is kept in the state folder, with an entry in the journal. If one file is replaced, this happens
// while the disk writes the new one. Then each step is applied, and what it displaced is looked at
// once more: if it isn't what was read, the step is undone and the call starts again, so
// nobody's change is overwritten. Then the folders are synced, and what was displaced is removed;
// on SMB, together with the lock of its folder.
//
// Every plan is announced by a record in the state folder before anything is made: if it is killed,
// the next call that changes files removes what has its temporary names. A plan of one step uses
// fixed ones, and whoever locks the folder removes what has these (aside.go): all such plans
// of a process share a record, which names each folder once. The record of a plan of several steps
// is synced, and again when all that arrives is ready: then it is renamed. After the last step it
// is renamed once more: between the two a recovery takes every step back, the last one first, and
// before and after that it only removes temporary files. To take a step back (restore.go), a
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
// Missing folders on the way have a record as well (folders.go), and are made under a
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
// # Files
//
//	plan.go       a plan and its way: Run prepares it, carries it out, and finishes it or takes it back
//	step.go       makes what a step brings, if that is a file, and one step; rename.go if it renames something
//	created.go    what else a step may bring: a second name, a link, a folder, a copy; original.go is what a copy is of
//	restore.go    takes a step back
//	lock.go       a lock set: what a change has locked and opened; aside.go removes what a killed call left there
//	folders.go    makes missing folders
//	keep.go       keeps the old file as its own backup
//	recover.go    what the next call does with changes that a kill cut short; await.go if that was while it waited for a lock
//	onset.go      tells a waiting caller whether a change has begun
package plan
