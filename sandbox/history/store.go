package history

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
	"syscall"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/dirlock"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/host"

	"crypto/sha256"
	"encoding/hex"
)

// Store is the history of one root. It is in a state folder, which is outside of the workspace and
// is opened when it is first needed. It is safe for use by several goroutines. Errors wrap
// fserr.ErrBackup, except those of a cancelled context.
type Store struct {
	Off    bool // keep nothing: only records of changes under way
	NoSync bool // skip fsync

	root dir.Folder
	path func() string
	mu   sync.Mutex
	open *state
	lack error    // why Prepare could not open it: once the process is confined, the system only says "not permitted"
	past []*state // folders that somebody removed; another call may still use them

	notes notes
}

// New is the history of a root. path gives the host path of its state folder, "" for none.
func New(root dir.Folder, path func() string) *Store { return &Store{root: root, path: path} }

// Path is the host path of the state folder; "" for none.
func (s *Store) Path() string { return s.path() }

// Folder is the host path of a root's state folder: a folder below base, the folder for all roots,
// with a name that people recognize; "" without base.
func Folder(base, root string) string {
	if base == "" {
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
	return filepath.Join(base, name+"-"+hex.EncodeToString(sum[:8]))
}

// state is an open state folder. It belongs to one root, and holds
//
//	journal         one line for each call: see Entry.encode
//	kept/ID-N       the old content of the call's N-th path
//	pending/ID.new  the record of a change of several steps of which none is made yet; or the
//	                notes of a process: which temporary names its changes of one step use
//	                (notes.go). A recovery removes what has these names, unless the process
//	                lives: then it holds the lock of its records
//	pending/ID      the record of such a change once its steps begin: they are undone
//	pending/ID.done the same of a committed one, whose temporary files may still exist
//	pending/ID.late the same of one that is done, whose old files may come back (EndLate)
//	pending/ID.folders folders that go if they are empty when the call has ended or was killed
type state struct {
	dir, kept, pending dir.Folder

	root dir.Folder

	// writing is the ID of the root for entries. On an overlay, the first change in a lower folder
	// changes the time of its creation; so that change is brought about before anything is written.
	writing func() rootID
}

const (
	journalName = "journal"
	pendingName = "pending"

	newSuffix     = ".new"
	doneSuffix    = ".done"
	lateSuffix    = ".late"
	undoneMark    = ".undone" // before lateSuffix
	againMark     = ".again"  // before lateSuffix, after the first look
	foldersSuffix = ".folders"
)

// get opens the state folder. If it is missing, get makes it or, without create, returns nil.
func (s *Store) get(create bool) (*state, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil || s.lack != nil {
		return s.open, s.lack
	}
	path := s.path()
	if path == "" {
		return nil, Failed(errNoFolder)
	}
	// openState would find out, too, but takes 10 % more of each short read where there is none
	// (2026-11-29).
	if !create && !host.Exists(path) {
		return nil, nil
	}
	opened, err := openState(path, create)
	if err != nil {
		if !create && errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if len(s.past) > 0 && errors.Is(err, fs.ErrPermission) {
			err = errRemoved
		}
		return nil, Failed(err)
	}
	opened.root, s.open = s.root, opened
	opened.writing = sync.OnceValue(func() rootID {
		dir.CopyUp(s.root)
		return rootIDOf(s.root)
	})
	return opened, nil
}

// errRemoved is why a confined process can't go on: it may make no folder there.
var errRemoved = errors.New("somebody removed the state directory, and only a new process can make it again")

// Prepare opens the state folder, or makes it, and returns the host path of the folder it is in: ""
// if there is none.
func (s *Store) Prepare(create bool) string {
	state, err := s.get(create)
	if err != nil {
		s.mu.Lock()
		s.lack = err
		s.mu.Unlock()
	}
	if state == nil {
		return ""
	}
	return filepath.Dir(s.path())
}

// forget closes the open folder later: somebody removed it, and the next call makes it again.
func (s *Store) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		s.past, s.open = append(s.past, s.open), nil
	}
}

// has reports whether a state folder is the one that is open.
func (s *Store) has(state *state) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open == state
}

// Close closes all folders. No call may be running.
func (s *Store) Close() {
	s.EndNotes()
	s.forget()
	for _, past := range s.past {
		past.close()
	}
	s.past = nil
}

// locked calls do with the state folder, while nobody else can change it. Without a state folder it
// does nothing.
func (s *Store) locked(ctx context.Context, do func(*state) error) error {
	state, err := s.get(false)
	if err != nil || state == nil {
		return err
	}
	return Failed(state.alone(ctx, do))
}

// alone calls do while other processes are kept out of the state folder. Its lock is taken after
// all other locks, and held only briefly.
func (s *state) alone(ctx context.Context, do func(*state) error) error {
	lock, err := dirlock.Take(ctx, s.dir, false)
	if err != nil {
		return err
	}
	defer lock.Release()
	return do(s)
}

func (s *state) close() {
	for _, dir := range [...]dir.Folder{s.dir, s.kept, s.pending} {
		if dir != nil {
			dir.Close()
		}
	}
}

func openState(path string, create bool) (_ *state, err error) {
	s := &state{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.dir, err = dir.OpenState(path, create); err != nil {
		return nil, err
	}
	if s.kept, err = dir.SubState(s.dir, path, "kept", create); err != nil {
		return nil, err
	}
	s.pending, err = dir.SubState(s.dir, path, pendingName, create)
	return s, err
}

// Failed makes an error of the state folder a fserr.ErrBackup; nil and those of a cancelled context
// are returned unchanged. Only the cause is told, because the system's message may name a host
// path.
func Failed(err error) error {
	if err == nil || errors.Is(err, fserr.ErrBackup) || fserr.IsCanceled(err) {
		return err
	}
	cause := errors.New(fserr.Bare(err).Error())
	switch {
	case errors.Is(err, fserr.ErrOtherUser):
		cause = err
	case errors.Is(err, syscall.EACCES):
		cause = fserr.ErrStateClosed
	}
	return &fserr.KindError{Kind: fserr.ErrBackup, Cause: cause}
}

// newID is the ID of a call: the time, so that IDs sort by age, and a random suffix.
func newID(now time.Time) string {
	return strconv.FormatInt(now.UnixMilli(), 36) + RandomSuffix()
}

// suffixLength is how many characters RandomSuffix gives.
const suffixLength = 5

// RandomSuffix is some random letters and digits.
func RandomSuffix() string {
	return fmt.Sprintf("%05s", strconv.FormatUint(rand.Uint64N(36*36*36*36*36), 36))
}
