package dirlock

import (
	"context"
	"errors"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/system"
	"fsbox/sandbox/policy"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func lockByFile(in dir.Folder) (*Lock, error) { return lockWithin(context.Background(), in) }

func lockWithin(ctx context.Context, in dir.Folder) (*Lock, error) {
	return lockOf(ctx, in, false, func() error { return nil }, func() {}, "")
}

// TestLockFileExcludes lets many callers add to a number that only the lock protects.
func TestLockFileExcludes(t *testing.T) {
	root := disktest.Grow(t, "d/")
	number := filepath.Join(root, "number")
	disktest.BothWays(t, dir.Open, filepath.Join(root, "d"), func(t *testing.T, in dir.Folder) {
		disktest.Must(t, os.WriteFile(number, []byte("0"), 0o666))
		var wait sync.WaitGroup
		const callers, times = 4, 20
		for range callers {
			wait.Go(func() {
				for range times {
					l, err := lockByFile(in)
					if err != nil {
						t.Error(err)
						return
					}
					text, _ := os.ReadFile(number)
					n, _ := strconv.Atoi(string(text))
					if err := errors.Join(l.Check(t.Context()), os.WriteFile(number, []byte(strconv.Itoa(n+1)), 0o666)); err != nil {
						t.Error(err)
					}
					l.Release()
				}
			})
		}
		wait.Wait()
		if text, _ := os.ReadFile(number); string(text) != strconv.Itoa(callers*times) {
			t.Errorf("counted to %s, want %d", text, callers*times)
		}
		if left := disktest.Names(t, filepath.Join(root, "d")); left != "" {
			t.Errorf("left: %s", left)
		}
	})
}

// TestLockFileOfDead takes the lock of a process that was killed, but not before its time.
func TestLockFileOfDead(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		_, err := makeDead(in)
		disktest.Must(t, err)
		other := otherHolder{in: in}
		if err := other.look(); !errors.Is(err, fserr.ErrBusy) {
			t.Fatalf("a fresh lock: %v", err)
		}
		other.watched = lockLease
		disktest.Must(t, other.look())
		l, err := lockByFile(in)
		disktest.Must(t, err)
		l.Release()
	})
}

// TestLockFileOfWriter: who takes the lock of a killed process knows which file it was writing into,
// if the lock file names a file of that folder.
func TestLockFileOfWriter(t *testing.T) {
	for _, test := range []struct{ into, late string }{
		{"log", "log"}, {"", ""}, {"two\nlines", "two\nlines"}, {strings.Repeat("é", 127), strings.Repeat("é", 127)},
		{"../log", ""}, {"a/b", ""}, {"..", ""}, {".", ""}, {"/etc/passwd", ""}, {policy.LockName, ""},
	} {
		disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
			dead, err := makeLockFile(in, test.into)
			disktest.Must(t, err)
			disktest.Must(t, dead.check())
			disktest.Must(t, dead.renew()) // writes over the first line only
			dead.timer.Stop()
			other := otherHolder{in: in}
			_ = other.look()
			other.watched = lockLease
			disktest.Must(t, other.look())
			if other.late != test.late {
				t.Errorf("into %q: %q", test.into, other.late)
			}
		})
	}
}

// makeDead makes the lock file of a process that writes to it no more.
func makeDead(in dir.Folder) (*lockFile, error) {
	l, err := makeLockFile(in, "")
	if err == nil {
		l.timer.Stop()
	}
	return l, err
}

// TestLockFileOfLiving never takes the lock of a process that goes on writing to it.
func TestLockFileOfLiving(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		l, err := makeLockFile(in, "")
		disktest.Must(t, err)
		defer l.remove("", nil)
		other := otherHolder{in: in}
		_ = other.look()
		l.beat()
		other.watched = lockLease
		if err := other.look(); !errors.Is(err, fserr.ErrBusy) || !dir.Exists(in, policy.LockName) {
			t.Errorf("took the lock of a living process: %v", err)
		}
	})
}

// remembering is a directory whose file system gives an old content until it is asked again.
type remembering struct {
	dir.Folder
	asked bool
}

const oldCopy = "old"

