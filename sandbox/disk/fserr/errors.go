// Package fserr has the kinds of refusals and failures that concern files, and finds the one that
// fits an error of the system.
package fserr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
)

// kind is an error that is a constant, so that tables of errors need no code that runs at each
// start of the program.
type kind string

func (k kind) Error() string { return string(k) }

// The kinds of refusal and failure. Each *PathError wraps exactly one of them.
const (
	ErrInvalidPath = kind("invalid path")                        // a BrokenRule says which rule it breaks
	ErrTraversal   = kind("path has a .. component")             // refused as text, before any disk access
	ErrOutside     = kind("path is outside the workspace")       // absolute, and not under the root
	ErrLinkOutside = kind("symbolic link escapes the workspace") // also a dangling link
	ErrLinkLoop    = kind("too many symbolic links")             // more on one path than sandbox follows
	ErrBlocked     = kind("blocked by policy")                   // a deny or deny_write pattern
	ErrNotFound    = kind("not found")
	ErrNotFile     = kind("not a regular file") // a folder, FIFO, socket or device
	ErrNotFolder   = kind("not a directory")
	ErrNotEmpty    = kind("the directory is not empty")
	ErrNoETag      = kind("only files have an etag") // an if_match for something else
	ErrSame        = kind("both are the same path")  // from and to of a move or a copy
	ErrExists      = kind("already exists")
	ErrPermission  = kind("permission denied")
	ErrReadOnly    = kind("read-only file system")
	ErrTooLarge    = kind("file too large") // *SizeError has the figures
	ErrStale       = kind("file changed")   // *StaleError has the current etag
	ErrBusy        = kind("busy")           // a lock, lease or mount; try later
	ErrNoSpace     = kind("no space left")  // disk, quota or file size limit
	ErrUnsupported = kind("not supported by the file system")
	ErrOpenFiles   = kind("it takes more open files at a time than this process may have") // see ulimit -n
	ErrDurability  = kind("committed, but not known to be synced")                         // the folder's fsync failed
	ErrBackup      = kind("no backup could be kept")                                       // nothing was changed
	ErrInputOutput = kind("input/output error")                                            // everything else that the system reports
)

// What is wrong with a file or folder of the operator's, such as the state folder, when this
// process runs as the wrong user.
var (
	ErrOtherUser   = errors.New("belongs to another user")
	ErrStateClosed = errors.New("permission denied") // whosever the state folder is
)

// BrokenRule is an ErrInvalidPath that says which rule a path breaks.
type BrokenRule string

// All rules that a path can break.
const (
	PathEmpty    BrokenRule = "it is empty"
	PathNUL      BrokenRule = "it has a NUL byte"
	PathTooLong  BrokenRule = "it is longer than 4,096 bytes"
	NameTooLong  BrokenRule = "a name in it is longer than the file system allows"
	NameUnfit    BrokenRule = "the file system doesn't allow this name"
	NameReserved BrokenRule = "the name is reserved by the system"
	NameOwn      BrokenRule = "names that begin with .fsbox-tmp- and .fsbox-txn- are fsbox's own"
	PathDevice   BrokenRule = "it names another computer or a device"
	PathRoot     BrokenRule = "the root can't be moved or removed"
	PathInItself BrokenRule = "a directory can't be moved or copied into itself"
)

func (r BrokenRule) Error() string { return ErrInvalidPath.Error() + ": " + string(r) }

// Is makes every BrokenRule an ErrInvalidPath.
func (r BrokenRule) Is(target error) bool { return target == ErrInvalidPath }

// PathError is a refusal or failure about one path of the workspace. Err wraps one of the Err
// values of this package.
type PathError struct {
	Path string // relative to the root, links not resolved
	Type string // for ErrNotFile, what is at the path: "folder", "fifo", "socket", "device"
	Err  error
}

func (e *PathError) Error() string {
	switch {
	case errors.Is(e.Err, ErrNotFound):
		return fmt.Sprintf("%q does not exist", e.Path)
	case errors.Is(e.Err, ErrNotEmpty):
		return fmt.Sprintf("the directory %q is not empty", e.Path)
	case errors.Is(e.Err, ErrExists):
		return fmt.Sprintf("%q already exists", e.Path)
	case errors.Is(e.Err, ErrNotFile) && e.Type != "":
		return fmt.Sprintf("%q is a %s, not a regular file", e.Path, e.Type)
	case errors.Is(e.Err, ErrNotFile):
		return fmt.Sprintf("%q is not a regular file", e.Path)
	case errors.Is(e.Err, ErrNotFolder):
		return fmt.Sprintf("%q is not a directory, or is below a file", e.Path)
	}
	return fmt.Sprintf("%q: %v", e.Path, e.Err)
}

