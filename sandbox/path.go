package sandbox

import (
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// maxPath is the longest path of a request, in bytes: PATH_MAX of Linux.
const maxPath = 4096

// parse checks a path as text, before any disk access. An absolute path is accepted if it is under
// the root.
func (w *finder) parse(path string) (request, error) {
	if err := checkText(path); err != nil {
		return request{}, &dir.PathError{Path: path, Err: err}
	}
	slashed := filepath.ToSlash(path)
	if filepath.IsAbs(path) || strings.HasPrefix(slashed, "/") {
		if slices.Contains(strings.Split(slashed, "/"), "..") {
			return request{}, &dir.PathError{Path: path, Err: dir.ErrTraversal}
		}
		inside, ok := w.inside(slashed)
		if !ok {
			return request{}, &dir.PathError{Path: path, Err: dir.ErrOutside}
		}
		slashed = inside
	}
	names := make([]string, 0, strings.Count(slashed, "/")+1)
	for name := range strings.SplitSeq(slashed, "/") {
		switch {
		case name == "" || name == ".":
			continue
		case name == "..":
			return request{}, &dir.PathError{Path: path, Err: dir.ErrTraversal}
		case dir.IsReserved(name):
			return request{}, &dir.PathError{Path: path, Err: dir.NameReserved}
		}
		names = append(names, name)
	}
	return request{asked: join(names), names: names, folder: strings.HasSuffix(slashed, "/") || strings.HasSuffix(slashed, "/.")}, nil
}

func checkText(path string) error {
	switch {
	case strings.TrimSpace(path) == "":
		return dir.PathEmpty
	case len(path) > maxPath:
		return dir.PathTooLong
	case strings.IndexByte(path, 0) >= 0:
		return dir.PathNUL
	}
	return nil
}

// inside removes the root, as given or as resolved, from the front of an absolute path. The rest is
// resolved below the root's descriptor like any other path: nothing is allowed here, so a wrong
// answer can't open anything outside.
func (w *finder) inside(absolute string) (rest string, ok bool) {
	for _, root := range [...]string{w.given, w.real()} {
		if rest, ok := policy.CutRoot(absolute, root); ok {
			return rest, true
		}
	}
	return "", false
}

// join is the inverse of splitting at slashes; without components it is the root, ".".
func join(names []string) string {
	if len(names) == 0 {
		return "."
	}
	return strings.Join(names, "/")
}
