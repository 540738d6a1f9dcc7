//go:build !linux

package testscript

import "errors"

// Lack does nothing here.
func Lack() {}

func lackable(string) error { return errors.New("system calls can be taken away on Linux only") }
