// Package confine makes the kernel keep this process inside a few folders, as a second wall after
// the descriptors of package dir. If a bug, a race or a folder that somebody moves leads elsewhere,
// the kernel refuses to open, make, rename or remove anything there.
//
// Its central type is Level, which says what holds. The package must not know requests, paths of
// the workspace or policy; it is told which folders to allow, once, before the first request.
//
// On Linux it uses Landlock, which needs no privileges and can't be lifted again. Elsewhere there
// is nothing of the kind that a process can do to itself, and Apply says so.
package confine

import (
	"errors"
	"fmt"
)

// ErrUnsupported says that the system can't confine this process.
var ErrUnsupported = errors.New("not supported here")

// Folder is a folder that stays within reach, with all that is below it. It is given as an open
// descriptor, so that no path is resolved again.
type Folder struct {
	Descriptor int
	Write      bool // may be changed; else only read
}

// Level says what confines the process. The zero value means that nothing does.
type Level struct {
	ABI    int  // version of Landlock's interface
	Writes bool // files may be changed in some folder
}

// Error says which step failed. Nothing is confined then.
type Error struct {
	Step string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Step, e.Err) }
func (e *Error) Unwrap() error { return e.Err }
