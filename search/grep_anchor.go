package search

import (
	"cmp"
	"context"
	"slices"

	"fsbox/search/match"
	"fsbox/search/walk"
	"fsbox/textio/anchor"
	"fsbox/textio/charset"
)

// anchoredLine is a line that is shown and wants an ID: the number of its match in the file, from
// 0, and its own number, from 1.
type anchoredLine struct {
	match  int
	number int64
	*anchor.Line
}

// giveIDs gives the lines found in a file their IDs. Those of a file of at most limit bytes depend
// on all of it, so it is read twice once more. A line that is another one by then, since somebody
// changes the file, gets none, nor do the others of its match.
func giveIDs(ctx context.Context, file walk.File, limit int64, found []match.LineMatch, lines []*anchor.Lines) (err error) {
	all := shownLines(found, lines)
	if size := file.Size(); size == 0 || size > limit {
		for _, l := range all {
			l.ID = new(anchor.Context).ID(l.Hash)
		}
		return nil
	}
	slices.SortStableFunc(all, func(a, b anchoredLine) int { return cmp.Compare(a.number, b.number) })
	numbers := make([]int64, len(all))
	for i, l := range all {
		numbers[i] = l.number
	}
	text, err := textOf(file)
	if err != nil {
		return err
	}
	counts := anchor.Count(text.Parts(ctx, &err))
	now := counts.Find(text.Parts(ctx, &err), numbers)
	for i, l := range all {
		if i < len(now) && now[i].Hash.Same(l.Hash) {
			l.ID = now[i].ID
		} else {
			lines[l.match] = nil
		}
	}
	return err
}

// shownLines are those that wait for their IDs.
func shownLines(found []match.LineMatch, lines []*anchor.Lines) (all []anchoredLine) {
	add := func(match int, first int64, some []anchor.Line) {
		for i := range some {
			all = append(all, anchoredLine{match, first + int64(i), &some[i]})
		}
	}
	for i, l := range lines {
		add(i, found[i].Line-int64(len(l.Before)), l.Before)
		add(i, found[i].Line, l.Found)
		add(i, found[i].EndLine+1, l.After)
	}
	return all
}

// textOf finds out how a file is read as text.
func textOf(file walk.File) (anchor.File, error) {
	head, err := charset.SniffAt(file)
	return anchor.File{Bytes: file, From: int64(head.BOM), To: file.Size(), Encoding: head.Encoding}, err
}
