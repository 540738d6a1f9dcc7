package undo

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/transaction"
)

// errUnreadable is for an entry that no call of this program makes.
var errUnreadable = errors.New("the journal's entry can't be read")

// revertMove undoes a move: what the call moved gets its old name again, and what it had
// replaced is made again. If it was itself the undo of a move, what that had made again is
// replaced.
func (u *undoing) revertMove() (*Report, error) {
	all := u.b.Items
	at := slices.IndexFunc(all, isMove)
	if len(all) > 2 {
		return nil, history.Failed(errUnreadable)
	}
	f := all[at].Inverse()
	t := transaction.Transfer{From: pathname.InRoot(f.From), To: pathname.InRoot(f.Path), Overwrite: at > 0, Parents: true, DryRun: u.dry,
		Tool:   undoTool,
		Undoes: u.b.ID, Left: &all[at], Above: plan.AboveOf([]*history.Entry{u.b})}
	if at > 0 {
		t.Over = &all[0]
	}
	if at+1 < len(all) {
		t.Back = &transaction.Restoration{Workspace: u.w, Ctx: u.ctx, Item: all[at+1]}
	}
	done, err := transaction.Move(u.ctx, u.w, t)
	if done == nil {
		return nil, err
	}
	moved := Undone{Done: transaction.Done{Path: f.Path, From: f.From, Partial: at > 0, ETag: done.ETag}, Kind: history.Rename}
	report := &Report{Restored: []Undone{moved}, BackupID: done.BackupID, Lost: done.Lost}
	if t.Back != nil {
		gone := Undone{Done: transaction.Done{Path: f.From}, Kind: history.Create}
		if describe(t.Back, &gone); u.dry {
			gone.ETag = done.ETag // of the file that is now at this path, and will be moved
		} else if now, err := u.w.Lstat(gone.Path); err == nil && now.Mode.IsRegular() {
			gone.ETag = cmp.Or(gone.ETag, openfile.StateETag(now))
		}
		report.Restored, report.Lost = append(report.Restored, gone), report.Lost|t.Back.Item.Lost
	}
	u.show(report)
	return report, err
}

func isMove(f history.Item) bool { return f.Kind == history.Rename }

// describe adds it to the report of the undo.
func describe(r *transaction.Restoration, u *Undone) {
	u.Type, u.Partial = r.Item.Mode.Type(), r.IsTree()
	switch {
	case r.Item.Mode.IsRegular():
		u.New, u.NewMode, u.Partial = r.Content, r.Item.Mode&^stat.SetID, r.Long != nil
		u.ETag = r.Tag
	case u.Type == fs.ModeSymlink:
		u.Link = string(r.Content)
	case r.IsTree():
		u.Entries, u.Stamp = r.Item.Entries, r.Stamp
	}
}