func (f *remembering) Refresh(string, filesystem.Caches, *dir.Listing) error {
	f.asked = true
	return nil
}

func (f *remembering) OpenOnce(name string, flag int) (*openfile.File, error) {
	if !f.asked {
		name = oldCopy
	}
	return f.Folder.OpenOnce(name, flag)
}

// TestLockFileRemembered never takes a lock because the file system remembers its file as it was.
func TestLockFileRemembered(t *testing.T) {
	root := disktest.Grow(t)
	in, err := dir.Open(root, false)
	disktest.Must(t, err)
	defer in.Close()
	l, err := makeLockFile(in, "")
	disktest.Must(t, err)
	defer l.remove("", nil)
	text, err := os.ReadFile(filepath.Join(root, policy.LockName))
	disktest.Must(t, errors.Join(err, os.WriteFile(filepath.Join(root, oldCopy), text, 0o644)))
	l.beat()
	other := otherHolder{in: &remembering{Folder: in}}
	_ = other.look()
	other.watched = lockLease
	if err := other.look(); !errors.Is(err, fserr.ErrBusy) || !dir.Exists(in, policy.LockName) {
		t.Errorf("took the lock of a living process: %v", err)
	}
}

// nfs is a directory of a file system on which those who wait for a lock don't open its file.
type nfs struct {
	dir.Folder
	isSMB   bool // the time of a write is seen late, and a file that is removed keeps its name for a while
	opened  bool // the lock file, while it has its name
	removed bool // the file is removed, and somebody has it open
}

func (f *nfs) System() filesystem.System {
	return filesystem.System{Shared: true, OpenLingers: true, AsksForFile: true, AsksOnOpen: !f.isSMB, LosesTarget: f.isSMB}
}

func (f *nfs) OpenOnce(name string, flag int) (*openfile.File, error) {
	f.opened = f.opened || name == policy.LockName
	return f.Folder.OpenOnce(name, flag)
}

func (f *nfs) LstatNow(name string) (stat.Info, error) {
	info, err := f.Folder.Lstat(name)
	if f.isSMB {
		info.Modified = time.Time{}
	}
	if f.removed {
		info.Links = 0
	}
	return info, err
}

// TestLockFileIsNotOpened: on NFS and SMB a lock is awaited without opening its file, the lock of a
// living process isn't taken, one of a killed process is, and a file that was removed is none.
func TestLockFileIsNotOpened(t *testing.T) {
	for _, isSMB := range []bool{false, true} {
		for _, into := range []string{"", "log"} {
			in := disktest.Open(t, dir.Open, disktest.Grow(t), false)
			awaitUnopened(t, &nfs{Folder: in, isSMB: isSMB}, into)
		}
	}
}

func awaitUnopened(t *testing.T, mount *nfs, into string) {
	in := mount.Folder
	l, err := makeLockFile(in, into)
	disktest.Must(t, err)
	l.timer.Stop()
	other := otherHolder{in: mount}
	late := func() error {
		_ = other.look()
		other.watched = lockLease
		return other.look()
	}
	if _ = other.look(); other.text == "" {
		t.Error("a lock has no text")
	}
	for range 3 {
		l.beat()
		other.watched = lockLease
		if err := other.look(); !errors.Is(err, fserr.ErrBusy) || !dir.Exists(in, policy.LockName) {
			t.Errorf("SMB %v: took the lock of a living process: %v", mount.isSMB, err)
		}
	}
	l.timer.Stop()
	mount.removed = true
	disktest.Must(t, other.look())
	mount.removed = false
	if err := late(); err != nil || dir.Exists(in, policy.LockName) || !other.took {
		t.Errorf("left the lock of a killed process: %v", err)
	}
	if mount.opened {
		t.Error("the file was opened")
	}
}

// pending is a directory on SMB whose lock file was removed, but has its name until it is closed.
type pending struct{ nfs }

func (pending) Create(string, fs.FileMode) (*openfile.File, error) { return nil, fs.ErrNotExist }

