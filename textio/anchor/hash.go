package anchor

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// letters are those of an ID. They make no words, and 0 and 1 aren't among them.
const letters = "BCDFGHJKLMNPQRSTVWXZ23456789"

// ID tells the lines around a number apart: three of the letters. Of 21,952 other lines one has the
// same ID.
type ID [3]byte

// Hash is of one line, whose text may come in parts. Blanks at its end, and the line end, don't
// count. The zero value is the hash of an empty line.
type Hash struct {
	all  uint64 // of all bytes so far
	sum  uint64 // of the bytes up to the last one that isn't a blank
	text int    // letters and digits, as far as they matter
}

// enough is how many letters and digits a line has to have to be told by itself: a brace that is
// the only one of its indentation soon has company.
const enough = 3

// Of is the hash of a line, with or without its line end.
func Of(line []byte) (h Hash) {
	h.Add(line)
	return h
}

// Same reports whether two lines are the same but for blanks at their ends.
func (h Hash) Same(other Hash) bool { return h.sum == other.sum }

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

// mixed is a number each of whose bits depends on all bits of n: the last steps of MurmurHash3.
func mixed(n uint64) uint64 {
	n = (n ^ n>>33) * 0xff51afd7ed558ccd
	n = (n ^ n>>33) * 0xc4ceb9fe1a85ec53
	return n ^ n>>33
}

// id is the ID of a line after others, of which above is a hash; 0 if only its own text counts.
func (h Hash) id(above uint64) (id ID) {
	sum := mixed(mixed(h.sum+1)*prime + above)
	for i := range id {
		id[i] = letters[sum%uint64(len(letters))]
		sum /= uint64(len(letters))
	}
	return id
}
