package dirlock

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/system"
	"fsbox/sandbox/policy"
)

// The holder of a lock file writes to it every lockBeat. If it hasn't done so for lockLease, others
// take the lock: its process was killed. A process that only slept looks for itself: lockMargin
// before that time it no longer relies on the lock. A call with a longer timeout than lockLease
// finds the lock of a killed process free in the end.
const (
	lockBeat   = 500 * time.Millisecond
	lockLease  = 3 * time.Second
	lockMargin = time.Second
)

// lockFile is the lock of a folder as a file, which only one process can make: O_EXCL works on
// every file system, and between machines. It holds who has the lock, and a number that grows.
type lockFile struct {
	in    dir.Folder
	id    string
	timer *time.Timer

	mutex   sync.Mutex
	beats   int
	written time.Time // just before the last write to the file
	lost    bool
}

// lockID tells one lock from all others.
func lockID() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// makeLockFile takes the lock and keeps it until remove. It fails with fs.ErrExist if somebody else
// has it.
func makeLockFile(in dir.Folder) (*lockFile, error) {
	const readable = 0o644 // others must be able to see that it doesn't change any more
	f, err := in.Create(policy.LockName, readable)
	if err != nil {
		return nil, err
	}
	l := &lockFile{in: in, id: lockID()}
	if err := l.write(f); err != nil {
		return nil, cmp.Or(in.Remove(policy.LockName), err) // what has to fail because of err will do so when the change is made
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timer = time.AfterFunc(lockBeat, l.beat)
	return l, nil
}

// write closes the file: some file systems send the text to the others only then.
func (l *lockFile) write(f *openfile.File) error {
	now := time.Now()
	_, err := fmt.Fprintf(f, "%s %08d\n", l.id, l.beats)
	if err = cmp.Or(err, f.Close()); err == nil {
		l.written, l.beats = now, l.beats+1
	}
	return err
}

// beat tells the others that the holder lives.
func (l *lockFile) beat() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.timer == nil || l.renew() != nil {
		return // released, or lost: check tells
	}
	l.timer.Reset(lockBeat)
}

// renew writes to the file, if it is still the one of this lock.
func (l *lockFile) renew() error {
	f, err := l.in.OpenOnce(policy.LockName, os.O_RDWR)
	if err != nil {
		return err
	}
	text, err := contentOf(f)
	if err == nil && !strings.HasPrefix(text, l.id) {
		l.lost, err = true, fserr.ErrCollision
	}
	if err != nil {
		f.Close()
		return err
	}
	return l.write(f)
}

// check makes sure that this process still has the lock, and that nobody else can take it before
// lockMargin has passed. If the last write to the file is too old for that, it writes again.
func (l *lockFile) check() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.isFresh() {
		return nil
	}
	if l.renew() != nil {
		return fserr.ErrCollision
	}
	return nil
}

// isFresh also looks at the time of day, which goes on while the machine sleeps.
func (l *lockFile) isFresh() bool {
	now := time.Now()
	return !l.lost && max(now.Sub(l.written), now.Round(0).Sub(l.written.Round(0))) < lockLease-lockMargin
}

// remove removes the file, unless somebody else has the lock by now.
func (l *lockFile) remove() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timer.Stop()
	l.timer = nil
	if !l.isFresh() {
		if text, err := readLockFile(l.in); err != nil || !strings.HasPrefix(text, l.id) {
			return
		}
	}
	_ = l.in.Remove(l.giveUpName()) // else the next one takes it after lockLease
}

// giveUpName frees the name of the lock where a file that is removed keeps its name until all who
// have it open close it: those who wait for the lock look into it all the time. It returns the name
// that the file has then.
func (l *lockFile) giveUpName() string {
	if system.LocksDirs {
		return policy.LockName
	}
	aside := policy.LockName + "-" + l.id
	if l.in.Move(policy.LockName, l.in, aside, dir.Over) != nil {
		return policy.LockName
	}
	return aside
}

func readLockFile(in dir.Folder) (string, error) { return readFile(in, policy.LockName) }

// readFile reads a lock file. What is no regular file has no text.
func readFile(in dir.Folder, name string) (string, error) {
	f, err := in.OpenOnce(name, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", err
	case err != nil:
		return "", nil
	}
	defer f.Close()
	return contentOf(f)
}

func contentOf(f *openfile.File) (string, error) {
	var text [64]byte
	n, err := f.Handle.ReadAt(text[:], 0)
	return string(text[:n]), fserr.IgnoreEOF(err)
}
