package sandbox

import (
	"context"
	"errors"
	"os"
	"strings"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
)

// Inside is for patterns, which are not paths: it removes the root from an absolute one and returns
// the rest, relative to the root. A pattern that is not under the root is returned unchanged.
func (w *Workspace) Inside(absolute string) (rest string, ok bool) {
	if rest, ok := w.inside(absolute); ok {
		return strings.TrimLeft(rest, "/"), true
	}
	return absolute, false
}

// OpenFile opens a regular file for reading. Symbolic links that stay inside are followed.
func (w *Workspace) OpenFile(path string) (*openfile.File, error) {
	return w.OpenAt(path, Purpose{Follow: true})
}

// ReadForChange reads a regular file whole, whose content, or a part of it, a change puts into
// another file. Symbolic links that stay inside are followed. If somebody had to agree to the
// change, it is the content that was there then, else ErrNotAsAgreed.
func (w *Workspace) ReadForChange(ctx context.Context, path string) (content []byte, etag string, err error) {
	err = w.opening(path, Purpose{Follow: true, Agreed: true}, func(p *Target) error {
		f, err := p.Open(os.O_RDONLY)
		if err != nil {
			return err
		}
		defer f.Close()
		if content, err = f.ReadAll(ctx, w.whole); err != nil {
			return p.Fail(err)
		}
		etag = openfile.ContentETag(content)
		return w.CheckTag(p, etag)
	})
	return content, etag, err
}

// OpenAt opens the regular file that a path leads to, for reading.
func (w *finder) OpenAt(path string, why Purpose) (f *openfile.File, err error) {
	err = w.opening(path, why, func(p *Target) error {
		f, err = p.Open(os.O_RDONLY)
		return err
	})
	return f, err
}

// opening locates what is opened next, and opens it. On SMB, what the system knows of the path may
// be too old for that (see finder.look): if it fails, the path is located once more.
func (w *finder) opening(path string, why Purpose, open func(*Target) error) error {
	for why.Opens = true; ; why.Opens = false {
		p, err := w.Locate(path, why)
		if err != nil {
			return err
		}
		err = open(p)
		isOld := why.Opens && w.shared && p.Folder.System().LosesTarget
		if p.Close(); err == nil || !isOld {
			return err
		}
	}
}

// Stat is what Workspace.Stat reports about a path.
type Stat struct {
	stat.Info
	Path       string // links resolved, except one at the end
	Exists     bool
	Missing    int    // folders above it that don't exist; of a link, above what it leads to
	Target     *Stat  // of a link: the file it leads to, nil if that doesn't exist
	LinkTarget string // of a link: where it leads, relative to the root
	Readable   bool
	Writable   bool
}

// Stat describes the file or folder at path. A symbolic link is described itself. A missing path is
// no error.
func (w *Workspace) Stat(path string) (*Stat, error) {
	p, err := w.Locate(path, Purpose{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return w.describe(path, p)
}

// describe is what a Stat tells about the place of a path.
func (w *finder) describe(path string, p *Target) (*Stat, error) {
	s := &Stat{Info: p.Info, Path: p.Path, Exists: p.Exists, Missing: p.NewParents()}
	if p.Info.IsLink() {
		return s, w.describeTarget(path, s)
	}
	if p.Exists {
		s.Readable, s.Writable = p.Folder.May(p.Name, rights.Reading), p.Folder.May(p.Name, rights.Writing)
	}
	return s, nil
}

// describeTarget adds what a link leads to.
func (w *finder) describeTarget(path string, s *Stat) error {
	p, err := w.Locate(path, Purpose{Follow: true})
	if err != nil {
		return err
	}
	defer p.Close()
	s.LinkTarget, s.Missing = p.Path, p.NewParents()
	if p.Exists {
		s.Target, err = w.describe(path, p)
		s.Readable, s.Writable = s.Target.Readable, s.Target.Writable
	}
	return err
}

// Look is Stat that also opens a regular file, if it may be read: the description is then that of
// the open file, whatever becomes of the name. The file is nil for anything else.
func (w *Workspace) Look(path string) (*Stat, *openfile.File, error) {
	p, err := w.Locate(path, Purpose{})
	if err != nil {
		return nil, nil, err
	}
	defer p.Close()
	s, err := w.describe(path, p)
	if err != nil || !p.Exists || !p.Info.Mode.IsRegular() {
		return s, nil, err
	}
	f, err := p.Open(os.O_RDONLY)
	switch s.Readable = err == nil; {
	case errors.Is(err, fserr.ErrPermission):
		return s, nil, nil
	case err != nil:
		return nil, nil, err
	}
	s.Info = f.Info
	return s, f, nil
}

// LinkTarget says where the link at path leads, relative to the root. It is "" for a link that
// leads outside or to a path that the policy hides, or if the target can't be found.
func (w *Workspace) LinkTarget(path string) string {
	p, _ := w.Glance(path, Purpose{Follow: true})
	return p.Path
}

// Exists reports whether path exists, links not followed; false also if the path is refused.
func (w *Workspace) Exists(path string) bool {
	p, _ := w.Glance(path, Purpose{})
	return p.Exists
}

// Lstat describes the file or folder at path; a link is described itself, wherever it leads. A
// missing path is ErrNotFound.
func (w *Workspace) Lstat(path string) (stat.Info, error) {
	p, err := w.Glance(path, Purpose{})
	if err == nil && !p.Exists {
		err = p.Fail(fserr.ErrNotFound)
	}
	return p.Info, err
}
