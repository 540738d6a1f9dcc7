package sandbox

import (
	"path/filepath"
	"strings"
)

func cutRoot(absolute, root string) (string, bool) {
	if len(absolute) < len(root) || !sameText(absolute[:len(root)], root) {
		return "", false
	}
	rest := absolute[len(root):]
	if rest != "" && rest[0] != '/' {
		return "", false
	}
	return rest, true
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

// CutRoot takes root, the host path of a folder, off a pattern that is an absolute path beneath it, or that folder itself. What
// is left is "" or begins with a slash.
func CutRoot(pattern, root string) (rest string, ok bool) {
	return cutRoot(tidy(pattern), strings.TrimSuffix(toSlash(root), "/"))
}
