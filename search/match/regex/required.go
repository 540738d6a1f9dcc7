package regex

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"fsbox/search/match/literal"
)

// requirement is a set of strings one of which occurs in every match.
type requirement struct {
	texts []string
	fold  bool // any case variant will do
}

// required gives the requirement of an expression that is fastest to search for; nil if there is
// none.
func required(re *syntax.Regexp) *requirement {
	_, best := requiredOf(re)
	return best
}

// requiredOf gives whole, the set of all texts that an expression can match, if these are few, and
// best, the requirement that is fastest to search for. Either is nil if there is none.
func requiredOf(re *syntax.Regexp) (whole, best *requirement) {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return noText(), nil
	case syntax.OpLiteral:
		if slices.Contains(re.Rune, placeholder) {
			return nil, nil // it also matches an invalid byte
		}
		r := requiredLiteral(re)
		return r, r
	case syntax.OpCharClass:
		return wholeClass(re.Rune), nil
	case syntax.OpPlus:
		return nil, required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return nil, required(re.Sub[0])
		}
	case syntax.OpConcat:
		return requiredAnyOf(re.Sub)
	case syntax.OpAlternate:
		return requiredAllOf(re.Sub)
	}
	return nil, nil
}

// noText is what the empty expression matches.
func noText() *requirement { return &requirement{texts: []string{""}} }

func requiredLiteral(re *syntax.Regexp) *requirement {
	if slices.ContainsFunc(re.Rune, func(r rune) bool { return !utf8.ValidRune(r) }) {
		return nil
	}
	return &requirement{texts: []string{string(re.Rune)}, fold: re.Flags&syntax.FoldCase != 0}
}

// requiredAnyOf picks the best requirement of the parts of a concatenation, or of neighbours among
// them: the parser turns get_user|get_page into get_(user|page), whose parts together require
// "get_user" or "get_page".
func requiredAnyOf(parts []*syntax.Regexp) (whole, best *requirement) {
	run, from := noText(), 0 // all texts that parts[from:i] together match
	for i, part := range parts {
		all, one := requiredOf(part)
		best = best.orBetter(one)
		if longer := run.followedBy(all); longer != nil {
			run = longer
			continue
		}
		if i-from > 1 {
			best = best.orBetter(run)
		}
		if run, from = all, i; run == nil {
			run, from = noText(), i+1
		}
	}
	if len(parts)-from > 1 {
		best = best.orBetter(run)
	}
	if from == 0 {
		whole = run
	}
	return whole, best
}

// orBetter is the one of the two that is faster to search for. One with an empty text is never
// better, since every text contains that.
func (r *requirement) orBetter(other *requirement) *requirement {
	if other == nil || slices.Contains(other.texts, "") || (r != nil && r.cost() <= other.cost()) {
		return r
	}
	return other
}

// wholeClass gives the characters of a class, given as pairs of bounds; nil if they are too many.
func wholeClass(class []rune) *requirement {
	all := &requirement{}
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1]; r++ {
			if len(all.texts) == literal.MaxTexts() || !utf8.ValidRune(r) || r == placeholder {
				return nil
			}
			all.texts = append(all.texts, string(r))
		}
	}
	return all
}

// followedBy joins each text with each one of next; nil if there are too many, or either is nil.
func (r *requirement) followedBy(next *requirement) *requirement {
	if r == nil || next == nil || len(r.texts)*len(next.texts) > literal.MaxTexts() {
		return nil
	}
	all := &requirement{fold: r.fold || next.fold}
	for _, a := range r.texts {
		for _, b := range next.texts {
			all.add(a + b)
		}
	}
	return all
}

// add adds a text, unless it has it or a case variant that will do.
func (r *requirement) add(text string) {
	if r.fold {
		text = strings.Map(literal.Fold, text)
	}
	if !slices.Contains(r.texts, text) {
		r.texts = append(r.texts, text)
	}
}

// or gives the texts of both; nil if there are too many, or if either is nil.
func (r *requirement) or(other *requirement) *requirement {
	if r == nil || other == nil || len(r.texts)+len(other.texts) > literal.MaxTexts() {
		return nil
	}
	all := &requirement{fold: r.fold || other.fold}
	for _, text := range slices.Concat(r.texts, other.texts) {
		all.add(text)
	}
	return all
}

// requiredAllOf joins the requirements of alternatives, each of which must have one.
func requiredAllOf(alternatives []*syntax.Regexp) (whole, best *requirement) {
	whole, best = &requirement{}, &requirement{}
	for _, alt := range alternatives {
		all, one := requiredOf(alt)
		whole, best = whole.or(all), best.or(one)
	}
	return whole, best
}

// cost rates the search for the texts.
func (r *requirement) cost() int { return literal.Cost(r.texts, r.fold) }

// maxCost is the cost up to which a requirement is searched for, on the scale of literal.Cost. To
// search for a text that nearly every line has saves no time.
const maxCost = 215

// useful reports whether searching for the requirement first saves time.
func (r *requirement) useful() bool { return r != nil && r.cost() < maxCost }
