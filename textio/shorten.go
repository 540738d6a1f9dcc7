package textio

import (
	"strconv"
	"unicode/utf8"
)

// keptOfLong is how much of a long text is kept at each end, in bytes.
const keptOfLong = 128

// Shorten gives both ends of a text that is too long to be repeated, and says how much is missing.
// It copies nothing else of the text. A text that isn't much longer than that is left as it is.
func Shorten[T ~string | ~[]byte](text T) string {
	from, to := keptOfLong, len(text)-keptOfLong
	if from >= to {
		return string(text)
	}
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	return string(text[:from]) + "… (" + strconv.Itoa(to-from) + " bytes left out) …" + string(text[to:])
}
