//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly || windows)

package dir

import "context"

// Terminal is not known on this system.
type Terminal struct{}

// HostTerminal finds no terminal.
func HostTerminal() (*Terminal, error) { return nil, errNoTerminal }

// Close does nothing.
func (*Terminal) Close() {}

// Width is not known.
func (*Terminal) Width() int { return 0 }

// Ask asks nobody.
func (*Terminal) Ask(context.Context, string) (string, error) { return "", errNoTerminal }
