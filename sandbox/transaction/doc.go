// Package transaction makes the changes of one call, all of them or none, by a plan.
//
// A write, an edit, a patch, a move, a delete, and their undo go this way:
//
//	Commit                   begins again while somebody else changes the same files
//	Transaction.Locate       finds each target: parse, policy, find, then policy and guards for what was found
//	plan.LockSet.Lock        locks the folders of the targets, and removes what a killed call left there; begins
//	                         again if one was killed part-way since plan.Recover looked
//	Transaction.Prepare      reads the old content, compares etags, asks the caller for the new one; looks through a folder
//	Transaction.Compile      makes missing parents, and a plan with its entry for the journal; if the file system doesn't allow
//	                         that way of a move, or of keeping a folder, it makes one for the next way
//	plan.Plan.Run
//	    Prepare              announces the plan, makes what is new, keeps what is replaced or removed: history.Store
//	    carryOut             makes the steps, each with a last look before it and one after it
//	    Finish or Revert   syncs and removes what was displaced; or takes the steps back
//	plan.LockSet.Release     closes what is open, and frees the locks
//
// The copy of a folder finds and locks its targets itself (begin, copyFolder), and makes a plan;
// from there on all is the same. plan.Recover comes before every call that changes something.
//
// Appending (append.go, in_place.go), and its undo, is no plan: it changes the file itself. So a
// process that has the file open sees what is added, and a kill leaves the old content and a first
// part of the new. Mkdir is none either: it makes one folder after the other, and there is nothing
// to undo except empty folders.
//
// # Files
//
//	write.go        what a caller asks for, and is told
//	transaction.go  finds the targets, and makes a plan of the changes
//	prepare.go      reads the old content of a file, and gets the new one
//	delete.go       what a transaction does to remove a link or folder, and move.go with transfer.go to move something
//	copy.go         copies a file, or a folder, for which it makes a plan itself
//	append.go       adds to a file in place: in_place.go changes it, if it has one name
//	restoration.go  what an undo makes again
package transaction
