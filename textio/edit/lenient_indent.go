package edit

import (
	"bytes"
	"slices"
	"strings"

	"fsbox/textio/lines"
)

// indentStyle is what one level of indentation is made of: 0 for a tab, else a number of spaces;
// noIndent if that is unknown.
type indentStyle int

const (
	tabIndent indentStyle = 0
	noIndent  indentStyle = -1
)

// fileIndents is how a file is indented: style is that of most of its lines, spaces that of the
// lines that are indented by spaces, if there are any.
type fileIndents struct{ style, spaces indentStyle }

func indentsOf(file lines.Text) fileIndents {
	tally := lines.TallyIndents(file.Bytes)
	f := fileIndents{style: noIndent, spaces: noIndent}
	if tally.Spaces > 0 {
		f.spaces = indentStyle(tally.Step())
		f.style = f.spaces
	}
	if tally.Tabs > tally.Spaces {
		f.style = tabIndent
	}
	return f
}

// parse reads an indent as levels, and spaces that are left over, such as those that align the
// lines of a comment. ok is false if the indent isn't of this style.
func (s indentStyle) parse(indent string) (levels, rest int, ok bool) {
	if s == tabIndent {
		spaces := strings.TrimLeft(indent, "\t")
		return len(indent) - len(spaces), len(spaces), strings.Trim(spaces, " ") == ""
	}
	if s < 1 || strings.Trim(indent, " ") != "" {
		return 0, 0, false
	}
	return len(indent) / int(s), len(indent) % int(s), true
}

// indent makes an indent of levels and spaces.
func (s indentStyle) indent(levels, rest int) string {
	if s == tabIndent {
		return strings.Repeat("\t", levels) + strings.Repeat(" ", rest)
	}
	return strings.Repeat(" ", levels*int(s)+rest)
}

// indentRule translates indents of a block into those of a file. The zero rule changes nothing.
type indentRule struct {
	units    bool // level by level: from one style to the other, and shift levels deeper
	from, to indentStyle
	shift    int
	put, cut string // else: blanks to put before an indent, or to cut off its start
	verbatim bool   // put and cut are right also for indents that the old lines don't have
	known    map[string]string
}

// translate returns false for an indent that the rule doesn't cover.
func (r indentRule) translate(indent string) (string, bool) {
	if r.units {
		levels, rest, ok := r.from.parse(indent)
		if !ok || r.to == noIndent || levels+r.shift < 0 || r.to != tabIndent && rest >= int(r.to) {
			return "", false
		}
		return r.to.indent(levels+r.shift, rest), true
	}
	if found, ok := r.known[indent]; ok {
		return found, true
	}
	if !r.verbatim && r.known != nil && indent != "" {
		return "", false
	}
	indent, ok := strings.CutPrefix(indent, r.cut)
	return r.put + indent, ok
}

// fits reports whether the rule leads from each old indent to the one found.
func (r indentRule) fits(known map[string]string) bool {
	for asked, found := range known {
		if got, ok := r.translate(asked); !ok || got != found {
			return false
		}
	}
	return true
}

// line re-indents one line; a blank one stays as it is.
func (r indentRule) line(line []byte, tier LineTier) []byte {
	parts := splitBlanks(line, tier)
	if len(parts.body) == 0 {
		return line
	}
	indent, ok := r.translate(foldedIndent(parts.indent, tier))
	if !ok || indent == string(parts.indent) {
		return line
	}
	return slices.Concat([]byte(indent), parts.body, parts.trail)
}

// foldedIndent is an indent as the tier compares it.
func foldedIndent(indent []byte, tier LineTier) string {
	if tier == LineUnicode {
		indent = foldLine(indent)
	}
	return string(indent)
}

// indentRules are the ways to read how the indentation of a place relates to that of a block, the
// likelier first.
type indentRules struct {
	rules []indentRule
	doubt bool // the first two are equally likely
}

// solveIndents looks for the rule that leads from the indents of the old lines to those of the
// file's lines from first on. It returns false if there is none: then the file nests these lines
// otherwise.
func solveIndents(file lines.Text, block Block, first int, tier LineTier, indents fileIndents) (indentRules, bool) {
	known, same, ok := pairIndents(file, block.Old, first, tier)
	switch {
	case !ok:
		return indentRules{}, false
	case same:
		return indentRules{rules: []indentRule{{}}}, true
	}
	asked, style := askedIndents(block, tier), indents.at(known)
	own := asked.ownRule(style, known)
	natural := naturalRule(asked.style == tabIndent, style, known)
	var s indentRules
	for _, rule := range [...]*indentRule{own, natural, literalRule(asked.style, style, known)} {
		if rule != nil {
			s.rules = append(s.rules, *rule)
		}
	}
	if own != nil && natural != nil && own.from != style {
		s.doubt = !asked.sure || own.from < natural.from
	}
	return s, len(s.rules) > 0
}

