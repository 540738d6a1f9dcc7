package words

import (
	"cmp"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Base64 is the exact name in base64, "" for a UTF-8 name, which can be shown as it is.
func Base64(path string) string {
	if utf8.ValidString(path) {
		return ""
	}
	return base64.StdEncoding.EncodeToString([]byte(path))
}

// Shown is a name as answers show it: each byte that isn't UTF-8 becomes U+FFFD.
func Shown(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return string([]rune(name))
}

// PathName is a path in an answer. JSON shows bytes that aren't UTF-8 as U+FFFD.
type PathName struct {
	Path       string `json:"path"`
	PathBase64 string `json:"path_base64,omitzero"` // the exact name, if it isn't UTF-8
}

// PathOf is a path for an answer.
func PathOf(path string) PathName { return PathName{path, Base64(path)} }

// ExactNames are those paths that aren't UTF-8: answers with a list of plain paths have a list of
// these as well.
func ExactNames(paths ...string) (names []PathName) {
	for _, path := range paths {
		if name := PathOf(path); name.PathBase64 != "" {
			names = append(names, name)
		}
	}
	return names
}

// Under joins a folder's path and what lies in it.
func Under(folder, rel string) string {
	if folder == "." {
		return rel
	}
	if rel == "." {
		return folder
	}
	return folder + "/" + rel
}

// Below gives path relative to folder, both relative to the root.
func Below(folder, path string) string {
	switch folder {
	case ".":
		return path
	case path:
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, folder), "/")
}

// ComparePaths orders paths component by component, bytewise: a slash comes before every other
// byte.
func ComparePaths(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	switch {
	case i == n:
		return cmp.Compare(len(a), len(b))
	case a[i] == '/':
		return -1
	case b[i] == '/':
		return 1
	}
	return cmp.Compare(a[i], b[i])
}

// Base64Suffix makes the name of the twin.
const Base64Suffix = "_base64"

// Loose is the name of a tool without what doesn't count in it: Read_File becomes readfile. Each
// request of a stream that uses an alias calls it for every name of every tool.
func Loose(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "-", ""), "_", "")
}
