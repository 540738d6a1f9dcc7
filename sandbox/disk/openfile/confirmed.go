package openfile

import (
	"sync"

	"fsbox/sandbox/disk/fserr"
)

// confirmed is an open file whose content is given only if it is that of the file which has its
// name on the server.
type confirmed struct {
	Handle
	lookUp func() (isOther bool)

	once    sync.Once
	asked   chan struct{} // closed when isOther is known; nil before the first read
	isOther bool
}

// Confirmed is a file on SMB that was opened without a lock: reads fail with ErrHeld if isOther
// reports that the server has another file, or none, under its name. It is called once, during the
// first read.
func Confirmed(h Handle, isOther func() bool) Handle { return &confirmed{Handle: h, lookUp: isOther} }

func (c *confirmed) ask() {
	c.once.Do(func() {
		c.asked = make(chan struct{})
		go func() {
			defer close(c.asked)
			c.isOther = c.lookUp()
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
	return c.Handle.Close()
}