// TestLockFilePending: such a lock file isn't taken for a directory that is gone, for which no lock
// is needed.
func TestLockFilePending(t *testing.T) {
	in := disktest.Open(t, dir.Open, disktest.Grow(t), false)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := lockWithin(ctx, &pending{nfs{Folder: in, isSMB: true}}); !errors.Is(err, fserr.ErrBusy) {
		t.Errorf("locked without a lock file: %v", err)
	}
	l, err := lockWithin(t.Context(), &pending{nfs{Folder: in}})
	disktest.Must(t, err)
	l.Release()
}

// between is a directory on 9p whose lock file is removed while others look for it, a number of times.
type between struct {
	dir.Folder
	times int
}

func (f *between) Create(name string, perm fs.FileMode) (*openfile.File, error) {
	if f.times--; f.times >= 0 {
		return nil, fs.ErrNotExist
	}
	return f.Folder.Create(name, perm)
}

// TestLockFileBetween: such a lock file doesn't let anybody do without one.
func TestLockFileBetween(t *testing.T) {
	in := disktest.Open(t, dir.Open, disktest.Grow(t), false)
	for _, times := range []int{1, maxRefusals - 1} {
		l, err := lockWithin(t.Context(), &between{in, times})
		if disktest.Must(t, err); !l.HasFile() {
			t.Errorf("no lock file after %d tries", times)
		}
		l.Release()
	}
}

// TestLockFileLost is about a process that slept for so long that another one has its lock.
func TestLockFileLost(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		sleeper, err := makeDead(in)
		disktest.Must(t, err)
		sleeper.written = sleeper.written.Add(-lockLease)
		disktest.Must(t, sleeper.check()) // nobody has taken it

		sleeper.written = sleeper.written.Add(-lockLease)
		disktest.Must(t, in.Remove(policy.LockName))
		if err := sleeper.check(); !errors.Is(err, fserr.ErrCollision) {
			t.Errorf("without its lock file: %v", err)
		}
		now, err := lockByFile(in)
		disktest.Must(t, err)
		if err := sleeper.check(); !errors.Is(err, fserr.ErrCollision) {
			t.Errorf("with somebody else's lock file: %v", err)
		}
		sleeper.timer = time.NewTimer(time.Hour)
		if sleeper.remove("", nil); !dir.Exists(in, policy.LockName) {
			t.Error("removed somebody else's lock file")
		}
		disktest.Must(t, now.Check(t.Context()))
		now.Release()
	})
}

// taken is a directory in which another process takes the lock away as soon as the holder has opened
// its file to write.
type taken struct{ dir.Folder }

func (in taken) OpenOnce(name string, flag int) (*openfile.File, error) {
	f, err := in.Folder.OpenOnce(name, flag)
	if err == nil && flag == os.O_RDWR {
		if err = dir.MoveFree(in, name, "aside"); err == nil {
			_, err = makeDead(in.Folder)
		}
	}
	return f, err
}

// TestLockFileTakenMeanwhile: who writes to its lock file so late that another process takes the lock
// at the same moment doesn't rely on it, and leaves that of the other one.
func TestLockFileTakenMeanwhile(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		for _, of := range []func(*lockFile) error{(*lockFile).check, func(l *lockFile) error {
			l.remove("", nil)
			return fserr.ErrCollision
		}} {
			sleeper, err := makeDead(in)
			disktest.Must(t, err)
			sleeper.in = taken{in}
			sleeper.written = sleeper.written.Add(-lockLease)
			if err := of(sleeper); !errors.Is(err, fserr.ErrCollision) || sleeper.isFresh() {
				t.Errorf("relies on a lock that somebody else has: %v", err)
			}
			if !dir.Exists(in, policy.LockName) {
				t.Error("removed somebody else's lock file")
			}
			disktest.Must(t, errors.Join(in.Remove(policy.LockName), in.Remove("aside")))
		}
	})
}

