package edit

import (
	"bytes"
	"slices"
	"strings"

	"fsbox/textio/charset"
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
	var tally lines.IndentTally
	tally.Add(file.Bytes)
	tally.End()
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
		indent = charset.FoldLine(indent)
	}
	return string(indent)
}

// solveIndents looks for the rule that leads from the indents of the old lines to those of the
// file's lines from first on. There is none if the file nests these lines otherwise.
func solveIndents(file lines.Text, block Block, first int, tier LineTier, indents fileIndents) (rule indentRule, known map[string]string,
	ok bool) {
	known, same, ok := pairIndents(file, block.Old, first, tier)
	if !ok || same {
		return rule, known, ok
	}
	asked, style := askedIndents(block, tier), indents.at(known)
	if rule, ok = levelRule(asked, style, known); !ok {
		rule, ok = literalRule(asked, style, known)
	}
	return rule, known, ok
}

// covers reports whether the rule translates the indents of all lines, and leaves no doubt. A block
// can often be read in two ways: by its own levels, moved, or by wider or narrower ones that fit as
// well. In doubt are lines that the two put in different places.
func (r indentRule) covers(new [][]byte, known map[string]string, tier LineTier) bool {
	rival := r
	if r.units && r.from != r.to {
		for _, from := range [...]indentStyle{2, 3, 4, 8} { // what people indent by
			if rule := (indentRule{units: true, from: from, to: r.to}); from != r.from && rule.fits(known) {
				rival = rule
				break
			}
		}
	}
	return !slices.ContainsFunc(new, func(line []byte) bool {
		parts := splitBlanks(line, tier)
		indent := foldedIndent(parts.indent, tier)
		found, ok := r.translate(indent)
		other, alsoOK := rival.translate(indent)
		return len(parts.body) > 0 && (!ok || alsoOK && other != found)
	})
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

// askedIndents is how a block is indented.
func askedIndents(block Block, tier LineTier) indentStyle {
	depths := []int{0}
	for _, line := range slices.Concat(block.Old, block.New) {
		if tier == LineUnicode {
			line = charset.FoldLine(line)
		}
		body := bytes.TrimLeft(line, " ")
		switch {
		case len(bytes.TrimSpace(body)) == 0:
		case body[0] == '\t':
			return tabIndent
		default:
			depths = append(depths, len(line)-len(body))
		}
	}
	slices.Sort(depths)
	return spaceStyle(slices.Compact(depths))
}

// spaceStyle finds how many spaces one level has, from depths in spaces, which ascend from 0: the
// smallest step between two of those that aren't 0. A depth that is one more than another doesn't
// count: it aligns the lines of a comment.
func spaceStyle(depths []int) indentStyle {
	depths = slices.DeleteFunc(slices.Clone(depths), func(d int) bool { return d > 0 && slices.Contains(depths, d-1) })
	switch len(depths) {
	case 1:
		return noIndent
	case 2:
		return indentStyle(depths[1])
	}
	step := depths[2] - depths[1]
	for i := 3; i < len(depths); i++ {
		step = min(step, depths[i]-depths[i-1])
	}
	return indentStyle(step)
}

// levelRule is the rule by which one level in the block's style is one level in the file's. It
// finds how many levels deeper the file has the lines; ok is false if no number fits.
func levelRule(from, to indentStyle, known map[string]string) (rule indentRule, ok bool) {
	for asked, found := range known { // if the rule fits all pairs, it doesn't matter which pair it comes from
		shallow, _, ok := from.parse(asked)
		deep, _, ok2 := to.parse(found)
		rule = indentRule{units: true, from: from, to: to, shift: deep - shallow}
		return rule, ok && ok2 && rule.fits(known)
	}
	return rule, false
}

// literalRule is the rule that puts the same blanks before each line, or cuts them off. For indents
// that the old lines don't have it is right only if that doesn't mix tabs and spaces.
func literalRule(from, to indentStyle, known map[string]string) (rule indentRule, ok bool) {
	for asked, found := range known {
		if put, ok := strings.CutSuffix(found, asked); ok {
			rule.put = put
		} else if cut, ok := strings.CutSuffix(asked, found); ok {
			rule.cut = cut
		}
		break
	}
	if !rule.fits(known) {
		return rule, false
	}
	rule.known, rule.verbatim = known, from == noIndent || to == noIndent || (from == tabIndent) == (to == tabIndent)
	return rule, true
}
