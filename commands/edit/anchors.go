package edit

import (
	"fmt"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio/anchor"
	"fsbox/textio/edit"
)

// lineEdits gives the edits that have anchors; nil if none of them has.
func (e *Request) lineEdits(items []Item) (edits []edit.LineEdit, err error) {
	for i := range items {
		in := e.namesIn(i)
		if items[i].hasAnchor() != items[0].hasAnchor() {
			return nil, answer.Failf(answer.CodeInvalidInput, "some items of %q have anchors and some have none", "edits").
				WithHint("send them in two calls")
		}
		if !items[0].hasAnchor() {
			if items[i].ExpectedText == nil {
				return nil, answer.Failf(answer.CodeInvalidInput, "%q is missing", in("expected_text")).
					WithHint("give the existing text, or start_anchor or insert_after")
			}
			continue
		}
		if err := e.checkAnchored(&items[i], in); err != nil {
			return nil, err
		}
		one, err := items[i].lineEdit(in)
		if err != nil {
			return nil, err
		}
		edits = append(edits, one)
	}
	return edits, nil
}

// namesIn names the fields of an edit as the request has them.
func (e *Request) namesIn(i int) func(name string) string {
	return func(name string) string {
		if e.Edits == nil {
			return name
		}
		return fmt.Sprintf("edits[%d].%s", i, name)
	}
}

// checkAnchored refuses what an edit can't have together with an anchor. in names a field of it.
func (e *Request) checkAnchored(i *Item, in func(string) string) error {
	both := ""
	switch {
	case hasText(i.ExpectedText):
		both = "expected_text"
	case i.ReplaceAll:
		both = "replace_all"
	case i.ExpectedCount > 0:
		both = "expected_count"
	case i.WholeWord:
		both = "whole_word"
	case e.Match != "exact":
		return answer.Failf(answer.CodeInvalidInput, "%q is for expected_text, and anchors are compared exactly", "match").
			WithHint("omit it")
	case i.InsertAfter != "" && i.StartAnchor+i.EndAnchor != "":
		return answer.Failf(answer.CodeInvalidInput, "%q and %q are mutually exclusive", in("insert_after"), "start_anchor").
			WithHint("start_anchor and end_anchor name lines to replace, insert_after the one before new lines")
	case i.InsertAfter == "" && i.StartAnchor == "":
		return answer.Failf(answer.CodeInvalidInput, "%q is missing", in("start_anchor")).
			WithHint("end_anchor is the last line to replace: name the first one, too")
	case anchor.OnEachLine([]byte(words.Deref(i.ReplacementText))):
		return answer.Failf(answer.CodeInvalidInput, "%q has anchors before its lines", in("replacement_text")).
			WithHint("anchors aren't in the file: send the new lines without them")
	}
	if both == "" {
		return nil
	}
	return answer.Failf(answer.CodeInvalidInput, "%q and anchors are mutually exclusive", in(both)).
		WithHint("anchors name whole lines: omit %s", both)
}

func (i *Item) lineEdit(in func(string) string) (l edit.LineEdit, err error) {
	l.Text = []byte(words.Deref(i.ReplacementText))
	if l.Insert = i.InsertAfter != ""; l.Insert {
		if strings.TrimSpace(string(i.InsertAfter)) != "0" {
			l.First, err = i.InsertAfter.parse(in("insert_after"))
		}
		return l, err
	}
	l.First, l.Last, err = parseRange(i.StartAnchor, i.EndAnchor, in("start_anchor"), in("end_anchor"))
	return l, err
}

// parseRange reads the anchors of the first and the last of some lines; without end they are one.
func parseRange(start, end Anchor, nameOfStart, nameOfEnd string) (first, last anchor.Anchor, err error) {
	if first, err = start.parse(nameOfStart); err != nil {
		return first, last, err
	}
	if last = first; end != "" {
		if last, err = end.parse(nameOfEnd); err != nil {
			return first, last, err
		}
	}
	if last.Line < first.Line {
		return first, last, answer.Failf(answer.CodeInvalidInput, "%q is before %q", nameOfEnd, bareField(nameOfStart)).
			WithHint("%s is the first line, %s the last", bareField(nameOfStart), bareField(nameOfEnd))
	}
	return first, last, nil
}

