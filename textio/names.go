package textio

import "bytes"

// ScanNames counts the members of all objects in a JSON text by their colons, and stops at one more
// than most. It returns the first name longer than longest bytes, as written in the text. It is for
// a check before a JSON parser runs: parsers keep all names in memory, to find duplicates, and
// quote them in errors.
func ScanNames(text []byte, most, longest int) (members int, long []byte) {
	start, end := 0, 0
	for i := 0; i < len(text) && members <= most; i++ {
		switch text[i] {
		case '"':
			start = i + 1
			if end = start + endOfString(text[start:]); end == len(text) {
				return members, long
			}
			i = end
		case ':':
			members++
			if long == nil && end-start > longest {
				long = text[start:end]
			}
		}
	}
	return members, long
}

// endOfString returns the index of the quote that ends a JSON string, or the length of the text if
// none does. It searches for quotes instead of looking at each byte: a string may be a whole file.
func endOfString(text []byte) int {
	for from := 0; ; {
		n := bytes.IndexByte(text[from:], '"')
		if n < 0 {
			return len(text)
		}
		quote := from + n
		slash := quote
		for slash > from && text[slash-1] == '\\' {
			slash--
		}
		if (quote-slash)%2 == 0 {
			return quote
		}
		from = quote + 1
	}
}
