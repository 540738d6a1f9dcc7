package charset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// BOM is the byte order mark, in UTF-8.
const BOM = "\ufeff"

// replacement is U+FFFD in UTF-8, which replaces invalid bytes.
const replacement = "\uFFFD"

// Encoding converts between UTF-8 and the bytes of a file. It is immutable; a nil *Encoding is
// UTF-8.
type Encoding struct {
	name   string
	form   form
	width  int                // bytes of an ASCII character: 1, 2 or 4
	order  byteOrder          // of the units of UTF-16 and UTF-32
	mark   string             // byte order mark, "" for none
	single *charmap.Charmap   // for formByte only
	legacy *encoding.Encoding // for formLegacy only: the table of x/text
	runs   []run              // characters that legacy lacks
}

// form is how code points become bytes.
type form uint8

const (
	formUTF8   form = iota
	formWide        // UTF-16 and UTF-32: units of several bytes
	formByte        // one byte, one character
	formLegacy      // ASCII and sequences of several bytes, none of which holds "\n"
)

// unicodeEncodings are in the order of labelled; UTF-8 is the first.
var unicodeEncodings = [...]Encoding{
	{name: "utf-8", form: formUTF8, width: 1, mark: BOM},
	{name: "utf-16le", form: formWide, width: 2, order: binary.LittleEndian, mark: "\xff\xfe"},
	{name: "utf-16be", form: formWide, width: 2, order: binary.BigEndian, mark: "\xfe\xff"},
	{name: "utf-32le", form: formWide, width: 4, order: binary.LittleEndian, mark: "\xff\xfe\x00\x00"},
	{name: "utf-32be", form: formWide, width: 4, order: binary.BigEndian, mark: "\x00\x00\xfe\xff"},
}

// UnencodableError says that a text can't be written in an encoding. Rune is the first character
// that the encoding lacks. With Invalid there is no such character, but bytes that aren't valid
// UTF-8, and Rune is U+FFFD. Offset is the byte offset of either in the text.
type UnencodableError struct {
	Encoding string
	Rune     rune
	Offset   int
	Invalid  bool
}

func (e *UnencodableError) Error() string {
	return fmt.Sprintf("no encoding in %s for %U at byte %d", e.Encoding, e.Rune, e.Offset)
}

// lacks is the error for the character at an offset of text, which the encoding lacks.
func (e *Encoding) lacks(text []byte, offset int) error {
	r, size := utf8.DecodeRune(text[offset:])
	return &UnencodableError{Encoding: e.name, Rune: r, Offset: offset, Invalid: r == utf8.RuneError && size < 2}
}

// IsASCII reports whether a text is ASCII alone.
func IsASCII(text []byte) bool { return ASCIIRun(text) == len(text) }

// Name is the lower-case WHATWG name, such as "utf-8", "windows-1252" or "shift_jis"; "utf-32le"
// and "utf-32be" are named in the same manner.
func (e *Encoding) Name() string { return e.orUTF8().name }

// BOM is the encoding's byte order mark, empty for those that have none.
func (e *Encoding) BOM() []byte { return []byte(e.orUTF8().mark) }

// IsUTF8 reports whether the encoding is UTF-8, which nil is, too.
func (e *Encoding) IsUTF8() bool { return e.orUTF8().form == formUTF8 }

// WideRoom is how much UTF-8 the text of a file in UTF-16 or UTF-32 may always take, in bytes,
// however small files must be: the default bound of files, which memory is reckoned for.
const WideRoom = 10 << 20

// IsWide reports whether the encoding is UTF-16 or UTF-32, whose units have more than one byte.
func (e *Encoding) IsWide() bool { return e.UnitWidth() > 1 }

// Decode converts b, which has no byte order mark, to UTF-8. Bytes that are invalid in the encoding
// become U+FFFD, in UTF-8 one for each byte; invalid says that there were some. For valid UTF-8 the
// result is b itself.
func (e *Encoding) Decode(b []byte) (text []byte, invalid bool) {
	text = e.ToUTF8(b)
	return text, e.Lossy(text, b)
}

