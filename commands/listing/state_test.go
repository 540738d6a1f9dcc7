package listing

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"fsbox/commands/answer"
	"fsbox/sandbox/disk/fserr"
	"fsbox/search/walk"
)

// TestEndOfWalk: a walk that had too few open files has failed, whatever it found.
func TestEndOfWalk(t *testing.T) {
	few := &fs.PathError{Op: "open", Path: "f", Err: syscall.EMFILE}
	for name, test := range map[string]struct {
		folder, file error // that could not be read
		end          error // of the walk
		late         bool
		want         error
	}{
		"all was read":                {},
		"a directory is closed to us": {folder: fs.ErrPermission, file: fs.ErrPermission},
		"too few for a directory":     {folder: few, want: fserr.ErrOpenFiles},
		"too few for a file":          {file: fserr.Classify(few), want: fserr.ErrOpenFiles},
		"out of time":                 {end: context.DeadlineExceeded, late: true},
		"out of both":                 {file: few, end: context.DeadlineExceeded, late: true, want: fserr.ErrOpenFiles},
		"it failed":                   {folder: few, end: context.Canceled, want: context.Canceled},
	} {
		p := PageState{Budget: &answer.Budget{Left: 1000}}
		var tally walk.Tally
		if test.folder != nil {
			tally.Skipped = []walk.Skipped{{Path: "d", Err: test.folder}}
		}
		if test.file != nil {
			p.SkipPath("f", test.file)
		}
		if late, err := p.EndOfWalk(tally, test.end); late != test.late || !errors.Is(err, test.want) {
			t.Errorf("%s: %v, %v", name, late, err)
		}
	}
}
