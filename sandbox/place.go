package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
)

// apply makes the change of one step. The file that had the name before is kept under the step's
// temporary name until the whole transaction is done.
func (t *transaction) apply(s *step) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	var err error
	switch {
	case s.remove:
		err = t.takeAway(s)
	case s.p.exists:
		err = t.replace(s)
	default:
		if err = t.publish(s); errors.Is(err, fs.ErrNotExist) {
			err = dir.ErrCollision // its folder is gone
		}
	}
	s.done = s.done || err == nil
	return s.p.tellMount(err)
}

// publish gives a new file its name, unless the name is taken.
func (t *transaction) publish(s *step) error {
	err := dir.ErrUnsupported
	if !s.named {
		err = s.p.folder.Link(s.file, s.p.name)
	}
	if errors.Is(err, dir.ErrUnsupported) {
		if !s.named { // else it already has the temporary name, which a recovery would remove
			if err := t.giveName(s); err != nil {
				return err
			}
		}
		err = dir.MoveFree(s.p.folder, s.temp, s.p.name)
		s.named = err != nil
	}
	if errors.Is(err, fs.ErrExist) && s.target.Creation != MustCreate {
		return dir.ErrCollision
	}
	return err
}

// replace exchanges the new file with the old one, and checks whether the displaced file is the one
// that was read. If not, somebody else has changed the file, and theirs gets the name back.
func (t *transaction) replace(s *step) error {
	if err := t.unchanged(s); err != nil {
		return err
	}
	if err := t.giveName(s); err != nil {
		return err
	}
	folder := s.p.folder
	err := folder.Move(s.temp, folder, s.p.name, dir.Swapping)
	switch {
	case errors.Is(err, dir.ErrUnsupported):
		return t.replaceInTwo(s)
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision // it is gone
	case err != nil:
		return err
	}
	if t.isDisplaced(s) {
		return nil
	}
	return t.swapBack(s)
}

// replaceInTwo is for file systems that can't exchange two names. A single file is renamed over the
// old one. With several files, the old one must be kept to be put back, so for a moment no file has
// the name.
func (t *transaction) replaceInTwo(s *step) error {
	folder := s.p.folder
	if err := t.unchanged(s); err != nil {
		return err
	}
	if len(t.work) == 1 {
		err := folder.Move(s.temp, folder, s.p.name, dir.Over)
		s.named = err != nil
		return err
	}
	aside := s.temp + oldSuffix
	if err := dir.MoveFree(folder, s.p.name, aside); err != nil {
		return err
	}
	s.done = true // counts as done: restore handles every state from here on
	if err := dir.MoveFree(folder, s.temp, s.p.name); err != nil {
		return err
	}
	return dir.MoveFree(folder, aside, s.temp)
}

// oldSuffix ends the name of the old file while it has neither its own name nor the temporary one.
const oldSuffix = "-old"

// takeAway moves the file to its temporary name, where it stays until the transaction is done.
func (t *transaction) takeAway(s *step) error {
	folder := s.p.folder
	if err := t.unchanged(s); err != nil {
		return err
	}
	err := dir.MoveFree(folder, s.p.name, s.temp)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir.ErrCollision
	case errors.Is(err, fs.ErrExist): // something that can't be removed has the temporary name
		return dir.ErrBusy
	case err != nil:
		return err
	}
	if t.isDisplaced(s) {
		s.named = true
		return nil
	}
	if err := dir.MoveFree(folder, s.temp, s.p.name); err != nil {
		return dir.LeftBehind(s.setAside(err))
	}
	return dir.ErrCollision
}

// unchanged is the function of the same name for a step. If an earlier step has renamed the same
// file under another name, the time of the last change may differ.
func (t *transaction) unchanged(s *step) error {
	err := unchanged(s.p, s.info)
	if err == nil || !slices.ContainsFunc(t.work, func(o *step) bool { return o.done && o.p.exists && o.info.ID() == s.info.ID() }) {
		return err
	}
	if now, err := s.p.folder.Lstat(s.p.name); err == nil && sameState(now, s.info) {
		return nil
	}
	return err
}

