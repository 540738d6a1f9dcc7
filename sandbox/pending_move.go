package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox/dir"
)

// Actions in the record of a move under way: movesOver replaces a file, movesBack is the undo of
// that. After the two files have exchanged names, a recovery finishes the move; before that, it
// takes the move back.
const (
	movesOver Action = "move-over"
	movesBack Action = "move-back"
)

// isMove reports the record of a move.
func (b *Backup) isMove() bool {
	return len(b.Files) == 1 && (b.Files[0].Action == movesOver || b.Files[0].Action == movesBack)
}

// recoverMove finishes a move, or takes it back.
func (w *Workspace) recoverMove(ctx context.Context, id string, f Saved) error {
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
	hidden := &place{folder: from.folder, name: f.temp}
	switch {
	case f.Action == movesOver && hasID(to, f.ino):
		err = w.endMove(ctx, to, from, f)
	case f.Action == movesOver:
		err = w.discardHidden(ctx, to, f)
		w.dropID(id)
	case hasID(hidden, f.ino): // it was exchanged with the restored file already
		err = bringHome(from, to, f.temp)
	case hasID(from, f.ino): // the hidden file is the restored one, perhaps not whole
		err = from.folder.Remove(f.temp)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		w.dropID(id)
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
func (w *Workspace) endMove(ctx context.Context, to, from *place, f Saved) error {
	if hasID(from, f.ino) {
		if err := from.folder.Remove(from.name); err != nil {
			return err
		}
	}
	return w.discardHidden(ctx, to, f)
}

// discardHidden removes the hidden name of a move: the second name of the moved file, or the
// displaced file. A file that somebody else wrote at the last moment is not removed: it gets a name
// that nothing removes.
func (w *Workspace) discardHidden(ctx context.Context, to *place, f Saved) error {
	info, err := to.folder.Lstat(f.temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsSame(f.ino) && info.Mode.IsRegular() && strings.HasPrefix(f.Old, dir.ContentTag) &&
		w.contentAt(ctx, to.folder, f.temp) != f.Old {
		s := step{p: to, temp: f.temp, info: info}
		return s.setAside(dir.ErrBusy)
	}
	return to.folder.Remove(f.temp)
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

// dropID is drop for an entry of which only the ID is known.
func (w *Workspace) dropID(id string) { w.drop(&Backup{ID: id}) }
