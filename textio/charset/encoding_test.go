package charset

import (
	"bytes"
	"errors"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func encodingNamed(t testing.TB, label string) *Encoding {
	t.Helper()
	e, ok := Lookup(label)
	if !ok {
		t.Fatalf("no encoding %q", label)
	}
	return e
}

// encodingNames are the names of all encodings there are.
var encodingNames = []string{
	"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be",
	"windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255",
	"windows-1256", "windows-1257", "windows-1258", "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr",
	"iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-8-i",
	"iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "ibm866", "koi8-r", "koi8-u", "macintosh",
	"x-mac-cyrillic", "x-user-defined",
}

func TestLookupEncoding(t *testing.T) {
	for _, name := range encodingNames {
		if got := encodingNamed(t, name).Name(); got != name {
			t.Errorf("%q is called %q", name, got)
		}
	}
	for label, want := range map[string]string{
		" UTF8\n": "utf-8", "UTF-16": "utf-16le", "utf-32": "utf-32le", "latin1": "windows-1252", "ISO-8859-1": "windows-1252",
		"us-ascii": "windows-1252", "gb2312": "gbk", "SJIS": "shift_jis", "cp1251": "windows-1251", "koi8": "koi8-r",
		"big5-hkscs": "big5", "ks_c_5601-1987": "euc-kr", "latin5": "windows-1254", "cp866": "ibm866", "latin-1": "windows-1252",
		"utf16le": "utf-16le", "UTF_8": "utf-8", "utf16": "utf-16le",
		"euc_jp": "euc-jp",
	} {
		if got := encodingNamed(t, label).Name(); got != want {
			t.Errorf("%q is %q, want %q", label, got, want)
		}
	}
	for _, label := range []string{"", "utf", "utf-7", "replacement", "iso-2022-kr", "utf-8\x00", "cp437"} {
		if e, ok := Lookup(label); ok {
			t.Errorf("%q is %q, want none", label, e.Name())
		}
	}
}

func TestUnits(t *testing.T) {
	for name, want := range map[string][2]string{
		"utf-8":    {"\n", "\xef\xbb\xbf"},
		"utf-16le": {"\n\x00", "\xff\xfe"},
		"utf-16be": {"\x00\n", "\xfe\xff"},
		"utf-32le": {"\n\x00\x00\x00", "\xff\xfe\x00\x00"},
		"utf-32be": {"\x00\x00\x00\n", "\x00\x00\xfe\xff"},
		"gb18030":  {"\n", ""},
		"latin1":   {"\n", ""},
	} {
		e := encodingNamed(t, name)
		if string(e.Unit('\n')) != want[0] || string(e.BOM()) != want[1] {
			t.Errorf("%s: newline %q, BOM %q", name, e.Unit('\n'), e.BOM())
		}
	}
	var none *Encoding
	if none.Name() != "utf-8" || string(none.BOM()) != "\xef\xbb\xbf" || string(none.Unit('\n')) != "\n" {
		t.Error("nil is not UTF-8")
	}
}

var decodeTests = []struct {
	encoding, bytes, text string
	invalid               bool
}{
	{"utf-8", "", "", false},
	{"utf-8", "aé漢😀", "aé漢😀", false},
	{"utf-8", "\uFFFD", "\uFFFD", false},
	{"utf-8", "caf\xe9!", "caf\uFFFD!", true},
	{"utf-8", "\xf0\x9f\x98", "\uFFFD\uFFFD\uFFFD", true},
	{"utf-8", "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD", true},
	{"utf-16le", "a\x00\xe9\x00\x3d\xd8\x00\xde", "aé😀", false},
	{"utf-16be", "\x00a\x00\xe9\xd8\x3d\xde\x00", "aé😀", false},
	{"utf-16le", "\xfd\xff", "\uFFFD", false},
	{"utf-16le", "\x3d\xd8a\x00", "\uFFFDa", true},
	{"utf-16le", "\x00\xdea\x00", "\uFFFDa", true},
	{"utf-16le", "\x3d\xd8\x3d\xd8\x00\xde", "\uFFFD😀", true},
	{"utf-16le", "\x3d\xd8", "\uFFFD", true},
	{"utf-16le", "\x3d\xd8\x00", "\uFFFD\uFFFD", true},
	{"utf-16le", "a\x00b", "a\uFFFD", true},
	{"utf-16le", "a\x00b\x00c\x00d\x00e\x00\xe9\x00f\x00", "abcdeéf", false},
	{"utf-16be", "\x00a\x00b\x00c\x00d\x00e\x00\xe9\x00f", "abcdeéf", false},
	{"utf-16be", "\xfe\xff\x00a", "\uFEFFa", false}, // a BOM is the caller's
	{"utf-32le", "a\x00\x00\x00b\x00\x00\x00\x00\xf6\x01\x00", "ab😀", false},
	{"utf-32be", "\x00\x00\x00a\x00\x00\x00b\x00\x01\xf6\x00", "ab😀", false},
	{"utf-32le", "\x00\x00\x11\x00", "\uFFFD", true},
	{"utf-32le", "\xff\xff\xff\xffa\x00\x00\x00", "\uFFFDa", true},
	{"utf-32le", "\x00\xd8\x00\x00", "\uFFFD", true},
	{"utf-32le", "a\x00\x00\x00b\x00", "a\uFFFD", true},
	{"windows-1252", "caf\xe9 \x80", "café €", false},
	{"windows-1252", "\x81", "\u0081", false},
	{"windows-1253", "\xd2", "\uFFFD", true},
	{"iso-8859-2", "\x85\xb1", "\u0085ą", false},
	{"koi8-r", "\xf0\xd2", "Пр", false},
	{"gbk", "\xc4\xe3\xba\xc3", "你好", false},
	{"gbk", "\xc4", "\uFFFD", true},
	{"gb18030", "\x84\x31\xa4\x37", "\uFFFD", false},
	{"gb18030", "\x94\x39\xfc\x36", "😀", false},
	{"shift_jis", "\x93\xfa\x96\x7b", "日本", false},
	{"shift_jis", "\x93\xfa\x93", "日\uFFFD", true},
	{"euc-jp", "\xc6\xfc", "日", false},
	{"big5", "\xa7\x41", "你", false},
	{"euc-kr", "\xb0\xa1", "가", false},
}

func TestDecode(t *testing.T) {
	for _, test := range decodeTests {
		e := encodingNamed(t, test.encoding)
		text, invalid := e.Decode([]byte(test.bytes))
		if string(text) != test.text || invalid != test.invalid {
			t.Errorf("%s %q: got %q, %v, want %q, %v", test.encoding, test.bytes, text, invalid, test.text, test.invalid)
		}
		if test.invalid {
			continue
		}
		if back, err := e.Encode(text); err != nil || string(back) != test.bytes {
			t.Errorf("%s %q: encodes as %q, %v", test.encoding, test.text, back, err)
		}
	}
}

func TestDecodeValidUTF8DoesNotCopy(t *testing.T) {
	b := []byte("aé漢")
	if text, _ := encodingNamed(t, "utf-8").Decode(b); &text[0] != &b[0] {
		t.Error("valid text was copied")
	}
}

func TestEncodeLacks(t *testing.T) {
	for _, test := range []struct {
		encoding, text string
		want           UnencodableError
	}{
		{"windows-1252", "a漢b", UnencodableError{Rune: '漢', Offset: 1}},
		{"windows-1252", "é\u0301", UnencodableError{Rune: '\u0301', Offset: 2}},
		{"gbk", "你好😀", UnencodableError{Rune: '😀', Offset: 6}},
		{"shift_jis", "日本é", UnencodableError{Rune: 'é', Offset: 6}},
		{"shift_jis", "100¥", UnencodableError{Rune: '¥', Offset: 3}}, // never as "\\"
		{"windows-1252", "a\xffb", UnencodableError{Rune: utf8.RuneError, Offset: 1, Invalid: true}},
		{"gb18030", "a\xffb", UnencodableError{Rune: utf8.RuneError, Offset: 1, Invalid: true}},
		{"utf-16le", "ab\xff", UnencodableError{Rune: utf8.RuneError, Offset: 2, Invalid: true}},
		{"utf-16le", "\xed\xa0\x80", UnencodableError{Rune: utf8.RuneError, Offset: 0, Invalid: true}},
		{"utf-32be", "a\xe9", UnencodableError{Rune: utf8.RuneError, Offset: 1, Invalid: true}},
	} {
		_, err := encodingNamed(t, test.encoding).Encode([]byte(test.text))
		test.want.Encoding = test.encoding
		var lacks *UnencodableError
		if !errors.As(err, &lacks) || *lacks != test.want {
			t.Errorf("%s %q: got %v, want %v", test.encoding, test.text, err, &test.want)
		}
	}
	if b, err := encodingNamed(t, "utf-8").Encode([]byte("a\xff")); err != nil || string(b) != "a\xff" {
		t.Errorf("utf-8 doesn't pass through: %q, %v", b, err)
	}
}

// Every code point either comes back as it was or is refused.
func TestEveryCodePoint(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, name := range encodingNames {
		e, refused := encodingNamed(t, name), 0
		for r := rune(0); r <= utf8.MaxRune; r++ {
			if utf16.IsSurrogate(r) || r > 0x30000 && r&0xff != 0x42 || !*sweep && r > 0x3000 && r%7 != 0 {
				continue // the upper planes are regular
			}
			text := utf8.AppendRune(nil, r)
			b, err := e.Encode(text)
			if err != nil {
				refused++
				continue
			}
			if back, invalid := e.Decode(b); invalid || !bytes.Equal(back, text) {
				t.Fatalf("%s: %U became %q, then %q", name, r, b, back)
			}
		}
		// gb18030 lacks private characters only, of which there are 6400 here.
		if whole := e.form < formByte; whole && refused > 0 || name == "gb18030" && refused > 6400 {
			t.Errorf("%s refuses %d code points", name, refused)
		}
	}
}

func TestLossless(t *testing.T) {
	for _, test := range []struct {
		encoding, bytes string
		ok              bool
	}{
		{"utf-8", "caf\xe9", true},
		{"utf-16le", "a\x00\x3d\xd8\x00\xde", true},
		{"utf-16le", "\x3d\xd8a\x00\x00\xdeb\x00", true},
		{"utf-16be", "\xd8\x3d\x00a\xde\x00", true},
		{"utf-16be", "\xdb\xff\xdb\xff\xdf\xff\xdf\xff", true},
		{"utf-16le", "a\x00b", false},
		{"utf-32le", "\x3d\xd8\x00\x00\x00\xde\x00\x00", true}, // a pair, in the form that has none
		{"utf-32le", "\x00\x00\x11\x00", false},
		{"windows-1252", "caf\xe9\x81", true},
		{"windows-1253", "\xd2", false},
		{"gbk", "\xc4\xe3", true},
		{"gbk", "\xc4", false},
	} {
		e := encodingNamed(t, test.encoding)
		text, ok := e.DecodeLossless([]byte(test.bytes))
		if ok != test.ok {
			t.Errorf("%s %q: ok is %v", test.encoding, test.bytes, ok)
		}
		if back, err := e.AppendLossless(nil, text); ok && (err != nil || string(back) != test.bytes) {
			t.Errorf("%s %q: comes back as %q, %v", test.encoding, test.bytes, back, err)
		}
	}
}

func TestLosslessJoinsNewPairs(t *testing.T) {
	e := encodingNamed(t, "utf-16le")
	if b, err := e.AppendLossless(nil, []byte("\xed\xa0\xbd\xed\xb8\x80")); err != nil || string(b) != "\x3d\xd8\x00\xde" {
		t.Errorf("got %q, %v", b, err)
	}
	if _, err := e.AppendLossless(nil, []byte("a\xed\xa0")); err == nil {
		t.Error("half a surrogate was taken")
	}
}

func FuzzEncoding(f *testing.F) {
	for _, test := range decodeTests {
		f.Add(test.encoding, []byte(test.bytes))
	}
	f.Fuzz(func(t *testing.T, label string, b []byte) {
		e, ok := Lookup(label)
		if !ok {
			t.Skip()
		}
		text, invalid := e.Decode(b)
		if !utf8.Valid(text) {
			t.Fatalf("%q is not UTF-8", text)
		}
		if invalid && !bytes.Contains(text, []byte("\uFFFD")) {
			t.Fatal("invalid, but nothing was replaced")
		}
		if lossless, ok := e.DecodeLossless(b); ok {
			if back, err := e.AppendLossless(nil, lossless); err != nil || !bytes.Equal(back, b) {
				t.Fatalf("comes back as %q, %v", back, err)
			}
		}
		if out, err := e.Encode(b); err == nil && utf8.Valid(b) {
			if back, invalid := e.Decode(out); invalid || !bytes.Equal(back, b) {
				t.Fatalf("%q encodes as %q, which is %q", b, out, back)
			}
		}
	})
}

func BenchmarkDecodeUTF16(b *testing.B) {
	for name, text := range map[string]string{"ascii": "hello, world: a line of text\n", "cjk": "漢字とかなの文字列です。\n"} {
		e := encodingNamed(b, "utf-16le")
		raw, err := e.Encode(bytes.Repeat([]byte(text), 10000))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				e.Decode(raw)
			}
		})
	}
}