// unchanged checks once more that the file is the one that was read.
func unchanged(p *place, then dir.Info) error {
	now, err := p.folder.Lstat(p.name)
	if err != nil || now.Identity != then.Identity || now.Size != then.Size || !now.Modified.Equal(then.Modified) {
		return dir.ErrCollision
	}
	return nil
}

// compareLimit is the size, in bytes, up to which a displaced file is read again: a change within
// one tick of the file system's clock shows only in the content.
const compareLimit = 1 << 20

// isDisplaced reports that the file with the temporary name is the one that was read, unchanged. If
// the file itself is kept as the backup, nobody may be able to change it any more.
func (t *transaction) isDisplaced(s *step) bool {
	now, err := s.p.folder.Lstat(s.temp)
	if err != nil || !sameState(now, s.info) {
		return false
	}
	if s.keptAs == nil {
		return s.isPartial(t.w) || t.holds(s, s.old)
	}
	f := t.w.openSettled(s) // the same file by its other name
	if f == nil {
		return false
	}
	defer f.Close()
	return s.isPartial(t.w) || t.isContent(f, s.old)
}

// sameState compares two descriptions of a file, except for the time that a rename changes.
func sameState(a, b dir.Info) bool {
	return a.Dev == b.Dev && a.Ino == b.Ino && a.UID == b.UID && a.GID == b.GID && a.Mode == b.Mode && a.Size == b.Size &&
		a.Modified.Equal(b.Modified)
}

// swapBack gives somebody else's file its name again.
func (t *transaction) swapBack(s *step) error {
	folder := s.p.folder
	if err := folder.Move(s.temp, folder, s.p.name, dir.Swapping); err != nil {
		return dir.LeftBehind(s.setAside(err))
	}
	if t.isAsStaged(s) {
		return dir.ErrCollision
	}
	return dir.LeftBehind(s.setAside(dir.ErrBusy)) // somebody was faster again: the file with the temporary name is theirs
}

// isAsStaged reports that the file with the temporary name is the new file, as it was written.
func (t *transaction) isAsStaged(s *step) bool {
	staged, err := s.file.Stat()
	if err != nil || staged.ID() != s.made.ID() || staged.Size != s.made.Size || !staged.Modified.Equal(s.made.Modified) {
		return false
	}
	now, err := s.p.folder.Lstat(s.temp)
	return err == nil && now.ID() == s.made.ID() && t.holds(s, s.content)
}

