package glob

import (
	"errors"
	"strings"

	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
)

// findStart opens the folder that is the pattern's prefix without wildcards. If there is no such
// folder, nothing is found, which is no error. A prefix that leads out of the workspace is one.
func (p *globPage) findStart() error {
	p.prefix = words.Under(p.path.Asked, p.glob.Prefix())
	if p.glob.Literal() || p.prefix == p.path.Asked {
		return nil
	}
	start, err := p.Env.ScopeOf(p.prefix)
	if p.Where = start; err != nil {
		p.nowhere = true
		return p.passOver(p.prefix, err)
	}
	return nil
}

// findNamed looks for a path that is literally the pattern, and for the prefix if the pattern
// matches that.
func (p *globPage) findNamed() error {
	if path, ok := p.literal(); ok {
		if err := p.lookUp(path, true); err != nil {
			return err
		}
	}
	if p.glob.Literal() || p.prefix != p.path.Asked && p.glob.Match(p.glob.Prefix(), true) {
		return p.lookUp(p.prefix, p.glob.Literal())
	}
	return nil
}

// literal is the pattern read as a path. If it has a wildcard, the path counts only if it lies in
// the folder that is walked.
func (p *globPage) literal() (path string, ok bool) {
	path, err := p.Env.Workspace.Clean(pathname.InRoot(words.Under(p.path.Asked, strings.TrimLeft(p.pattern, "/"))))
	reached := p.glob.Literal() || p.prefix == "." || strings.HasPrefix(path, p.prefix+"/")
	return path, err == nil && path != p.prefix && reached
}

// passOver handles a path in the pattern that doesn't exist.
func (p *globPage) passOver(path string, err error) error {
	switch {
	case errors.Is(err, fserr.ErrNotFound), errors.Is(err, fserr.ErrNotFolder), errors.Is(err, fserr.ErrInvalidPath):
	case errors.Is(err, fserr.ErrBlocked):
		p.blocked++
	case errors.Is(err, fserr.ErrPermission):
		p.SkipPath(path, err)
	default:
		return err
	}
	return nil
}

// takeNamed adds the named paths up to a path of the walk; with "" it adds all of them. It says
// whether the path itself is a named one.
func (p *globPage) takeNamed(upTo string) (named bool, err error) {
	for len(p.named) > 0 && (upTo == "" || words.ComparePaths(p.named[0].Path, upTo) <= 0) {
		f := p.named[0]
		if err := p.Take(f); err != nil {
			return false, err
		}
		p.named, p.Last, named = p.named[1:], f.Path, f.Path == upTo
	}
	return named, nil
}
