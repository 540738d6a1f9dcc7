package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// PrepareColours has a console take the escape sequences of colours. It reports whether it does.
func PrepareColours(f *os.File) bool {
	console, mode := windows.Handle(f.Fd()), uint32(0)
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
