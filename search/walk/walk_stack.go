package walk

// maxOpen is how many folders stay open at the top of the stack, besides the first one and the
// landings, however deep the tree.
const maxOpen = 14

// Of the folders between, those at a multiple of landing stay open (the landings), at most
// maxLandings of them, so that the way from an open folder to a closed one is short. If Landlock
// confines the process, opening a deep folder is slow: the kernel checks each folder above it.
const (
	landing     = 512
	maxLandings = 6
)

// folderStack is the chain of folders that a walk is in. The first folder and the last ones stay
// open, and so do a few at fixed distances between (landings). The rest are closed, and opened
// again when the walk comes back to them.
type folderStack struct {
	frames []*walkFolder
	open   int // number of open frames, without the first and the landings
	low    int // frames[1:low] are closed, except for landings
}

// top returns the folder that the walk is in, nil when it is over.
func (s *folderStack) top() *walkFolder {
	if len(s.frames) == 0 {
		return nil
	}
	return s.frames[len(s.frames)-1]
}

// push enters a folder.
func (s *folderStack) push(f *walkFolder) {
	s.frames = append(s.frames, f)
	s.low = max(s.low, 1)
	if len(s.frames) > 1 && f.handle != nil {
		s.opened()
	}
}

// opened counts a folder that has been opened, and while too many are open, closes the one nearest
// to the root.
func (s *folderStack) opened() {
	for s.open++; s.open > maxOpen; s.low++ {
		s.leave(s.low)
	}
}

// leave closes frames[i], which is far from the top of the stack, or keeps it open as a landing.
func (s *folderStack) leave(i int) {
	f := s.frames[i]
	switch {
	case f.landing || f.handle == nil:
	case i%landing == 0 && i <= landing*maxLandings:
		f.landing = true
		s.open--
	default:
		s.close(i)
	}
}

func (s *folderStack) close(i int) {
	f := s.frames[i]
	if f.handle == nil {
		return
	}
	f.close()
	if !f.landing {
		s.open--
	}
	f.landing = false
}

// pop leaves the top folder.
func (s *folderStack) pop() {
	last := len(s.frames) - 1
	if last == 0 {
		s.frames[0].close()
	} else {
		s.close(last)
	}
	s.frames[last] = nil
	s.frames = s.frames[:last]
	s.low = min(s.low, max(1, last))
}

// reopen makes sure that the top folder is open. It opens one folder in the other, down from the
// nearest one that is open, and keeps the last maxOpen/2 of them open: so a walk that comes back up
// through a deep tree doesn't do this for every folder. If a folder can't be opened any more, lost
// is its index.
func (s *folderStack) reopen() (lost int, err error) {
	top := len(s.frames) - 1
	from := top
	for from > 0 && s.frames[from].handle == nil {
		from--
	}
	keep := max(1, top+1-maxOpen/2)
	if from < s.low {
		s.low = keep
	}
	for i := from + 1; i <= top; i++ {
		f, above := s.frames[i], s.frames[i-1]
		if f.open(above.handle); f.err != nil {
			return i, f.err
		}
		s.opened()
		if i-1 > from && i-1 < keep {
			s.close(i - 1)
		}
		f.handle.spent.close() // close them now: on a long way down, too many would be open at the end
	}
	return 0, nil
}