// bareField is the name of a field of an edit, without its place in the list.
func bareField(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Anchor is a field for an anchor, as it was sent.
type Anchor string

// Form says how an anchor is written.
func (Anchor) Form(field string) string {
	form := "an anchor is a line's number, # and three letters or digits, such as 12#KDT: read and grep give them with anchors"
	if strings.HasSuffix(field, "insert_after") {
		form += "; insert_after takes \"0\" for the top as well"
	}
	return form
}

func (a Anchor) parse(name string) (anchor.Anchor, error) {
	text := strings.TrimSpace(string(a))
	line, ok := anchor.Parse(text)
	switch {
	case !ok && anchor.IsOld(text):
		return line, answer.Failf(answer.CodeInvalidInput, "%q is an anchor of an earlier version", name).
			WithHint("anchors have three letters or digits after #: read the lines again with anchors")
	case !ok && anchor.Foreign(text) != "":
		const message = "%q is not an anchor that read or grep gave: none has %q after #"
		return line, answer.Failf(answer.CodeInvalidInput, message, name, anchor.Foreign(text)).
			WithHint("read the lines again with anchors, and copy the anchor of the line as it is there, such as 12#KDT")
	case !ok:
		return line, answer.Failf(answer.CodeInvalidInput, "%q is not an anchor", name).WithHint("%s", a.Form(name))
	case isAnchor(strings.TrimLeft(text[len(line.String()):], ":- →")):
		return line, answer.Failf(answer.CodeInvalidInput, "%q has two anchors", name).
			WithHint("the first line to replace goes into start_anchor, the last one into end_anchor")
	}
	return line, nil
}

func isAnchor(text string) bool {
	_, ok := anchor.Parse(text)
	return ok
}

// StaleDetails are the details of stale for anchors: the first ten of them.
type StaleDetails edit.StaleError

// staleFailure says which anchors of a file are stale. path names it, "" for the file of the edit.
func staleFailure(stale *edit.StaleError, path string) *answer.Failure {
	first, of := stale.Anchors[0], ""
	if path != "" {
		of = words.Phrase(" of %q", path)
	}
	f := answer.Failf(answer.CodeStale, "line %d%s doesn't have the anchor %q", first.Line, of, first.Anchor)
	switch {
	case stale.Count > 1 && path != "":
		f.Message = words.Phrase("%d anchors aren't those of their lines in %q, the first is %q", stale.Count, path, first.Anchor)
	case stale.Count > 1:
		f.Message = fmt.Sprintf("%d anchors aren't those of their lines, the first is %q", stale.Count, first.Anchor)
	case first.Has == "":
		f.Message = fmt.Sprintf("there is no line %d%s, which %q names", first.Line, of, first.Anchor)
	default:
		f.Message += ", but " + first.Has
	}
	hint := "use the anchors that these lines have now, or read them again with anchors; nothing was changed"
	if first.Applied {
		hint = "the new text already exists there: the edit may have been made before; otherwise " + hint
	}
	f.WithHint("%s", hint).WithDetails((*StaleDetails)(stale))
	left := charsLeft(f, keysOfFailure)
	for i := range stale.Anchors {
		s, size := &stale.Anchors[i], 0
		for _, line := range s.Lines {
			size += shownLen(line) + len(`"",`)
		}
		if left -= keysOfStale + size; left < 0 && i > 0 {
			s.Lines, left = nil, left+size
		}
	}
	return f
}

// keysOfStale is how long the keys of one stale anchor are, with the anchor.
const keysOfStale = 60

// WriteDetails writes the lines where the anchors were, as read gives them.
func (d *StaleDetails) WriteDetails(t *answer.Text, _ string) {
	for _, s := range d.Anchors {
		now := ""
		if s.Now != "" {
			now = ", now " + s.Now
		}
		t.Line(s.Anchor, now, ":")
		for _, line := range s.Lines {
			t.Line(line)
		}
	}
	if d.Truncated {
		t.Note("more anchors are stale")
	}
}