func (e *PathError) Unwrap() error { return e.Err }

// SizeError says that a file is larger than an operation allows. Sizes are in bytes.
type SizeError struct{ Size, Limit int64 }

func (e *SizeError) Error() string {
	return fmt.Sprintf("%d bytes, and the limit is %d", e.Size, e.Limit)
}

func (e *SizeError) Is(target error) bool { return target == ErrTooLarge }

// StaleError says that a file is no longer the version that the caller has seen. Current is its
// etag now, empty if the file is gone.
type StaleError struct{ Current string }

func (e *StaleError) Error() string { return "the file changed since it was read" }

func (e *StaleError) Is(target error) bool { return target == ErrStale }

// Explain wraps an error of the system in a *PathError for path, with the kind that fits. An error
// that is a *PathError already is returned unchanged.
func Explain(path string, err error) error {
	if _, ok := errors.AsType[*PathError](err); ok || err == nil {
		return err
	}
	return &PathError{Path: path, Err: Classify(err)}
}

// Classify adds a kind to err unless it has one already. Its tables are local: as variables of the
// package they would be filled in at each start of the program.
func Classify(err error) error {
	if IsAny(err, ErrInvalidPath, ErrTraversal, ErrOutside, ErrLinkOutside, ErrLinkLoop, ErrBlocked, ErrNotFound,
		ErrNotFile, ErrNotFolder, ErrNotEmpty, ErrNoETag, ErrSame, ErrExists, ErrPermission, ErrReadOnly, ErrTooLarge, ErrStale, ErrBusy,
		ErrNoSpace, ErrUnsupported, ErrOpenFiles, ErrDurability, ErrBackup, ErrInputOutput, ErrCollision) {
		return err
	}
	return &KindError{Kind: kindOf(err), Cause: Bare(err)}
}

// IsAny is errors.Is for several errors.
func IsAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// IsCanceled reports whether err is that of a context that has ended.
func IsCanceled(err error) bool { return IsAny(err, context.Canceled, context.DeadlineExceeded) }

// IsOfSystem reports whether a call failed because the disk or the process was short of something
// or at fault, whatever the call was about: the same may succeed later.
func IsOfSystem(err error) bool {
	return IsAny(err, syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
		syscall.EINTR, syscall.EAGAIN, syscall.ESTALE, syscall.EHOSTDOWN, syscall.ETIMEDOUT, syscall.ENOTCONN, syscall.ECONNABORTED,
		syscall.ECONNRESET)
}

// kindOf finds the kind for an error of the system. The first match counts.
func kindOf(err error) error {
	if kind := kindOfNumber(err); kind != nil {
		return kind
	}
	for _, c := range [...]struct{ is, kind error }{
		{fs.ErrNotExist, ErrNotFound},
		{syscall.ENOTEMPTY, ErrNotEmpty}, // must come before fs.ErrExist, which package syscall takes it for
		{syscall.EEXIST, ErrExists},
		{fs.ErrExist, ErrExists},
		{syscall.ENOTDIR, ErrNotFolder},
		{syscall.EISDIR, ErrNotFile},
		{syscall.ENXIO, ErrNotFile},
		{syscall.ELOOP, ErrLinkLoop},
		{syscall.EROFS, ErrReadOnly},
		{fs.ErrPermission, ErrPermission},
		{syscall.ENOSPC, ErrNoSpace},
		{syscall.EDQUOT, ErrNoSpace},
		{syscall.EFBIG, ErrNoSpace},
		{syscall.EAGAIN, ErrBusy},
		{syscall.EBUSY, ErrBusy},
		{syscall.ETXTBSY, ErrRunning},
		{syscall.EMFILE, ErrOpenFiles},
		{syscall.ENFILE, ErrBusy}, // the whole system has too many files open
		{syscall.ENAMETOOLONG, NameTooLong},
		{syscall.EILSEQ, NameUnfit},
		{syscall.EOPNOTSUPP, ErrUnsupported},
		{syscall.ENOSYS, ErrUnsupported},
		{os.ErrDeadlineExceeded, ErrBusy},
	} {
		if errors.Is(err, c.is) {
			return c.kind
		}
	}
	return ErrInputOutput
}

// KindError is a kind together with the system's own error.
type KindError struct{ Kind, Cause error }

func (e *KindError) Error() string {
	if e.Kind == ErrBackup {
		return e.Kind.Error() + ": " + e.Cause.Error()
	}
	return e.Kind.Error()
}

func (e *KindError) Unwrap() []error { return []error{e.Kind, e.Cause} }

