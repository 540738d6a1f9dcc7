package sandbox

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// Transfer is what Move and Copy are to do.
type Transfer struct {
	From, To  string
	Overwrite bool   // what has the new name gives way: a file or link to a file or link, an empty folder to a moved folder
	Parents   bool   // make missing folders on the way
	DryRun    bool   // do everything but change the disk
	Entries   int    // most names that a copied folder may hold; 0 for no limit
	Tool      string // the command, for the journal
	undoes    string // the backup it takes back
}

// Transferred reports what Move or Copy did.
type Transferred struct {
	From, To       string      // as they were asked, relative to the root
	Mode           fs.FileMode // type and permission bits of what went
	Entries        int         // names in a folder, its own not counted
	Replaced       bool        // something had the new name
	ParentsCreated int
	ETag           string // of a file, "" for all else
	BackupID       string // "" if none is kept
	LeadsOutside   bool   // a link that leads out of the workspace from where it is now
	Lost           Lost
}

// TakenError says that something has the name already. Inside is where the same thing would lie in it, if it is a folder.
type TakenError struct{ Inside string }

func (e *TakenError) Error() string        { return dir.ErrExists.Error() }
func (e *TakenError) Is(target error) bool { return target == dir.ErrExists }

// UnfitError says that a folder, or something special, can't give way to a file. Inside is where the file would lie in the folder.
type UnfitError struct{ Inside string }

func (e *UnfitError) Error() string        { return dir.ErrNotFile.Error() }
func (e *UnfitError) Is(target error) bool { return target == dir.ErrNotFile }

// transfer is a move or a copy under way, between two places.
type transfer struct {
	w         *Workspace
	ctx       context.Context
	t         Transfer
	from, to  *place
	found     *survey      // of a folder
	comes     string       // identity of what takes the new name
	replaced  string       // etag of the file that is kept because it gives way
	recase    bool         // the name only changes its case, on a file system that doesn't tell the two apart
	also      []Saved      // what else the journal is to say
	then      func() error // what else is to be done once it has moved
	revives   *revival     // the same, for a file or a link: it can change places with what moves
	announced *Backup      // in the journal
	unlock    []func()
	parents   func() // takes back the folders that were made; nil for none
	madeCount int
	lost      Lost
}

// begin finds both places and judges what may be judged without a lock. A link at the end of from is followed if follow is set.
func (w *Workspace) begin(ctx context.Context, t Transfer, from, to purpose) (_ *transfer, err error) {
	m := &transfer{w: w, ctx: ctx, t: t}
	defer func() {
		if err != nil {
			m.end()
		}
	}()
	if m.from, err = w.locate(t.From, from); err != nil {
		return nil, err
	}
	switch {
	case !m.from.exists:
		return nil, m.from.fail(dir.ErrNotFound)
	case m.from.name == ".":
		return nil, m.from.fail(dir.PathRoot)
	}
	to.file = !m.from.info.Mode.IsDir()
	to.follow = to.follow && to.file
	if m.to, err = w.locate(t.To, to); err != nil {
		return nil, err
	}
	switch {
	case m.to.name == ".":
		return nil, m.to.fail(dir.PathRoot)
	case m.isSame():
		return nil, m.to.fail(dir.ErrSame)
	case m.from.info.Mode.IsDir() && strings.HasPrefix(policy.Fold(m.to.path), policy.Fold(m.from.path)+"/"):
		return nil, m.to.fail(dir.PathInItself)
	case len(m.to.missing) > 1 && !t.Parents:
		return nil, m.to.fail(dir.ErrNotFound)
	}
	return m, nil
}

// isSame reports that both places are one.
func (m *transfer) isSame() bool {
	if m.from.path == m.to.path {
		return true
	}
	if !m.to.exists || m.from.name != m.to.name || m.from.info.ID() != m.to.info.ID() || m.from.info.Ino == 0 {
		return false
	}
	a, errA := dir.FolderID(m.from.folder)
	b, errB := dir.FolderID(m.to.folder)
	return errA == nil && errB == nil && a == b // mounted in two places
}

// replacesFile reports that a file or link has the new name.
func (m *transfer) replacesFile() bool {
	return m.to.exists && !m.recase && !m.to.info.Mode.IsDir()
}

// taken refuses what has the new name.
func (m *transfer) taken() error {
	return m.to.fail(&TakenError{Inside: m.inside()})
}

// unfit refuses what has the new name and isn't a file.
func (m *transfer) unfit() error {
	return &dir.PathError{Path: m.to.asked, Type: dir.TypeName(m.to.info.Mode), Err: &UnfitError{Inside: m.inside()}}
}

// inside is where the same thing would lie in the folder that has the new name, "" if no folder has it.
func (m *transfer) inside() string {
	if !m.to.exists || !m.to.info.Mode.IsDir() {
		return ""
	}
	return below(m.to.asked, m.from.name)
}

// explainCopy names the path that an error of a copy is about, on the side where it happened.
func (m *transfer) explainCopy(err error) error {
	asked := m.from.asked
	var made *madeError
	if errors.As(err, &made) {
		asked = m.to.asked
	}
	return explainTree(asked, err)
}

// prepare locks the folders of both places, one after the other in the order of their identity, and makes missing ones.
func (m *transfer) prepare() error {
	if len(m.to.missing) <= 1 {
		return m.lockAll(m.from, m.to)
	}
	if err := m.lockAll(m.from); err != nil {
		return err
	}
	return m.prepareTo()
}

// prepareTo makes the missing folders on the way to the new name, and locks the one that will hold it.
func (m *transfer) prepareTo() error {
	if len(m.to.missing) <= 1 {
		return m.lockAll(m.to)
	}
	m.madeCount = len(m.to.missing) - 1
	undo, err := m.w.makeParents(m.to)
	m.parents = undo
	if err != nil {
		return own(m.to, err)
	}
	return m.lockAll(m.to)
}

func (m *transfer) lockAll(places ...*place) error {
	unlock, err := m.w.lockPlaces(m.ctx, places...)
	if err == nil {
		m.unlock = append(m.unlock, unlock)
	}
	return err
}

// end gives back what the transfer holds.
func (m *transfer) end() {
	for _, unlock := range m.unlock {
		unlock()
	}
	for _, p := range [...]*place{m.from, m.to} {
		if p != nil {
			p.close()
		}
	}
}

// failed takes back the folders that were made, for a transfer that came to nothing.
func (m *transfer) failed(err error) error {
	if err != nil && !errors.Is(err, dir.ErrDurability) && m.parents != nil {
		m.parents()
	}
	return err
}

// settle makes both names survive a power cut.
func (m *transfer) settle() error {
	err := m.w.settle(m.to.folder)
	if failed := m.w.settle(m.from.folder); err == nil {
		err = failed
	}
	return err
}

func (m *transfer) report() *Transferred {
	done := &Transferred{From: m.from.asked, To: m.to.asked, Mode: m.from.info.Mode, Replaced: m.to.exists && !m.recase, ParentsCreated: m.madeCount}
	if m.t.DryRun {
		done.ParentsCreated = max(0, len(m.to.missing)-1)
	}
	done.Lost = m.lost
	if m.found != nil {
		done.Entries = m.found.entries
	}
	return done
}
