package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// Actions in the record of a move under way: movesOver replaces a file, movesBack is the undo of
// that. After the two files have exchanged names, a recovery finishes the move; before that, it
// takes the move back.
const (
	movesOver history.Action = "move-over"
	movesBack history.Action = "move-back"
)

// isMove reports the record of a move.
func isMove(b *history.Entry) bool {
	return len(b.Files) == 1 && (b.Files[0].Action == movesOver || b.Files[0].Action == movesBack)
}

// recoverMove finishes a move, or takes it back.
func (w *Workspace) recoverMove(ctx context.Context, id string, f history.Saved) error {
	to, err := w.findAgain(f.Path)
	if err != nil { // also if its folder is away: that may come back, with the hidden file in it
		return err
	}
	defer to.close()
	from, err := w.findAgain(f.From)
	if err != nil {
		return err
	}
	defer from.close()
	unlock, err := w.lockPlaces(ctx, to, from)
	if err != nil {
		return err
	}
	defer unlock()
	hidden := &place{folder: from.folder, name: f.Temp}
	switch {
	case f.Action == movesOver && hasID(to, f.FileID):
		err = w.endMove(ctx, to, from, f)
	case f.Action == movesOver:
		err = w.discardHidden(ctx, to, f)
		w.history.DropID(id)
	case hasID(hidden, f.FileID): // it was exchanged with the restored file already
		err = bringHome(from, to, f.Temp)
	case hasID(from, f.FileID): // the hidden file is the restored one, perhaps not whole
		err = from.folder.Remove(f.Temp)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		w.history.DropID(id)
	}
	return own(to, err)
}

// bringHome gives the moved file, which an undo had put under a hidden name, its old name again,
// unless somebody else has taken that.
func bringHome(from, to *place, hidden string) error {
	if isTwice(from.folder, hidden, to.folder, to.name) {
		return from.folder.Remove(hidden)
	}
	err := from.folder.Move(hidden, to.folder, to.name, dir.IfFree)
	if errors.Is(err, fs.ErrExist) {
		s := step{p: &place{folder: from.folder, name: to.name, path: to.path}, temp: hidden}
		return s.setAside(dir.ErrBusy)
	}
	return err
}

// endMove removes the old name of a moved file that has its new name, and the file that it
// displaced.
func (w *Workspace) endMove(ctx context.Context, to, from *place, f history.Saved) error {
	if hasID(from, f.FileID) {
		if err := from.folder.Remove(from.name); err != nil {
			return err
		}
	}
	return w.discardHidden(ctx, to, f)
}

// discardHidden removes the hidden name of a move: the second name of the moved file, or the
// displaced file. A file that somebody else wrote at the last moment is not removed: it gets a name
// that nothing removes.
func (w *Workspace) discardHidden(ctx context.Context, to *place, f history.Saved) error {
	info, err := to.folder.Lstat(f.Temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsSame(f.FileID) && info.Mode.IsRegular() && strings.HasPrefix(f.Old, dir.ContentTag) &&
		w.contentAt(ctx, to.folder, f.Temp) != f.Old {
		s := step{p: to, temp: f.Temp, info: info}
		return s.setAside(dir.ErrBusy)
	}
	return to.folder.Remove(f.Temp)
}

// findAgain walks to a path from the journal, which has no links in it.
func (w *Workspace) findAgain(path string) (*place, error) {
	p, err := w.find(request{asked: path, names: strings.Split(path, "/")}, false)
	if err == nil && (p.viaLink || len(p.missing) > 1) {
		p.close()
		return nil, dir.ErrNotFound
	}
	return p, err
}

func hasID(p *place, id string) bool {
	found, err := p.folder.Lstat(p.name)
	return err == nil && found.IsSame(id)
}

// endIfGone closes a record, and removes it if the hidden file that it mentions is gone.
func endIfGone(r *history.Record, folder dir.Folder, hidden string) {
	if !dir.Exists(folder, hidden) {
		r.End()
	}
	r.Close()
}
