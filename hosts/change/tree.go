package change

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tree is the content of files by path, with / between names.
type tree map[string]string

// readTree reads all files below a folder, except some.
func readTree(root string, except []string) (tree, error) {
	all := tree{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		if err != nil || !d.Type().IsRegular() || slices.Contains(except, name) {
			return err
		}
		content, err := os.ReadFile(path)
		all[name] = string(content)
		return err
	})
	return all, err
}

// lines are a file's, without their ends.
func (t tree) lines(path string) []string {
	return strings.Split(strings.TrimSuffix(t[path], "\n"), "\n")
}

// differences names what is other than it should be. What a host has put into hidden folders of its
// own is no matter of this.
func (t tree) differences(want tree) (all []string) {
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if got, is := t[path]; !is {
			all = append(all, path+" is missing")
		} else if got != want[path] {
			all = append(all, path+" has another content")
		}
	}
	for _, path := range slices.Sorted(maps.Keys(t)) {
		if _, is := want[path]; !is && !strings.HasPrefix(path, ".") {
			all = append(all, path+" shouldn't be there")
		}
	}
	return all
}

// apply makes a patch in the form of "*** Begin Patch", without the program that is tried: each
// hunk replaces the next lines that are its old ones.
func (t tree) apply(patch string) error {
	path, from := "", 0
	var before, after []string
	flush := func() error {
		if len(before)+len(after) == 0 {
			return nil
		}
		old, text := "\n"+strings.Join(before, "\n")+"\n", "\n"+t[path]
		at := strings.Index(text[from:], old)
		if at < 0 {
			return fmt.Errorf("%s has no lines %q", path, old)
		}
		fresh := "\n" + strings.Join(after, "\n") + "\n"
		t[path] = text[1:from+at+1] + fresh[1:] + text[from+at+len(old):]
		from, before, after = from+at+len(fresh)-1, nil, nil
		return nil
	}
	for line := range strings.Lines(patch) {
		line = strings.TrimSuffix(line, "\n")
		kind, rest := line[:min(1, len(line))], line[min(1, len(line)):]
		switch {
		case kind == " ":
			before, after = append(before, rest), append(after, rest)
		case kind == "-":
			before = append(before, rest)
		case kind == "+":
			after = append(after, rest)
		default: // the head of a file or of a hunk
			if err := flush(); err != nil {
				return err
			}
			if name, is := strings.CutPrefix(line, "*** Update File: "); is {
				path, from = name, 0
			}
		}
	}
	return flush()
}
