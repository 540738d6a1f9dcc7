//go:build !linux

// Package terminal makes pseudo-terminals, for tests and pictures.
package terminal

import (
	"errors"
	"os"
)

// Open fails: it is written for Linux only.
func Open(uint16) (keyboard, screen *os.File, err error) {
	return nil, nil, errors.New("no pseudo-terminals on this system")
}