// TestLockFileOfDeadAmongMany: of several processes that wait for the lock of a killed one, the next
// holder knows that it was killed.
func TestLockFileOfDeadAmongMany(t *testing.T) {
	in := disktest.Open(t, dir.Open, disktest.Grow(t), false)
	_, err := makeDead(in)
	disktest.Must(t, err)
	waits := func() (*Lock, *otherHolder) {
		other := &otherHolder{in: in}
		if err := other.look(); !errors.Is(err, fserr.ErrBusy) {
			t.Fatal(err)
		}
		other.watched = lockLease
		return &Lock{in: in, free: func() {}}, other
	}
	first, ofFirst := waits()
	second, ofSecond := waits()
	ofFirst.seen = ofFirst.seen.Add(-lockBeat)
	if err := first.takeFile(ofFirst, ""); err != nil || first.IsClean() { // at once, so that nobody comes in between
		t.Errorf("%v, clean %v", err, first.IsClean())
	}
	first.Release()
	if err := second.takeFile(ofSecond, ""); err != nil || second.IsClean() {
		t.Errorf("after it: %v, clean %v", err, second.IsClean())
	}
	second.Release()
}

// reopened is a directory on SMB whose client opens the lock file late, and finds that of another
// machine, which it takes for the one that it has removed.
type reopened struct {
	nfs
	late func()
}

func (in *reopened) OpenOnce(name string, flag int) (*openfile.File, error) {
	in.late()
	return in.Folder.OpenOnce("removed", flag)
}

// TestLockFileReopened: after a cut, a process on SMB doesn't take another machine's lock for its own.
func TestLockFileReopened(t *testing.T) {
	in := &reopened{nfs: nfs{Folder: disktest.Open(t, dir.Open, disktest.Grow(t), false), isSMB: true}}
	l, err := makeDead(in)
	disktest.Must(t, err)
	l.in = in.Folder
	disktest.Must(t, dir.MoveFree(in.Folder, policy.LockName, "removed"))
	other, err := makeDead(in.Folder)
	disktest.Must(t, err)
	before, err := in.Folder.Lstat("removed")
	disktest.Must(t, err)
	l.in, in.late = in, func() { l.written = l.written.Add(-lockLease) }
	if err := l.renew(); !errors.Is(err, fserr.ErrCollision) || l.isFresh() {
		t.Errorf("relies on a lock that another machine has: %v", err)
	}
	if now, err := in.Folder.Lstat("removed"); err != nil || now.Size != before.Size {
		t.Error("writes to the lock file of another machine")
	}
	l.timer = time.NewTimer(time.Hour)
	l.remove("", nil)
	disktest.Must(t, other.renew())
}

// slow is a directory on SMB in which a rename comes late.
type slow struct {
	nfs
	late func()
}

func (in *slow) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if in.late != nil {
		in.late()
	}
	return in.Folder.Move(name, in.Folder, newName, how)
}

// TestLockFileRemovedLate: a process whose lock was taken away while it freed it doesn't remove that
// of another machine.
func TestLockFileRemovedLate(t *testing.T) {
	for _, isLate := range []bool{false, true} {
		in := &slow{nfs: nfs{Folder: disktest.Open(t, dir.Open, disktest.Grow(t), false), isSMB: true}}
		l, err := makeLockFile(in, "")
		disktest.Must(t, err)
		var other *lockFile
		if isLate {
			in.late = func() {
				in.late, l.written = nil, l.written.Add(-lockLease)
				disktest.Must(t, in.Folder.Remove(policy.LockName))
				other, err = makeDead(in.Folder)
				disktest.Must(t, err)
			}
		}
		if l.remove("", nil); dir.Exists(in.Folder, policy.LockName) != isLate {
			t.Errorf("late %v: the lock is there %v", isLate, !isLate)
		}
		if isLate {
			disktest.Must(t, other.renew())
		}
	}
}

// killed is a directory on SMB whose user is killed before it removes anything.
type killed struct{ nfs }

func (*killed) Remove(string) error { return syscall.EIO }

// TestLockFreedAs: a lock file that is freed and not removed has the name that its holder has chosen.
func TestLockFreedAs(t *testing.T) {
	root := disktest.Grow(t)
	in := &killed{nfs{Folder: disktest.Open(t, dir.Open, root, false), isSMB: true}}
	file, err := makeLockFile(in, "")
	disktest.Must(t, err)
	l := Lock{file: file, free: func() {}, FreedAs: func() string { return "freed" }}
	if l.Release(); disktest.Names(t, root) != "freed" {
		t.Errorf("left %s", disktest.Names(t, root))
	}
}

