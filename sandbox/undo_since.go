package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// UnmergeableError says why several calls can't be taken back together. One after the other, they
// may be. ID is that of the newest call that can only be taken back by itself, "" if there is none.
type UnmergeableError struct {
	Why, ID string
	cause   error // why a call can't be taken back by itself
}

func (e *UnmergeableError) Error() string {
	return "the calls can't be taken back together: " + e.Why
}

func unmergeable(cause error, format string, args ...any) error {
	return &UnmergeableError{Why: fmt.Sprintf(format, args...), cause: cause}
}

// UndoSince takes back the call with an ID and all calls after it: all of it or nothing, as one new
// entry. What that comes to for each file is found out first, then it is one transaction. Of more
// than one call, all must be about regular files: *UnmergeableError if not, and where the result of
// several can't be told. *history.GapError if one of the calls is no longer kept. The other errors
// are those of Undo.
func (w *Workspace) UndoSince(ctx context.Context, id string, dryRun bool) (*UndoReport, error) {
	u := undoing{w: w, ctx: ctx, dry: dryRun}
	calls, err := u.since(id)
	if cut := u.repaired(id, "", nil); cut != nil && err != nil { // nothing came after it
		return &UndoReport{Undid: []*history.Entry{cut}, Repaired: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return u.takeBackAll(withoutUndone(calls), calls, id)
}

// withoutUndone leaves out every call that the very next one took back, and that undo: together
// they changed nothing, whatever they were about.
func withoutUndone(calls []*history.Entry) (left []*history.Entry) {
	for _, b := range slices.Backward(calls) {
		if last := len(left) - 1; last >= 0 && b.Undoes == left[last].ID {
			left = left[:last]
			continue
		}
		left = append(left, b)
	}
	slices.Reverse(left)
	return left
}

// since finds the calls to take back, newest first, without those that came to nothing.
func (u *undoing) since(id string) ([]*history.Entry, error) {
	if lost, err := u.w.history.Lost(u.ctx); err != nil || lost != "" {
		return nil, cmp.Or(err, error(&history.LostError{ID: lost, Newest: true}))
	}
	calls, err := u.w.history.Since(u.ctx, id)
	switch {
	case err != nil:
		return nil, err
	case len(calls) == 0:
		return nil, u.missing(id)
	}
	if calls = slices.DeleteFunc(calls, u.cameToNothing); len(calls) == 0 {
		return nil, &NoBackupError{ID: id}
	}
	return calls, nil
}

// maxUndoHeld is how many bytes of contents an undo of several files holds, to show what changed.
const maxUndoHeld = 12 << 20

// takeBackTogether takes back calls by one transaction: what they come to for each path.
func (u *undoing) takeBackTogether(calls []*history.Entry, id string) (*UndoReport, error) {
	m := merger{w: u.w, ctx: u.ctx, isOne: len(calls) == 1, files: map[string]*merged{}}
	changes, err := m.merge(calls)
	if err != nil {
		return nil, staleIfChanged(asUnmergeable(err, len(calls)))
	}
	size := int64(0)
	for i, f := range m.changed {
		changes[i].Tool, changes[i].Undoes, changes[i].DryRun = undoTool, id, u.dry
		if size += f.now.size + f.then.size; size > maxUndoHeld && len(changes) > 1 && f.action() == history.Exchange && isContentTag(f.now.tag) {
			changes[i].Later = f.now.size + f.then.size
		}
	}
	var done []*Done
	if len(changes) > 0 {
		done, err = u.w.Commit(u.ctx, changes)
	}
	if err != nil && !errors.Is(err, dir.ErrDurability) {
		return nil, asUnmergeable(staleIfChanged(err), len(calls))
	}
	return m.report(done), err
}

// asUnmergeable gives an error the form for one call or several: of one, only the cause counts; of
// several, it matters that two paths are one file, as where case is ignored.
func asUnmergeable(err error, calls int) error {
	var apart *UnmergeableError
	var same *SameFileError
	var at *dir.PathError
	switch {
	case calls == 1 && errors.As(err, &apart):
		return apart.cause
	case calls > 1 && errors.As(err, &same) && errors.As(err, &at):
		return unmergeable(err, "%q and %q are the same file", at.Path, same.Other)
	}
	return err
}

// report says what became of each path. A file that only got its old name back is one path.
func (m *merger) report(done []*Done) *UndoReport {
	report := &UndoReport{}
	for i, f := range m.changed {
		one := Undone{Done: *done[i], Kind: f.action()}
		report.BackupID, report.Lost = cmp.Or(report.BackupID, one.BackupID), report.Lost|one.Lost
		if !one.Changed || f.movesTo != nil {
			continue
		}
		if from := f.movesFrom; from != nil {
			gone := done[slices.Index(m.changed, from)]
			one.From, one.Old, one.Partial = from.path, gone.Old, gone.Partial
			one.ETag = cmp.Or(one.ETag, gone.ETag)
		}
		switch {
		case f.then.back != nil:
			f.then.back.describe(&one)
		case f.now.left != nil:
			one.Type, one.Partial = f.now.left.Mode.Type(), f.now.left.Mode.IsDir()
		}
		report.Restored = append(report.Restored, one)
	}
	return report
}
