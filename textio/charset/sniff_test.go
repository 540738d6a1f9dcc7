package charset

import (
	"bytes"
	"strings"
	"testing"
)

var sniffTests = []struct {
	name, head string
	want       string // media type, and for text encoding and BOM
}{
	{"empty", "", "text/plain utf-8 0"},
	{"ascii", "package main\n", "text/plain utf-8 0"},
	{"latin1", "caf\xe9\n", "text/plain utf-8 0"},
	{"bom utf-8", "\xef\xbb\xbfa", "text/plain utf-8 3"},
	{"bom utf-8, then nul", "\xef\xbb\xbfa\x00", "application/octet-stream"},
	{"bom utf-16le", "\xff\xfea\x00", "text/plain utf-16le 2"},
	{"bom utf-16be", "\xfe\xff\x00a", "text/plain utf-16be 2"},
	{"bom utf-32le", "\xff\xfe\x00\x00a\x00\x00\x00", "text/plain utf-32le 4"},
	{"bom utf-32be", "\x00\x00\xfe\xff\x00\x00\x00a", "text/plain utf-32be 4"},
	{"utf-16 without bom", "a\x00b\x00", "application/octet-stream"},
	{"nul", "abc\x00", "application/octet-stream"},
	{"nul at the last byte", strings.Repeat("a", SniffLen-1) + "\x00", "application/octet-stream"},
	{"nul behind", strings.Repeat("a", SniffLen) + "\x00", "text/plain utf-8 0"},
	{"png", "\x89PNG\r\n\x1a\n", "image/png"},
	{"jpeg", "\xff\xd8\xff\xe0", "image/jpeg"},
	{"gif", "GIF89a\x01\x00\x01\x00\x80", "image/gif"},
	{"gif in words", "GIF89a is a format\n", "text/plain utf-8 0"},
	{"webp", "RIFF\x10\x00\x00\x00WEBPVP8 ", "image/webp"},
	{"wav", "RIFF\x10\x00\x00\x00WAVEfmt ", "audio/wav"},
	{"riff in words", "RIFF and WAVE\n", "text/plain utf-8 0"},
	{"bmp", "BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00", "image/bmp"},
	{"bm in words", "BM = benchmark\n", "text/plain utf-8 0"},
	{"ico", "\x00\x00\x01\x00\x01\x00\x10\x10\x00\x00", "image/x-icon"},
	{"tiff", "II*\x00\x08\x00", "image/tiff"},
	{"pdf", "%PDF-1.7\n", "application/pdf"},
	{"pdf in words", "%PDF-files are\n", "text/plain utf-8 0"},
	{"zip", "PK\x03\x04\x14", "application/zip"},
	{"pk in words", "PK := key\n", "text/plain utf-8 0"},
	{"gzip", "\x1f\x8b\x08\x00", "application/gzip"},
	{"bzip2", "BZh91AY&SY\x01\x02", "application/x-bzip2"},
	{"bzh in words", "BZh91AY&SY is how bzip2 begins\n", "text/plain utf-8 0"},
	{"xz", "\xfd7zXZ\x00\x00", "application/x-xz"},
	{"zstd", "\x28\xb5\x2f\xfd\x04", "application/zstd"},
	{"7z", "7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"},
	{"rar", "Rar!\x1a\x07\x01", "application/vnd.rar"},
	{"tar", "name" + strings.Repeat("\x00", 253) + "ustar\x0000", "application/x-tar"},
	{"ar", "!<arch>\ndebian-binary", "application/x-archive"},
	{"elf", "\x7fELF\x02\x01", "application/x-elf"},
	{"mach-o", "\xcf\xfa\xed\xfe\x07", "application/x-mach-binary"},
	{"mach-o universal", "\xca\xfe\xba\xbe\x00\x00\x00\x02", "application/x-mach-binary"},
	{"class", "\xca\xfe\xba\xbe\x00\x00\x00\x34", "application/java-vm"},
	{"exe", "MZ\x90\x00" + strings.Repeat("\x00", 60), "application/vnd.microsoft.portable-executable"},
	{"mz in words", "MZ" + strings.Repeat("x", 100), "text/plain utf-8 0"},
	{"wasm", "\x00asm\x01\x00\x00\x00", "application/wasm"},
	{"sqlite", "SQLite format 3\x00", "application/vnd.sqlite3"},
	{"id3", "ID3\x04\x00\x00\x00\x00\x0f\x76", "audio/mpeg"},
	{"id3 in words", "ID3 tags are here\n", "text/plain utf-8 0"},
	{"mp3", "\xff\xfb\x90\x44\x00", "audio/mpeg"},
	{"mp3 sync in latin1", "\xff\xfb\x90\x44 abc", "text/plain utf-8 0"},
	{"ogg", "OggS\x00\x02", "audio/ogg"},
	{"flac", "fLaC\x00\x00\x00\x22", "audio/flac"},
	{"mp4", "\x00\x00\x00\x18ftypisom", "video/mp4"},
	{"woff2", "wOF2\x00\x01\x00\x00", "font/woff2"},
	{"woff in words", "wOFF is a format", "text/plain utf-8 0"},
	{"terminal colours", "\x1b[31mred\x1b[0m\b\f\n", "text/plain utf-8 0"},
}

