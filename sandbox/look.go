package sandbox

import (
	"errors"
	"os"

	"fsbox/sandbox/dir"
)

// Look is Stat that also opens a regular file, if it may be read: the description is then that of
// the open file, whatever becomes of the name. The file is nil for anything else.
func (w *Workspace) Look(path string) (*Stat, *dir.File, error) {
	p, err := w.locate(path, purpose{})
	if err != nil {
		return nil, nil, err
	}
	defer p.close()
	s := &Stat{Info: p.info, Path: p.path, Exists: p.exists}
	switch {
	case !p.exists:
		return s, nil, nil
	case p.info.IsLink():
		return s, nil, w.statTarget(path, s)
	}
	s.Writable = p.folder.IsWritable(p.name)
	if !p.info.Mode.IsRegular() {
		s.Readable = p.folder.IsReadable(p.name)
		return s, nil, nil
	}
	f, err := p.open(os.O_RDONLY)
	switch {
	case errors.Is(err, dir.ErrPermission):
		return s, nil, nil
	case err != nil:
		return nil, nil, err
	}
	s.Info, s.Readable = f.Info, true
	return s, f, nil
}

// OpenStart opens where a search starts, a folder or a regular file; the other one is nil. Symbolic
// links that stay inside are followed.
func (w *Workspace) OpenStart(path string) (*Folder, *dir.File, error) {
	p, err := w.locate(path, purpose{follow: true})
	if err != nil {
		return nil, nil, err
	}
	defer p.close()
	if !p.exists || !p.info.Mode.IsDir() {
		f, err := p.open(os.O_RDONLY)
		return nil, f, err
	}
	sub, err := p.folder.Sub(p.name)
	if err != nil {
		return nil, nil, p.fail(notFollowed(err))
	}
	return &Folder{w: w, dir: sub, Asked: p.asked, Path: p.path}, nil, nil
}
