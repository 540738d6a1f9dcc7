package textio

import (
	"strconv"
	"unicode/utf8"
)

// keptOfLong is how much of a long text is kept at each end, in bytes.
const keptOfLong = 128

// Shorten returns both ends of a text that is too long to be repeated, and between them how many
// bytes are left out, which it doesn't copy. A text of up to twice keptOfLong is returned whole.
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
