package change

import (
	"strings"

	"fsbox/textio/edit"
)

// IsNews reports whether the caller may not know which text a match has: one that is exact, except
// for line ends, is what was sent.
func IsNews(match string) bool { return match != edit.TierExact && match != edit.TierEOL }

// PlacesOf names the lines of all places, as far as they are known and fit in a sentence.
func PlacesOf(lines []string, all int) string {
	if len(lines) == 0 {
		return ""
	}
	text := ": "
	switch first := lines[0]; {
	case first[0] == 'a': // it says itself where it is
	case all > 1 || strings.Contains(first, "-"):
		text += "lines "
	default:
		text += "line "
	}
	text += lines[0]
	for i := 1; i < all; i++ {
		if i == len(lines) || len(text) > longestPlaces {
			return text + ", and more"
		}
		text += ", " + lines[i]
	}
	return text
}

// longestPlaces is how long what the sentence says of lines may be before it ends, in characters.
const longestPlaces = 60