// unremoved is a directory on SMB with a name that can't be given: a file that some program has open
// was removed from it.
type unremoved struct{ nfs }

func (in *unremoved) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if newName == "old" {
		return syscall.EACCES
	}
	return in.Folder.Move(name, in.Folder, newName, how)
}

// TestLockFreedAsTaken: the lock is freed if the name that its holder has chosen can't be given.
func TestLockFreedAsTaken(t *testing.T) {
	root := disktest.Grow(t, "old")
	in := &unremoved{nfs{Folder: disktest.Open(t, dir.Open, root, false), isSMB: true}}
	file, err := makeLockFile(in, "")
	disktest.Must(t, err)
	l := Lock{file: file, free: func() {}, FreedAs: func() string { return "old" }}
	if l.Release(); disktest.Names(t, root) != "old" {
		t.Errorf("left %s", disktest.Names(t, root))
	}
}

// inUse is a directory on SMB whose client fails to replace a file.
type inUse struct{ nfs }

func (in *inUse) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	if dir.Exists(in.Folder, newName) {
		return syscall.EIO
	}
	return in.Folder.Move(name, in.Folder, newName, how)
}

// outOfReach is such a directory, whose server can't be reached.
type outOfReach struct{ inUse }

func (*outOfReach) Remove(string) error { return syscall.EIO }

// inUseAndOpen is such a directory: some program has the old file open, so that it can't be removed yet.
type inUseAndOpen struct{ inUse }

func (in *inUseAndOpen) Remove(name string) error {
	if name == "old" {
		return syscall.EBUSY
	}
	return in.Folder.Remove(name)
}

// TestLockRemovesOld: the old file of a call is removed with the lock file, also if that can't be renamed
// over it. If the answer comes late, another machine's lock file stays, and an empty one that could be
// another machine's. If the lock is gone by then, the old file is left to a later call.
func TestLockRemovesOld(t *testing.T) {
	for _, test := range []struct {
		name string
		in   func(nfs) dir.Folder
		late func(in dir.Folder) // while the lock file is renamed, which takes longer than the lock is kept
		want string
	}{
		{"at once", func(n nfs) dir.Folder { return &n }, nil, ""},
		{"refused", func(n nfs) dir.Folder { return &unremoved{n} }, nil, ""},
		{"busy", func(n nfs) dir.Folder { return &inUse{n} }, nil, ""},
		{"busy and gone", func(n nfs) dir.Folder {
			return &slow{nfs: nfs{Folder: &inUse{n}, isSMB: true}, late: func() { disktest.Must(t, n.Folder.Remove(policy.LockName)) }}
		}, nil, ""},
		{"out of reach", func(n nfs) dir.Folder { return &outOfReach{inUse{n}} }, nil, policy.LockName + ", old"},
		{"busy and open", func(n nfs) dir.Folder { return &inUseAndOpen{inUse{n}} }, nil, "old"},
		{"late", nil, func(dir.Folder) {}, policy.LockName},
		{"late and gone", nil, func(in dir.Folder) { disktest.Must(t, in.Remove(policy.LockName)) }, "old"},
		{"late and taken", nil, func(in dir.Folder) {
			disktest.Must(t, in.Remove(policy.LockName))
			_, err := makeDead(in)
			disktest.Must(t, err)
		}, policy.LockName},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := disktest.Grow(t, "old = text")
			on := nfs{Folder: disktest.Open(t, dir.Open, root, false), isSMB: true}
			late := &slow{nfs: on}
			in := dir.Folder(late)
			if test.in != nil {
				in = test.in(on)
			}
			file, err := makeLockFile(in, "")
			disktest.Must(t, err)
			if test.late != nil {
				late.late = func() {
					late.late, file.written = nil, file.written.Add(-lockLease)
					test.late(on.Folder)
				}
			}
			l := Lock{file: file, free: func() {}, Old: "old"}
			if l.Release(); disktest.Names(t, root) != test.want {
				t.Errorf("left %s", disktest.Names(t, root))
			}
		})
	}
}

