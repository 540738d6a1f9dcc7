package openfile

import (
	"sync"

	"fsbox/sandbox/disk/fserr"
)

// confirmed is an open file whose content is given only if it is that of the file which has its
// name on the server.
type confirmed struct {
	Handle
	root Folder

	once    sync.Once
	asked   chan struct{} // closed when isOther is known; nil before the first read
	isOther bool
}

// Folder is an open folder.
type Folder interface {
	Named() Named // see Handle
	Close()
}

// Confirmed is a file on SMB that was opened without a lock: reads fail with ErrHeld if the server
// has another file, or none, under its name. The server is asked during the first read. root is for
// IsOther. Close closes it.
func Confirmed(h Handle, root Folder) Handle { return &confirmed{Handle: h, root: root} }

// IsOther reports whether something else than an open file has its name on the server of an SMB
// share. If the server has another number for the root as well, which nobody replaces, unlike the
// folder of the file, its numbers are not those of files here, and nobody can tell.
func IsOther(f, root interface{ Named() Named }) bool {
	named := f.Named()
	return named == NamesNone || named == NamesOther && root.Named() != NamesOther
}

func (c *confirmed) ask() {
	c.once.Do(func() {
		c.asked = make(chan struct{})
		go func() {
			defer close(c.asked)
			c.isOther = IsOther(c.Handle, c.root)
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
