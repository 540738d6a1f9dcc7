//go:build !windows

package policy

import "runtime"

// sameText compares paths as the system does. The text of the root is compared exactly everywhere
// except on Windows.
func sameText(a, b string) bool { return a == b }

// FoldsCase says whether file names are compared without case: the default on macOS and iOS.
const FoldsCase = runtime.GOOS == "darwin" || runtime.GOOS == "ios"