// TestLostLockRemovesOld: so is that of a call that has lost the lock.
func TestLostLockRemovesOld(t *testing.T) {
	root := disktest.Grow(t, "old = text")
	in := &nfs{Folder: disktest.Open(t, dir.Open, root, false), isSMB: true}
	file, err := makeLockFile(in, "")
	disktest.Must(t, err)
	disktest.Must(t, in.Remove(policy.LockName))
	file.written = file.written.Add(-lockLease)
	l := Lock{file: file, free: func() {}, Old: "old"}
	if l.Release(); disktest.Names(t, root) != "" {
		t.Errorf("left %s", disktest.Names(t, root))
	}
}

// answerLost is a directory on SMB: the answer to a rename is lost, and another machine takes the lock
// meanwhile.
type answerLost struct {
	nfs
	other *lockFile
}

func (in *answerLost) Move(name string, to dir.Folder, newName string, how dir.Moving) error {
	err := in.Folder.Move(name, in.Folder, newName, how)
	if in.other == nil {
		in.other, _ = makeLockFile(in.Folder, "")
		err = errors.Join(err, fs.ErrNotExist)
	}
	return err
}

// TestLockFreedAnswerLost: whose lock was freed by a rename of which the answer was lost doesn't take
// the lock file that another machine has made since.
func TestLockFreedAnswerLost(t *testing.T) {
	in := &answerLost{nfs: nfs{Folder: disktest.Open(t, dir.Open, disktest.Grow(t), false), isSMB: true}}
	l, err := makeLockFile(in, "")
	disktest.Must(t, err)
	l.remove("", func() string { return "freed" })
	disktest.Must(t, in.other.renew())
}

// lateRemoval is a directory on NFS in which a removal comes late.
type lateRemoval struct {
	nfs
	late func()
}

func (in *lateRemoval) Remove(name string) error {
	if late := in.late; late != nil {
		in.late = nil
		late()
	}
	return in.Folder.Remove(name)
}

// TestLockFileRemovalLate: if a process removes the lock file of another machine, since its removal
// came late, that machine finds it out, and nobody else gets the lock meanwhile.
func TestLockFileRemovalLate(t *testing.T) {
	in := &lateRemoval{nfs: nfs{Folder: disktest.Open(t, dir.Open, disktest.Grow(t), false)}}
	first, err := makeLockFile(in, "")
	disktest.Must(t, err)
	var second *lockFile
	in.late = func() {
		first.written = first.written.Add(-lockLease)
		disktest.Must(t, in.Folder.Remove(policy.LockName))
		second, err = makeDead(in.Folder)
		disktest.Must(t, err)
		second.written = second.written.Add(-lockLease + lockMargin) // so that it looks
	}
	first.remove("", nil)
	if _, err := makeLockFile(in, ""); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a third one gets the lock: %v", err)
	}
	if err := second.check(); err == nil {
		t.Error("the other machine relies on its lock")
	}
}

// TestLockFileOfPaused: a pause of the process that waits counts for little, since the holder may
// have been stopped with it.
func TestLockFileOfPaused(t *testing.T) {
	in := disktest.Open(t, dir.Open, disktest.Grow(t), false)
	l, err := makeDead(in)
	disktest.Must(t, err)
	other := otherHolder{in: in}
	for n := 0; dir.Exists(in, policy.LockName); n++ {
		err := other.look()
		if least := int(lockLease / lockBeat); n <= least && !errors.Is(err, fserr.ErrBusy) || n > least+1 {
			t.Fatalf("look %d: %v", n, err)
		}
		other.seen = other.seen.Add(-10 * lockLease)
	}
	if err := l.renew(); err == nil {
		t.Error("the lock wasn't taken")
	}
}