// Encode converts UTF-8 text to the encoding, without a byte order mark. For UTF-8 the result is
// text itself, valid or not. The error is an *UnencodableError. The encoding also counts as lacking
// a character if its bytes would decode to another one.
func (e *Encoding) Encode(text []byte) ([]byte, error) {
	switch e = e.orUTF8(); e.form {
	case formUTF8:
		return text, nil
	case formByte:
		return e.encodeBytes(text)
	case formLegacy:
		return e.encodeLegacy(text)
	}
	return e.encodeUnicode(nil, text, false)
}

// DecodeLossless converts b for editing: AppendLossless of the result is b again, byte by byte.
// Lone surrogates of UTF-16 and UTF-32 appear as WTF-8 (three bytes, as if they were characters).
// The second result is false if AppendLossless couldn't give b again, for instance if b ends with
// half a unit. For UTF-8 the first result is b itself.
func (e *Encoding) DecodeLossless(b []byte) ([]byte, bool) {
	switch e = e.orUTF8(); e.form {
	case formUTF8:
		return b, true
	case formByte, formLegacy:
		text := e.ToUTF8(b)
		back, err := e.Encode(text)
		return text, err == nil && bytes.Equal(back, b)
	}
	text, exact := e.decodeUnicode(nil, b, true)
	return text, exact
}

// AppendLossless is the inverse of DecodeLossless and takes all that Encode takes. It appends to
// out. The error is an *UnencodableError.
func (e *Encoding) AppendLossless(out, text []byte) ([]byte, error) {
	if e.IsWide() {
		return e.encodeUnicode(out, text, true)
	}
	encoded, err := e.Encode(text)
	return append(out, encoded...), err
}

func (e *Encoding) orUTF8() *Encoding {
	if e == nil {
		return &unicodeEncodings[0]
	}
	return e
}

// UnitWidth is the number of bytes that an ASCII character takes: 1, 2 or 4. In a file such a
// character begins only at a multiple of this width, counted from the start of the text.
func (e *Encoding) UnitWidth() int { return e.orUTF8().width }

// Unit is an ASCII character in the encoding.
func (e *Encoding) Unit(c byte) []byte {
	if !e.IsWide() {
		return []byte{c}
	}
	return e.appendUnit(nil, uint32(c))
}

// ToUTF8 is Decode without the report on invalid bytes.
func (e *Encoding) ToUTF8(b []byte) []byte { return e.toUTF8(nil, b) }

// toUTF8 is ToUTF8, which may write over old.
func (e *Encoding) toUTF8(old, b []byte) []byte {
	switch e = e.orUTF8(); e.form {
	case formUTF8:
		return decodeUTF8(b)
	case formByte:
		return e.decodeBytes(b)
	case formLegacy:
		text, _ := e.sequences().decode(make([]byte, 0, len(b)+len(b)/2), b, true)
		return text
	}
	text, _ := e.decodeUnicode(old, b, false)
	return text
}

// textPart is how many bytes Texts converts at a time.
const textPart = 256 << 10

// Texts yields ToUTF8 of b in parts, each of whole characters, so that a long text isn't in memory
// a second time. A part is valid until the next one. It is for all encodings except those that
// x/text decodes.
func (e *Encoding) Texts(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var text []byte
		for len(b) > textPart {
			n := e.Whole(b[:textPart])
			if text = e.toUTF8(text, b[:n]); !yield(text) {
				return
			}
			b = b[n:]
		}
		yield(e.toUTF8(text, b))
	}
}

// Lossy reports whether a U+FFFD in text replaces invalid bytes, so that text doesn't encode to the
// bytes it came from. text was decoded from the start of b.
func (e *Encoding) Lossy(text, b []byte) bool {
	for {
		i := bytes.Index(text, []byte(replacement))
		if i < 0 {
			return false
		}
		end := i + len(replacement)
		back, err := e.Encode(text[:end])
		if err != nil || !bytes.HasPrefix(b, back) {
			return true
		}
		text, b = text[end:], b[len(back):]
	}
}

func decodeUTF8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	text := make([]byte, 0, len(b)+len(b)/8+utf8.UTFMax)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		text = utf8.AppendRune(text, r)
		b = b[size:]
	}
	return text
}
