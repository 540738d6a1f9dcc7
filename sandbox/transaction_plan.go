package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// prepare reads the old content and computes the new one.
func (t *transaction) prepare(s *step) error {
	if s.p.exists {
		if err := t.readOld(s); err != nil {
			return err
		}
	}
	if s.remove {
		s.changed = !s.merged
		if s.make == nil {
			return nil
		}
		if _, err := s.make(s.old, true); err != nil {
			return &refusal{err}
		}
		return nil
	}
	old, existed := s.old, s.p.exists
	if s.source != nil {
		old, existed = s.source.old, true
	}
	content, err := s.make(old, existed)
	if err != nil {
		return &refusal{err}
	}
	s.content = content
	mode := s.info.Mode &^ fs.ModeType
	keepsMode := s.target.mode(mode) == mode
	s.changed = !s.p.exists || s.isPartial(t.w) || s.isForeign() || !bytes.Equal(s.old, content) || !keepsMode
	return nil
}

// checkRest adds the other changes that can't be made to those that can't be located, so that the
// caller learns of all at once.
func (t *transaction) checkRest(err error) error {
	var located, prepared *ChangesError
	if !errors.As(err, &located) {
		return err
	}
	t.dry = true // nothing is locked
	failed := map[int]bool{}
	for _, f := range located.Failed {
		failed[f.Index] = true
	}
	for _, s := range t.steps {
		s.unfit = failed[s.index]
	}
	if errors.As(t.each(t.prepare), &prepared) {
		located.Failed = append(located.Failed, prepared.Failed...)
		slices.SortStableFunc(located.Failed, func(a, b FailedChange) int { return cmp.Compare(a.Index, b.Index) })
	}
	return located
}

// isPartial reports a file of which only the beginning was read.
func (s *step) isPartial(w *Workspace) bool { return s.p.exists && s.info.Size > w.whole }

// maxHeld is how much old content one transaction may have, in bytes: all of it is held in memory,
// and then kept in the state folder.
const maxHeld = history.MaxBytes

// readOld reads the file to be replaced and checks that it may be replaced, by etag and by its own
// permission bits: a rename would also replace a write-protected file, which is not what its owner
// wants. To remove a file, the permissions of its folder are enough.
func (t *transaction) readOld(s *step) error {
	f, err := s.p.open(os.O_RDONLY)
	if errors.Is(err, dir.ErrNotFound) || errors.Is(err, dir.ErrBusy) || errors.Is(err, dir.ErrNotFile) {
		return dir.ErrCollision // it was a regular file a moment ago
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if !t.dry {
		if err := t.w.unlinkKept(t.ctx, f); err != nil {
			return err
		}
	}
	if s.old, err = t.w.oldContent(t.ctx, s.target, f); err != nil {
		return err
	}
	if t.held += int64(len(s.old)); t.held > maxHeld {
		return &dir.SizeError{Size: t.held, Limit: maxHeld}
	}
	s.info = f.Info
	if s.carried, err = f.Attributes(); err != nil {
		return err
	}
	if s.remove {
		return nil
	}
	return s.p.mayWrite(f.Info)
}

func (w *Workspace) oldContent(ctx context.Context, t Target, f *dir.File) ([]byte, error) {
	if t.Large && f.Info.Size > w.whole {
		if err := w.verify(ctx, t.IfMatch, f, nil); err != nil {
			return nil, err
		}
		edges, err := f.Edges()
		return edges.Head, err
	}
	content, err := f.ReadAll(ctx, w.whole)
	if err != nil {
		return nil, err
	}
	return content, w.verify(ctx, t.IfMatch, f, content)
}

// anyWrite are the permission bits that let anyone write.
const anyWrite = 0o222

// mayWrite refuses a file that this process, or everyone, may not write to.
func (p *place) mayWrite(i dir.Info) error {
	writable := p.folder.IsWritable(p.name)
	switch {
	case !writable && unchanged(p, i) != nil:
		return dir.ErrCollision // another file has the name by now
	case i.Mode&anyWrite == 0:
		return dir.ErrPermission
	case !writable:
		return p.tryWrite()
	}
	return nil
}

// tryWrite opens the file for writing, to get the error that tells why it can't be written:
// permission, or a read-only file system.
func (p *place) tryWrite() error {
	f, err := p.folder.Open(p.name, os.O_WRONLY)
	if err != nil {
		return err
	}
	return f.Close()
}
