package commands

import (
	"cmp"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// base64Name is the exact name in base64, "" for a UTF-8 name, which can be shown as it is.
func base64Name(path string) string {
	if utf8.ValidString(path) {
		return ""
	}
	return base64.StdEncoding.EncodeToString([]byte(path))
}

// decodedName is the name that base64Name wrote.
func decodedName(base64Name string) string {
	name, _ := base64.StdEncoding.DecodeString(base64Name) // it is what this program wrote
	return string(name)
}

// shown is a name as answers show it: bytes that aren't UTF-8 become U+FFFD.
func shown(name string) string {
	if utf8.ValidString(name) { // ToValidUTF8 takes ten times as long to find out
		return name
	}
	return strings.ToValidUTF8(name, "\ufffd")
}

// ExactName is a name that isn't UTF-8, as it is shown and as it is. Answers with lists of plain
// paths have a list of these as well.
type ExactName struct {
	Path       string `json:"path"`
	PathBase64 string `json:"path_base64"`
}

// exactNames are the exact names of those paths that aren't UTF-8.
func exactNames(paths ...string) (names []ExactName) {
	for _, path := range paths {
		if base64 := base64Name(path); base64 != "" {
			names = append(names, ExactName{Path: path, PathBase64: base64})
		}
	}
	return names
}

// under joins a folder's path and what lies in it.
func under(folder, rel string) string {
	if folder == "." {
		return rel
	}
	if rel == "." {
		return folder
	}
	return folder + "/" + rel
}

// below gives path relative to folder, both relative to the root.
func below(folder, path string) string {
	switch folder {
	case ".":
		return path
	case path:
		return "."
	}
	return strings.TrimPrefix(strings.TrimPrefix(path, folder), "/")
}

// comparePaths orders paths component by component, bytewise: a slash comes before every other
// byte.
func comparePaths(a, b string) int {
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

// base64Suffix makes the name of the twin.
const base64Suffix = "_base64"
