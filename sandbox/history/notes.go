package history

import (
	"path"
	"sync"
)

// notes tell in which folders a process has changed something in one step. Such changes use the
// same temporary names each time, so they share a record: a batch writes one line for each folder,
// not for each file.
type notes struct {
	mutex  sync.Mutex
	record *Record
	known  map[string]bool
}

// maxNotes is how many folders a record of notes has before a new one takes its place: so many must
// the next call look at after a kill.
const maxNotes = 100

// Note records which temporary name a change of one step is going to use in the folder of its path,
// before it makes anything: "" is one that whoever locks the folder looks for.
func (s *Store) Note(e *Entry) error {
	n := &s.notes
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if len(n.known) >= maxNotes || n.record != nil && !s.has(n.record.s) {
		n.end()
	}
	at := path.Join(path.Dir(e.Items[0].Path), e.Items[0].Temp)
	if n.known[at] {
		return nil
	}
	if err := n.add(s, e); err != nil {
		n.end()
		return err
	}
	n.known[at] = true
	return nil
}

func (n *notes) add(s *Store, e *Entry) (err error) {
	if n.record != nil {
		return s.Add(n.record, e)
	}
	n.known = map[string]bool{}
	n.record, err = s.begin(e, newSuffix, false)
	return err
}

// end removes the record. The mutex is locked.
func (n *notes) end() {
	n.record.End()
	n.record.Close()
	n.record, n.known = nil, nil
}

// EndNotes says that nothing has the temporary names any more.
func (s *Store) EndNotes() {
	s.notes.mutex.Lock()
	defer s.notes.mutex.Unlock()
	s.notes.end()
}

// LeaveNotes says that something has a temporary name that can't be removed: the next call looks
// for it.
func (s *Store) LeaveNotes() {
	n := &s.notes
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.record.Close()
	n.record, n.known = nil, nil
}

// isNoted reports whether a record is that of the notes of this process.
func (s *Store) isNoted(record string) bool {
	s.notes.mutex.Lock()
	defer s.notes.mutex.Unlock()
	return s.notes.record != nil && s.notes.record.id == record
}
