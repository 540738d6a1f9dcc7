//go:build !windows

package dir

// kindOfNumber does nothing on Unix: kindOf knows its error numbers.
func kindOfNumber(error) error { return nil }
