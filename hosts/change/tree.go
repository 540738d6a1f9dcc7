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
	const head = "\n*** Update File: "
	patch = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(patch, "\n"), "*** End Patch"), "\n")
	for _, file := range strings.Split(patch, head)[1:] {
		hunks := strings.Split(file, "\n@@")
		path, from := hunks[0], 0
		for _, hunk := range hunks[1:] {
			var before, after strings.Builder
			for _, line := range strings.Split(hunk, "\n")[1:] {
				kind, rest := line[:min(1, len(line))], line[min(1, len(line)):]
				if kind != "+" {
					before.WriteString("\n" + rest)
				}
				if kind != "-" {
					after.WriteString("\n" + rest)
				}
			}
			old, fresh, text := before.String()+"\n", after.String()+"\n", "\n"+t[path]
			at := strings.Index(text[from:], old)
			if at < 0 {
				return fmt.Errorf("%s has no lines %q", path, old)
			}
			t[path] = text[1:from+at+1] + fresh[1:] + text[from+at+len(old):]
			from += at + len(fresh) - 1
		}
	}
	return nil
}
