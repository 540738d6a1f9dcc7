package undo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/transaction"
)

// UnmergeableError says why several calls can't be undone together. One after the other, they
// may be. ID is that of the newest call that can only be undone by itself, "" if there is none.
type UnmergeableError struct {
	Why, ID string
	cause   error // why a call can't be undone by itself
}

func (e *UnmergeableError) Error() string {
	return "the calls can't be undone together: " + e.Why
}

func unmergeable(cause error, format string, args ...any) error {
	return &UnmergeableError{Why: fmt.Sprintf(format, args...), cause: cause}
}

// Since undoes the call with an ID and all calls after it: all of it or nothing, as one new
// entry. What that comes to for each file is found out first, then it is one transaction. Of more
// than one call, all must be about regular files: *UnmergeableError if not, and where the result of
// several can't be told. *history.GapError if one of the calls is no longer kept. The other errors
// are those of Undo.
func Since(ctx context.Context, w *sandbox.Workspace, id string, dryRun bool, see Seer) (*Report, error) {
	u := undoing{w: w, ctx: ctx, dry: dryRun, see: see}
	calls, err := u.since(id)
	if cut := u.repaired(id, "", nil); cut != nil && err != nil { // nothing came after it
		return &Report{Undid: []*history.Entry{cut}, Repaired: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return u.revertAll(withoutUndone(calls), calls, id)
}

// withoutUndone leaves out every call that the very next one undid, and that undo: together
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

// since finds the calls to undo, newest first, without those that came to nothing.
func (u *undoing) since(id string) ([]*history.Entry, error) {
	if lost, err := u.w.History().Lost(u.ctx); err != nil || lost != "" {
		return nil, cmp.Or(err, error(&history.LostError{ID: lost, Newest: true}))
	}
	calls, err := u.w.History().Since(u.ctx, id)
	switch {
	case err != nil:
		return nil, err
	case len(calls) == 0:
		return nil, u.missing(id)
	}
	if calls = slices.DeleteFunc(calls, u.isNoop); len(calls) == 0 {
		return nil, &NoBackupError{ID: id}
	}
	return calls, nil
}

// revertTogether undoes calls by one transaction: what they come to for each path.
func (u *undoing) revertTogether(calls []*history.Entry, id string) (*Report, error) {
	m := merger{w: u.w, ctx: u.ctx, isOne: len(calls) == 1, files: map[string]*merged{}, see: u.see}
	changes, err := m.merge(calls)
	if err != nil {
		return nil, staleIfChanged(asUnmergeable(err, len(calls)))
	}
	above := plan.AboveOf(calls)
	for i, f := range m.changed {
		changes[i].Tool, changes[i].Undoes, changes[i].DryRun = undoTool, id, u.dry
		changes[i].Planned, changes[i].Above = func(d *transaction.Done) { m.show(i, f, d) }, above
	}
	var done []*transaction.Done
	if len(changes) > 0 {
		done, err = transaction.Commit(u.ctx, u.w, changes)
	}
	if err != nil && !errors.Is(err, fserr.ErrDurability) {
		return nil, asUnmergeable(staleIfChanged(err), len(calls))
	}
	return m.report(done), err
}

// asUnmergeable gives an error the form for one call or several: of one, only the cause counts; of
// several, it matters that two paths are one file, as where case is ignored.
func asUnmergeable(err error, calls int) error {
	var apart *UnmergeableError
	var same *transaction.SameFileError
	var at *fserr.PathError
	switch {
	case calls == 1 && errors.As(err, &apart):
		return apart.cause
	case calls > 1 && errors.As(err, &same) && errors.As(err, &at):
		return unmergeable(err, "%q and %q are the same file", at.Path, same.Other)
	}
	return err
}

// report says what became of each path. A file that only got its old name back is one path.
func (m *merger) report(done []*transaction.Done) *Report {
	report := &Report{}
	for i, f := range m.changed {
		report.BackupID, report.Lost = cmp.Or(report.BackupID, done[i].BackupID), report.Lost|done[i].Lost
		if one, told := m.undone(f, done[i]); told {
			if f.movesFrom != nil {
				one.ETag = cmp.Or(one.ETag, done[slices.Index(m.changed, f.movesFrom)].ETag)
			}
			report.Restored = append(report.Restored, one)
		}
	}
	return report
}

// show tells of a path with its contents, before anything is changed.
func (m *merger) show(n int, f *merged, d *transaction.Done) {
	m.first = m.first || n == 0
	one, told := m.undone(f, d)
	if !told || m.see == nil {
		return
	}
	if from := f.movesFrom; from != nil {
		was, _, isLong, err := m.original(from.now).Content(m.ctx)
		one.Old, one.Partial = was, one.Partial || isLong || err != nil // an error is that of the change
	}
	m.see(m.first, one)
	m.first = false
}

// undone is what becomes of a path. It isn't told of one that is only the other end of a move.
func (m *merger) undone(f *merged, d *transaction.Done) (one Undone, told bool) {
	one = Undone{Done: *d, Kind: f.action()}
	if f.movesFrom != nil {
		one.From = f.movesFrom.path
	}
	switch {
	case f.then.back != nil:
		describe(f.then.back, &one)
	case f.now.left != nil:
		one.Type, one.Partial = f.now.left.Mode.Type(), f.now.left.Mode.IsDir()
	}
	return one, d.Changed && f.movesTo == nil
}
