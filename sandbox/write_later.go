package sandbox

// A change of very many files would not fit into memory. Of a file with Target.Later no content is
// held: its IfMatch, the etag of its content, says which one the change was planned for. Make gets
// that content only when the new file is made, and may be called again if somebody changes a file
// of the same change meanwhile. Done has no contents.

// prepareLater is prepare for a file whose contents are not held.
func (t *transaction) prepareLater(s *write) error {
	if err := t.readOld(s); err != nil {
		return err
	}
	s.changed = true
	n := s.newFile()
	n.later, n.size = func() ([]byte, error) { return t.contentNow(s) }, s.target.Later
	s.arrives = n
	return nil
}

// contentNow reads the old content and gets the new one. ErrCollision says that the file isn't the
// one that was prepared, *dir.StaleError that the caller means another content.
func (t *transaction) contentNow(s *write) ([]byte, error) {
	f, err := s.p.openSame(s.info)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	old, err := f.ReadAll(t.ctx, t.w.whole)
	if err == nil {
		err = t.w.verify(t.ctx, s.oldTag, f, old)
	}
	if err != nil {
		return nil, err
	}
	content, err := s.make(old, true)
	if err != nil {
		return nil, &refusal{err}
	}
	return content, nil
}
