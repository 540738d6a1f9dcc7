package grep

import (
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/search"
	"fsbox/search/match"
)

// alsoCounted is what a search for a literal would find if its query were meant otherwise: counted
// in the text that it reads anyway, and told also where it found something.
type alsoCounted struct {
	meant        hint.Query
	counts       *match.Also // nil if nothing is counted
	mine, theirs int64       // how many lines the search finds, and the other query
	files        int64       // in which the other query finds something
	first        string      // the first place that only the other query finds
	isPart       bool        // there may be more
	isFull       bool        // so many lines were counted that the rest isn't
	most, bytes  int64       // how many bytes may be counted in, and were
}

// prepare finds out whether there is another meaning to count, for a search by m.
func (c *alsoCounted) prepare(p *grepPage, m *match.Matcher) {
	g := p.request
	if p.edits || p.look != nil || g.Cursor != "" || p.env.Slow.Hanging.Load() >= maxSlow {
		return
	}
	meant, most, ok := hint.AlsoMeant(g.query())
	isText := g.FixedStrings != nil && *g.FixedStrings
	if !ok || isText && meant.Regex {
		return
	}
	other := g.with(meant.Query)
	if also, err := other.compile(); err == nil {
		c.meant, c.counts, c.most = meant, match.NewAlso(also, m, most), most
	}
}

// take adds what was counted in one file.
func (c *alsoCounted) take(f search.GrepFile, shown string) {
	also := f.Result.Also
	if c.isFull || c.isUsedUp() || c.counts == nil {
		return
	}
	c.bytes += also.Bytes
	c.mine += f.Result.Count
	c.theirs += also.Count
	c.isPart = c.isPart || also.Part || f.Partial
	if also.Count > 0 {
		c.files++
	}
	if also.Other > 0 && c.first == "" {
		c.first = place(Match{File: shown, Line: also.Other})
	}
	// files come in order, so it is always after the same one
	c.isFull = c.first != "" && (also.Many || c.theirs >= match.EnoughLines)
	if c.isFull || c.isUsedUp() {
		c.counts.Stop()
	}
}

// isUsedUp reports whether it has counted in as many bytes as it may.
func (c *alsoCounted) isUsedUp() bool { return c.bytes >= c.most }

// has reports whether the other query may find something in a file, and is counted there.
func (c *alsoCounted) has(also match.AlsoResult) bool {
	return c.counts != nil && c.meant.Regex && (also.Count > 0 || also.Part)
}

// hint says what the other query finds, if that is more. Once the bound of bytes is reached, it
// gives no number: that of a part says little.
func (c *alsoCounted) hint(r *Result) string {
	if c.counts == nil || r.FilesMatched == 0 || c.first == "" {
		return ""
	}
	isAll := !c.isPart && !r.Truncated
	switch {
	case c.isFull && c.theirs > c.mine:
		return c.meant.Say + c.number(r, " at least ") + ", such as" + c.first + c.meant.Then
	case isAll && c.theirs > c.mine:
		return c.meant.Say + c.number(r, " ") + ", such as" + c.first + c.meant.Then
	case isAll || !c.meant.Regex:
		return ""
	case c.isFull, c.isUsedUp():
		return c.meant.Say + " other lines as well, such as" + c.first + c.meant.Then
	case c.theirs > c.mine:
		return c.meant.Say + c.number(r, " at least ") + ", such as" + c.first + c.meant.Then
	}
	return ""
}

// number says how often, and in how many files, the other query matches.
func (c *alsoCounted) number(r *Result, least string) string {
	thing := "line"
	if r.multiline {
		thing = "place"
	}
	return least + words.Plural(c.theirs, thing) + " in " + words.Plural(c.files, "file")
}
