package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"sync"
)

// Names of files that are on their way. The first is used again and again, under the folder's lock, so that the next write
// into a folder removes what a kill left there; the second belongs to a transaction whose record says what is to be done.
const (
	tempPrefix  = ".fsbox-tmp-"
	transPrefix = ".fsbox-txn-"
)

// fixedTemp is the name of the one new file in a locked folder.
const fixedTemp = tempPrefix + "0"

// foldersLock says that a folder's lock keeps other processes out; on Windows there is none.
const foldersLock = runtime.GOOS != "windows"

// name gives every step the name that its file has on the way.
func (t *transaction) name() {
	if len(t.work) == 1 {
		t.work[0].temp = randomTemp()
		if foldersLock {
			t.work[0].temp = fixedTemp
			_ = t.work[0].p.folder.remove(fixedTemp) // what a killed process left; else there is nothing
		}
		return
	}
	id := rand.Uint64()
	for i, s := range t.work {
		s.temp = fmt.Sprintf("%s%016x-%d", transPrefix, id, i)
	}
}

func randomTemp() string { return fmt.Sprintf("%s%016x", tempPrefix, rand.Uint64()) }

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
	for i := range t.work {
		next <- i
	}
	close(next)
	group.Wait()
	for i, err := range errs {
		if err != nil {
			return own(t.work[i].p, err)
		}
	}
	return nil
}

// stage writes the new file whole and syncs it. It has no name until it is put in its place, where the file system can do
// that.
func (t *transaction) stage(s *step) error {
	if s.remove {
		return nil
	}
	if err := t.ctx.Err(); err != nil {
		return err
	}
	perm := fs.FileMode(0o666)
	if s.takesOver() {
		perm = 0o600 // until its mode is set
	}
	f, err := s.p.folder.createUnnamed(perm)
	if errors.Is(err, ErrUnsupported) {
		f, err = s.createNamed(perm)
	}
	if err != nil {
		return err
	}
	s.file, s.staged = f, f.Info.identity
	return t.fill(s)
}

// takesOver reports a new file that doesn't just get the process's default mode.
func (s *step) takesOver() bool { return s.like() != nil || s.target.Mode != nil }

// like is the step whose file the new one takes mode, owner and attributes from; nil for a file that is new.
func (s *step) like() *step {
	switch {
	case s.p.exists:
		return s
	case s.source != nil:
		return s.source
	}
	return nil
}

func (s *step) createNamed(perm fs.FileMode) (*File, error) {
	f, err := s.p.folder.create(s.temp, perm)
	if errors.Is(err, fs.ErrExist) { // something that can't be removed has the name
		s.temp = randomTemp()
		f, err = s.p.folder.create(s.temp, perm)
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
	if t.w.noSync {
		return nil
	}
	return s.file.sync()
}

// takeOver sets owner, attributes and mode in this order: a change of owner clears the set-user-ID bit, and an access
// control list changes the mode.
func (s *step) takeOver() error {
	var mode fs.FileMode
	if like := s.like(); like != nil {
		mode = like.info.Mode &^ fs.ModeType
		if like.info.uid != s.staged.uid || like.info.gid != s.staged.gid {
			err := s.file.chown(like.info)
			switch {
			case errors.Is(err, fs.ErrPermission): // owner where possible; then no bit may lend the wrong one's rights
				mode &^= fs.ModeSetuid | fs.ModeSetgid
			case err != nil:
				return err
			}
		}
		if err := s.file.setAttributes(like.carried); err != nil {
			return err
		}
	}
	if s.target.Mode != nil {
		mode = *s.target.Mode
	}
	return s.file.chmod(mode)
}

// giveName makes the new file visible under its name for the way.
func (t *transaction) giveName(s *step) error {
	if s.named {
		return nil
	}
	err := s.p.folder.link(s.file, s.temp)
	if errors.Is(err, fs.ErrExist) { // something that can't be removed has the name
		s.temp = randomTemp()
		err = s.p.folder.link(s.file, s.temp)
	}
	if errors.Is(err, ErrUnsupported) {
		return t.stageAgain(s)
	}
	s.named = err == nil
	return err
}

// stageAgain writes the file under a name after all, where an unnamed one can't be given one.
func (t *transaction) stageAgain(s *step) error {
	s.file.Close()
	perm := fs.FileMode(0o666)
	if s.takesOver() {
		perm = 0o600
	}
	f, err := s.createNamed(perm)
	if err != nil {
		s.file = nil
		return err
	}
	s.file, s.staged = f, f.Info.identity
	return t.fill(s)
}
