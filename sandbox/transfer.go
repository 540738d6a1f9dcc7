package sandbox

import (
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// Transfer says what Move or Copy does.
type Transfer struct {
	From, To  string
	Overwrite bool   // replace what has the new name: a file or link by a file or link, an empty folder by a moved folder
	Parents   bool   // make missing parent folders
	DryRun    bool   // do everything except change the disk
	Entries   int    // how many names a copied folder may have; 0 for no limit
	Tool      string // the command, for the journal

	undoes     string        // of the undo of a move: ID of the backup that it undoes
	left, over *history.Item // what that call left at From, and at To; nil for nothing
	back       *remade       // what comes back at From; nil for nothing
	above      folders       // see Change
}

// TakenError says that the name is taken: dir.ErrExists, or dir.ErrNotFile if a file can't replace
// what has it. If that is a folder, Inside is the path that the file or folder would have in it.
type TakenError struct {
	Kind   error
	Inside string
}

func (e *TakenError) Error() string { return e.Kind.Error() }
func (e *TakenError) Unwrap() error { return e.Kind }

// transfer is a move or a copy under way, between two places.
type transfer struct {
	*lockSet
	t        Transfer
	from, to *place
	found    *survey // of a folder
	recase   bool    // only the case of the name changes, on a file system that ignores case

	tag string // of what is moved
	way moving // how it is moved
}

// begin finds both places and checks what can be checked without a lock. from and to say whether a
// link at the end of a path is followed.
func begin(h *lockSet, t Transfer, from, to purpose) (m *transfer, err error) {
	m = &transfer{lockSet: h, t: t, found: &survey{}}
	if m.from, err = m.opened(m.w.locate(t.From, from)); err != nil {
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
	if m.to, err = m.opened(m.w.locate(t.To, to)); err != nil {
		return nil, err
	}
	if isSameFolder(m.from.folder, m.to.folder) {
		m.to.folder = m.from.folder
	}
	return m, m.admit()
}

// admit checks the two paths.
func (m *transfer) admit() error {
	switch {
	case m.to.name == ".":
		return m.to.fail(dir.PathRoot)
	case m.isSame():
		return m.to.fail(dir.ErrSame)
	case m.from.info.Mode.IsDir() && strings.HasPrefix(policy.Fold(m.to.path), policy.Fold(m.from.path)+"/"):
		return m.to.fail(dir.PathInItself)
	case len(m.to.missing) > 1 && !m.t.Parents:
		return m.to.fail(dir.ErrNotFound)
	}
	return nil
}

// isSame reports whether both places are the same.
func (m *transfer) isSame() bool {
	if m.from.path == m.to.path {
		return true
	}
	return m.to.exists && m.from.name == m.to.name && m.from.info.ID() == m.to.info.ID() && m.from.info.Ino != 0 &&
		m.from.folder == m.to.folder // one folder, mounted in two places
}

// taken is the error that the new name is taken.
func (m *transfer) taken() error {
	return m.to.fail(&TakenError{dir.ErrExists, m.inside()})
}

// unfit is the error that something with the new name can't be replaced by a file.
func (m *transfer) unfit() error {
	return &dir.PathError{Path: m.to.asked, Type: dir.TypeName(m.to.info.Mode), Err: &TakenError{dir.ErrNotFile, m.inside()}}
}

// inside is the path that the file would have if it were put into the folder that has the new name;
// "" if what has that name is no folder.
func (m *transfer) inside() string {
	if !m.to.exists || !m.to.info.Mode.IsDir() {
		return ""
	}
	return dir.Below(m.to.asked, m.from.name)
}

// explainCopy names the path that an error of a copy is about, of the original or of the copy.
func (m *transfer) explainCopy(err error) error {
	asked := m.from.asked
	if isAboutNew(unwrapTree(err), m.to.folder) {
		asked = m.to.asked
	}
	return explainTree(asked, err)
}

func (m *transfer) report() *Done {
	now := m.to
	if m.t.DryRun {
		now = m.from
	}
	return &Done{Path: m.to.asked, From: m.from.asked, Mode: m.from.info.Mode, Existed: m.to.exists && !m.recase, Entries: m.found.entries,
		ParentsCreated: m.to.newParents(), Lost: m.lost, BackupID: m.backupID, ETag: m.etag(now), LeadsOutside: now == m.to && m.leadsOutside()}
}
