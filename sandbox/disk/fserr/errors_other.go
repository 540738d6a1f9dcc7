//go:build !windows

package fserr

// kindOfNumber does nothing on Unix: kindOf knows its error numbers.
func kindOfNumber(error) error { return nil }
