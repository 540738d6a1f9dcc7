package literal

import "strings"

const (
	// MaxFinders is the most strings that are searched one by one: each takes a pass over the text,
	// and with more of them a regular expression alone is as fast.
	MaxFinders = 8

	// maxTexts is the most strings if one search can find all of them at once.
	maxTexts = 64
)

// MaxTexts is the most strings that Search takes on this machine.
func MaxTexts() int {
	if hasAVX2() {
		return maxTexts
	}
	return MaxFinders
}

// Cost rates a search for several strings by the most frequent one, on the scale of byteRank, and
// by their number. Longer strings are rarer than their rarest byte.
func Cost(texts []string, fold bool) int {
	worst := 0
	for _, text := range texts {
		cost := rankText(text, fold) - 16*min(len(text)-1, 4)
		if isFrequent(text) {
			cost += frequentWord
		}
		worst = max(worst, cost)
	}
	return worst + 8*min(len(texts)-1, MaxFinders-1)
}

// Search gives the finders for several strings: one that finds all of them in one pass, or at most
// MaxFinders, one for each; none if the search would take too long.
func Search(texts []string, fold bool) []Finder {
	if len(texts) > 1 && hasAVX2() {
		if t, hits := newTeddy(texts, fold); t != nil && hits < maxTeddyHits {
			return []Finder{t}
		}
	}
	if len(texts) > MaxFinders {
		return nil
	}
	var all []Finder
	for _, text := range texts {
		all = append(all, New(text, fold))
	}
	return all
}

// frequentWord is how much dearer a search for a frequent word is than its bytes let one expect.
const frequentWord = 32

// isFrequent reports whether a text is a word that source code is full of.
func isFrequent(text string) bool {
	switch strings.TrimSpace(text) {
	case "struct", "return", "static", "const", "class", "import", "include", "define", "function", "public", "else", "this", "self", "func":
		return true
	}
	return false
}
