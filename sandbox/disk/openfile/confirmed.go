package openfile

import (
	"sync"

	"fsbox/sandbox/disk/fserr"
)

// confirmed is an open file whose content is given only if it is that of the file which has its
// name on the server.
type confirmed struct {
	Handle
	root Numbered

	once    sync.Once
	asked   chan struct{} // closed when isOther is known; nil before the first read
	isOther bool
}

// Numbered is an open folder.
type Numbered interface {
	Number() int // its descriptor
	Close()
}

// Confirmed is a file on SMB that was opened without a lock: reads fail with ErrHeld if the server
// has another file, or none, under its name. The server is asked during the first read. root is a
// folder that nobody has replaced, unlike that of the file: see IsOther. Close closes it.
func Confirmed(h Handle, root Numbered) Handle { return &confirmed{Handle: h, root: root} }

// IsOther reports whether something else than a file has its name on the server. If the server has
// another number for a second file or folder as well, its numbers are not those of files here, and
// nobody can tell.
func IsOther(named Named, second func() Named) bool {
	return named == NamesNone || named == NamesOther && second() != NamesOther
}

func (c *confirmed) ask() {
	c.once.Do(func() {
		c.asked = make(chan struct{})
		go func() {
			defer close(c.asked)
			c.isOther = IsOther(c.Handle.Named(), func() Named { return NamedOf(c.root.Number()) })
		}()
	})
}

func (c *confirmed) refuse() error {
	if <-c.asked; c.isOther {
		return fserr.ErrHeld
	}
	return nil
}

func (c *confirmed) ReadSome(b []byte, offset int64) (int, error) {
	c.ask()
	n, err := c.Handle.ReadSome(b, offset)
	if refused := c.refuse(); refused != nil {
		return 0, refused
	}
	return n, err
}

func (c *confirmed) ReadAt(b []byte, offset int64) (int, error) {
	c.ask()
	n, err := c.Handle.ReadAt(b, offset)
	if refused := c.refuse(); refused != nil {
		return 0, refused
	}
	return n, err
}

func (c *confirmed) Close() error {
	if c.asked != nil {
		<-c.asked
	}
	c.root.Close()
	return c.Handle.Close()
}
