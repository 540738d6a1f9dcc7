package answer

import (
	"cmp"
	"strings"

	"fsbox/commands/words"
)

// PageOf says on the first line whether there is more than a page has, and how to get it. hint is
// that of the answer, which says what to do if time ran out and there is no cursor. The rest of it
// is for the last line. more says how much more there is, "" if that isn't known.
func (t *Text) PageOf(count int, thing, more, cutBy, cursor, hint string) (rest string) {
	found := words.Plural(int64(count), thing)
	switch {
	case cutBy == "":
		t.Page("")
		return hint
	case cursor == "":
		t.Page(cmp.Or(hint, "incomplete"))
		return ""
	case cutBy == "timeout":
		t.Page("time ran out after " + found + "; continue with cursor " + cursor)
	default: // of many pages with short lines this line is a twentieth
		t.Page(found + ", and " + cmp.Or(more, "there are more") + "; continue with cursor " + cursor)
	}
	return hint
}

// LeftOut counts what filters left out of a walk.
type LeftOut struct {
	Hidden     int64 `json:"hidden"`  // names that begin with a dot, not listed
	Ignored    int64 `json:"ignored"` // names excluded by ignore rules
	Blocked    int64 `json:"blocked"` // names blocked by policy
	Binary     int64 `json:"binary"`  // binary files, not searched
	Unreadable int64 `json:"-"`       // where no list has them
	ForGood    bool  `json:"-"`       // no field of the request lets in what is hidden or ignored
}

// LeftOut notes what filters left out, if it matters: all of it where the answer tells what there
// is, or where nothing was found; otherwise only what no request asked to be left out.
func (t *Text) LeftOut(n LeftOut, all bool) {
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, words.Int(n)+what)
		}
	}
	hidden, ignored := " hidden (include_hidden)", " ignored (no_ignore)"
	if n.ForGood {
		hidden, ignored = " hidden", " ignored"
	}
	if all {
		add(n.Hidden, hidden)
		add(n.Ignored, ignored)
		add(n.Binary, " binary")
	}
	add(n.Blocked, " blocked by policy")
	add(n.Unreadable, " not readable")
	if len(parts) > 0 {
		t.Note("omitted: " + strings.Join(parts, ", "))
	}
}

// skippedShown is how many unreadable paths the text form names.
const skippedShown = 5

// NotRead notes what could not be read.
func (t *Text) NotRead(skipped []SkippedPath, count int64) {
	shown := skipped[:min(len(skipped), skippedShown)]
	parts := words.Mapped(shown, func(s SkippedPath) string { return words.Exact(s.Path) + " (" + string(s.Error) + ")" })
	if more := count - int64(len(parts)); more > 0 {
		parts = append(parts, words.Int(more)+" more")
	}
	if len(parts) > 0 {
		t.Note("could not be read: " + strings.Join(parts, ", "))
	}
}

// TypeSuffix is what follows the path of something that is neither file nor link.
func TypeSuffix(kind string) string {
	switch kind {
	case "directory":
		return "/"
	case "other":
		return " (special file)"
	}
	return ""
}

// LinkSuffix is what follows the path of a link.
func LinkSuffix(target string) string {
	if target == "" {
		return " -> (can't be followed)"
	}
	return " -> " + words.Exact(target)
}

// SkippedPath is something that could not be read. Error is one of the codes.
type SkippedPath struct {
	words.PathName
	Error Code `json:"error"`
}
