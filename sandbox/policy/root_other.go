//go:build !windows

package policy

import "runtime"

// sameText compares paths the way the system does. The root's own text is compared exactly everywhere but on Windows.
func sameText(a, b string) bool { return a == b }

// FoldsCase says whether file names are compared without case: the default on macOS and iOS.
const FoldsCase = runtime.GOOS == "darwin" || runtime.GOOS == "ios"
