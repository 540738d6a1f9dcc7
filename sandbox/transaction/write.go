package transaction

import (
	"errors"
	"fmt"
	"io/fs"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
)

// Creation says what a write expects at its path.
type Creation int

const (
	MustExist  Creation = iota // ErrNotFound if the path doesn't exist
	MayCreate                  // replaces or creates
	MustCreate                 // ErrExists if the path exists, even if it was created only now
)

// WriteOptions is the path of a write or a Delete, and its conditions.
type WriteOptions struct {
	Path      string
	Creation  Creation
	Parents   bool         // make missing parent folders
	Mode      *fs.FileMode // permission bits to set; nil keeps them, or takes the process's default for a new file
	Exec      *bool        // give the right to execute to those who may read, or take it away; Mode is nil then
	IfMatch   string       // etag that the file must have; "" for any
	Recursive bool         // of a Delete: remove folders with everything in them, not only empty ones
	Anything  bool         // of a removal: of links, folders and special files as well
	Large     bool         // allow files of any size; of a file over the Whole limit, or over maxHeldFile, Make gets only the first 64 KiB
	Later     int64        // bytes that both contents take, if they are not to be held: see prepareLater; 0 to hold them
	DryRun    bool         // do everything except change the disk
	Tool      string       // the command, for the journal
	Undoes    string       // ID of the backup that this write undoes, for the journal; "" for none

	Left   *history.Item  // of the removal of what isn't a regular file: what a call left there; nil for anything
	Rights *rights.Rights // what a restored file, or a new copy, takes over instead of what the file has that it replaces
}

// Change is what a transaction does to one file: Make returns the new content. With From, the file
// is moved from there, and Make gets its content; Creation says what is allowed at Path. With
// Remove, the file is removed; Make, if set, only checks the content, and may refuse.
//
// Planned, if set, is told what the change comes to, in the order of changes, before any is made.
// Then no contents are held for long: the Done of Commit has none, and Remake, or Make if it is
// nil, may be called with the same content, to make the new one again, beside other changes. If
// files change meanwhile, all is planned again, from the first change on.
type Change struct {
	WriteOptions
	From    string
	Remove  bool
	Make    func(old []byte, existed bool) ([]byte, error)
	Remake  func(old []byte, existed bool) ([]byte, error)
	Planned func(*Done)

	Move  *Transfer      // it is moved as it is, with all that is in it
	Back  *Restoration   // the link or folder that comes back, in place of a file
	Copy  *plan.Original // whose content the file gets, in place of Make
	Above plan.Folders   // of an undo: what is known of missing folders; nil for other calls
}

// Done reports what a call did to one path. A call that isn't about content, or about a folder,
// sets only what there is to tell.
type Done struct {
	Path           string // relative to the root, links not resolved
	From           string // of a move or a copy: the path of the original
	Existed        bool   // something had the path
	Changed        bool   // false if the new content equals the old; then nothing was written
	Old, New       []byte // contents before and after, of regular files; the same of a file that only moved
	Partial        bool   // the contents are not whole, or not known: a folder, or a long file; see Target.Large
	Bytes, Size    int64  // of an append: how many bytes were added, and how many the file has now
	Entries        int    // number of names in a folder, its own not counted
	Unkept         int    // number of special files in a removed folder that undo can't bring back
	ParentsCreated int
	Links          uint64      // number of hard links of the old file
	ETag           string      // of the file that is there now, "" for none and for folders
	Mode           fs.FileMode // type and permission bits of what was there, or was moved or copied; 0 for nothing
	NewMode        fs.FileMode // permission bits that a written file gets; where none was, 0 unless some are asked for
	BackupID       string      // "" if none is kept
	LeadsOutside   bool        // it is a moved link that leads out of the workspace from its new path
	Lost           rights.Lost
}

// reported is the report of a call: none if it failed. A change that only could not be synced is
// made.
func reported[T any](done T, err error) (T, error) {
	if err != nil && !errors.Is(err, fserr.ErrDurability) {
		return *new(T), err
	}
	return done, err
}

// ChangesError says which changes of a transaction can't be made. Nothing was changed.
type ChangesError struct{ Failed []FailedChange }

// FailedChange is a change that can't be made. Index counts the changes from 0.
type FailedChange struct {
	Index int
	Err   error
}

func (e *ChangesError) Error() string { return e.Failed[0].Err.Error() }

func (e *ChangesError) Unwrap() error { return e.Failed[0].Err }

// SameFileError says that another change leads to the same file, under the name Other: through a
// symbolic link, or because the file system ignores case.
type SameFileError struct{ Other string }

func (e *SameFileError) Error() string { return fmt.Sprintf("the same file as %q", e.Other) }

// admits checks the file at a target against what the write expects.
func (t WriteOptions) admits(p *sandbox.Target) error {
	switch {
	case !p.Exists && (t.Creation == MustExist || (len(p.Missing) > 1 && !t.Parents)):
		return fserr.ErrNotFound
	case !p.Exists && t.IfMatch != "":
		return &fserr.StaleError{}
	case p.Exists && !p.Info.Mode.IsRegular():
		return t.admitsKind(p)
	case p.Exists && t.Creation == MustCreate:
		return fserr.ErrExists
	}
	return nil
}

// admitsKind checks what isn't a regular file.
func (t WriteOptions) admitsKind(p *sandbox.Target) error {
	switch {
	case !t.Anything:
		return &fserr.PathError{Path: p.Asked, Type: stat.TypeName(p.Info.Mode), Err: fserr.ErrNotFile}
	case p.Name == ".":
		return fserr.PathRoot
	case t.IfMatch != "":
		return fserr.ErrNoETag
	}
	return nil
}

// mode is the mode that the target asks for, given the mode so far.
func (t WriteOptions) mode(now fs.FileMode) fs.FileMode {
	switch {
	case t.Mode != nil:
		return *t.Mode
	case t.Exec == nil:
		return now
	case *t.Exec:
		return now | now&anyRead>>2
	}
	return now &^ anyExec
}

// Permission bits of owner, group and others.
const (
	anyRead = 0o444
	anyExec = 0o111
)
