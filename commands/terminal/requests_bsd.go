//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package terminal

import "golang.org/x/sys/unix"

// The requests that get and set the state of a terminal. Setting it drops what was typed but not
// read.
const (
	getTermios      = unix.TIOCGETA
	setTermiosFlush = unix.TIOCSETAF
)
