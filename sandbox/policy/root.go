package policy

import (
	"path/filepath"
	"strings"
)

// CutRoot takes root, the host path of a folder, off an absolute path beneath it, or that folder itself, or off a pattern for
// such paths. What is left is "" or begins with a slash.
func CutRoot(path, root string) (rest string, ok bool) {
	path, root = tidy(path), strings.TrimSuffix(filepath.ToSlash(root), "/")
	if len(path) < len(root) || !sameText(path[:len(root)], root) {
		return "", false
	}
	rest = path[len(root):]
	return rest, rest == "" || rest[0] == '/'
}

// tidy drops the empty and "." components of an absolute path: $TMPDIR often ends in a slash, so that "//" comes of it. A
// slash at the end stays, it asks for a folder.
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
