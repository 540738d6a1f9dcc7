package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"fsbox/sandbox/dir"

	"crypto/sha256"
	"encoding/hex"
)

// state is a state folder, which keeps the old content of what calls changed. It is outside of the
// workspace, belongs to one root, and holds
//
//	journal         one line for each call: see Backup.encode
//	kept/ID-N       the old content of the call's N-th path
//	pending/ID      the record of a transaction of several files that is under way or was killed;
//	                the process that makes it holds its lock; its last whole line counts
//	pending/ID.done the record of a committed one, whose temporary files may still exist
type state struct {
	dir, kept, pending dir.Folder

	reading, writing func() tenant // of the root
}

const (
	journalName = "journal"
	pendingName = "pending"
	doneSuffix  = ".done"
)

// stateOpener opens the state folder once, when it is first needed.
type stateOpener struct {
	path func() string // host path of the state folder for this root; "" for none
	root dir.Folder
	mu   sync.Mutex
	open *state
	past []*state // folders that somebody removed; another call may still use them
}

// statePath is the state folder of a root: a folder below dir, with a name that people recognize.
func statePath(dir, root string) string {
	if dir == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(root))
	name := strings.Map(func(r rune) rune {
		if r == filepath.Separator || r < ' ' || r == os.PathListSeparator {
			return '_'
		}
		return r
	}, filepath.Base(root))
	if len(name) > 64 {
		name = name[:64]
	}
	return filepath.Join(dir, name+"-"+hex.EncodeToString(sum[:8]))
}

// StateDir is the host path of the folder with the backups of this workspace; "" for none.
func (w *Workspace) StateDir() string { return w.state.path() }

// get opens the state folder. If it is missing, get makes it or, without create, returns nil.
func (o *stateOpener) get(create bool) (*state, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open != nil {
		return o.open, nil
	}
	path := o.path()
	if path == "" {
		return nil, backupError(errors.New("there is no state folder"))
	}
	s, err := openState(path, create)
	if err != nil {
		if !create && errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, backupError(err)
	}
	s.reading, s.writing = ofRoot(o.root)
	o.open = s
	return s, nil
}

// lost forgets the open folder, after somebody removed it.
func (o *stateOpener) lost() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open != nil {
		o.past, o.open = append(o.past, o.open), nil
	}
}

// close closes all folders. No call may be running.
func (o *stateOpener) close() {
	o.lost()
	for _, s := range o.past {
		s.close()
	}
	o.past = nil
}

func (s *state) close() {
	for _, dir := range [...]dir.Folder{s.dir, s.kept, s.pending} {
		if dir != nil {
			dir.Close()
		}
	}
}

// privateMode is the mode of the state folder and everything in it: it may hold secrets of the
// workspace.
const privateMode = 0o700

func openState(path string, create bool) (_ *state, err error) {
	if create {
		if err := dir.HostMkdirAll(path, privateMode); err != nil {
			return nil, err
		}
	}
	s := &state{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	parent, err := dir.Open(filepath.Dir(path), false)
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	if s.dir, err = trusted(parent.Sub(filepath.Base(path))); err != nil {
		return nil, err
	}
	if s.kept, err = trusted(s.sub("kept", create)); err != nil {
		return nil, err
	}
	if s.pending, err = trusted(s.sub(pendingName, create)); err != nil {
		return nil, err
	}
	return s, nil
}

// trusted refuses a folder of the state that other users may write to: if many users share a
// state_dir, somebody may have made the folder first.
func trusted(dir dir.Folder, err error) (dir.Folder, error) {
	if err != nil {
		return nil, err
	}
	info, err := dir.Lstat(".")
	if err == nil {
		err = info.Trust("the state folder")
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

func (s *state) sub(name string, create bool) (dir.Folder, error) {
	dir, err := s.dir.Sub(name)
	if !create || !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	if err := s.dir.Mkdir(name, privateMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return s.dir.Sub(name)
}

// backupError says that the old content could not be kept. Only the cause is told, because the
// system's message may name a host path.
func backupError(err error) error {
	if errors.Is(err, dir.ErrBackup) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &dir.KindError{Kind: dir.ErrBackup, Cause: errors.New(dir.Bare(err).Error())}
}

// newID is the ID of a call: the time, so that IDs sort by age, and a random suffix.
func newID(now time.Time) string {
	return strconv.FormatInt(now.UnixMilli(), 36) + randomSuffix()
}

// randomSuffix is five random letters and digits.
func randomSuffix() string {
	return fmt.Sprintf("%05s", strconv.FormatUint(rand.Uint64N(36*36*36*36*36), 36))
}
