package edit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"fsbox/textio/anchor"
	"fsbox/textio/diff"
	"fsbox/textio/lines"
	"fsbox/textio/nearest"
)

// LineEdit replaces whole lines, from First to Last, by Text. With Insert it puts Text after First,
// and First with Line 0 is the top.
type LineEdit struct {
	First, Last anchor.Anchor
	Insert      bool
	Text        []byte
	From        *Lines // of the same content, in place of Text
	Origin      Origin
}

// TierAnchor is the Tier of a LineEdit.
const TierAnchor = "anchor"

// Anchored is what more there is to report of a LineEdit: the first and the last line that it
// replaced, for an insertion the one after and the one before it; by how many lines those after it
// moved; and the line where the new text begins after all edits.
type Anchored struct{ First, Last, Grown, Now int64 }

// StaleError says which anchors of LineEdits name lines that are other ones by now: the first
// SampleSize of Count, by line. It is also what an answer says of them.
type StaleError struct {
	Anchors   []StaleAnchor `json:"anchors"`
	Truncated bool          `json:"anchors_truncated,omitzero"` // more of them are stale
	Count     int           `json:"-"`
}

func (e *StaleError) Error() string { return fmt.Sprintf("%d anchors are stale", e.Count) }

// StaleAnchor is an anchor whose line is another one by now.
type StaleAnchor struct {
	Anchor  string   `json:"anchor"`
	Now     string   `json:"now,omitzero"` // of the line that has its ID, if that is one within ten lines
	Lines   []string `json:"lines"`        // up to five as they are now, with their anchors; none where the answer would be too long
	Line    int64    `json:"-"`            // of Anchor
	Has     string   `json:"-"`            // the anchor that the line has now, "" if there is no such line
	Applied bool     `json:"-"`            // the new text is there
	moved   int      // how many lines near it have its ID
}

// staleLineChars is how much of a line is shown, in code points: enough to know it again.
const staleLineChars = 80

// NamedTwiceError says that two LineEdits name the same line.
type NamedTwiceError struct {
	Edits [2]int // their indexes, from 0
	Line  int64
}

func (e *NamedTwiceError) Error() string {
	return fmt.Sprintf("edits %d and %d both name line %d", e.Edits[0], e.Edits[1], e.Line)
}

// ApplyLines applies edits of whole lines, all or none. Their anchors mean the content as it is
// before all of them. Each line of a text gets the line end of the line that it replaces, a further
// one that of the line before it, and the last line of the content has a line end afterwards if it
// had one before. The lines begin at mark, after a byte order mark. plain are the edits as
// replacements of one text by another, in the same order.
//
// Lines of the content itself that an edit puts in stay as they are, each with its line end.
//
// Errors: *NamedTwiceError, *OverlapError, *StaleError, *NoChangeError, *TooLargeError, or that of
// ctx.
func ApplyLines(ctx context.Context, content []byte, mark int, edits []LineEdit, limits Limits) (out []byte, results []Result,
	plain []Edit, err error) {
	r := newLineRun(content, mark, edits)
	r.mayStay = limits.MayStay
	if err := r.check(ctx); err != nil {
		return nil, nil, nil, err
	}
	added, asked := int64(0), len(edits)
	for _, i := range r.order {
		if err := r.apply(i); err != nil {
			return nil, nil, nil, err
		}
		added += int64(len(r.plain[i].Replacement))
	}
	r.finish()
	if err := limits.check(asked-1, added, int64(len(r.out)), int64(len(content))); err != nil {
		return nil, nil, nil, err
	}
	if bytes.Equal(r.out, content) && !limits.MayStay {
		return nil, nil, nil, &NoChangeError{Edit: -1, Differs: r.differs()}
	}
	return r.out, r.results[:asked], r.plain[:asked], nil
}

// lineRun is a list of line edits under way.
type lineRun struct {
	edits   []LineEdit // those that were asked for, then one for each of their cuts
	owners  []int      // of the cuts: the edits that they belong to
	asked   int        // how many were asked for
	mayStay bool       // as Limits.MayStay
	order   []int      // of the edits, from the top
	mark    int        // where the lines begin in out
	text    []byte     // the lines as they were
	lines   lines.Text
	counts  *anchor.Counts
	ends    lineEndings
	oneLine bool // there is no line end to go by
	out     []byte
	done    int   // text[:done] is in out, or replaced
	grown   int64 // lines, by the edits so far
	results []Result
	plain   []Edit
}

