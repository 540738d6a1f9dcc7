package search

// maxOpen is how many folders of a walk stay open below the first. With the
// root, the first, the one being entered and two on the way to its
// .git/info/exclude that makes 32 at most, however deep the tree.
const maxOpen = 27

// frame is one folder between the start of a walk and where it is.
type frame struct {
	folder   Folder // nil while closed
	borrowed bool   // the caller's folder, not to be closed
	name     string
	end      int // length of the folder's path
	level    *ruleLevel
	rest     []Dirent // names still to come, sorted
	resumed  bool     // the first of rest was visited by the walk that is resumed
	after    string   // if so: where to resume inside it, "" = at its start
}

// folderStack is the chain of folders that a walk is in. The first folder stays
// open, and so do the last ones; those between are closed and opened again when
// the walk comes back to them.
type folderStack struct {
	frames []*frame
	path   []byte // of the top folder; the others' are its beginnings
	low    int    // frames[low:] are open, and frames[0]
}

func (s *folderStack) depth() int { return len(s.frames) }

// top returns the folder that the walk is in, nil when it is over.
func (s *folderStack) top() *frame {
	if len(s.frames) == 0 {
		return nil
	}
	return s.frames[len(s.frames)-1]
}

// push enters an open folder with the given path, "" for the root.
func (s *folderStack) push(f *frame, path string) {
	start := len(s.path)
	if start > 0 {
		start++
	}
	s.path = append(s.path[:0], path...)
	f.name, f.end = path[start:], len(path)
	s.frames = append(s.frames, f)
	s.low = max(s.low, 1)
	if len(s.frames)-s.low > maxOpen {
		s.frames[s.low].close()
		s.low++
	}
}

// pop leaves the top folder.
func (s *folderStack) pop() {
	s.top().close()
	s.frames = s.frames[:len(s.frames)-1]
	s.low = min(s.low, max(1, len(s.frames)))
	if f := s.top(); f != nil {
		s.path = s.path[:f.end]
	}
}

// reopen makes sure that the top folder is open. It comes down from the first
// and leaves half of maxOpen open on the way, so that leaving a deep tree doesn't
// come down for every folder. If one of them can't be opened any more, reopen
// drops what was to come in it and returns its path.
func (s *folderStack) reopen() (lost string, err error) {
	top := len(s.frames) - 1
	if s.frames[top].folder != nil {
		return "", nil
	}
	s.low = max(1, top+1-maxOpen/2)
	for i := 1; i <= top; i++ {
		f, above := s.frames[i], s.frames[i-1]
		folder, err := above.folder.Folder(f.name)
		if err != nil {
			s.drop(i)
			return string(s.path[:f.end]), err
		}
		f.folder = folder
		if i > 1 && i-1 < s.low {
			above.close()
		}
	}
	return "", nil
}

// drop gives up the folders from i on. All but the first are closed then.
func (s *folderStack) drop(i int) {
	for _, f := range s.frames[1:] {
		f.close()
	}
	for _, f := range s.frames[i:] {
		f.rest = nil
	}
	s.low = len(s.frames)
}

func (s *folderStack) closeAll() {
	for _, f := range s.frames {
		f.close()
	}
}

// join returns the path of a name in the top folder.
func (s *folderStack) join(name string) string {
	if len(s.path) == 0 {
		return name
	}
	whole := append(append(s.path, '/'), name...) // in the spare room behind s.path
	s.path = whole[:len(s.path)]
	return string(whole)
}

// close closes the folder. An error could not matter: nothing was written.
func (f *frame) close() {
	if f.folder != nil && !f.borrowed {
		f.folder.Close()
	}
	f.folder = nil
}
