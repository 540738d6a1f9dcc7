package textio

import (
	"slices"
	"strings"
	"testing"
)

func TestShow(t *testing.T) {
	const bytesShown = "the bytes of its new text read as ASCII in places, and are shown after it"
	long := "\xff\xfe" + strings.Repeat("a\x00\n\x00", 100)
	for name, tt := range map[string]struct {
		c        Contents
		encoding string
		diff     string // without its first two lines
		words    []string
	}{
		"text": {c: Contents{Old: []byte("a\n"), New: []byte("b\n")}, diff: "@@ -1,1 +1,1 @@\n-a\n+b\n"},
		"a comment that a byte ends": {c: Contents{New: []byte("\xff\xfe#\x00\x85\x0ar\x00"), Created: true},
			diff: "@@ -0,0 +1,1 @@\n+#\u0a85r\n\\ No newline at end of file\n--- /dev/null\n+++ b/f (bytes)\t\n@@ -0,0 +1,2 @@\n" +
				"+\xff\xfe#\x00\x85\n+r\x00\n\\ No newline at end of file\n",
			words: []string{"the encoding is utf-16le", "it gets a byte order mark", bytesShown}},
		"no byte is ASCII": {c: Contents{New: []byte("\xff\xfe\xe9\x00"), Created: true},
			diff:  "@@ -0,0 +1,1 @@\n+é\n\\ No newline at end of file\n",
			words: []string{"the encoding is utf-16le", "it gets a byte order mark"}},
		"the same text, ASCII in its bytes": {c: Contents{Old: []byte("捥\n"), New: []byte("\xff\xfeec\n\x00")},
			diff:  "@@ -1,1 +1,2 @@\n-捥\n+\xff\xfeec\n+\x00\n\\ No newline at end of file\n",
			words: []string{"the encoding changes from utf-8 to utf-16le", "it gets a byte order mark", bytesShown}},
		"half a character": {c: Contents{New: []byte("\xff\xfea"), Created: true},
			diff:  "@@ -0,0 +1,1 @@\n+\xff\xfea\n\\ No newline at end of file\n",
			words: []string{"the encoding is binary"}},
		"the end of a long file": {c: Contents{Head: []byte(long), Old: []byte("a\x00\n\x00"), New: []byte("a\x00\n\x00b\x00")},
			diff:  "@@ -1,1 +1,2 @@\n a\n+b\n\\ No newline at end of file\n",
			words: []string{"the last line has no line end any more"}},
		"what was there is too long": {c: Contents{Old: []byte("a\n"), New: []byte("b\n"), Partial: true}, diff: "@@ -0,0 +1,1 @@\n+b\n"},
		"too long, and now UTF-16": {c: Contents{Old: []byte("a\n"), New: []byte("\xff\xfe\xe9\x00\n\x00"), Partial: true},
			diff: "@@ -0,0 +1,1 @@\n+é\n", words: []string{"the encoding is utf-16le", "it gets a byte order mark"}},
		"named": {c: Contents{New: []byte("\xe9\n"), Created: true}, encoding: "windows-1252", diff: "@@ -0,0 +1,1 @@\n+\xe9\n",
			words: []string{"the encoding is unknown-8bit",
				"the request encodes its text as windows-1252, but the file is read as unknown-8bit"}},
		"the same text": {c: Contents{Old: []byte("a\r\n"), New: []byte("\xfe\xff\x00a\x00\n")}, diff: "@@ -1,1 +1,1 @@\n-a\r\n+a\n",
			words: []string{"the encoding changes from utf-8 to utf-16be", "it gets a byte order mark", "the line ends change from crlf to lf"}},
	} {
		tt.c.Path = "f"
		d, words := tt.c.Show(tt.encoding, 100)
		_, rest, _ := strings.Cut(d.Text, "\n")
		if _, rest, _ = strings.Cut(rest, "\n"); rest != tt.diff || d.Truncated != tt.c.Partial || !slices.Equal(words, tt.words) {
			t.Errorf("%s: %q, %v, %q", name, rest, d.Truncated, words)
		}
	}
}