func newLineRun(content []byte, mark int, edits []LineEdit) *lineRun {
	text := content[mark:]
	asked := len(edits)
	edits, owners := withCuts(edits)
	r := &lineRun{edits: edits, owners: owners, asked: asked, mark: mark, text: text, lines: lines.Split(text),
		ends: lineEndings{text: text, next: -1}, oneLine: !bytes.Contains(text, lines.LF),
		results: make([]Result, len(edits)), plain: make([]Edit, len(edits))}
	size := len(content)
	for i, e := range edits {
		r.order = append(r.order, i)
		size += len(e.Text)
	}
	slices.SortStableFunc(r.order, func(a, b int) int {
		fromA, toA := edits[a].span()
		fromB, toB := edits[b].span()
		return cmp.Or(cmp.Compare(fromA, fromB), cmp.Compare(toA, toB))
	})
	r.out = append(make([]byte, 0, size), content[:mark]...)
	return r
}

// span are the lines that an edit replaces, counted from 0, without the last one; both are the same
// where it only inserts.
func (e *LineEdit) span() (from, to int64) {
	if e.Insert {
		return e.First.Line, e.First.Line
	}
	return e.First.Line - 1, e.Last.Line
}

// check refuses edits that name the same line, and anchors of lines that are other ones by now.
func (r *lineRun) check(ctx context.Context) error {
	if err := r.checkSources(); err != nil {
		return err
	}
	for n, i := range r.order[1:] {
		before := r.order[n]
		_, end := r.edits[before].span()
		from, _ := r.edits[i].span()
		if from < end || from == end && r.edits[i].Insert && !r.edits[before].Insert {
			before, i := r.owner(before), r.owner(i)
			return &NamedTwiceError{Edits: [2]int{min(before, i), max(before, i)}, Line: max(r.edits[i].First.Line, r.edits[before].First.Line)}
		}
	}
	if stale := r.stale(); stale.Count > 0 {
		return stale
	}
	return ctx.Err()
}

// stale finds the anchors whose lines are other ones by now.
func (r *lineRun) stale() *StaleError {
	r.counts = anchor.Count(anchor.Whole(r.text))
	type named struct {
		anchor.Anchor
		edit *LineEdit
	}
	var all []named
	for _, i := range r.order {
		e := &r.edits[i]
		if e.First.Line > 0 {
			all = append(all, named{e.First, e})
		}
		if !e.Insert && e.Last != e.First {
			all = append(all, named{e.Last, e})
		}
		if e.From != nil && !e.From.Cut { // those of a cut are an edit of their own
			all = append(all, named{e.From.First, e}, named{e.From.Last, e})
		}
	}
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(a.Line, b.Line) })
	numbers := make([]int64, len(all))
	for i, a := range all {
		numbers[i] = a.Line
	}
	stale, now := &StaleError{}, r.counts.Find(anchor.Whole(r.text), numbers)
	for i, a := range all {
		isTold := i > 0 && all[i-1].Anchor == a.Anchor
		if (i >= len(now) || now[i].ID != a.ID) && !isTold {
			stale.Count++
			r.addStale(a.Anchor, a.edit, stale)
		}
	}
	return stale
}

// addStale says of an anchor of an edit, whose line is another one by now, what is there.
func (r *lineRun) addStale(a anchor.Anchor, e *LineEdit, stale *StaleError) {
	if stale.Count > SampleSize {
		stale.Truncated = true
		return
	}
	s := StaleAnchor{Anchor: a.String(), Line: a.Line}
	const near, around = 10, 2
	total := int64(r.lines.Count())
	middle := min(a.Line, total)
	for _, now := range r.anchorsOf(min(a.Line-near, middle-around), min(a.Line+near, total)) {
		if now.ID == a.ID && now.Line >= a.Line-near {
			s.Now, s.moved = now.String(), s.moved+1
		}
		if now.Line == a.Line {
			s.Has = now.String()
		}
		if now.Line >= middle-around && now.Line <= middle+around {
			s.Lines = append(s.Lines, now.String()+"→"+nearest.Excerpt(r.lines.Line(int(now.Line-1)), 0, staleLineChars))
		}
	}
	if s.moved != 1 {
		s.Now = ""
	}
	if from, _ := e.span(); from < total && len(e.Text) > 0 {
		at := r.lines.Offset(int(from))
		text := r.wholeLines(e, lines.LF)
		s.Applied = bytes.HasPrefix(lines.WithLF(r.text[at:min(len(r.text), at+2*len(text))]), lines.WithLF(text))
	}
	stale.Anchors = append(stale.Anchors, s)
}

