package match

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// requirement is a set of strings one of which occurs in every match.
type requirement struct {
	texts []string
	fold  bool // any case variant will do
}

const (
	// maxNeeds is the most texts that are searched one by one: each takes a pass over the file, and
	// with more of them RE2 alone is as fast.
	maxNeeds = 8

	// maxTexts is the most texts of a requirement if one search can find all of them at once.
	maxTexts = 64
)

// mostTexts is how many a requirement may have on this machine.
func mostTexts() int {
	if hasAVX2() {
		return maxTexts
	}
	return maxNeeds
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
			if len(all.texts) == mostTexts() || !utf8.ValidRune(r) || r == placeholder {
				return nil
			}
			all.texts = append(all.texts, string(r))
		}
	}
	return all
}

// followedBy joins each text with each one of next; nil if there are too many, or either is nil.
func (r *requirement) followedBy(next *requirement) *requirement {
	if r == nil || next == nil || len(r.texts)*len(next.texts) > mostTexts() {
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
		text = strings.Map(foldRune, text)
	}
	if !slices.Contains(r.texts, text) {
		r.texts = append(r.texts, text)
	}
}

// or gives the texts of both; nil if there are too many, or if either is nil.
func (r *requirement) or(other *requirement) *requirement {
	if r == nil || other == nil || len(r.texts)+len(other.texts) > mostTexts() {
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

// cost rates a requirement by its most frequent text, on the scale of byteRank, and by the number
// of its texts. Longer texts are rarer than their rarest byte.
func (r *requirement) cost() int {
	worst := 0
	for _, text := range r.texts {
		worst = max(worst, rankText(text, r.fold)-16*min(len(text)-1, 4))
	}
	return worst + 8*min(len(r.texts)-1, maxNeeds-1)
}

// search gives the finders for the texts: one that finds all of them, or one for each; none if the
// search would take too long.
func (r *requirement) search() []finder {
	if f := r.together(); f != nil {
		return []finder{f}
	}
	if len(r.texts) > maxNeeds {
		return nil
	}
	var all []finder
	for _, text := range r.texts {
		all = append(all, newFinder(text, r.fold))
	}
	return all
}

// together gives a finder that looks for all texts in one pass. It is nil for a single text, on a
// processor without AVX2, if a text is too short for a fingerprint, and if the fingerprints would
// be found too often to save time.
func (r *requirement) together() finder {
	if len(r.texts) < 2 || !hasAVX2() {
		return nil
	}
	if t, hits := newTeddy(r.texts, r.fold); t != nil && hits < maxTeddyHits {
		return t
	}
	return nil
}

// maxCost is the cost up to which a requirement is searched for. To search for a text that nearly
// every line has saves no time.
const maxCost = 215

// useful reports whether searching for the requirement first saves time.
func (r *requirement) useful() bool { return r != nil && r.cost() < maxCost }
