package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox/dir"
)

// What the record of a move under way says that it is: one that replaces something, or one that gives its place back to what it
// replaced. Either is brought to its end once the two have changed places, and taken back before.
const (
	movesOver Action = "move-over"
	movesBack Action = "move-back"
)

// isMove reports the record of one.
func (b *Backup) isMove() bool {
	return len(b.Files) == 1 && (b.Files[0].Action == movesOver || b.Files[0].Action == movesBack)
}

// settleMove brings a move to its end, or takes it back.
func (w *Workspace) settleMove(ctx context.Context, id string, f Saved) error {
	to, err := w.findAgain(f.Path)
	if isAway(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer to.close()
	from, err := w.findAgain(f.From)
	if isAway(err) {
		return nil
	}
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
	case hasID(hidden, f.ino): // it has changed places with what comes back
		err = bringHome(from, to, f.temp)
	case hasID(from, f.ino): // what comes back, as far as it was made
		err = from.folder.Remove(f.temp)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		w.dropID(id)
	}
	return own(to, err)
}

// bringHome gives what a move back had under a hidden name its old name again, unless somebody else has that now.
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

// endMove removes the old name of what has its new one, and what was displaced.
func (w *Workspace) endMove(ctx context.Context, to, from *place, f Saved) error {
	if hasID(from, f.ino) {
		if err := from.folder.Remove(from.name); err != nil {
			return err
		}
	}
	return w.discardHidden(ctx, to, f)
}

// discardHidden removes what the move had under its hidden name: the second name of what moves, or what it displaced. What
// somebody else wrote there at the last moment stays, under a name that nothing removes.
func (w *Workspace) discardHidden(ctx context.Context, to *place, f Saved) error {
	info, err := to.folder.Lstat(f.temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsSame(f.ino) && info.Mode.IsRegular() && strings.HasPrefix(f.Old, dir.ContentTag) && w.contentAt(ctx, to.folder, f.temp) != f.Old {
		s := step{p: to, temp: f.temp, info: info}
		return s.setAside(dir.ErrBusy)
	}
	return to.folder.Remove(f.temp)
}

// findAgain walks to a path of the journal, which has no links on it.
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

// dropID is drop for an entry of which only the name is known.
func (w *Workspace) dropID(id string) { w.drop(&Backup{ID: id}) }
