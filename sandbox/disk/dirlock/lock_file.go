package dirlock

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"
	"fsbox/sandbox/policy"
)

// The holder of a lock file writes to it every lockBeat, first after lockBeat: most calls have
// ended by then, and over the wire a write takes longer than any other call. If it hasn't done so
// for lockLease, others take the lock: its process was killed. A process that only slept looks for
// itself: lockMargin before that time it no longer relies on the lock. A call with a longer timeout
// than lockLease finds the lock of a killed process free in the end.
const (
	lockBeat   = 500 * time.Millisecond
	lockLease  = 3 * time.Second
	lockMargin = time.Second
)

// lockFile is the lock of a folder as a file, which only one process can make: O_EXCL works on
// every file system, and between machines. It is empty at first, unless the call writes into a
// file. Then it holds who has the lock, a number that grows, on a second line the name of that
// file, and as many zero bytes as the number says.
type lockFile struct {
	in    dir.Folder
	id    string
	into  string
	made  string // the text of the file as long as it is empty
	timer *time.Timer

	mutex   sync.Mutex
	beats   int
	written time.Time // just before the file was made, or last written to
	lost    bool
}

// readable is the mode of a lock file: others must be able to see that it doesn't change any more.
const readable = 0o644

// lockID tells one lock from all others.
func lockID() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// makeLockFile takes the lock and keeps it until remove. It fails with fs.ErrExist if somebody else
// has it. into is the name of the file that the call writes into, "" for none.
func makeLockFile(in dir.Folder, into string) (*lockFile, error) {
	now := time.Now()
	f, err := in.Create(policy.LockName, readable)
	if err != nil {
		return nil, err
	}
	l := &lockFile{in: in, id: lockID(), into: into, made: unwritten(f.Info), written: now}
	if into != "" {
		_, err = f.Write(l.text())
		l.beats = 1
	}
	if err := cmp.Or(err, f.Close()); err != nil { // some file systems show it to others only when it is closed
		return nil, cmp.Or(in.Remove(policy.LockName), err) // what has to fail because of err will do so when the change is made
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timer = time.AfterFunc(lockBeat, l.beat)
	return l, nil
}

// text is what is in the file after a beat. It is longer each time: a server of SMB may tell others
// the new size at once, but the time of a write only when the file is closed, seconds later.
func (l *lockFile) text() []byte {
	return fmt.Appendf(nil, "%s %08d\n%s%s", l.id, l.beats, l.into, strings.Repeat("\x00", l.beats))
}

// write closes the file: some file systems send the text to the others only then. now is when the
// file was known to be that of this lock.
func (l *lockFile) write(f *openfile.File, now time.Time) error {
	_, err := f.Write(l.text())
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

// renew writes to the file, if it is still the one of this lock. After lockLease without a beat,
// another process may take the lock between the look at the file and the write, which then goes to
// a file that has lost its name. So a late beat counts only if the file has its name afterwards.
func (l *lockFile) renew() error {
	now := time.Now()
	f, err := l.in.OpenOnce(policy.LockName, os.O_RDWR)
	if err != nil {
		return err
	}
	text, err := contentOf(f)
	if err == nil && !l.isOwn(text) {
		l.lost, err = true, fserr.ErrCollision
	}
	if err != nil {
		f.Close()
		return err
	}
	written := l.written
	if err := l.write(f, now); err != nil || isFresh(written, time.Now()) {
		return err
	}
	l.in.Renew(policy.LockName)
	if text, err := readFile(l.in, policy.LockName); err != nil || !strings.HasPrefix(text, l.id) {
		l.lost = true
		return cmp.Or(err, error(fserr.ErrCollision))
	}
	return nil
}

// isOwn reports whether a text that was just read is of this lock. An empty one is as long as
// nobody else can have the lock. Later it isn't on SMB, where the lock file of another machine may
// have the same inode number, and the attributes that this client remembers.
func (l *lockFile) isOwn(text string) bool {
	fresh := !l.lost && since(l.written, time.Now()) < lockLease
	isMade := text == l.made && !l.in.System().LosesTarget
	return strings.HasPrefix(text, l.id) || l.beats == 0 && (isMade || fresh && strings.HasPrefix(text, empty))
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

// isFresh reports whether nobody else can take the lock before lockMargin has passed.
func (l *lockFile) isFresh() bool { return !l.lost && isFresh(l.written, time.Now()) }

// isFresh also looks at the time of day, which goes on while the machine sleeps.
func isFresh(written, now time.Time) bool { return since(written, now) < lockLease-lockMargin }

func since(written, now time.Time) time.Duration {
	return max(now.Sub(written), now.Round(0).Sub(written.Round(0)))
}

// abandon leaves the file, which is written to no more.
func (l *lockFile) abandon() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timer.Stop()
	l.timer = nil
}

// remove removes the file, unless somebody else has the lock by now. On Windows a file that is
// removed keeps its name until all who have it open close it, and those who wait for the lock look
// into it all the time: so it is renamed first. On SMB a rename that comes late can be undone.
// There it also replaces old, if that isn't "", which saves two round trips.
func (l *lockFile) remove(old string, freedAs func() string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timer.Stop()
	l.timer = nil
	if !l.isFresh() && l.renew() != nil {
		if old != "" {
			_ = l.in.Remove(old)
		}
		return
	}
	aside, isServed := policy.LockName, l.in.System().LosesTarget
	if !system.LocksDirs || isServed {
		aside = l.setAside(old, freedAs, isServed)
	}
	if aside == "" {
		return
	}
	if isServed && since(l.written, time.Now()) >= lockLease { // the rename may have taken the lock file of another machine
		if text, err := readFile(l.in, aside); err != nil || !strings.HasPrefix(text, l.id) {
			_ = dir.MoveFree(l.in, aside, policy.LockName)
			return
		}
	}
	err := l.in.Remove(aside) // else the next one takes it after lockLease
	if err == nil && aside == policy.LockName && since(l.written, time.Now()) >= lockLease {
		l.leaveDead()
	}
}

// setAside renames the file, and gives its name then; "" if nothing more can be done, as while the
// server is out of reach: later calls look for what stays. In place of freedAs may be a file that
// some program has open. A server may refuse to replace old, if a program has it open or if another
// machine looks at the lock file (Linux 6.12): it is then removed first. If the rename was made all
// the same, that removes the lock file, unless it took so long that it may be another machine's.
func (l *lockFile) setAside(old string, freedAs func() string, isServed bool) string {
	own := policy.LockName + "-" + l.id
	if old != "" {
		if l.in.Move(policy.LockName, l.in, old, dir.Over) == nil {
			return old
		}
		if since(l.written, time.Now()) >= lockLease {
			return ""
		}
		freedAs = func() string { return old }
		err := l.in.Remove(old)
		if fserr.IsOfSystem(err) || l.renew() != nil {
			return ""
		}
		if fserr.IgnoreMissing(err) != nil {
			freedAs = nil
		}
	}
	if isServed && freedAs != nil {
		name := cmp.Or(freedAs(), own)
		err := l.in.Move(policy.LockName, l.in, name, dir.Over)
		if err == nil || errors.Is(err, fs.ErrNotExist) || fserr.IsOfSystem(err) { // it may be made, and its answer lost
			return name
		}
	}
	if l.in.Move(policy.LockName, l.in, own, dir.Over) != nil && !isServed {
		return policy.LockName
	}
	return own
}

// leaveDead makes a lock file that nobody holds, after a removal that came so late that it may have
// taken the file of another machine. That machine then finds that it has lost its lock, and nobody
// else takes it before lockLease.
func (l *lockFile) leaveDead() {
	if f, err := l.in.Create(policy.LockName, readable); err == nil {
		_, _ = f.Write([]byte(l.id)) // an empty one could be that machine's
		f.Close()
	}
}

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

// writtenInto is the file that the text of a lock file names, "" for none.
func writtenInto(text string) string {
	_, name, _ := strings.Cut(strings.TrimRight(text, "\x00"), "\n")
	if name == "." || filepath.Base(name) != name || !filepath.IsLocal(name) || policy.IsOwn(name) {
		return ""
	}
	return name
}

func contentOf(f *openfile.File) (string, error) {
	var text [64 + maxName]byte
	n, err := f.Handle.ReadAt(text[:], 0)
	if n == 0 {
		return unwritten(f.Info), fserr.IgnoreEOF(err)
	}
	return string(text[:n]), fserr.IgnoreEOF(err)
}

// maxName is the longest name that file systems accept, in bytes: exFAT, NTFS and vfat allow 255
// UTF-16 units.
const maxName = 3 * 255

// unwritten is used as the text of a lock file that is still empty. Its inode may be that of one
// that was removed, but not the time at which it was made: a lock is taken from its holder only
// lockLease after that.
func unwritten(i stat.Info) string {
	return fmt.Sprintf("%s %s %d", empty, i.ID(), i.Modified.UnixNano())
}

// empty begins that text.
const empty = "empty"
