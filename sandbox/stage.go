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

// Temporary names in a locked folder: a file with the name fixedTemp is whole, either a new file
// before it gets its name or an old one that was displaced. A file with the name stagedTemp is
// still being written, where the file system has no unnamed files.
const (
	fixedTemp  = policy.TempPrefix + "0"
	stagedTemp = policy.TempPrefix + "1"
)

// foldersLock says that locking a folder keeps other processes out. Windows can't lock folders.
const foldersLock = runtime.GOOS != "windows"

// name gives every step the temporary name of its file.
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

// stagers is how many files are written and synced at a time: enough to let the disk combine the
// syncs of many files.
const stagers = 8

// stageAll stages the steps in parallel.
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

// hand passes the steps to the goroutines of group until all are passed or the call is cancelled,
// and waits for the goroutines.
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

// stage writes the whole new file and syncs it. If the file system can do that, the file has no
// name until it is put in place.
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

// takesOver reports that a new file gets more than the process's default mode.
func (s *step) takesOver() bool { return s.template() != nil || s.target.Mode != nil }

// template is a file from which a new one gets mode, owner and attributes.
type template struct {
	info    dir.Info
	carried dir.Attributes
}

// template is the file from which the new file takes over; nil if it doesn't replace, move or
// restore one.
func (s *step) template() *template {
	switch {
	case s.target.template != nil:
		return s.target.template
	case s.source != nil:
		return &template{s.source.info, s.source.carried}
	case s.p.exists:
		return &template{s.info, s.carried}
	}
	return nil
}

// isForeign reports a new file that gets mode and owner from another file than the one it replaces.
func (s *step) isForeign() bool { return s.source != nil || s.target.template != nil }

// perm is the mode with which the file is created, before the process's umask.
func (s *step) perm() fs.FileMode {
	switch {
	case s.takesOver():
		return 0o600 // until its final mode is set
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
	if errors.Is(err, fs.ErrExist) { // a file that can't be removed has the name
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
	if from := s.template(); from != nil {
		if mode, s.lost, err = from.give(s.file); err != nil {
			return err
		}
	}
	if err := s.file.SetAttributes(s.target.attributes); err != nil {
		return err
	}
	return s.file.Chmod(s.target.mode(mode) &^ dir.SetID)
}

// Lost says what a new file lacks that the file had which it replaces, or was made from.
type Lost struct {
	Owner bool // its owner or its group
	SetID bool // the set-ID bits
}

// Or is what either of two files lost.
func (l Lost) Or(m Lost) Lost { return Lost{l.Owner || m.Owner, l.SetID || m.SetID} }

// give sets owner and attributes of a new file, and returns the mode to set afterwards.
func (m *template) give(f *dir.File) (mode fs.FileMode, lost Lost, err error) {
	if lost.Owner, err = f.TakeOwner(m.info); err != nil {
		return 0, lost, err
	}
	mode = m.info.Mode &^ fs.ModeType
	lost.SetID = mode&dir.SetID != 0
	return mode &^ dir.SetID, lost, f.SetAttributes(m.carried)
}

// mode is the mode that the target asks for, given the mode so far.
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

// giveName gives the new file its temporary name.
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
	if errors.Is(err, fs.ErrExist) { // a file that can't be removed has the name
		s.temp = randomTemp()
		err = s.p.folder.Link(s.file, s.temp)
	}
	if errors.Is(err, dir.ErrUnsupported) {
		return t.stageAgain()
	}
	s.named = err == nil
	return err
}

// stageAgain writes the files again, with names, on a file system where an unnamed file can't get
// one. It does so for all files at once, because the record of the new files is then written again.
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
