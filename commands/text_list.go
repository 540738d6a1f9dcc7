package commands

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// goOn notes that there is more, and how to get it.
func (t *text) goOn(count int, thing, cutBy, cursor string) {
	switch {
	case cutBy == "", cursor == "": // without a cursor time ran out, and the hint says so
	case cutBy == "timeout":
		t.note(fmt.Sprintf(`time ran out after %s: go on with cursor "%s"`, plural(int64(count), thing), cursor))
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
			parts = append(parts, formatInt(n)+what)
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
		parts = append(parts, exactText(s.Path)+" ("+string(s.Error)+")")
	}
	if more := count - int64(len(parts)); more > 0 {
		parts = append(parts, formatInt(more)+" more")
	}
	if len(parts) > 0 {
		t.note("could not be read: " + strings.Join(parts, ", "))
	}
}

// tokens reads back what a listing holds: one token of JSON after another, until do returns false.
func (l listing[E]) tokens(do func(jsontext.Token) bool) {
	readers := make([]io.Reader, 0, len(l)+2)
	readers = append(readers, strings.NewReader("["))
	for _, p := range l {
		readers = append(readers, bytes.NewReader(p.text))
	}
	in := jsontext.NewDecoder(io.MultiReader(append(readers, strings.NewReader("]"))...))
	for {
		token, err := in.ReadToken()
		if err != nil || !do(token) {
			return
		}
	}
}

// writeText writes one path a line: folders with "/", links with where they lead.
func (r *LsResult) writeText(t *text, a answer) {
	if t.people() && r.Count > 0 {
		t.tableHead()
	}
	r.each(func(e LsEntry) {
		if t.people() {
			t.columns(e)
		}
		t.path(exactText(e.Path), e.suffix())
	})
	if r.Count == 0 && !r.Truncated {
		t.note("nothing to list in " + nameText(r.Path))
	}
	t.goOn(r.Count, "entry", r.TruncatedBy, r.NextCursor)
	t.leftOut(leftOut{hidden: r.Hidden, ignored: r.Ignored}, true)
	t.notRead(r.Skipped, r.SkippedCount)
	t.note(a.Hint)
}

// each reads the entries back, as far as the text form needs them.
func (r *LsResult) each(do func(LsEntry)) {
	var e LsEntry
	key := ""
	r.Entries.tokens(func(token jsontext.Token) bool {
		switch kind := token.Kind(); {
		case kind == '{':
			e, key = LsEntry{}, ""
		case kind == '}':
			do(e)
		case key == "" && kind == '"':
			key = token.String()
		default:
			e.set(key, token)
			key = ""
		}
		return true
	})
}

func (e *LsEntry) set(key string, value jsontext.Token) {
	switch key {
	case "path":
		e.Path = value.String()
	case "path_base64":
		e.Path = decodedName(value.String())
	case "type":
		e.Type = value.String()
	case "size":
		e.Size, _ = value.Int() // it is what appendJSON wrote
	case "modified":
		e.Modified, _ = value.Float()
	case "link_target":
		e.LinkTarget = value.String()
	case "link_target_base64":
		e.LinkTarget = decodedName(value.String())
	case "blocked":
		e.Blocked = value.Bool()
	}
}

// suffix is what follows the path in the text form.
func (e LsEntry) suffix() string {
	switch suffix := typeSuffix(e.Type); {
	case e.Blocked:
		return suffix + " (blocked)"
	case e.Type == "symlink":
		return linkSuffix(e.LinkTarget)
	default:
		return suffix
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
	return " -> " + exactText(target)
}

// writeText writes one path a line, marked as in a listing.
func (r *GlobResult) writeText(t *text, a answer) {
	exact, suffixes := r.ExactNames, r.suffixes
	n := 0
	r.Files.tokens(func(token jsontext.Token) bool {
		if token.Kind() != '"' {
			return true
		}
		name, suffix := token.String(), ""
		if len(exact) > 0 && shown(exact[0].Path) == name {
			name, exact = exact[0].Path, exact[1:]
		}
		if len(suffixes) > 0 && suffixes[0].item == n {
			suffix, suffixes = suffixes[0].text, suffixes[1:]
		}
		t.path(exactText(name), suffix)
		n++
		return true
	})
	if n == 0 && !r.Truncated {
		t.note(fmt.Sprintf("no %s matches %q", r.noun, r.Pattern))
	}
	t.goOn(n, r.noun, r.TruncatedBy, r.NextCursor)
	t.leftOut(leftOut{hidden: r.Hidden, ignored: r.Ignored, blocked: r.Blocked}, n == 0)
	t.notRead(r.Skipped, r.SkippedCount)
	t.note(a.Hint)
}