// Unsynced makes the error of a sync, or of a note that a change is complete, an ErrDurability: the
// change is made. Only the text of the cause is kept: EEXIST or EXDEV, say, would send a caller to
// make the change once more in another way.
func Unsynced(err error) error {
	if err == nil {
		return nil
	}
	return &KindError{Kind: ErrDurability, Cause: errors.New(err.Error())}
}

// ErrRunning is for a program's file, which can't be written in place while it runs.
var ErrRunning error = &Refusal{ErrBusy, "it is a program that is running"}

// ErrLocked is for a part of a file that another program has locked. Only Windows and servers of
// SMB keep others from reading and writing it.
var ErrLocked error = &Refusal{ErrBusy, "another program has locked it"}

// Refusal is a case of a kind with a reason of its own.
type Refusal struct {
	Kind   error
	Reason string
}

func (r *Refusal) Error() string { return r.Kind.Error() + ": " + r.Reason }

func (r *Refusal) Unwrap() error { return r.Kind }

// Bare removes the path that package os puts into its errors: it is a path of the host, and answers
// name workspace paths only.
func Bare(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	if l, ok := errors.AsType[*os.LinkError](err); ok {
		return l.Err
	}
	return err
}

// ErrCollision says that something else changed a file or folder after this call looked at it.
var ErrCollision = errors.New("the file changed during the call")

// ErrReplaced says that an open file was removed or replaced on another machine, and that its
// content is gone: it is both ErrCollision and ErrBusy.
var ErrReplaced error = busyCollision("busy: another machine replaced it meanwhile")

// ErrHeld says that the server has another file under a name, or none, which this machine doesn't
// see as long as one of its programs has the old file open: it is both ErrCollision and ErrBusy.
var ErrHeld error = busyCollision("busy: " + HeldReason)

// HeldReason is what ErrHeld says, also for an error that isn't ErrCollision.
const HeldReason = "another machine has renamed or replaced it, and this machine may still have the old file open"

type busyCollision string

func (e busyCollision) Error() string { return string(e) }

func (busyCollision) Is(target error) bool { return target == ErrCollision || target == ErrBusy }

// LeftBehind makes the error of a call that left something behind: err says why that could not be
// undone or removed. It returns nil if err is nil.
func LeftBehind(err error) error {
	if err == nil {
		return nil
	}
	return &RollbackError{Err: Classify(err)}
}

// RollbackError says that a call failed part-way and that its change, or a part of it, is in place.
type RollbackError struct {
	Bytes int   // added by an append; 0 for other calls
	Made  bool  // the change is made, and only removing the old content failed
	Moved bool  // the bytes are added, but the file has lost its name meanwhile, as a log that is rotated
	Err   error // why the call failed, or why it could not be undone
}

func (e *RollbackError) Error() string {
	switch {
	case e.Made:
		return e.Err.Error() + "; the change is made, but not all of the old content could be removed"
	case e.Moved:
		return fmt.Sprintf("%v: %d bytes were added, but to a file that was renamed or replaced meanwhile", e.Err, e.Bytes)
	case e.Bytes == 0:
		return e.Err.Error() + "; not all of the change could be undone"
	}
	return fmt.Sprintf("%v; %d bytes were added and could not be undone", e.Err, e.Bytes)
}

func (e *RollbackError) Unwrap() error { return e.Err }

// IsClean reports whether a call failed with one of some errors and left nothing behind, so that it
// can be made again, or in another way.
func IsClean(err error, targets ...error) bool {
	return err != nil && !errors.As(err, new(*RollbackError)) && IsAny(err, targets...)
}

// IgnoreEOF returns err, or nil for io.EOF.
func IgnoreEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// IgnoreMissing returns err, or nil if it says that a name doesn't exist.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// ErrMounted refuses to remove or replace a name at which another file system, or another part of
// this one, is mounted. It is an ErrBusy, but trying again doesn't help.
var ErrMounted error = &Refusal{ErrBusy, "something is mounted there"}

// IsRefused tells a system that doesn't give this owner, mode or attribute to a file, as this
// process may not ask for it, or as the file system can't, from one that fails: then the disk is
// full or broken.
func IsRefused(err error) bool {
	// EINVAL and EOVERFLOW: the user namespace, or that of the mount, has no such owner.
	return IsAny(err, fs.ErrPermission, errors.ErrUnsupported, syscall.EINVAL, syscall.EOVERFLOW)
}

// IsFull is for attributes: a file system may have little space for them on an empty disk.
func IsFull(err error) bool { return IsAny(err, syscall.ENOSPC, syscall.EDQUOT) }
