package sandbox

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/policy"
)

// Locate finds every path of a request: it checks the text, asks the policy about the path as
// requested, walks, and asks the policy about the resolved path.
func (w *finder) Locate(path string, why Purpose) (*Target, error) {
	r, err := w.parse(path)
	if err != nil {
		return nil, err
	}
	if err := w.check(r.asked, why.Write, true); err != nil { // whether it is a folder turns out below
		return nil, err
	}
	if why.Write && slices.ContainsFunc(r.names, policy.IsOwn) {
		return nil, &fserr.PathError{Path: r.asked, Err: fserr.NameOwn}
	}
	r.reads, r.opens = !why.Write, why.Opens
	p, err := w.find(r, why.Follow)
	if err != nil {
		return nil, err
	}
	if err := w.checkPlace(r, p, why); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

func (w *finder) checkPlace(r request, p *Target, why Purpose) error {
	if err := w.checkResolved(r, p, why); err != nil {
		return BlockedAs(r.asked, err)
	}
	if err := w.guardedBy(p, why); err != nil {
		return err
	}
	if why.Write || why.Agreed {
		if err := w.checkAgreed(p, why); err != nil {
			return p.Fail(err)
		}
	}
	if r.folder && p.Exists && !p.Info.Mode.IsDir() && !p.Info.IsLink() {
		return p.Fail(fserr.ErrNotFolder)
	}
	if r.folder && !p.Exists && why.File {
		return &fserr.PathError{Path: r.asked + "/", Err: fserr.ErrNotFile}
	}
	return nil
}

// checkResolved asks the policy about the resolved path, and about both paths as their folders list
// them. The path as requested was checked before, as that of a folder.
func (w *finder) checkResolved(r request, p *Target, why Purpose) error {
	folder := p.Exists && p.Info.Mode.IsDir() || !p.Exists && !why.File
	if !folder && w.policy.TellsFolders() {
		if err := w.check(r.asked, why.Write, false); err != nil {
			return err
		}
	}
	if p.Path != r.asked {
		if err := w.checkPath(p.Path, why.Write, folder); err != nil {
			return err
		}
	}
	return w.checkListed(r.asked, why.Write, folder)
}

// Glance is locate for what a target tells without its folder, which is closed. With an error, the
// place is empty.
func (w *finder) Glance(path string, why Purpose) (Target, error) {
	p, err := w.Locate(path, why)
	if err != nil {
		return Target{}, err
	}
	p.Close()
	return *p, nil
}

// Resolved is the path in the form that records have, as far as it can be resolved.
func (w *finder) Resolved(path string) string {
	if p, err := w.Glance(path, Purpose{}); err == nil {
		return p.Path
	}
	return w.Shown(path)
}

// Shown is the name of a path in messages.
func (w *finder) Shown(path string) string {
	if clean, err := w.parse(path); err == nil {
		return clean.asked
	}
	return path
}

// FindAgain walks to a path from the journal, which has no links in it.
func (w *finder) FindAgain(path string) (*Target, error) {
	p, err := w.find(request{asked: path, names: strings.Split(path, "/")}, false)
	if err == nil && (p.ViaLink || len(p.Missing) > 1) {
		p.Close()
		return nil, p.Fail(fserr.ErrNotFound)
	}
	return p, err
}

// FindFolder is FindAgain without a look at what has the path, which may take calls over the wire.
func (w *finder) FindFolder(name string) (*Target, error) {
	p := &Target{Asked: name, Path: name, Folder: w.RootFolder, Name: path.Base(name), mounts: w.mounts}
	if above := path.Dir(name); above != "." {
		folder, err := w.RootFolder.Descend(above)
		if err != nil {
			return w.FindAgain(name)
		}
		p.Folder, p.opened = folder, []dir.Folder{folder}
	}
	return p, nil
}

// BlockedError says which rule, or which Guard, blocks a path. Write means that reading it would be
// allowed.
type BlockedError struct {
	Pattern string
	Guard   string
	Write   bool
}

func (e *BlockedError) Error() string {
	switch {
	case e.Guard != "" && e.Write:
		return "it is on the way to " + e.Guard
	case e.Guard != "":
		return "access is blocked: " + e.Guard + " exists"
	case e.Write:
		return fmt.Sprintf("changes are blocked by policy (pattern %q)", e.Pattern)
	}
	return fmt.Sprintf("access is blocked by policy (pattern %q)", e.Pattern)
}

func (e *BlockedError) Is(target error) bool { return target == fserr.ErrBlocked }

// blockedBy is the error for a path that a rule blocks, else nil.
func blockedBy(path string, v policy.Verdict) error {
	if !v.Blocks() {
		return nil
	}
	return &fserr.PathError{Path: path, Err: &BlockedError{Pattern: v.Pattern, Write: v.Write}}
}

// BlockedAs puts the requested path into an error of the policy.
func BlockedAs(asked string, err error) error {
	if blocked, ok := errors.AsType[*fserr.PathError](err); ok {
		return &fserr.PathError{Path: asked, Err: blocked.Err}
	}
	return err
}
