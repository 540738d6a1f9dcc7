package commands

import (
	"fmt"
	"strconv"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON writes the members that the tags declare. A test compares the two.
func (e LsEntry) AppendJSON(b []byte) []byte {
	b = textio.AppendQuoted(append(b, `{"name":`...), e.Name)
	b = answer.AppendName(append(b, `,"path":`...), e.Path, `,"path_base64":`)
	b = append(append(append(b, `,"type":"`...), e.Type...), '"')
	b = strconv.AppendInt(append(b, `,"size":`...), e.Size, 10)
	b = answer.AppendNumber(append(b, `,"modified":`...), e.Modified)
	if e.LinkTarget != "" {
		b = answer.AppendName(append(b, `,"link_target":`...), e.LinkTarget, `,"link_target_base64":`)
	}
	if e.Blocked {
		b = append(b, `,"blocked":true`...)
	}
	return append(b, '}')
}

// WriteText writes one path a line: folders with "/", links with where they lead.
func (r *LsResult) WriteText(t *answer.Text, a answer.Answer) {
	if t.People() && r.Count > 0 {
		t.TableHead()
	}
	r.each(func(e LsEntry) {
		if t.People() {
			e.columns(t)
		}
		t.Path(words.Exact(e.Path), e.suffix())
	})
	if r.Count == 0 && !r.Truncated {
		t.Note("nothing to list in " + words.Name(r.Path))
	}
	t.GoOn(r.Count, "entry", r.TruncatedBy, r.NextCursor)
	t.LeftOut(answer.LeftOut{Hidden: r.Hidden, Ignored: r.Ignored}, true)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Note(a.Hint)
}

// each reads the entries back, as far as the text form needs them.
func (r *LsResult) each(do func(LsEntry)) {
	var e LsEntry
	key := ""
	r.Entries.Tokens(func(token jsontext.Token) bool {
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
		e.Path = words.FromBase64(value.String())
	case "type":
		e.Type = value.String()
	case "size":
		e.Size, _ = value.Int() // it is what appendJSON wrote
	case "modified":
		e.Modified, _ = value.Float()
	case "link_target":
		e.LinkTarget = value.String()
	case "link_target_base64":
		e.LinkTarget = words.FromBase64(value.String())
	case "blocked":
		e.Blocked = value.Bool()
	}
}

// suffix is what follows the path in the text form.
func (e LsEntry) suffix() string {
	switch suffix := answer.TypeSuffix(e.Type); {
	case e.Blocked:
		return suffix + " (blocked)"
	case e.Type == "symlink":
		return answer.LinkSuffix(e.LinkTarget)
	default:
		return suffix
	}
}

// columns writes what stands before the path in a table.
func (e LsEntry) columns(t *answer.Text) {
	size := words.Size(e.Size)
	if e.Type != "file" {
		size = "-"
	}
	t.Add(fmt.Sprintf("%10s  %s  ", size, words.LocalTime(e.Modified, "2006-01-02 15:04")))
}
