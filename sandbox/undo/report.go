package undo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/history"
	"fsbox/sandbox/transaction"
)

// Undone is what Undo did to one path. From is the path of a moved file before the undo.
type Undone struct {
	transaction.Done
	Kind  history.Kind // Replace, Create, Remove or Rename
	Type  fs.FileMode  // type of what comes back or goes, if that is no regular file; else 0
	Link  string       // where a link leads that comes back
	Stamp string       // of a folder that comes back with all that is in it: another one after each change of that
}

// Seer is told what an undo does to each path, with the contents before and after, which it may not
// keep. First says that it is the first path: where files change meanwhile, all is told once more.
// It may be nil.
type Seer func(first bool, one Undone)

// Report is what Undo did. It has no contents: they are for a Seer. BackupID is the backup by
// which the undo can itself be undone, "" if none is kept.
type Report struct {
	Undid    []*history.Entry // newest first
	Restored []Undone
	BackupID string
	Lost     rights.Lost
	Repaired bool // nothing was done: the call was cut short, and Recover had taken it back
}

// NoBackupError says that there is nothing to undo, or no backup with that ID. If Known is
// set, that backup exists but is not about the requested path. If Above is set, that call changed a
// folder above it.
type NoBackupError struct {
	ID    string
	Known *history.Entry
	Above Above
}

func (e *NoBackupError) Error() string { return fmt.Sprintf("no backup %q", e.ID) }

// undoing is an undo under way.
type undoing struct {
	w   *sandbox.Workspace
	ctx context.Context
	b   *history.Entry // of the call that is undone
	dry bool
	see Seer
}

// show tells of paths with their contents, which the report then lacks.
func (u *undoing) show(report *Report) {
	for i := range report.Restored {
		one := &report.Restored[i]
		if u.see != nil {
			u.see(i == 0, *one)
		}
		one.Old, one.New = nil, nil
	}
}

// undoTool is the tool of an undo in the journal.
const undoTool = "undo"

// staleIfChanged turns errors about a name that is taken, gone, or no longer empty into ErrStale:
// that changed since the call.
func staleIfChanged(err error) error {
	changed := fserr.IsClean(err, fserr.ErrExists, fserr.ErrNotFound, fserr.ErrNotEmpty, fserr.ErrNotFile, fserr.ErrNotFolder)
	if at, ok := errors.AsType[*fserr.PathError](err); ok && changed && !errors.Is(err, fserr.ErrBackup) {
		return &fserr.PathError{Path: at.Path, Err: &fserr.StaleError{}}
	}
	return err
}
