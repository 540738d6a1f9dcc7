//go:build linux && amd64

package faults

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// shape says which arguments of a call name a file.
type shape int

const (
	nothing      shape = iota // none, yet the call counts
	onDescriptor              // (fd, ...)
	onPath                    // (path, ...)
	onPathAt                  // (folder, path, ...)
	onTwoPaths                // (folder, path, folder, path, ...)
	aside                     // the call has nothing to do with files
)

type kind struct {
	nr    uint64
	name  string
	shape shape
}

// kindOf describes a call. A call that isn't listed counts, so that nothing new goes untested.
func kindOf(nr uint64) kind {
	for _, k := range kinds {
		if k.nr == nr {
			return k
		}
	}
	return kind{nr: nr, name: fmt.Sprintf("call number %d", nr)}
}

var kinds = [...]kind{
	{unix.SYS_READ, "read", onDescriptor},
	{unix.SYS_PREAD64, "pread64", onDescriptor},
	{unix.SYS_READV, "readv", onDescriptor},
	{unix.SYS_WRITE, "write", onDescriptor},
	{unix.SYS_PWRITE64, "pwrite64", onDescriptor},
	{unix.SYS_WRITEV, "writev", onDescriptor},
	{unix.SYS_LSEEK, "lseek", onDescriptor},
	{unix.SYS_CLOSE, "close", onDescriptor},
	{unix.SYS_FSTAT, "fstat", onDescriptor},
	{unix.SYS_FSTATFS, "fstatfs", onDescriptor},
	{unix.SYS_FSYNC, "fsync", onDescriptor},
	{unix.SYS_FDATASYNC, "fdatasync", onDescriptor},
	{unix.SYS_SYNCFS, "syncfs", onDescriptor},
	{unix.SYS_SYNC_FILE_RANGE, "sync_file_range", onDescriptor},
	{unix.SYS_FTRUNCATE, "ftruncate", onDescriptor},
	{unix.SYS_FALLOCATE, "fallocate", onDescriptor},
	{unix.SYS_FADVISE64, "fadvise64", onDescriptor},
	{unix.SYS_FCHMOD, "fchmod", onDescriptor},
	{unix.SYS_FCHOWN, "fchown", onDescriptor},
	{unix.SYS_FCHDIR, "fchdir", onDescriptor},
	{unix.SYS_FLOCK, "flock", onDescriptor},
	{unix.SYS_FCNTL, "fcntl", onDescriptor},
	{unix.SYS_IOCTL, "ioctl", onDescriptor},
	{unix.SYS_GETDENTS64, "getdents64", onDescriptor},
	{unix.SYS_FGETXATTR, "fgetxattr", onDescriptor},
	{unix.SYS_FSETXATTR, "fsetxattr", onDescriptor},
	{unix.SYS_FLISTXATTR, "flistxattr", onDescriptor},
	{unix.SYS_FREMOVEXATTR, "fremovexattr", onDescriptor},
	{unix.SYS_COPY_FILE_RANGE, "copy_file_range", onDescriptor},
	{unix.SYS_SENDFILE, "sendfile", onDescriptor},

	{unix.SYS_OPEN, "open", onPath},
	{unix.SYS_CREAT, "creat", onPath},
	{unix.SYS_STAT, "stat", onPath},
	{unix.SYS_LSTAT, "lstat", onPath},
	{unix.SYS_STATFS, "statfs", onPath},
	{unix.SYS_ACCESS, "access", onPath},
	{unix.SYS_READLINK, "readlink", onPath},
	{unix.SYS_CHDIR, "chdir", onPath},
	{unix.SYS_TRUNCATE, "truncate", onPath},
	{unix.SYS_GETXATTR, "getxattr", onPath},
	{unix.SYS_LGETXATTR, "lgetxattr", onPath},
	{unix.SYS_LISTXATTR, "listxattr", onPath},
	{unix.SYS_LLISTXATTR, "llistxattr", onPath},
	{unix.SYS_SETXATTR, "setxattr", onPath},
	{unix.SYS_LSETXATTR, "lsetxattr", onPath},

	{unix.SYS_OPENAT, "openat", onPathAt},
	{unix.SYS_OPENAT2, "openat2", onPathAt},
	{unix.SYS_NEWFSTATAT, "newfstatat", onPathAt},
	{unix.SYS_STATX, "statx", onPathAt},
	{unix.SYS_FACCESSAT, "faccessat", onPathAt},
	{unix.SYS_FACCESSAT2, "faccessat2", onPathAt},
	{unix.SYS_READLINKAT, "readlinkat", onPathAt},
	{unix.SYS_MKDIRAT, "mkdirat", onPathAt},
	{unix.SYS_UNLINKAT, "unlinkat", onPathAt},
	{unix.SYS_FCHMODAT, "fchmodat", onPathAt},
	{unix.SYS_FCHMODAT2, "fchmodat2", onPathAt},
	{unix.SYS_FCHOWNAT, "fchownat", onPathAt},
	{unix.SYS_UTIMENSAT, "utimensat", onPathAt},
	{unix.SYS_NAME_TO_HANDLE_AT, "name_to_handle_at", onPathAt},
	{unix.SYS_SYMLINKAT, "symlinkat", onPath},
	{unix.SYS_RENAMEAT, "renameat", onTwoPaths},
	{unix.SYS_RENAMEAT2, "renameat2", onTwoPaths},
	{unix.SYS_LINKAT, "linkat", onTwoPaths},

	{unix.SYS_GETRANDOM, "getrandom", nothing},
	{unix.SYS_LANDLOCK_CREATE_RULESET, "landlock_create_ruleset", nothing},
	{unix.SYS_LANDLOCK_ADD_RULE, "landlock_add_rule", nothing},
	{unix.SYS_EXIT_GROUP, "exit_group", nothing},

	// Memory, threads, signals, clocks. landlock_restrict_self and prctl are made on every thread
	// there is.
	{unix.SYS_LANDLOCK_RESTRICT_SELF, "", aside}, {unix.SYS_PRCTL, "", aside}, {unix.SYS_SECCOMP, "", aside},
	{unix.SYS_MMAP, "", aside}, {unix.SYS_MUNMAP, "", aside}, {unix.SYS_MPROTECT, "", aside}, {unix.SYS_MADVISE, "", aside},
	{unix.SYS_MINCORE, "", aside}, {unix.SYS_BRK, "", aside}, {unix.SYS_ARCH_PRCTL, "", aside}, {unix.SYS_RSEQ, "", aside},
	{unix.SYS_FUTEX, "", aside}, {unix.SYS_MEMBARRIER, "", aside}, {unix.SYS_CLONE, "", aside}, {unix.SYS_CLONE3, "", aside},
	{unix.SYS_EXECVE, "", aside}, {unix.SYS_EXIT, "", aside}, {unix.SYS_GETTID, "", aside}, {unix.SYS_GETPID, "", aside},
	{unix.SYS_GETUID, "", aside}, {unix.SYS_GETEUID, "", aside}, {unix.SYS_GETGID, "", aside}, {unix.SYS_GETEGID, "", aside},
	{unix.SYS_SET_TID_ADDRESS, "", aside}, {unix.SYS_SET_ROBUST_LIST, "", aside}, {unix.SYS_PRLIMIT64, "", aside},
	{unix.SYS_SCHED_YIELD, "", aside}, {unix.SYS_SCHED_GETAFFINITY, "", aside}, {unix.SYS_TGKILL, "", aside},
	{unix.SYS_RT_SIGACTION, "", aside}, {unix.SYS_RT_SIGPROCMASK, "", aside}, {unix.SYS_RT_SIGRETURN, "", aside},
	{unix.SYS_SIGALTSTACK, "", aside}, {unix.SYS_RESTART_SYSCALL, "", aside}, {unix.SYS_NANOSLEEP, "", aside},
	{unix.SYS_CLOCK_NANOSLEEP, "", aside}, {unix.SYS_CLOCK_GETTIME, "", aside}, {unix.SYS_GETTIMEOFDAY, "", aside},
	{unix.SYS_SETITIMER, "", aside}, {unix.SYS_TIMER_CREATE, "", aside}, {unix.SYS_TIMER_SETTIME, "", aside},
	{unix.SYS_TIMER_DELETE, "", aside}, {unix.SYS_UNAME, "", aside}, {unix.SYS_PIPE2, "", aside}, {unix.SYS_EVENTFD2, "", aside},
	{unix.SYS_EPOLL_CREATE1, "", aside}, {unix.SYS_EPOLL_CTL, "", aside}, {unix.SYS_EPOLL_PWAIT, "", aside},
	{unix.SYS_EPOLL_PWAIT2, "", aside},
}
