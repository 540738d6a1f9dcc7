package search

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// requirement is a set of strings one of which occurs in every match.
type requirement struct {
	texts []string
	fold  bool // any case variant will do
}

// maxNeeds bounds a requirement: each text is one pass over the file, and
// beyond these RE2 is as fast.
const maxNeeds = 8

// required finds the set that is fastest to search for; nil if there is none.
func required(re *syntax.Regexp) *requirement {
	switch re.Op {
	case syntax.OpLiteral:
		return requiredLiteral(re)
	case syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		return requiredAnyOf(re.Sub)
	case syntax.OpAlternate:
		return requiredAllOf(re.Sub)
	}
	return nil
}

func requiredLiteral(re *syntax.Regexp) *requirement {
	if slices.ContainsFunc(re.Rune, func(r rune) bool { return !utf8.ValidRune(r) }) {
		return nil
	}
	return &requirement{[]string{string(re.Rune)}, re.Flags&syntax.FoldCase != 0}
}

// requiredAnyOf picks the best requirement of the parts of a concatenation.
func requiredAnyOf(parts []*syntax.Regexp) *requirement {
	var best *requirement
	for _, part := range parts {
		if r := required(part); r != nil && (best == nil || r.cost() < best.cost()) {
			best = r
		}
	}
	return best
}

// requiredAllOf joins the requirements of alternatives, each of which must have one.
func requiredAllOf(alternatives []*syntax.Regexp) *requirement {
	var all requirement
	for _, alt := range alternatives {
		r := required(alt)
		if r == nil || len(all.texts)+len(r.texts) > maxNeeds {
			return nil
		}
		all.texts = append(all.texts, r.texts...)
		all.fold = all.fold || r.fold
	}
	return &all
}

// cost rates a requirement by its most frequent text, in byteRank's measure:
// longer texts are rarer than their rarest byte.
func (r *requirement) cost() int {
	worst := 0
	for _, f := range r.finders() {
		worst = max(worst, f.cost)
	}
	return worst + 8*(len(r.texts)-1)
}

type ratedFinder struct {
	finder
	cost int
}

func (r *requirement) finders() []ratedFinder {
	var out []ratedFinder
	for _, text := range r.texts {
		f := newFinder(text, r.fold)
		out = append(out, ratedFinder{f, f.rank() - 16*min(len(text)-1, 4)})
	}
	return out
}

// search gives what finds the texts: one that finds them all, or one for each.
func (r *requirement) search() []finder {
	if !r.fold {
		if f, hits := newFused(r.texts); f != nil && hits < maxFusedHits {
			return []finder{f}
		}
	}
	var all []finder
	for _, f := range r.finders() {
		all = append(all, f.finder)
	}
	return all
}

// useful reports whether searching for the requirement first saves time: a text
// found in nearly every line saves none.
func (r *requirement) useful() bool {
	return r != nil && r.cost() < 215
}