// choose returns the likeliest rule, for the lines new. It returns false if that rule can't
// translate the indent of one of them, or if the two likeliest are equally likely and translate one
// differently.
func (s indentRules) choose(new [][]byte, tier LineTier) (indentRule, bool) {
	best := s.rules[0]
	for _, line := range new {
		parts := splitBlanks(line, tier)
		if len(parts.body) == 0 {
			continue
		}
		indent := foldedIndent(parts.indent, tier)
		got, ok := best.translate(indent)
		if !ok {
			return best, false
		}
		if s.doubt {
			if other, ok := s.rules[1].translate(indent); ok && other != got {
				return best, false
			}
		}
	}
	return best, true
}

// pairIndents maps the indents of the old lines to those found. It returns false if one indent
// corresponds to two different ones, on either side.
func pairIndents(file lines.Text, old [][]byte, first int, tier LineTier) (known map[string]string, same, ok bool) {
	known, same = make(map[string]string), true
	sources := make(map[string]string)
	for i, line := range old {
		parts := splitBlanks(line, tier)
		if len(parts.body) == 0 {
			continue
		}
		asked := foldedIndent(parts.indent, tier)
		found := foldedIndent(splitBlanks(file.Line(first+i), tier).indent, tier)
		before, seen := known[asked]
		source, taken := sources[found]
		if seen && before != found || taken && source != asked {
			return nil, false, false
		}
		known[asked], sources[found] = found, asked
		same = same && asked == found
	}
	return known, same, true
}

// at is the style of the lines of a place, or the file's if they are not indented.
func (f fileIndents) at(known map[string]string) indentStyle {
	style := f.style
	for _, found := range known {
		if strings.Contains(found, "\t") {
			return tabIndent
		}
		if found != "" {
			style = f.spaces
		}
	}
	return style
}

// askedStyle is how a block is indented. It is sure if the block has lines of two depths, apart
// from those at the margin.
type askedStyle struct {
	style indentStyle
	sure  bool
}

func askedIndents(block Block, tier LineTier) askedStyle {
	depths := []int{0}
	for _, lines := range [...][][]byte{block.Old, block.New} {
		for _, line := range lines {
			if tier == LineUnicode {
				line = foldLine(line)
			}
			body := bytes.TrimLeft(line, " ")
			switch {
			case len(body) > 0 && body[0] == '\t' && len(bytes.TrimSpace(body)) > 0:
				return askedStyle{style: tabIndent, sure: true}
			case len(bytes.TrimSpace(body)) > 0:
				depths = append(depths, len(line)-len(body))
			}
		}
	}
	slices.Sort(depths)
	return spaceStyle(slices.Compact(depths))
}

// spaceStyle finds how many spaces one level has, from depths in spaces, which ascend from 0. A
// depth that is one more than another doesn't count: it aligns the lines of a comment.
func spaceStyle(depths []int) askedStyle {
	depths = slices.DeleteFunc(slices.Clone(depths), func(d int) bool { return d > 0 && slices.Contains(depths, d-1) })
	switch len(depths) {
	case 1:
		return askedStyle{style: noIndent}
	case 2:
		return askedStyle{style: indentStyle(depths[1])}
	}
	step := depths[2] - depths[1]
	for i := 3; i < len(depths); i++ {
		step = min(step, depths[i]-depths[i-1])
	}
	return askedStyle{style: indentStyle(step), sure: true}
}

// ownRule is the rule by which one level in the block's own style is one level in the file's. It
// finds how many levels deeper the file has the lines; nil if no number fits.
func (a askedStyle) ownRule(to indentStyle, known map[string]string) *indentRule {
	for asked, found := range known {
		from, _, ok := a.style.parse(asked)
		deep, _, ok2 := to.parse(found)
		rule := indentRule{units: true, from: a.style, to: to, shift: deep - from}
		if !ok || !ok2 || !rule.fits(known) {
			return nil
		}
		return &rule // if the rule fits all pairs, it doesn't matter which pair it comes from
	}
	return nil
}

// naturalRule is the rule by which the lines are as deep in the block as in the file. It finds the
// number of spaces to a level in the block with which that is so; nil if there is none.
func naturalRule(tabs bool, to indentStyle, known map[string]string) *indentRule {
	froms := []indentStyle{2, 3, 4, 8} // what people indent by
	if tabs {
		froms = []indentStyle{tabIndent}
	}
	for _, from := range froms {
		rule := indentRule{units: true, from: from, to: to}
		if rule.fits(known) {
			return &rule
		}
	}
	return nil
}

// literalRule is the rule that puts the same blanks before each line, or cuts them off. For indents
// that the old lines don't have it is right only if that doesn't mix tabs and spaces.
func literalRule(from, to indentStyle, known map[string]string) *indentRule {
	for asked, found := range known {
		var rule indentRule
		if put, ok := strings.CutSuffix(found, asked); ok {
			rule.put = put
		} else if cut, ok := strings.CutSuffix(asked, found); ok {
			rule.cut = cut
		}
		if !rule.fits(known) {
			return nil
		}
		rule.known, rule.verbatim = known, from == noIndent || to == noIndent || (from == tabIndent) == (to == tabIndent)
		return &rule
	}
	return nil
}
