package sandbox

import (
	"maps"
	"strings"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
)

// Agreed is what was at a target when somebody agreed to a change there. The zero value says that
// nothing was, in a folder that is there.
type Agreed struct {
	Exists  bool
	Info    stat.Info // of what has the name, if there is something
	Missing int       // folders above the name that don't exist
	Tag     string    // of a file its etag, of a folder what Stamp says; "" where only Info counts
	Kept    string    // of a folder that an undo brings back here, its Undone.Stamp
}

// Only is a view of the workspace for a change that was agreed to. It changes nothing except at the
// given paths, which are relative to the root and have all their links resolved, and only while
// there is at each what was there then, else ErrNotAsAgreed; what a copy reads must be among them,
// too. A path is resolved once more when the change is made, and may lead elsewhere by then. Types,
// inodes, sizes, times and modes are compared when a target is found; contents, and all that is in
// a folder, under the locks of the change. The view must not be closed by itself.
func (w *Workspace) Only(agreed map[string]Agreed) *Workspace {
	view := *w
	view.only = maps.Clone(agreed)
	return &view
}

// Still is a view of the workspace for a call that nobody has to agree to, since it would change
// nothing: where it would by now, it is ErrNotAsAgreed. The view must not be closed by itself.
func (w *Workspace) Still() *Workspace {
	view := *w
	view.still = true
	return &view
}

// IsView reports whether this is a view made by Only.
func (w *Workspace) IsView() bool { return w.only != nil }

// IsStill reports whether this is a view made by Still.
func (w *Workspace) IsStill() bool { return w.still }

// What the view says to other changes than the one that was agreed to.
var (
	errLedElsewhere error = &fserr.Refusal{Kind: fserr.ErrBusy, Reason: "the path leads elsewhere than when the change was agreed to"}
	ErrNotAsAgreed  error = &fserr.Refusal{Kind: fserr.ErrStale, Reason: "what is there isn't what was there when the change was agreed to"}
)

// MayBeAll reports whether a change of so many files may be all that was agreed to. In a workspace
// that is no view, any may be.
func (w *Workspace) MayBeAll(files int) bool { return w.only == nil || len(w.only) == files }

// checkAgreed refuses a target that Only doesn't name, or that has changed. A folder is made, or
// removed because it was made for a file, also above one of the paths.
func (w *finder) checkAgreed(p *Target, why Purpose) error {
	if w.only == nil {
		return nil
	}
	if a, ok := w.only[p.Path]; ok {
		return a.check(p)
	}
	for path := range w.only {
		if why.Folder && strings.HasPrefix(path, p.Path+"/") {
			return nil
		}
	}
	return errLedElsewhere
}

func (a Agreed) check(p *Target) error {
	same := a.Exists == p.Exists
	switch {
	case !same:
	case !p.Exists:
		same = a.Missing == p.NewParents()
	case p.Info.Mode.IsDir(): // its size and times tell less than the names in it
		same = a.Info.ID() == p.Info.ID() && a.Info.Mode == p.Info.Mode
	default:
		same = SameState(a.Info, p.Info)
	}
	if same {
		return nil
	}
	return ErrNotAsAgreed
}

// TagAgreed is the tag of a file or folder at a target of which one was agreed to, else "".
func (w *finder) TagAgreed(p *Target) string {
	if !p.Exists {
		return ""
	}
	return w.only[p.Path].Tag
}

// CheckTag refuses a file with another content, or a folder with other things in it, than was
// agreed to. now is its tag at present; of a long file, whose etag is of its state, that is looked
// at here.
func (w *finder) CheckTag(p *Target, now string) error {
	agreed := w.TagAgreed(p)
	if p.Info.Mode.IsRegular() && strings.HasPrefix(agreed, openfile.StateTag) {
		if info, err := p.Folder.Lstat(p.Name); err == nil {
			now = openfile.StateETag(info)
		}
	}
	if agreed == "" || IsIdentity(now) || agreed == now {
		return nil
	}
	return p.Fail(ErrNotAsAgreed)
}

// CheckKept refuses a kept folder with other things in it than was agreed to. now is its stamp at
// present.
func (w *finder) CheckKept(p *Target, now string) error {
	if w.only == nil || w.only[p.Path].Kept == now {
		return nil
	}
	return p.Fail(ErrNotAsAgreed)
}

// TreeAgreed is the tag by which a folder is compared again after it was moved or copied, because
// somebody has agreed to exactly what is in it; "" for a file, and for a change that nobody had to
// agree to.
func (w *finder) TreeAgreed(p *Target, tag string) string {
	if w.only == nil || !p.Info.Mode.IsDir() {
		return ""
	}
	return tag
}
