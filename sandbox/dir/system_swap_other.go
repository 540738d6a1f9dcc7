//go:build !darwin

package dir

import "os"

// swapNames says that two names can't be exchanged at once through an os.Root.
func swapNames(*os.Root, string, *os.Root, string) error { return ErrUnsupported }
