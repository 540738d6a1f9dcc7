package policy

import (
	"path/filepath"
	"runtime"
	"strings"
)

// CutRoot removes root, the host path of a folder, from the front of an absolute path or of a
// pattern for such paths. The rest is "" for root itself, else it begins with a slash. ok is false
// for paths outside root.
func CutRoot(path, root string) (rest string, ok bool) {
	path, root = tidy(path), strings.TrimSuffix(filepath.ToSlash(root), "/")
	if len(path) < len(root) || !sameText(path[:len(root)], root) {
		return "", false
	}
	rest = path[len(root):]
	return rest, rest == "" || rest[0] == '/'
}

// tidy removes the empty and "." components of an absolute path: $TMPDIR often ends in a slash, and
// joining that gives "//". A slash at the end is kept: it asks for a folder.
func tidy(absolute string) string {
	volume := len(filepath.VolumeName(absolute))
	names := strings.Split(absolute[volume:], "/")
	kept := names[:1:1]
	for i, name := range names[1:] {
		isLast := i == len(names)-2
		if name != "." && (name != "" || isLast) {
			kept = append(kept, name)
		}
	}
	return absolute[:volume] + strings.Join(kept, "/")
}

// sameText compares paths as the system does. The text of the root is compared exactly everywhere
// except on Windows.
func sameText(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// FoldsCase says whether file names are compared without case: the default on macOS and iOS, too.
const FoldsCase = runtime.GOOS == "windows" || runtime.GOOS == "darwin" || runtime.GOOS == "ios"
