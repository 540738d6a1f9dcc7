package charset

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"
)

func (e *Encoding) decodeBytes(b []byte) []byte {
	text := make([]byte, 0, len(b)+len(b)/4)
	for _, c := range b {
		if c < utf8.RuneSelf {
			text = append(text, c)
		} else {
			text = utf8.AppendRune(text, e.byteRune(c))
		}
	}
	return text
}

// byteRune is the character that a byte means. Bytes 0x80 to 0x9F that have none in charmap's
// tables are the C1 control characters of the same number, as in the WHATWG tables.
func (e *Encoding) byteRune(c byte) rune {
	r := e.single.DecodeByte(c)
	if r == utf8.RuneError && c < 0xa0 {
		return rune(c)
	}
	return r
}

func (e *Encoding) encodeBytes(text []byte) ([]byte, error) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		c, ok := e.single.EncodeRune(r)
		if !ok && r >= 0x80 && r < 0xa0 {
			c = byte(r)
			ok = e.byteRune(c) == r
		}
		if !ok || r == utf8.RuneError {
			return nil, e.lacks(text, i)
		}
		out = append(out, c)
		i += size
	}
	return out, nil
}

func (e *Encoding) decodeLegacy(b []byte) []byte {
	// A decoder replaces what it can't read, so it has no error to report.
	text, _, _ := transform.Bytes(e.newDecoder(), b)
	return e.repair(b, text)
}

// newDecoder decodes what x/text knows of the encoding. GBK is read like GB 18030.
func (e *Encoding) newDecoder() transform.Transformer {
	if e.isGB() {
		return simplifiedchinese.GB18030.NewDecoder().Transformer
	}
	return e.legacy.NewDecoder().Transformer
}

func (e *Encoding) encodeLegacy(text []byte) ([]byte, error) {
	out, n, err := e.transformLegacy(text)
	if err != nil {
		return nil, e.lacks(text, n)
	}
	// Some encoders take a look-alike for a character they lack, as "\" for the yen sign.
	if back := e.decodeLegacy(out); !bytes.Equal(back, text) {
		return nil, e.lacks(text, commonPrefix(back, text))
	}
	return out, nil
}

// transformLegacy encodes text; on an error, n is the offset of the character that can't be
// encoded. The characters of e.runs, which the tables of x/text lack, are encoded here, the text
// between them by x/text.
func (e *Encoding) transformLegacy(text []byte) (out []byte, n int, err error) {
	for {
		end := n + e.foreign(text[n:])
		part, done, err := transform.Bytes(e.legacy.NewEncoder(), text[n:end])
		if err != nil {
			return nil, n + done, err
		}
		if out = append(out, part...); end == len(text) {
			return out, end, nil
		}
		r, size := utf8.DecodeRune(text[end:])
		out, n = append(out, e.ownCode(r)...), end+size
	}
}

// commonPrefix is the length of the longest common prefix that ends between characters of b.
func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}
