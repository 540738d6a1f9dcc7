//go:build unix && !aix

package terminal

import (
	"context"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Terminal is the controlling terminal of the process: where the person is who started it, whatever
// its standard input and output are.
type Terminal struct {
	file *os.File
	fd   int // of file, which blocks
}

// Open opens the controlling terminal.
func Open() (*Terminal, error) {
	file, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, errNoTerminal
	}
	return &Terminal{file, int(file.Fd())}, nil
}

// Width is the number of columns, 0 if it isn't known.
func (t *Terminal) Width() int { return widthOf(t.fd) }

// TakesColours reports whether it takes the escape sequences of colours.
func (t *Terminal) TakesColours() bool { return PrepareColours(t.file) }

// Ask shows a text and reads one line. What was typed before its last line was shown is thrown
// away: it can't be an answer to it. A job in the background would be stopped for reading, so it
// gets errNoTerminal.
func (t *Terminal) Ask(ctx context.Context, text string) (line string, err error) {
	before, err := unix.IoctlGetTermios(t.fd, getTermios)
	if err != nil || !t.isForeground() {
		return "", errNoTerminal
	}
	plain := *before // another program may have switched off lines and echo
	plain.Lflag |= unix.ICANON | unix.ECHO | unix.ECHOE | unix.ISIG
	plain.Iflag |= unix.ICRNL
	plain.Iflag &^= unix.IGNCR | unix.INLCR
	plain.Oflag |= unix.OPOST | unix.ONLCR
	if err := unix.IoctlSetTermios(t.fd, setTermiosFlush, &plain); err != nil {
		return "", err
	}
	defer unix.IoctlSetTermios(t.fd, setTermiosFlush, before)
	shown, question := cutQuestion(text)
	if _, err := t.file.WriteString(shown); err != nil {
		return "", err
	}
	if err := unix.IoctlSetTermios(t.fd, setTermiosFlush, &plain); err != nil { // waits until all is shown
		return "", err
	}
	if _, err := t.file.WriteString(question); err != nil {
		return "", err
	}
	return t.readLine(ctx)
}

// isForeground reports whether the terminal belongs to the job of this process.
func (t *Terminal) isForeground() bool {
	group, err := unix.IoctlGetInt(t.fd, unix.TIOCGPGRP)
	own, failed := unix.Getpgid(0)
	return err == nil && failed == nil && group == own
}

// readLine waits for a line in steps, so that it ends with ctx.
func (t *Terminal) readLine(ctx context.Context) (string, error) {
	return readTyped(func(b []byte) (int, error) {
		if err := t.await(ctx); err != nil {
			return 0, err
		}
		return t.file.Read(b)
	})
}

// await waits until something can be read. Unlike poll, select works with terminals everywhere.
func (t *Terminal) await(ctx context.Context) error {
	const step = 100 * time.Millisecond
	for {
		if err := ctx.Err(); err != nil {
			_, _ = t.file.WriteString("\n")
			return err
		}
		var set unix.FdSet
		set.Set(t.fd)
		wait := unix.NsecToTimeval(step.Nanoseconds())
		n, err := unix.Select(t.fd+1, &set, nil, nil, &wait)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return os.NewSyscallError("select", err)
		case n > 0:
			return nil
		}
	}
}

// PrepareColours reports whether a terminal takes the escape sequences of colours: all do here.
func PrepareColours(*os.File) bool { return true }
