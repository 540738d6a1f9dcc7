package walk

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
)

// fileTypeTable has a row for each type of files.
//
//go:embed filetypes.txt
var fileTypeTable string

// fileType is a row of the table.
type fileType struct{ names, also, globs []string }

func fileTypes() iter.Seq[fileType] {
	return func(yield func(fileType) bool) {
		for row := range strings.SplitSeq(fileTypeTable, "\n") {
			cells := strings.Split(row, "|")
			if len(cells) == 3 && row[0] != '#' &&
				!yield(fileType{strings.Fields(cells[0]), strings.Fields(cells[1]), strings.Fields(cells[2])}) {
				return
			}
		}
	}
}

// FileTypeGlobs gives the patterns for the base names of a file type such as "go" or "py". The name
// may be in any case.
func FileTypeGlobs(name string) ([]string, bool) {
	name = strings.ToLower(name)
	for t := range fileTypes() {
		if slices.Contains(t.names, name) || slices.Contains(t.also, name) {
			return t.globs, true
		}
	}
	return nil, false
}

// FileTypes lists the names of types, sorted, without the other words for them.
func FileTypes() []string {
	var names []string
	for t := range fileTypes() {
		names = append(names, t.names...)
	}
	slices.Sort(names)
	return names
}
