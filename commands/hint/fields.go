package hint

import (
	_ "embed"
	"slices"
	"strings"

	"fsbox/commands/words"
)

//go:embed fields.txt
var fieldTable string

// OtherName is a row of the table of fields.
type OtherName struct {
	Has   string   // the hint is for tools with this field
	Names []string // of other programs, or mistaken
	Hint  string
}

// OtherNames are names that other programs give to fields of ours, or that models make up.
func OtherNames() []OtherName {
	return words.Mapped(rows(fieldTable), func(row []string) OtherName {
		return OtherName{row[0], strings.Fields(row[1]), strings.ReplaceAll(row[2], "{line}", BatchLine)}
	})
}

// rows cuts a table into rows of cells. A line that begins with a blank continues with the one
// before, and one that begins with # is a comment.
func rows(table string) (all [][]string) {
	for row := range strings.SplitSeq(strings.ReplaceAll(table, "\n  ", " "), "\n") {
		if cells := strings.Split(row, " | "); len(cells) > 1 && row[0] != '#' {
			all = append(all, cells)
		}
	}
	return all
}

// Field says what our name is for a field that other programs call differently, "" for any other
// name. Their names are not accepted, because the value often means something slightly different
// there, and nobody would notice a wrong guess.
func Field(name string, has func(field string) bool) string {
	for _, other := range OtherNames() {
		if slices.Contains(other.Names, name) && has(other.Has) {
			return other.Hint
		}
	}
	return ""
}

// BatchLine shows a line of batch.
const BatchLine = `a line is {"id":1,"tool":"read","input":{"path":"go.mod"}}`
