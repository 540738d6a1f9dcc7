package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"sync"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// The names of what is on its way in a locked folder: fixedTemp has what is whole, on its way in or out; stagedTemp has what is
// still being made where it must have a name for that.
const (
	fixedTemp  = policy.TempPrefix + "0"
	stagedTemp = policy.TempPrefix + "1"
)

// foldersLock says that a folder's lock keeps other processes out; on Windows there is none.
const foldersLock = runtime.GOOS != "windows"

// name gives every step the name that its file has on the way.
func (t *transaction) name() {
	if len(t.work) == 1 {
		t.work[0].temp = clearAside(t.work[0].p.folder)
		return
	}
	id := rand.Uint64()
	for i, s := range t.work {
		s.temp = fmt.Sprintf("%s%016x-%d", policy.TransPrefix, id, i)
	}
}

func randomTemp() string { return fmt.Sprintf("%s%016x", policy.TempPrefix, rand.Uint64()) }

// stagers is how many files are written and synced at a time: enough to let the disk join the syncs of a long list.
const stagers = 8

// stageAll stages the steps side by side.
func (t *transaction) stageAll() error {
	errs := make([]error, len(t.work))
	var group sync.WaitGroup
	next := make(chan int)
	for range min(stagers, len(t.work)) {
		group.Go(func() {
			for i := range next {
				errs[i] = t.stage(t.work[i])
			}
		})
	}
	if err := t.hand(next, &group); err != nil {
		return err
	}
	for i, err := range errs {
		if err != nil {
			return own(t.work[i].p, err)
		}
	}
	return nil
}

// hand gives out the steps, until all are given or the caller gives up, and waits for them.
func (t *transaction) hand(next chan<- int, group *sync.WaitGroup) error {
	defer group.Wait()
	defer close(next)
	for i := range t.work {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		next <- i
	}
	return nil
}

// stage writes the new file whole and syncs it. It has no name until it is put in its place, where the file system can do
// that.
func (t *transaction) stage(s *step) error {
	if s.remove {
		return nil
	}
	f, err := s.p.folder.CreateUnnamed(s.perm())
	if errors.Is(err, dir.ErrUnsupported) {
		f, err = s.createNamed()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return dir.ErrCollision // its folder is gone
	}
	if err != nil {
		return err
	}
	s.file, s.staged = f, f.Info.Identity
	return t.fill(s)
}

// takesOver reports a new file that doesn't just get the process's default mode.
func (s *step) takesOver() bool { return s.like() != nil || s.target.Mode != nil }

// model is a file that another one takes mode, owner and attributes from.
type model struct {
	info    dir.Info
	carried dir.Attributes
}

// like is what the new file takes over from; nil for a file that is new.
func (s *step) like() *model {
	switch {
	case s.target.like != nil:
		return s.target.like
	case s.source != nil:
		return &model{s.source.info, s.source.carried}
	case s.p.exists:
		return &model{s.info, s.carried}
	}
	return nil
}

// isForeign reports a new file that isn't like the one that it replaces.
func (s *step) isForeign() bool { return s.source != nil || s.target.like != nil }

// perm is the mode that the file is made with; the process's mask takes from it.
func (s *step) perm() fs.FileMode {
	switch {
	case s.takesOver():
		return 0o600 // until its mode is set
	case s.target.Exec != nil && *s.target.Exec:
		return 0o777
	}
	return 0o666
}

func (s *step) createNamed() (*dir.File, error) {
	if s.temp == fixedTemp {
		s.temp = clearStaged(s.p.folder)
	}
	f, err := s.p.folder.Create(s.temp, s.perm())
	if errors.Is(err, fs.ErrExist) { // something that can't be removed has the name
		s.temp = randomTemp()
		f, err = s.p.folder.Create(s.temp, s.perm())
	}
	s.named = err == nil
	return f, err
}

func (t *transaction) fill(s *step) error {
	if _, err := s.file.Write(s.content); err != nil {
		return err
	}
	if s.takesOver() {
		if err := s.takeOver(); err != nil {
			return err
		}
	}
	if !t.w.noSync {
		if err := s.file.Sync(); err != nil {
			return err
		}
	}
	var err error
	s.made, err = s.file.Stat()
	return err
}

// takeOver sets the mode last: an access control list changes it.
func (s *step) takeOver() (err error) {
	var mode fs.FileMode
	if like := s.like(); like != nil {
		if mode, s.lost, err = like.give(s.file); err != nil {
			return err
		}
	}
	if err := s.file.SetAttributes(s.target.attributes); err != nil {
		return err
	}
	return s.file.Chmod(s.target.mode(mode) &^ dir.SetID)
}

// Lost is what a new file doesn't have, though the file had it that it was made from or replaces.
type Lost struct {
	Owner bool // its owner or its group
	SetID bool // the right to run as them
}

// Or is what either lost.
func (l Lost) Or(m Lost) Lost { return Lost{l.Owner || m.Owner, l.SetID || m.SetID} }

// give sets owner and attributes of a new file, and tells the mode that is still to be set.
func (m *model) give(f *dir.File) (mode fs.FileMode, lost Lost, err error) {
	if lost.Owner, err = f.TakeOwner(m.info); err != nil {
		return 0, lost, err
	}
	mode = m.info.Mode &^ fs.ModeType
	lost.SetID = mode&dir.SetID != 0
	return mode &^ dir.SetID, lost, f.SetAttributes(m.carried)
}

// mode is what a file is to have that has now so far.
func (t Target) mode(now fs.FileMode) fs.FileMode {
	switch {
	case t.Mode != nil:
		return *t.Mode
	case t.Exec == nil:
		return now
	case *t.Exec:
		return now | now&anyRead>>2
	}
	return now &^ anyExec
}

// Permission bits of owner, group and others.
const (
	anyRead = 0o444
	anyExec = 0o111
)

// giveName makes the new file visible under its name for the way.
func (t *transaction) giveName(s *step) error {
	if s.named && s.temp == stagedTemp {
		err := s.p.folder.Move(stagedTemp, s.p.folder, fixedTemp, dir.Over)
		if err == nil {
			s.temp = fixedTemp
		}
		return err
	}
	if s.named {
		return nil
	}
	err := s.p.folder.Link(s.file, s.temp)
	if errors.Is(err, fs.ErrExist) { // something that can't be removed has the name
		s.temp = randomTemp()
		err = s.p.folder.Link(s.file, s.temp)
	}
	if errors.Is(err, dir.ErrUnsupported) {
		return t.stageAgain()
	}
	s.named = err == nil
	return err
}

// stageAgain writes the files under names after all, where unnamed ones can't be given any: all of them at once, since the record
// of what is staged is written anew.
func (t *transaction) stageAgain() error {
	for _, s := range t.work {
		if s.file == nil || s.named || s.done {
			continue
		}
		s.file.Close()
		f, err := s.createNamed()
		if err != nil {
			s.file = nil
			return err
		}
		s.file, s.staged = f, f.Info.Identity
		if err := t.fill(s); err != nil {
			return err
		}
	}
	return t.markStaged()
}
