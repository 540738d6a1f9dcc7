package terminal

import (
	"context"
	"os"

	"golang.org/x/sys/windows"
)

// Terminal is the console of the process.
type Terminal struct{ in, out *os.File }

// Open opens the console.
func Open() (*Terminal, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, errNoTerminal
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		in.Close()
		return nil, errNoTerminal
	}
	return &Terminal{in, out}, nil
}

// Width is the number of columns, 0 if it isn't known.
func (t *Terminal) Width() int { return widthOf(int(t.out.Fd())) }

// TakesColours has it take the escape sequences of colours, and reports whether it does.
func (t *Terminal) TakesColours() bool { return PrepareColours(t.out) }

// Ask shows a text and reads one line. If ctx ends first, the read goes on without a listener: the
// next answer would go to it, so the console is closed then.
func (t *Terminal) Ask(ctx context.Context, text string) (line string, err error) {
	_ = windows.FlushConsoleInputBuffer(windows.Handle(t.in.Fd())) // what was typed before can't be an answer
	shown, question := cutQuestion(text)
	if _, err := t.out.WriteString(shown); err != nil {
		return "", err
	}
	_ = windows.FlushConsoleInputBuffer(windows.Handle(t.in.Fd()))
	if _, err := t.out.WriteString(question); err != nil {
		return "", err
	}
	type read struct {
		line string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		line, err := readTyped(t.in.Read)
		done <- read{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done():
		t.in.Close()
		return "", ctx.Err()
	}
}

// PrepareColours has a console take the escape sequences of colours. It reports whether it does.
func PrepareColours(f *os.File) bool {
	console, mode := windows.Handle(f.Fd()), uint32(0)
	return windows.GetConsoleMode(console, &mode) == nil &&
		windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
