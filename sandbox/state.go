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

	"crypto/sha256"
	"encoding/hex"
)

// A state folder keeps what the workspace's changes took away. It lies outside of the workspace, belongs to one root, and
// holds
//
//	journal         one line for each call, see Backup.encode
//	kept/ID-N       what was at the N-th path of the call before it
//	pending/ID      a transaction of several files under way, or cut short: locked by the process that is at it; its last whole
//	                line counts
//	pending/ID.done one that is committed, and still has to be cleaned up after
type state struct {
	dir, kept, pending folder
}

const (
	journalName = "journal"
	doneSuffix  = ".done"
)

// stateOpener opens the state folder when it is first needed, once.
type stateOpener struct {
	path func() string // of the folder for this root; "" for none
	mu   sync.Mutex
	open *state
	past []*state // removed behind our back, but perhaps still in use by another call
}

// statePath is where a root's state is kept: a folder of its own below dir, with a name that people recognize.
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

// StateDir is the host path of the folder that backups of this workspace are kept in; "" for none.
func (w *Workspace) StateDir() string { return w.state.path() }

// get opens the state folder; it makes a missing one if create is set, else gives nil for it.
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
	o.open = s
	return s, nil
}

// lost forgets the open folder, after it was removed behind our back.
func (o *stateOpener) lost() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open != nil {
		o.past, o.open = append(o.past, o.open), nil
	}
}

// close gives back all folders. No call may be under way.
func (o *stateOpener) close() {
	o.lost()
	for _, s := range o.past {
		s.close()
	}
	o.past = nil
}

func (s *state) close() {
	for _, dir := range [...]folder{s.dir, s.kept, s.pending} {
		if dir != nil {
			dir.close()
		}
	}
}

// privateMode is the mode of the state folder and of what is in it: it may hold secrets of the workspace.
const privateMode = 0o700

func openState(path string, create bool) (_ *state, err error) {
	if create {
		if err := os.MkdirAll(path, privateMode); err != nil {
			return nil, err
		}
	}
	s := &state{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.dir, err = openRoot(path, false); err != nil {
		return nil, err
	}
	info, err := s.dir.lstat(".")
	if err != nil {
		return nil, err
	}
	if info.Mode&0o022 != 0 && os.PathSeparator == '/' {
		return nil, errors.New("others may write to the state folder")
	}
	if s.kept, err = s.sub("kept", create); err != nil {
		return nil, err
	}
	if s.pending, err = s.sub("pending", create); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *state) sub(name string, create bool) (folder, error) {
	dir, err := s.dir.sub(name)
	if !create || !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	if err := s.dir.mkdir(name, privateMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return s.dir.sub(name)
}

// backupError says that the old content could not be kept. The system's words may name a host path, so only its cause is told.
func backupError(err error) error {
	if errors.Is(err, ErrBackup) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &kindError{kind: ErrBackup, cause: errors.New(bare(err).Error())}
}

// newID names a call: the time, so that names sort by age, and something random.
func newID(now time.Time) string {
	return strconv.FormatInt(now.UnixMilli(), 36) + randomMark()
}

// randomMark is five random letters and digits.
func randomMark() string {
	return fmt.Sprintf("%05s", strconv.FormatUint(rand.Uint64N(36*36*36*36*36), 36))
}

// extent is how long the journal is, in bytes, and how long the last pruning left it.
type extent struct{ size, pruned int64 }

// prunedLine is what a pruned journal begins with: its own length, always in as many digits. No entry looks like it.
func prunedLine(length int64) []byte { return fmt.Appendf(nil, "pruned %019d\n", length) }

// prunedTo reads a journal's first line.
func prunedTo(f *File) (length int64) {
	line := prunedLine(0)
	if _, err := f.ReadAt(line, 0); err != nil {
		return 0
	}
	digits, ok := strings.CutPrefix(string(line), "pruned ")
	length, err := strconv.ParseInt(strings.TrimSuffix(digits, "\n"), 10, 64)
	if !ok || err != nil || length < 0 || length > f.Info.Size {
		return 0
	}
	return length
}

// record appends an entry to the journal.
func (s *state) record(b *Backup) error {
	_, err := s.recordLine(b.encode())
	return err
}

// recordLine is record for an entry that is encoded; it tells how long the journal is. A line that was torn is closed first, so
// that this one is not lost with it.
func (s *state) recordLine(line []byte) (extent, error) {
	f, err := s.dir.open(journalName, os.O_RDWR|os.O_APPEND)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = s.dir.create(journalName, privateMode&0o666)
	}
	if err != nil {
		return extent{}, err
	}
	defer f.Close()
	var grown extent
	if size := f.Info.Size; size > 0 {
		grown.pruned = prunedTo(f)
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return extent{}, err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	n, err := f.Write(line)
	if err != nil && n > 0 {
		_ = f.truncate(f.Info.Size) // else the next line goes on behind it, closed off as above
	}
	grown.size = f.Info.Size + int64(n)
	return grown, err
}

// voided is the tool of a line that takes an entry out of the journal: what it announced did not happen.
const voided = "-"

func (s *state) void(id string) error {
	return s.record(&Backup{ID: id, Time: time.Now(), Tool: voided})
}

// history reads the journal, oldest first, without what was voided.
func (s *state) history(ctx context.Context) ([]*Backup, error) {
	f, err := s.dir.open(journalName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := f.ReadAll(ctx, maxJournal)
	if err != nil {
		return nil, err
	}
	var all []*Backup
	void := map[string]bool{}
	for line := range strings.Lines(string(content)) {
		switch b, ok := decodeBackup(line); {
		case !ok:
		case b.Tool == voided:
			void[b.ID] = true
		default:
			all = append(all, b)
		}
	}
	kept := all[:0]
	for _, b := range all {
		if !void[b.ID] {
			kept = append(kept, b)
		}
	}
	return kept, nil
}

// maxJournal is the largest journal that is read, in bytes: pruning keeps it far below.
const maxJournal = 256 << 20