func TestSniff(t *testing.T) {
	for _, test := range sniffTests {
		head := Sniff([]byte(test.head))
		got := head.MediaType
		if head.Encoding != nil {
			got += " " + head.Encoding.Name() + " " + string(rune('0'+head.BOM))
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if head.Binary != (head.Encoding == nil) {
			t.Errorf("%s: Binary %v with encoding %v", test.name, head.Binary, head.Encoding)
		}
	}
}

// Each signature, alone and with the bytes it wants elsewhere, must be found by
// the table test: a row that nothing can reach is a mistake.
func TestEverySignatureCanMatch(t *testing.T) {
	for _, s := range signatures {
		if s.sure != nil {
			continue
		}
		head := bytes.Repeat([]byte{2}, 300)
		copy(head[s.at:], s.magic)
		copy(head[s.at2:], s.magic2)
		if media, ok := sniffSignature(head); !ok || media != s.media {
			t.Errorf("%q gives %q, want %q", s.magic, media, s.media)
		}
	}
}

func FuzzSniff(f *testing.F) {
	for _, test := range sniffTests {
		f.Add([]byte(test.head))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		head := Sniff(b)
		if head.Binary != (head.Encoding == nil) || head.MediaType == "" {
			t.Fatalf("inconsistent: %+v", head)
		}
		if !head.Binary && head.Encoding.UnitWidth() == 1 && bytes.IndexByte(b[:min(len(b), SniffLen)], 0) >= 0 {
			t.Fatal("text with a NUL")
		}
	})
}

// TestUnmarked holds that UTF-16 without its mark is told from binary data.
func TestUnmarked(t *testing.T) {
	for head, want := range map[string]string{
		"o\x00n\x00e\x00\n\x00": "utf-16le", "\x00o\x00n\x00e\x00\n": "utf-16be", "o\x00n\x00e": "utf-16le",
		"\x3f\x04\x40\x04\x38\x04 \x00\x3c\x04\n\x00": "utf-16le", "a\x00\xe9\x00": "utf-16le",
		"ab\x00\x00": "", "a\x00\x01\x00": "", "\x00\x00\x00\x01": "", "a\x00\x00\x00b\x00\x00\x00": "", "\x00\xd8a\x00": "",
		"\xff\xfea\x00": "", "text": "", "\x7fELF\x02\x00": "", "\x00": "",
	} {
		if got := Sniff([]byte(head)).Unmarked; got == nil && want != "" || got != nil && got.Name() != want {
			t.Errorf("%q: %v, want %q", head, got, want)
		}
	}
	long := append(bytes.Repeat([]byte("a\x00"), SniffLen/2-1), "\x3d\xd8\x00\xde"...) // cut within a pair
	if got := Sniff(long).Unmarked; got == nil {
		t.Error("a head that ends within a character")
	}
}
