package transaction

import (
	"strings"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/sandbox/policy"
	"fsbox/sandbox/tree"
)

// Transfer says what Move or Copy does.
type Transfer struct {
	From, To  string
	Overwrite bool   // replace what has the new name: a file or link by a file or link, an empty folder by a moved folder
	Parents   bool   // make missing parent folders
	DryRun    bool   // do everything except change the disk
	Entries   int    // how many names a copied folder may have; 0 for no limit
	Tool      string // the command, for the journal

	Undoes     string        // of the undo of a move: ID of the backup that it undoes
	Left, Over *history.Item // what that call left at From, and at To; nil for nothing
	Back       *Restoration  // what comes back at From; nil for nothing
	Above      plan.Folders  // see Change
}

// TakenError says that the name is taken: fserr.ErrExists, or fserr.ErrNotFile if a file can't
// replace what has it. If that is a folder, Inside is the path that the file or folder would have
// in it.
type TakenError struct {
	Kind   error
	Inside string
}

func (e *TakenError) Error() string { return e.Kind.Error() }
func (e *TakenError) Unwrap() error { return e.Kind }

// transfer is a move or a copy under way, between two places.
type transfer struct {
	*plan.LockSet
	t        Transfer
	from, to *sandbox.Target
	found    *tree.Survey // of a folder
	recase   bool         // only the case of the name changes, on a file system that ignores case

	tag string // of what is moved
	way moving // how it is moved
}

// begin finds both targets and checks what can be checked without a lock. from and to say whether a
// link at the end of a path is followed.
func begin(h *plan.LockSet, t Transfer, from, to sandbox.Purpose) (m *transfer, err error) {
	m = &transfer{LockSet: h, t: t, found: &tree.Survey{}}
	if m.from, err = m.Opened(m.Workspace.Locate(t.From, from)); err != nil {
		return nil, err
	}
	switch {
	case !m.from.Exists:
		return nil, m.from.Fail(plan.ConfirmMissing(m.Ctx, m.Workspace, m.from, t.DryRun, fserr.ErrNotFound))
	case m.from.Name == ".":
		return nil, m.from.Fail(fserr.PathRoot)
	}
	to.File = !m.from.Info.Mode.IsDir()
	to.Follow = to.Follow && to.File
	if m.to, err = m.Opened(m.Workspace.Locate(t.To, to)); err != nil {
		return nil, err
	}
	if isSameFolder(m.from.Folder, m.to.Folder) {
		m.to.Folder = m.from.Folder
	}
	return m, m.admit()
}

// admit checks the two paths.
func (m *transfer) admit() error {
	switch {
	case m.to.Name == ".":
		return m.to.Fail(fserr.PathRoot)
	case m.isSame():
		return m.to.Fail(fserr.ErrSame)
	case m.from.Info.Mode.IsDir() && strings.HasPrefix(policy.Fold(m.to.Path), policy.Fold(m.from.Path)+"/"):
		return m.to.Fail(fserr.PathInItself)
	case len(m.to.Missing) > 1 && !m.t.Parents:
		return m.to.Fail(fserr.ErrNotFound)
	}
	return nil
}

// isSame reports whether both targets are the same.
func (m *transfer) isSame() bool {
	return m.from.Path == m.to.Path || m.to.Exists && m.from.Name == m.to.Name && m.from.Info.ID() == m.to.Info.ID() && m.from.Info.Ino != 0 &&
		m.from.Folder == m.to.Folder // one folder, mounted in two places
}

// taken is the error that the new name is taken.
func (m *transfer) taken() error {
	return m.to.Fail(&TakenError{fserr.ErrExists, m.inside()})
}

// unfit is the error that something with the new name can't be replaced by a file.
func (m *transfer) unfit() error {
	return &fserr.PathError{Path: m.to.Asked, Type: stat.TypeName(m.to.Info.Mode), Err: &TakenError{fserr.ErrNotFile, m.inside()}}
}

// inside is the path that the file would have if it were put into the folder that has the new name;
// "" if what has that name is no folder.
func (m *transfer) inside() string {
	if !m.to.Exists || !m.to.Info.Mode.IsDir() {
		return ""
	}
	return pathname.Below(m.to.Asked, m.from.Name)
}

// explainCopy names the path that an error of a copy is about, of the original or of the copy.
func (m *transfer) explainCopy(err error) error {
	asked := m.from.Asked
	if plan.IsAboutNew(tree.Unwrap(err), m.to.Folder) {
		asked = m.to.Asked
	}
	return tree.Explain(asked, err)
}

func (m *transfer) report() *Done {
	now := m.to
	if m.t.DryRun {
		now = m.from
	}
	return &Done{Path: m.to.Asked, From: m.from.Asked, Mode: m.from.Info.Mode, Existed: m.to.Exists && !m.recase, Entries: m.found.Entries,
		ParentsCreated: m.to.NewParents(), Lost: m.Lost, BackupID: m.BackupID, ETag: m.etag(now), LeadsOutside: now == m.to && m.leadsOutside()}
}
