package history

import (
	"context"
	"os"
	"strings"
	"sync"
	"time"

	"fsbox/sandbox/dir"
)

// lookout remembers how the folder of records was when it was listed: as long as the folder has the
// same stamp, it has the same records.
type lookout struct {
	mutex sync.Mutex
	none  string // the stamp of the folder when it had no record, except the notes of this process; "" if it isn't known
	quiet string // the same when no record could have steps under it
}

func (l *lookout) note(stamp string, none, quiet bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.none, l.quiet = "", ""
	if none {
		l.none = stamp
	}
	if quiet {
		l.quiet = stamp
	}
}

func (l *lookout) hasNone(stamp string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return stamp != "" && stamp == l.none
}

func (l *lookout) isQuiet(stamp string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return stamp != "" && stamp == l.quiet
}

// settled is how long ago the folder of records must have changed for its time to tell: no clock of
// a file system ticks more slowly, except those of whole seconds.
const settled = 20 * time.Millisecond

// stamp is different for every set of records. It is "" if the system doesn't tell, or if the last
// change was a moment ago, so that the next one may have the same time.
func (s *state) stamp() string {
	before := time.Now().Add(-settled).UnixNano()
	if s.changed.Load() > before {
		return ""
	}
	now, err := s.pending.Lstat(".")
	if err != nil || now.Changed == 0 || now.Changed >= before || now.Changed%int64(time.Second) == 0 {
		return ""
	}
	return now.ChangeStamp()
}

// changes notes that this process changes the folder of records.
func (s *state) changes() { s.changed.Store(time.Now().UnixNano()) }

// list lists the records that aren't the notes of this process. It fails with fs.ErrNotExist if
// somebody removed the state folder.
func (s *Store) list(ctx context.Context, state *state) (names []string, err error) {
	stamp := state.stamp()
	if s.lookout.hasNone(stamp) {
		return nil, nil
	}
	entries, err := dir.List(ctx, state.pending)
	if err != nil {
		return nil, err
	}
	quiet := true
	for _, e := range entries {
		if !s.isNoted(e.Name) {
			names = append(names, e.Name)
			quiet = quiet && !mayHaveSteps(e.Name)
		}
	}
	s.lookout.note(stamp, len(names) == 0, quiet)
	return names, nil
}

// mayHaveSteps reports whether steps may have been made under a record with this name that a
// recovery takes back; or folders made, that it removes.
func mayHaveSteps(record string) bool {
	return !strings.HasSuffix(record, newSuffix) && !strings.HasSuffix(record, doneSuffix)
}

// Underway tells what the records say of calls that may be half made: dead are the records of those
// that were killed, and alive are the calls of several steps that a process is making, or that a
// recovery is taking back.
func (s *Store) Underway(ctx context.Context) (dead []string, alive []*Entry) {
	state, err := s.get(false)
	if err != nil || state == nil || s.lookout.isQuiet(state.stamp()) {
		return nil, nil
	}
	names, err := s.list(ctx, state)
	if err != nil {
		return nil, nil // Recover has told, or the change will fail
	}
	for _, name := range names {
		switch {
		case !mayHaveSteps(name):
		case state.isDead(ctx, name):
			dead = append(dead, name)
		case !isAnnounced(name):
			if e := state.peek(ctx, name); e != nil {
				alive = append(alive, e)
			}
		}
	}
	return dead, alive
}

// isDead reports whether a record is there and nobody has its lock: see Adopt.
func (s *state) isDead(ctx context.Context, name string) (dead bool) {
	look := func(s *state) error {
		r, err := s.adopt(name, os.O_RDWR)
		r.Close()
		dead = r != nil
		return err
	}
	if isAnnounced(name) {
		_ = look(s)
		return dead
	}
	_ = s.alone(ctx, look)
	return dead
}

// peek reads a record that another process has locked, if the system allows that.
func (s *state) peek(ctx context.Context, name string) *Entry {
	f, err := s.pending.Open(name, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close()
	e, _ := (&Record{s: s, id: name, file: f}).Read(ctx)
	return e
}
