package edit

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"fsbox/textio/anchor"
	"fsbox/textio/charset"
	"fsbox/textio/lines"
)

// Lines are whole lines of a content, from First to Last, which an edit puts elsewhere. With Cut
// they leave their place.
type Lines struct {
	First, Last anchor.Anchor
	Cut         bool
}

// Origin is where the new text of an edit comes from.
type Origin uint8

const (
	FromCaller Origin = iota
	FromOther         // from another file
	FromSame          // from the file itself: nothing in it is new
)

// OverlapError says that an edit puts lines where they are themselves.
type OverlapError struct {
	Edit int   // its index, from 0
	Line int64 // the first of the lines
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("edit %d inserts the lines from %d on into themselves", e.Edit, e.Line)
}

// span are the lines, counted from 0, without the last one.
func (l *Lines) span() (from, to int64) { return l.First.Line - 1, l.Last.Line }

// cuts reports whether there are lines, and they leave their place: then the content changes even
// where they are put in place of the same text.
func (l *Lines) cuts() bool { return l != nil && l.Cut }

// cut is the edit that removes the lines.
func (l *Lines) cut() LineEdit { return LineEdit{First: l.First, Last: l.Last} }

// withCuts adds an edit for each cut, and tells which edits they belong to.
func withCuts(edits []LineEdit) (all []LineEdit, owners []int) {
	all = slices.Clip(edits)
	for i, e := range edits {
		if e.From != nil && e.From.Cut {
			all, owners = append(all, e.From.cut()), append(owners, i)
		}
	}
	return all, owners
}

// owner is the index of the edit that was asked for, of which edit i is a part.
func (r *lineRun) owner(i int) int {
	if i < r.asked {
		return i
	}
	return r.owners[i-r.asked]
}

// checkSources refuses edits that replace, or are within, the lines that they put in.
func (r *lineRun) checkSources() error {
	for i, e := range r.edits[:r.asked] {
		if e.From == nil {
			continue
		}
		from, to := e.span()
		first, end := e.From.span()
		within := from > first && from < end
		if e.Insert && (within || e.From.Cut && from == end) || !e.Insert && from < end && first < to {
			return &OverlapError{Edit: i, Line: e.From.First.Line}
		}
	}
	return nil
}

// linesOf are lines of the content as they are. If the last one lacks its line end, it gets that of
// line near, counted from 0.
func (r *lineRun) linesOf(l *Lines, near int) []byte {
	from, to := l.span()
	text := r.text[r.lines.Offset(int(from)):r.lines.Offset(int(to))]
	if lines.AtStart(text, len(text)) {
		return text
	}
	return slices.Concat(text, r.ends.at(r.lines.Offset(near)))
}

// differs says why edits change nothing.
func (r *lineRun) differs() TextDifference {
	if r.asked == 1 && r.edits[0].From != nil {
		return DiffersInLines
	}
	return DiffersNot
}

// Take gives the text of lines of a content, whose lines begin at mark, with LF and a line end for
// each. The errors are a *StaleError, and that of ctx.
func Take(ctx context.Context, content []byte, mark int, taken []Lines) (texts [][]byte, err error) {
	r := newLineRun(content, mark, cutsOf(taken))
	if stale := r.stale(); stale.Count > 0 {
		return nil, stale
	}
	for i := range taken {
		texts = append(texts, lines.WithLF(r.linesOf(&taken[i], 0)))
	}
	return texts, ctx.Err()
}

// Cut removes lines from a content, whose lines begin at mark, as far as they are to be cut. The
// errors are those of ApplyLines; there is none if nothing is to be cut.
func Cut(ctx context.Context, content []byte, mark int, taken []Lines) (out []byte, err error) {
	cuts := cutsOf(slices.DeleteFunc(slices.Clone(taken), func(l Lines) bool { return !l.Cut }))
	if len(cuts) == 0 {
		return content, nil
	}
	out, _, _, err = ApplyLines(ctx, content, mark, cuts, Limits{})
	return out, err
}

func cutsOf(taken []Lines) (cuts []LineEdit) {
	for i := range taken {
		cuts = append(cuts, taken[i].cut())
	}
	return cuts
}

// resolve gives edits whose new text is lines of the content that text, and cuts these. The lines
// of the content begin at mark.
func resolve(ctx context.Context, content []byte, mark int, edits []Edit) (resolved []Edit, rest []byte, err error) {
	var taken []Lines
	var of []int // which edits they are for
	for i, e := range edits {
		if e.From != nil {
			taken, of = append(taken, *e.From), append(of, i)
		}
	}
	if len(taken) == 0 {
		return edits, content, nil
	}
	texts, err := Take(ctx, content, mark, taken)
	if err != nil {
		return nil, nil, err
	}
	if rest, err = Cut(ctx, content, mark, taken); err != nil {
		if twice, is := err.(*NamedTwiceError); is {
			cut := slices.DeleteFunc(slices.Clone(of), func(i int) bool { return !edits[i].From.Cut })
			twice.Edits = [2]int{cut[twice.Edits[0]], cut[twice.Edits[1]]}
		}
		return nil, nil, err
	}
	split := lines.Split(content[mark:])
	resolved = slices.Clone(edits)
	for n, i := range of {
		from, to := taken[n].span()
		if edits[i].isWithin(content, mark+split.Offset(int(from)), mark+split.Offset(int(to))) {
			return nil, nil, &OverlapError{Edit: i, Line: from + 1}
		}
		resolved[i].Replacement = Fitted(texts[n], edits[i].Expected)
	}
	return resolved, rest, nil
}

// isWithin reports whether the only place of an expected text overlaps a part of the content.
func (e *Edit) isWithin(content []byte, start, end int) bool {
	at := bytes.Index(content, e.Expected)
	if at < 0 || len(e.Expected) == 0 || bytes.Contains(content[at+1:], e.Expected) {
		return false
	}
	return at < end && start < at+len(e.Expected)
}

// markOf is how many bytes of byte order mark a content has.
func markOf(content []byte) int {
	if bytes.HasPrefix(content, []byte(charset.BOM)) {
		return len(charset.BOM)
	}
	return 0
}

// Fitted is a text of whole lines for the place of an expected text: without the last line end if
// that has none.
func Fitted(text, expected []byte) []byte {
	if bytes.HasSuffix(expected, lines.LF) {
		return text
	}
	return bytes.TrimSuffix(text, lines.LF)
}
