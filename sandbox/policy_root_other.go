//go:build !windows

package sandbox

import "runtime"

// sameText compares paths the way the system does. The root's own text is compared exactly everywhere but on Windows.
func sameText(a, b string) bool { return a == b }

// foldsCase says whether file names are compared without case: the default on macOS and iOS.
const foldsCase = runtime.GOOS == "darwin" || runtime.GOOS == "ios"
