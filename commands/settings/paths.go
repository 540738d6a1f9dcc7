package settings

import (
	"os"
	"path/filepath"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox/dir"
)

// ExpandHome replaces a ~ at the beginning by the home folder.
func ExpandHome(root string, system Environment) (string, *answer.Failure) {
	if root != "~" && !strings.HasPrefix(root, "~/") {
		if strings.TrimSpace(root) == "" {
			return "", answer.Failf(answer.CodeInvalidInput, "%q is empty", "root").
				WithHint("name a folder, or for the current one leave --root and FSBOX_ROOT out")
		}
		return root, nil
	}
	if system.Home == "" {
		return "", answer.Failf(answer.CodeInvalidInput, "%q begins with ~, and there is no home folder", root)
	}
	return filepath.Join(system.Home, root[1:]), nil
}

// isSystemRoot reports whether an absolute path leads to "/", or on Windows to the root of a
// volume.
func isSystemRoot(path string) bool {
	return sameFolder(path, filepath.VolumeName(path)+string(filepath.Separator))
}

// sameFolder reports whether two absolute paths lead to the same folder.
func sameFolder(a, b string) bool {
	if a == filepath.Clean(b) {
		return true
	}
	infoA, errA := dir.HostStat(a)
	infoB, errB := dir.HostStat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func Absolute(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// RealPath resolves the links in the part of a path that exists.
func RealPath(path string) string {
	path = Absolute(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(RealPath(parent), filepath.Base(path))
}

// GlobQuote escapes the characters that have a meaning in a glob. It is called at every start: a
// strings.Replacer would take a third of all memory that a short call takes.
func GlobQuote(path string) string {
	quoted := make([]byte, 0, len(path))
	for i := range len(path) {
		if strings.IndexByte(`\*?[{}`, path[i]) >= 0 {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, path[i])
	}
	return string(quoted)
}
