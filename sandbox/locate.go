package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// locate finds every path of a request: it checks the text, asks the policy about the path as
// requested, walks, and asks the policy about the resolved path.
func (w *finder) locate(path string, why purpose) (*place, error) {
	r, err := w.parse(path)
	if err != nil {
		return nil, err
	}
	if err := blockedBy(r.asked, w.policy.Check(r.asked, why.write)); err != nil {
		return nil, err
	}
	if why.write && slices.ContainsFunc(r.names, policy.IsOwn) {
		return nil, &dir.PathError{Path: r.asked, Err: dir.NameOwn}
	}
	p, err := w.find(r, why.follow)
	if err != nil {
		return nil, err
	}
	if err := w.checkPlace(r, p, why); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (w *finder) checkPlace(r request, p *place, why purpose) error {
	if err := w.checkResolved(r, p, why.write); err != nil {
		return blockedAs(r.asked, err)
	}
	if err := w.guardedBy(p, why); err != nil {
		return err
	}
	if why.write || why.agreed {
		if err := w.checkAgreed(p, why); err != nil {
			return p.fail(err)
		}
	}
	if r.folder && p.exists && !p.info.Mode.IsDir() && !p.info.IsLink() {
		return p.fail(dir.ErrNotFolder)
	}
	if r.folder && !p.exists && why.file {
		return &dir.PathError{Path: r.asked + "/", Err: dir.ErrNotFile}
	}
	return nil
}

// checkResolved asks the policy about the resolved path, and about both paths as their folders list
// them. The path as requested was checked before.
func (w *finder) checkResolved(r request, p *place, write bool) error {
	if p.path != r.asked {
		if err := w.checkPath(p.path, write); err != nil {
			return err
		}
	}
	return w.checkListed(r.asked, write)
}

// glance is locate for what a place tells without its folder, which is closed. With an error, the
// place is empty.
func (w *finder) glance(path string, why purpose) (place, error) {
	p, err := w.locate(path, why)
	if err != nil {
		return place{}, err
	}
	p.close()
	return *p, nil
}

// resolved is the path in the form that records have, as far as it can be resolved.
func (w *finder) resolved(path string) string {
	if p, err := w.glance(path, purpose{}); err == nil {
		return p.path
	}
	return w.shown(path)
}

// shown is the name of a path in messages.
func (w *finder) shown(path string) string {
	if clean, err := w.parse(path); err == nil {
		return clean.asked
	}
	return path
}

// findAgain walks to a path from the journal, which has no links in it.
func (w *finder) findAgain(path string) (*place, error) {
	p, err := w.find(request{asked: path, names: strings.Split(path, "/")}, false)
	if err == nil && (p.viaLink || len(p.missing) > 1) {
		p.close()
		return nil, p.fail(dir.ErrNotFound)
	}
	return p, err
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
		return "access is blocked: " + e.Guard + " is there"
	case e.Write:
		return fmt.Sprintf("changes are blocked by policy (pattern %q)", e.Pattern)
	}
	return fmt.Sprintf("access is blocked by policy (pattern %q)", e.Pattern)
}

func (e *BlockedError) Is(target error) bool { return target == dir.ErrBlocked }

// blockedBy is the error for a path that a rule blocks, else nil.
func blockedBy(path string, v policy.Verdict) error {
	if !v.Blocks() {
		return nil
	}
	return &dir.PathError{Path: path, Err: &BlockedError{Pattern: v.Pattern, Write: v.Write}}
}

// blockedAs puts the requested path into an error of the policy.
func blockedAs(asked string, err error) error {
	if blocked, ok := errors.AsType[*dir.PathError](err); ok {
		return &dir.PathError{Path: asked, Err: blocked.Err}
	}
	return err
}
