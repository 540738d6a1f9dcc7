package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox/disk/host"
	"fsbox/wildcard"
)

// ExpandHome replaces a ~ at the beginning of the path that a setting has by the home folder, and
// refuses a blank path.
func ExpandHome(setting, path string, system Environment) (string, *answer.Failure) {
	switch {
	case strings.TrimSpace(path) == "":
		return "", answer.Failf(answer.CodeInvalidInput, "%q is empty", setting).
			WithHint("give a path, or omit --%s and %s", strings.ReplaceAll(setting, "_", "-"), envPrefix+strings.ToUpper(setting))
	case path != "~" && !strings.HasPrefix(path, "~/"):
		return path, nil
	case system.Home == "":
		return "", answer.Failf(answer.CodeInvalidInput, "%q begins with ~, and there is no home directory", path)
	}
	return filepath.Join(system.Home, path[1:]), nil
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
	infoA, errA := host.Stat(a)
	infoB, errB := host.Stat(b)
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
func GlobQuote(path string) string { return wildcard.QuoteSigns(path, `\*?[{}`) }

// relative writes a path that lies in root relative to it, as text; "" for any other.
func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// hostPath makes a relative path absolute the way the system reads it: ".." after a link is the
// parent of the link's target, not of the link.
func hostPath(path string) (string, error) {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	for up := ".." + string(filepath.Separator); strings.HasPrefix(path, up); here = filepath.Dir(here) {
		path = strings.TrimLeft(path[len(up):], string(filepath.Separator))
	}
	return here + string(filepath.Separator) + path, err
}

// userPlaces returns the paths that a file or folder of the user's may have: name in the folder
// that the environment sets, and name in the default folder, inHome below the home folder. The
// second is there even if the environment sets a folder, since a run with another environment would
// use it.
func userPlaces(folder, home, inHome, name string) (places []string) {
	if folder != "" {
		places = append(places, filepath.Join(folder, name))
	}
	if home != "" {
		if place := filepath.Join(home, inHome, name); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}
