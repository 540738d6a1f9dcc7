package textio

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"fsbox/textio/charset"
	"fsbox/textio/diff"
)

// What mode append tells of a file must be what a look at the whole file says: of one that is known
// by its ends only, all but the diff's text.
func TestAdditionAgainstWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(1, 2))
	random := func(parts int) string {
		alphabet := [...]string{"a", "b", "é", "\n", "\r\n", "\r", "\n\n"}
		var text string
		for range r.IntN(parts + 1) {
			text += alphabet[r.IntN(len(alphabet))]
		}
		return text
	}
	cut := 0
	for range 20_000 {
		old, content := random(12), random(4)
		edges := Edges{Size: int64(len(old)), Head: []byte(old), Tail: []byte(old)}
		if n := r.IntN(len(old) + 1); strings.Contains(old[len(old)-n:], "\n") && r.IntN(2) == 0 {
			edges.Head, edges.Tail = edges.Head[:n], edges.Tail[len(old)-n:]
		}
		add, err := Add([]byte(content), edges, Want{EOL: [...]string{"auto", "verbatim", "lf", "crlf"}[r.IntN(4)]}, false)
		if err != nil {
			t.Fatal(err)
		}
		whole := diff.Unified("f", []byte(old), []byte(old+string(add.Data)), false, 200)
		got := add.Diff("f", false, 200)
		if !add.isWhole() {
			cut++
			whole.Text, whole.Truncated = "", true
		}
		if got != whole {
			t.Fatalf("%q + %q, ends %d: got %+v, want %+v", old, add.Data, len(edges.Tail), got, whole)
		}
		if encoding, eol := add.Describe(); encoding != "utf-8" && encoding != unknown8bit ||
			add.isWhole() && eol != EOL([]byte(old+string(add.Data)), nil) {
			t.Fatalf("%q + %q: %s, %s", old, add.Data, encoding, eol)
		}
	}
	if cut < 1000 {
		t.Errorf("only %d files were known by their ends", cut)
	}
}

// Bytes are added as they are, to any file, and are judged together with what is there.
func TestAddBytes(t *testing.T) {
	for _, tt := range []struct {
		old, content  string
		encoding, eol string
		diff          string
	}{
		{"", "a\n", "utf-8", "lf", "--- a/f\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n"},
		{"a\r\n", "\ufeffb\n", "utf-8", "mixed", "--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n a\r\n+\ufeffb\n"},
		{"a\n", "\xff", "unknown-8bit", "lf", "--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n a\n+\xff\n\\ No newline at end of file\n"},
		{"a\n", "\x00", "binary", "none", ""},
		{"\x00", "a\n", "binary", "none", ""},
		{"\xff\xfea\x00", "\x00", "utf-16le", "none", ""},
	} {
		add, err := Add([]byte(tt.content), Edges{Size: int64(len(tt.old)), Head: []byte(tt.old), Tail: []byte(tt.old)},
			Want{EOL: "auto", Bytes: true}, false)
		if err != nil || string(add.Data) != tt.content || add.Joined || add.Mixed || add.ToCR || add.Elision.Line > 0 {
			t.Fatalf("%q + %q: %+v, %v", tt.old, tt.content, add, err)
		}
		if encoding, eol := add.Describe(); encoding != tt.encoding || eol != tt.eol {
			t.Errorf("%q + %q: %s, %s; want %s, %s", tt.old, tt.content, encoding, eol, tt.encoding, tt.eol)
		}
		if d := add.Diff("f", false, 200); d.Text != tt.diff || d.Truncated != (tt.diff == "") {
			t.Errorf("%q + %q: %q", tt.old, tt.content, d.Text)
		}
	}
}

// Text is added in the encoding in which the file is, or may be.
func TestAddOtherEncoding(t *testing.T) {
	long := strings.Repeat("a", 100)
	for _, tt := range []struct {
		old, head, tail, encoding string
		ok                        bool
	}{
		{old: "", encoding: "utf-16le", ok: true},
		{old: "a", encoding: "utf-16le"},
		{old: "\xff\xfea\x00", encoding: "utf-16le", ok: true},
		{old: "\xff\xfea\x00", encoding: "windows-1252"},
		{old: "a\x00", encoding: "utf-16le", ok: true},
		{old: "\xe9", encoding: "utf-16le"},
		{old: "\xe9", encoding: "koi8-r", ok: true},
		{old: "é", encoding: "utf-8", ok: true},
		{old: "é", encoding: "gb18030"},
		{old: long + "é" + long, head: long + "\xc3", tail: "\xa9" + long, encoding: "gbk", ok: true},
		{old: "é" + long + long, head: "é", tail: long, encoding: "gbk"},
		{old: long + long + "é", head: long, tail: "é", encoding: "gbk"},
	} {
		e, ok := charset.Lookup(tt.encoding)
		if tt.head == "" {
			tt.head, tt.tail = tt.old, tt.old
		}
		edges := Edges{Size: int64(len(tt.old)), Head: []byte(tt.head), Tail: []byte(tt.tail)}
		_, err := Add([]byte("x"), edges, Want{EOL: "auto", Encoding: e}, false)
		if _, other := errors.AsType[*OtherEncodingError](err); !ok || other == tt.ok || err != nil && !other {
			t.Errorf("%q, %s: %v", tt.old, tt.encoding, err)
		}
	}
}
