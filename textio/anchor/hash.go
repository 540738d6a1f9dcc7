package anchor

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// letters are those of an ID: they make no words.
const letters = "BCDFGHJKLMNPQRSTVWXZ"

// ID tells the lines around a number apart: two of the letters. Of 400 other lines one has the same
// ID.
type ID [2]byte

// Hash is of one line, whose text may come in parts. Blanks at its end, and the line end, don't
// count. Several lines of a text can be empty or hold a brace alone: the ID of a line with fewer
// than three letters and digits depends on the nearest line before it that has them. The zero value
// is the hash of an empty line. Where the nearest line with text is asked for, it means that there
// is none.
type Hash struct {
	all  uint64 // of all bytes so far
	sum  uint64 // of the bytes up to the last one that isn't a blank
	text int    // letters and digits, as far as they matter
}

// enough is how many letters and digits tell a line from others.
const enough = 3

// Of is the hash of a line, with or without its line end.
func Of(line []byte) (h Hash) {
	h.Add(line)
	return h
}

// Add adds the next part of the line. A part ends where a character ends.
func (h *Hash) Add(part []byte) {
	for len(part) > 0 {
		if surrogate(part) { // as the readers of UTF-16 see it who don't keep surrogates
			h.add([]byte(string(utf8.RuneError)))
			part = part[3:]
			continue
		}
		n := bytes.IndexByte(part[1:], surrogateByte) + 1
		if n == 0 {
			n = len(part)
		}
		h.add(part[:n])
		part = part[n:]
	}
}

// surrogateByte is the first byte of a surrogate as WTF-8.
const surrogateByte = 0xed

func surrogate(b []byte) bool {
	return len(b) >= 3 && b[0] == surrogateByte && b[1]&0xe0 == 0xa0 && b[2]&0xc0 == 0x80
}

func (h *Hash) add(part []byte) {
	for at := 0; at < len(part) && h.text < enough; {
		r, size := utf8.DecodeRune(part[at:])
		if at += size; unicode.IsLetter(r) || unicode.IsDigit(r) {
			h.text++
		}
	}
	for _, c := range part {
		if h.all = (h.all + uint64(c) + 1) * prime; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			h.sum = h.all
		}
	}
}

// prime is that of the 64-bit FNV hash.
const prime = 0x100000001b3

// HasText reports whether the line has enough letters and digits for an ID by itself.
func (h Hash) HasText() bool { return h.text >= enough }

// ID is that of the line. near is the nearest line before it that has text, zero if there is none.
func (h Hash) ID(near Hash) ID {
	sum := h.sum
	if !h.HasText() {
		sum = (sum+1)*prime + near.sum
	}
	sum = (sum ^ sum>>33) * 0xff51afd7ed558ccd // MurmurHash3's last steps: each bit changes half of the others
	sum = (sum ^ sum>>33) % uint64(len(letters)*len(letters))
	return ID{letters[sum/uint64(len(letters))], letters[sum%uint64(len(letters))]}
}
