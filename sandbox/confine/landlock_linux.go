package confine

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights of Landlock's interface, by the version that brought them. A right that is handled is
// refused everywhere except where a rule allows it.
const (
	readRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	// Renaming a file needs the right to make one of its kind, also a device: the program makes
	// none.
	writeRights = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE

	handledRights = readRights | writeRights | unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	networkRights = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
)

// Versions that brought something used here.
const (
	abiRefer    = 2 // renames from folder to folder; before, none are possible
	abiTruncate = 3
	abiNetwork  = 4
	abiIoctl    = 5
)

// ABI is the version of Landlock's interface that the kernel has; 0 if it has none, or if it is
// switched off.
func ABI() int {
	n, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(n)
}

// Available tells why this process can't be confined; nil if it can, if only to read.
func Available() error {
	if ABI() == 0 {
		return &Error{"Landlock", ErrUnsupported}
	}
	if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_GETPID, 0, 0, 0); errno != 0 {
		return &Error{"reach all threads", threadError(errno)}
	}
	return nil
}

// Apply confines all threads of this process to the folders, for ever: nothing can be opened,
// listed, made, renamed or removed elsewhere, nothing can be run, and no TCP connection opened or
// accepted. What is open stays open. stat, chmod and locks are not Landlock's business.
//
// The error wraps ErrUnsupported if the kernel can't, or can't without taking away more than asked
// for.
func Apply(folders []Folder) (Level, error) {
	level := Level{ABI: ABI()}
	for _, f := range folders {
		level.Writes = level.Writes || f.Write
	}
	if level.ABI == 0 || (level.Writes && level.ABI < abiRefer) {
		return Level{}, &Error{"Landlock", ErrUnsupported}
	}
	rules, err := newRuleset(level.ABI)
	if err != nil {
		return Level{}, &Error{"make a rule set", err}
	}
	defer unix.Close(rules)
	handled := handledBy(level.ABI)
	for _, f := range folders {
		allowed := uint64(readRights)
		if f.Write {
			allowed |= writeRights
		}
		if err := addRule(rules, f.Descriptor, allowed&handled); err != nil {
			return Level{}, &Error{"allow a directory", err}
		}
	}
	if err := restrict(rules); err != nil {
		return Level{}, err
	}
	return level, nil
}

// handledBy gives the rights that a version knows.
func handledBy(abi int) uint64 {
	rights := uint64(handledRights)
	if abi < abiRefer {
		rights &^= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi < abiTruncate {
		rights &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi < abiIoctl {
		rights &^= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	return rights
}

func newRuleset(abi int) (descriptor int, err error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: handledBy(abi)}
	size := unsafe.Sizeof(attr.Handled_access_fs) // all that the first versions know
	if abi >= abiNetwork {
		attr.Handled_access_net = networkRights
		size += unsafe.Sizeof(attr.Handled_access_net)
	}
	n, _, errno := syscall.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(n), nil
}

func addRule(rules, folder int, allowed uint64) error {
	attr := unix.LandlockPathBeneathAttr{Allowed_access: allowed, Parent_fd: int32(folder)}
	_, _, errno := syscall.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&attr)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// restrict puts the rules into force for every thread: the kernel does it for one at a time, and
// new threads inherit them. To reach all threads stops the program for a moment. It is done once
// less where the kernel doesn't ask for a promise never to gain privileges.
func restrict(rules int) error {
	if !mayConfine() {
		if _, _, errno := syscall.AllThreadsSyscall6(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0); errno != 0 {
			return &Error{"give up gaining privileges", threadError(errno)}
		}
	}
	if _, _, errno := syscall.AllThreadsSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); errno != 0 {
		return &Error{"put the rules into force", threadError(errno)}
	}
	return nil
}

// mayConfine reports whether this process may confine itself as it is: the program was started
// without a way to gain privileges, as sandboxes do, or it may administer the system.
func mayConfine() bool {
	if given, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err == nil && given == 1 {
		return true
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var sets [2]unix.CapUserData
	return unix.Capget(&header, &sets[0]) == nil && sets[0].Effective&(1<<unix.CAP_SYS_ADMIN) != 0
}

// threadError explains the error of a program that was built with cgo.
func threadError(errno syscall.Errno) error {
	if errors.Is(errno, syscall.ENOTSUP) {
		return fmt.Errorf("%w: this binary was built with cgo", ErrUnsupported)
	}
	return errno
}

// Refuses reports whether the kernel keeps this process from listing a folder of the host, which
// should be outside of the allowed ones: the self-test. The error is that of a folder that can't be
// opened for another reason.
func Refuses(folder string) (bool, error) {
	fd, err := unix.Open(folder, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	switch {
	case err == nil:
		return false, unix.Close(fd)
	case errors.Is(err, unix.EACCES):
		return true, nil
	}
	return false, err
}