// holds compares the file with the temporary name with a content, unless that is long.
func (t *transaction) holds(s *step, content []byte) bool {
	if len(content) > compareLimit {
		return true
	}
	f, err := s.p.folder.Open(s.temp, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	return t.isContent(f, content)
}

// isContent compares a file with a content, unless that is long.
func (t *transaction) isContent(f *dir.File, content []byte) bool {
	if len(content) > compareLimit {
		return true
	}
	found, err := f.ReadAll(context.WithoutCancel(t.ctx), compareLimit)
	return err == nil && bytes.Equal(found, content)
}

// setAside gives somebody else's file, which could not be put back, a name that nothing removes.
func (s *step) setAside(cause error) error {
	aside := asideName(s.p.name)
	s.named = false
	if err := dir.MoveFree(s.p.folder, s.temp, aside); err != nil {
		return errors.Join(cause, err)
	}
	return &asideError{cause: dir.Classify(cause), path: s.p.path, name: aside}
}

// asideError says that a file could not be put back at its path, and which name it has now.
type asideError struct {
	cause      error
	path, name string
}

func (e *asideError) Error() string {
	return fmt.Sprintf("%v; what could not be put back is in %q", e.cause, e.name)
}

func (e *asideError) Unwrap() error { return e.cause }

// maxName is the longest name that file systems accept, in bytes.
const maxName = 255

// asideName is a new name for a file that had this one. A long name is shortened.
func asideName(name string) string {
	mark := ".fsbox-conflict-" + history.RandomSuffix()
	if len(name)+len(mark) > maxName {
		name = strings.ToValidUTF8(name[:maxName-len(mark)], "")
	}
	return name + mark
}

// finish removes the displaced files and makes the names survive a power cut.
func (t *transaction) finish() error {
	if t.record == nil {
		s := t.work[0]
		if s.named { // before the sync: the old file has a name no longer than needed
			_ = s.p.folder.Remove(s.temp) // if this fails, the next write does it
			s.named = false
		}
		return own(s.p, t.w.syncNames(s.p.folder))
	}
	err := t.syncAll()
	if marked := t.w.history.Commit(t.record); err == nil && marked != nil {
		err = own(t.work[0].p, marked)
	}
	clean := true
	for _, s := range t.work {
		if s.named {
			clean = s.p.folder.Remove(s.temp) == nil && clean
			s.named = false
		}
	}
	if !clean {
		return err
	}
	if failed := t.syncAll(); failed != nil { // a power cut could restore a removed file, and no record would name it
		return cmp.Or(err, failed)
	}
	t.record.End()
	return err
}

// syncAll syncs every folder once.
func (t *transaction) syncAll() error {
	var failed error
	seen := map[string]bool{}
	for _, s := range t.work {
		id, err := dir.FolderID(s.p.folder)
		if err == nil && seen[id] {
			continue
		}
		seen[id] = true
		if err := t.w.syncNames(s.p.folder); err != nil {
			failed = own(s.p, err)
		}
	}
	return failed
}

// syncNames makes the names in a folder survive a power cut.
func (w *Workspace) syncNames(folder dir.Folder) error {
	if w.noSync {
		return nil
	}
	if err := folder.Sync(); err != nil {
		return &dir.KindError{Kind: dir.ErrDurability, Cause: err}
	}
	return nil
}

// report says what happened for each change. A failed sync after the commit still has a result: the
// content is in place.
func (t *transaction) report(failed error) ([]*Rewritten, error) {
	all := make([]*Rewritten, t.changes)
	for _, s := range t.steps {
		if s.movedFrom {
			continue
		}
		r := &Rewritten{Path: s.p.asked, Existed: s.p.exists, Changed: s.changed, Old: s.old, New: s.content, Links: s.info.Links,
			Partial: s.isPartial(t.w), ParentsCreated: s.parents, Mode: s.info.Mode &^ fs.ModeType}
		if t.dry {
			r.ParentsCreated = max(0, len(s.p.missing)-1)
		}
		if s.source != nil {
			r.Old, r.Mode, r.Links = s.source.old, s.source.info.Mode&^fs.ModeType, s.source.info.Links
		}
		if t.kept && s.changed {
			r.BackupID = t.backup.ID
		}
		r.Lost = s.lost
		all[s.index] = r
		if t.dry {
			r.ETag = t.presentETag(s)
			continue
		}
		if s.remove {
			continue
		}
		var err error
		if r.ETag, err = t.etag(s); err != nil {
			return all, errors.Join(failed, err)
		}
	}
	return all, failed
}

// presentETag is the etag of the file that a dry run would change, to be used as if_match; "" if
// there is none.
func (t *transaction) presentETag(s *step) string {
	switch {
	case s.source != nil:
		return t.presentETag(s.source)
	case !s.p.exists:
		return ""
	case s.isPartial(t.w):
		return dir.StateETag(s.info)
	}
	return dir.ContentETag(s.old)
}

func (t *transaction) etag(s *step) (string, error) {
	switch {
	case s.tag != "":
		return s.tag, nil
	case int64(len(s.content)) <= t.w.whole:
		return dir.ContentETag(s.content), nil
	}
	info, err := s.file.Stat() // of the open file, not of its name: the etag is for what was written
	return dir.StateETag(info), err
}
