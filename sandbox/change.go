package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"fsbox/sandbox/dir"
)

// Creation says what a write expects at its path.
type Creation int

const (
	MustExist  Creation = iota // ErrNotFound if nothing is there
	MayCreate                  // replaces or creates
	MustCreate                 // ErrExists if anything is there, also under a race
)

// Target is where a write goes and what it demands.
type Target struct {
	Path     string
	Creation Creation
	Parents  bool         // make missing folders on the way
	Mode     *fs.FileMode // permission bits to set; nil keeps them, or takes the process's default for a new file
	Exec     *bool        // set, or take away, the right to execute it, for those who may read it; Mode is nil then
	IfMatch  string       // etag the file must have; "" for any
	Large    bool         // take files of any size; of one over the Whole limit change gets only the first 64 KiB
	DryRun   bool         // do everything but change the disk
	Tool     string       // the command, for the journal
	Undoes   string       // the backup it takes back, for the journal; "" for none

	like       *model         // of a file that comes back: what it is like, instead of what it replaces
	attributes dir.Attributes // of a new file that is a copy
}

// Change is what a transaction does to one file: Make gives the new content. With From, the file moves from there, and
// Make gets the content it has there; Creation says what may stand at Path. With Remove, the file goes away; Make, if there
// is one, only judges what it holds.
type Change struct {
	Target
	From   string
	Remove bool
	Make   func(old []byte, existed bool) ([]byte, error)
}

// Rewritten reports what became of one file.
type Rewritten struct {
	Path           string // as it was asked, relative to the root
	Existed        bool
	Changed        bool   // false if the new content is the old one; nothing was written then
	Old, New       []byte // contents before and after
	Partial        bool   // Old is only the beginning: see Target.Large
	ParentsCreated int
	Links          uint64      // hard links the old file had
	ETag           string      // of the new content, "" for a removed file
	Mode           fs.FileMode // permission bits of the old file, 0 if there was none
	BackupID       string      // "" if none is kept
	Lost           Lost
}

// maxCollisions is how often a write starts again because a file appeared, vanished or changed under it.
const maxCollisions = 16

// Rewrite replaces the content of one file by what change makes of it, or creates the file: a transaction of one. If
// someone without the lock changes the file meanwhile, all of it starts again from the content that is there now.
//
// Files larger than the workspace's Whole limit are refused with ErrTooLarge, unless Large is set. Symbolic links that stay
// inside are written through. An error that wraps ErrDurability means that the new content is in place but may not survive
// a power cut.
func (w *Workspace) Rewrite(ctx context.Context, t Target, change func(old []byte, existed bool) ([]byte, error)) (*Rewritten, error) {
	done, err := w.Commit(ctx, []Change{{Target: t, Make: change}})
	if len(done) == 0 {
		return nil, err
	}
	return done[0], err
}

// Commit makes all of the changes or none, in any folders of the workspace; the result has one entry for each. All are
// planned before the first is made: where several can't be, the error is a *ChangesError. What a kill cuts short, the next
// call that writes takes back.
func (w *Workspace) Commit(ctx context.Context, changes []Change) ([]*Rewritten, error) {
	for try := range maxCollisions {
		done, err := w.transact(ctx, changes, try > 0)
		if !errors.Is(err, dir.ErrCollision) {
			return done, err
		}
	}
	return nil, &dir.PathError{Path: w.named(changes[0].Path), Err: dir.ErrBusy}
}

// named is how messages call a path.
func (w *Workspace) named(path string) string {
	if clean, err := w.Clean(path); err == nil {
		return clean
	}
	return path
}

// settled runs a write again as long as what it was based on changes under it.
func settled[T any](path string, try func() (*T, error)) (*T, error) {
	for range maxCollisions {
		done, err := try()
		if !errors.Is(err, dir.ErrCollision) {
			return done, err
		}
	}
	return nil, &dir.PathError{Path: path, Err: dir.ErrBusy}
}

// ChangesError says which changes of a transaction can't be made. Nothing was changed.
type ChangesError struct{ Failed []FailedChange }

// FailedChange is one of them. Index counts the changes from 0.
type FailedChange struct {
	Index int
	Err   error
}

func (e *ChangesError) Error() string { return e.Failed[0].Err.Error() }

func (e *ChangesError) Unwrap() error { return e.Failed[0].Err }

// SameFileError says that another change leads to the same file, by the name Other: through a symbolic link, or because case
// doesn't count.
type SameFileError struct{ Other string }

func (e *SameFileError) Error() string { return fmt.Sprintf("the same file as %q", e.Other) }

// refusal carries an error of the caller's own function through unchanged.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// isOwn reports errors that aren't the disk's: the caller's function refused, or the caller gave up.
func isOwn(err error) bool {
	var refused *refusal
	return errors.As(err, &refused) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// admits checks what stands at the place against what the write expects.
func (t Target) admits(p *place) error {
	switch {
	case !p.exists && (t.Creation == MustExist || (len(p.missing) > 1 && !t.Parents)):
		return dir.ErrNotFound
	case !p.exists && t.IfMatch != "":
		return &dir.StaleError{}
	case p.exists && !p.info.Mode.IsRegular():
		return &dir.PathError{Path: p.asked, Type: dir.TypeName(p.info.Mode), Err: dir.ErrNotFile}
	case p.exists && t.Creation == MustCreate:
		return dir.ErrExists
	}
	return nil
}
