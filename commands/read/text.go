package read

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
)

// clippedShown is how many cut lines the text form names.
const clippedShown = 5

// WriteText writes the content, and nothing else if that is all of it. Otherwise its first line has
// one of three forms, which more makes:
//
//	[lines 1-2 of 5; continue with start_line 3]
//	[lines 1-2, and there are more; continue with cursor rXXXXXX]
//	[line 1, and the rest can't be read: the line is too long]
//
// The second is that of a file larger than max_read_bytes, whose lines aren't counted. The third is
// that of a line whose end is too far away: see textio.Clip.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	t.Page(r.more())
	t.Add(r.Content)
	if r.EndLine < r.StartLine {
		t.Note("the file is empty")
	}
	t.Advise(r.clipped(), r.remedy)
	t.Note(a.Hint)
}

// more says which lines these are, and how to get the next ones; "" if there are none. In a file
// whose lines are counted a line number is enough; in a longer one, a cursor saves a search for the
// line.
func (r *Result) more() string {
	lines := words.LineRange(r.StartLine, r.EndLine)
	switch {
	case !r.Truncated:
		return ""
	case r.TotalLines != nil && r.NextStartLine != nil && *r.NextStartLine > 0:
		return fmt.Sprintf("%s of %d; continue with start_line %d", lines, *r.TotalLines, *r.NextStartLine)
	case r.NextCursor == "":
		return lines + ", and the rest can't be read: the line is too long"
	}
	return lines + ", and there are more; continue with cursor " + r.NextCursor
}

// clipped names the lines that max_line_chars cut. Of others, which one answer doesn't take, a
// warning tells.
func (r *Result) clipped() string {
	var parts []string
	more := 0
	for _, c := range r.ClippedLines {
		switch {
		case c.By != "" || c.Chars < 0:
		case len(parts) == clippedShown:
			more++
		default:
			parts = append(parts, fmt.Sprintf("line %d (of %d characters)", c.Line, c.Chars))
		}
	}
	if more > 0 {
		parts = append(parts, words.Int(int64(more))+" more")
	}
	if len(parts) == 0 {
		return ""
	}
	return "cut: " + strings.Join(parts, ", ")
}

// WriteText writes the content as base64.
func (r *BytesResult) WriteText(t *answer.Text, _ answer.Answer) {
	t.Whole()
	const atOnce = answer.Chunk / 4 * 3 // whole groups of three bytes
	for part := range slices.Chunk(r.Content, atOnce) {
		t.Add(base64.StdEncoding.EncodeToString(part))
	}
	t.Add("\n")
}