// TestLockIsClean: only who has taken a lock from a process that was killed looks for what that
// left. No such file was written to, so they differ by when they were made.
func TestLockIsClean(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		l, err := lockByFile(in)
		if disktest.Must(t, err); !l.IsClean() {
			t.Error("a lock that nobody had isn't clean")
		}
		l.Release()
		_, err = makeDead(in)
		disktest.Must(t, err)
		other := otherHolder{in: in}
		if err := other.look(); !errors.Is(err, fserr.ErrBusy) {
			t.Fatal(err)
		}
		other.watched = lockLease
		l = &Lock{in: in, free: func() {}}
		if err := untilFree(t.Context(), time.Millisecond, func() error { return l.takeFile(&other, "") }); err != nil || l.IsClean() {
			t.Errorf("%v, clean: %v", err, l.IsClean())
		}
		dead := otherHolder{in: in, text: other.text}
		if err := dead.remove(); !errors.Is(err, fserr.ErrBusy) || !dir.Exists(in, policy.LockName) {
			t.Errorf("took a living lock: %v", err)
		}
		l.Release()
	})
}

// TestLockAbandoned: who takes an abandoned lock next looks for what its holder left.
func TestLockAbandoned(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		l, err := lockByFile(in)
		disktest.Must(t, err)
		l.Abandon()
		l.file.beat() // by a timer that was just running
		other := otherHolder{in: in}
		_ = other.look()
		other.watched = lockLease
		next := &Lock{in: in, free: func() {}}
		if err := untilFree(t.Context(), time.Millisecond, func() error { return next.takeFile(&other, "") }); err != nil || next.IsClean() {
			t.Errorf("%v, clean: %v", err, next.IsClean())
		}
		next.Release()
	})
}

// TestLockFileTakenTwice has two processes find the same dead lock: the slower one takes a lock
// that lives, and puts it back.
func TestLockFileTakenTwice(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		living, err := lockByFile(in)
		disktest.Must(t, err)
		slow := otherHolder{in: in, text: "what was there before"}
		if err := slow.remove(); !errors.Is(err, fserr.ErrBusy) {
			t.Errorf("took a living lock: %v", err)
		}
		living.file.written = time.Time{}
		disktest.Must(t, living.Check(t.Context()))
		living.Release()
	})
}

// TestLockRespectsFile holds where the lock of the system is for everybody.
func TestLockRespectsFile(t *testing.T) {
	if !system.LocksDirs {
		t.Skip("here a file in each directory is the lock")
	}
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		l, err := Take(t.Context(), in, false)
		disktest.Must(t, err)
		defer l.Release()
		if l.IsFile() || dir.Exists(in, policy.LockName) {
			t.Fatal("a lock file where the system's lock is for everybody")
		}
		disktest.Must(t, l.Check(t.Context()))
		remote, err := makeLockFile(in, "")
		disktest.Must(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		if err := l.Check(ctx); !errors.Is(err, fserr.ErrBusy) {
			t.Errorf("did not wait for somebody else's lock file: %v", err)
		}
		forAll := func() error { return nil }
		if _, err := lockOf(ctx, in, true, forAll, func() {}, ""); !errors.Is(err, fserr.ErrBusy) {
			t.Errorf("took a directory while somebody else has its lock file: %v", err)
		}
		time.AfterFunc(10*time.Millisecond, func() { remote.remove("", nil) })
		if err := l.Check(t.Context()); !errors.Is(err, fserr.ErrCollision) {
			t.Errorf("after somebody else's lock: %v", err)
		}
		disktest.Must(t, l.Check(t.Context()))
	})
}

// strict is a folder in which no file can be made.
type strict struct{ dir.Folder }

func (strict) Create(string, fs.FileMode) (*openfile.File, error) { return nil, fs.ErrPermission }

// TestLockAlone goes on without a lock file where none can be made, unless there is one.
func TestLockAlone(t *testing.T) {
	disktest.BothWays(t, dir.Open, disktest.Grow(t), func(t *testing.T, in dir.Folder) {
		l, err := lockByFile(strict{in})
		disktest.Must(t, err)
		if disktest.Must(t, l.Check(t.Context())); !l.Alone || !l.IsFile() {
			t.Error("claims to lock for everybody")
		}
		l.Release()

		dead, err := makeDead(in) // sshfs says that making a second one isn't permitted
		disktest.Must(t, err)
		defer dead.remove("", nil)
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		defer cancel()
		if _, err := lockWithin(ctx, strict{in}); !errors.Is(err, fserr.ErrBusy) {
			t.Errorf("took a lock that somebody has: %v", err)
		}
	})
}
