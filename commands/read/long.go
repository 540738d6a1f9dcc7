package read

import (
	"fmt"

	"fsbox/commands/command"
	"fsbox/textio"
)

// warnClipped warns of lines that are cut by default, not by request, and says how to read the rest
// if that is possible.
func (r *Request) warnClipped(e *command.Env, page *textio.Page) {
	if len(page.Clipped) == 0 {
		return
	}
	most := e.Limits.MaxOutputBytes
	room := e.TextRoom()
	for _, c := range page.Clipped {
		switch {
		case c.By == "" && c.Chars >= 0:
		case c.By == "max_bytes" && r.MaxBytes < most && (room.Most == 0 || room.Unit.Len(string(page.Content)) < room.Most/10*9):
			e.Warn("line %d doesn't fit on a page; a larger max_bytes, at most %d, shows more of it, and grep finds what is in the rest",
				c.Line, most)
		default:
			e.Warn("line %d is longer than one answer takes, and the rest of it can't be read; grep finds what is in it", c.Line)
		}
	}
}

// remedy says how to see more of the lines that max_line_chars cut, with all limits that the
// longest of them meets. It is empty for a page without such lines.
func (r *Request) remedy(e *command.Env, page *textio.Page) string {
	if len(page.Clipped) == 0 {
		return ""
	}
	chars := int64(0)
	for _, c := range page.Clipped {
		if c.By == "" {
			chars = max(chars, c.Chars)
		}
	}
	most := e.LongestLine()
	bytes := ""
	if r.MaxBytes < min(chars, most) {
		bytes = fmt.Sprintf(" with max_bytes %d", e.Limits.MaxOutputBytes)
	}
	switch {
	case chars > most:
		return "max_line_chars 0" + bytes + " shows the most that one answer takes; grep finds what is in the rest"
	case bytes != "":
		return "a larger max_line_chars shows more, 0" + bytes + " all"
	}
	return "a larger max_line_chars shows more, 0 all"
}