// anchorsOf are the anchors that lines have now.
func (r *lineRun) anchorsOf(first, last int64) (all []anchor.Anchor) {
	var numbers []int64
	for line := max(first, 1); line <= last; line++ {
		numbers = append(numbers, line)
	}
	for i, line := range r.counts.Find(anchor.Whole(r.text), numbers) {
		all = append(all, anchor.Anchor{Line: numbers[i], ID: line.ID})
	}
	return all
}

// wholeLines is the text of an edit with one line end for all lines.
func (r *lineRun) wholeLines(e *LineEdit, ending []byte) []byte {
	text := lines.WithLF(e.Text)
	if !lines.AtStart(text, len(text)) {
		text = append(text[:len(text):len(text)], '\n')
	}
	if bytes.Equal(ending, lines.CRLF) || r.oneLine && bytes.Contains(e.Text, lines.CRLF) {
		return bytes.ReplaceAll(text, lines.LF, lines.CRLF)
	}
	return text
}

// apply makes the next edit.
func (r *lineRun) apply(i int) error {
	e := &r.edits[i]
	from, to := e.span()
	start, end := r.lines.Offset(int(from)), r.lines.Offset(int(to))
	old, text := r.text[start:end], []byte(nil)
	if e.From != nil {
		text = r.linesOf(e.From, int(max(from-1, 0)))
	} else if e.Insert {
		text = r.wholeLines(e, r.ends.at(r.lines.Offset(int(max(from-1, 0)))))
	} else {
		text = r.endedLikeOld(r.wholeLines(e, lines.LF), Span{start, end})
	}
	if bytes.Equal(text, old) && !r.mayStay && !e.From.cuts() {
		return &NoChangeError{Edit: i, Differs: DiffersInLines}
	}
	r.copyTo(start)
	r.out, r.done = append(r.out, text...), end
	r.plain[i] = Edit{Expected: old, Replacement: text, Origin: e.Origin}
	grown := int64(lines.Count(text)) - (to - from)
	r.results[i] = Result{Replacements: 1, Lines: []int64{from + 1}, Tier: TierAnchor,
		Again:    e.Insert && bytes.HasPrefix(r.text[end:], text),
		Anchored: &Anchored{First: from + 1, Last: to, Grown: grown, Now: from + 1 + r.grown}}
	r.grown += grown
	return nil
}

// endedLikeOld gives the lines of a text, which all have a line end, the ends of the lines that
// they replace.
func (r *lineRun) endedLikeOld(text []byte, place Span) []byte {
	if !bytes.Contains(r.text, lines.CRLF) {
		return text
	}
	found := slices.Collect(bytes.Lines(r.text[place.Start:place.End]))
	old, _ := cutLines(lines.WithLF(r.text[place.Start:place.End]))
	made, _ := cutLines(text)
	return appendEnded(nil, made, true, endingSources(diff.Kept(old, made), len(old)), found, r.ends.around(place))
}

// copyTo copies what stays as it is, up to an offset where another line is to follow.
func (r *lineRun) copyTo(at int) {
	r.out = append(r.out, r.text[r.done:at]...)
	if at > r.done && !lines.AtStart(r.text, at) {
		r.out = append(r.out, r.ends.at(at)...)
	}
}

// finish copies the rest, and takes off a last line end that the content didn't have.
func (r *lineRun) finish() {
	if r.done < len(r.text) {
		r.out = append(r.out, r.text[r.done:]...)
		return
	}
	if !lines.AtStart(r.text, len(r.text)) {
		r.out = r.out[:r.mark+len(lines.TrimEnd(r.out[r.mark:]))]
	}
}
