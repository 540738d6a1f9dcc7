package commands

import (
	"fmt"
	"fsbox/commands/words"
	"strings"
)

// goOn notes that there is more, and how to get it.
func (t *text) goOn(count int, thing, cutBy, cursor string) {
	switch {
	case cutBy == "", cursor == "": // without a cursor time ran out, and the hint says so
	case cutBy == "timeout":
		t.note(fmt.Sprintf(`time ran out after %s: go on with cursor "%s"`, words.Plural(int64(count), thing), cursor))
	default: // of many pages with short lines this note is a twentieth
		t.note("more: cursor " + cursor)
	}
}

// leftOut counts what filters left out of a walk.
type leftOut struct{ hidden, ignored, blocked, binary int64 }

// leftOut notes what filters left out, if it matters: all of it where the answer tells what there
// is, or where nothing was found; otherwise only what no request asked to be left out.
func (t *text) leftOut(n leftOut, all bool) {
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, words.Int(n)+what)
		}
	}
	if all {
		add(n.hidden, " hidden (include_hidden)")
		add(n.ignored, " ignored (no_ignore)")
		add(n.binary, " binary")
	}
	add(n.blocked, " blocked by policy")
	if len(parts) > 0 {
		t.note("left out: " + strings.Join(parts, ", "))
	}
}

// skippedShown is how many unreadable paths the text form names.
const skippedShown = 5

// notRead notes what could not be read.
func (t *text) notRead(skipped []SkippedPath, count int64) {
	var parts []string
	for _, s := range skipped[:min(len(skipped), skippedShown)] {
		parts = append(parts, words.Exact(s.Path)+" ("+string(s.Error)+")")
	}
	if more := count - int64(len(parts)); more > 0 {
		parts = append(parts, words.Int(more)+" more")
	}
	if len(parts) > 0 {
		t.note("could not be read: " + strings.Join(parts, ", "))
	}
}

// typeSuffix is what follows the path of something that is neither file nor link.
func typeSuffix(kind string) string {
	switch kind {
	case "directory":
		return "/"
	case "other":
		return " (special file)"
	}
	return ""
}

// linkSuffix is what follows the path of a link.
func linkSuffix(target string) string {
	if target == "" {
		return " -> (can't be followed)"
	}
	return " -> " + words.Exact(target)
}

// SkippedPath is something that could not be read. Error is one of the codes.
type SkippedPath struct {
	Path  string `json:"path"`
	Error Code   `json:"error"`
}
