package sandbox

import (
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/policy"
)

// maxPath is the longest path of a request, in bytes: PATH_MAX of Linux.
const maxPath = 4096

// parse checks a path as text, before any disk access. An absolute path is accepted if it is under
// the root.
func (w *finder) parse(path string) (r request, err error) {
	slashed := filepath.ToSlash(path)
	if err = checkText(path); err == nil && (filepath.IsAbs(path) || strings.HasPrefix(slashed, "/")) {
		slashed, err = w.fromRoot(slashed)
	}
	if err == nil {
		r.names, err = namesOf(slashed)
	}
	if err != nil {
		return request{}, &fserr.PathError{Path: path, Err: err}
	}
	r.asked, r.folder = join(r.names), strings.HasSuffix(slashed, "/") || strings.HasSuffix(slashed, "/.")
	return r, nil
}

// fromRoot is an absolute path relative to the root.
func (w *finder) fromRoot(absolute string) (string, error) {
	if slices.Contains(strings.Split(absolute, "/"), "..") {
		return "", fserr.ErrTraversal
	}
	rest, ok := w.inside(absolute)
	switch {
	case ok:
		return rest, nil
	case pathname.IsDevicePath(absolute):
		return "", fserr.PathDevice
	}
	return "", fserr.ErrOutside
}

// namesOf splits a path below the root.
func namesOf(path string) ([]string, error) {
	names := make([]string, 0, strings.Count(path, "/")+1)
	for name := range strings.SplitSeq(path, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			return nil, fserr.ErrTraversal
		}
		if err := pathname.Unfit(name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

func checkText(path string) error {
	switch {
	case strings.TrimSpace(path) == "":
		return fserr.PathEmpty
	case len(path) > maxPath:
		return fserr.PathTooLong
	case strings.IndexByte(path, 0) >= 0:
		return fserr.PathNUL
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
