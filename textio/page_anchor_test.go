package textio

import (
	"bytes"
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"fsbox/textio/anchor"
	"fsbox/textio/charset"
)

// anchored is a text as a page with anchors shows it.
func anchored(text string) string {
	var near anchor.Hash
	var out []byte
	number := int64(0)
	for line := range strings.Lines(text) {
		number++
		h := anchor.Of([]byte(line))
		out = anchor.Anchor{Line: number, ID: h.ID(near)}.Append(out)
		out = append(append(out, "→"...), strings.ReplaceAll(line, "\r\n", "\n")...)
		if h.HasText() {
			near = h
		}
	}
	return string(out)
}

// TestPageAnchors reads random files page by page, from memory and in blocks, in UTF-8 and UTF-16.
func TestPageAnchors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	wide, _ := charset.Lookup("utf-16le")
	for range 300 {
		var text strings.Builder
		for range r.IntN(30) {
			text.WriteString([]string{"\n", "}\n", "  \r\n", "alpha\n", "béta\r\n", "ab\n", strings.Repeat("- ", 40) + "\n"}[r.IntN(7)])
		}
		text.WriteString([]string{"", "x"}[r.IntN(2)])
		file, req := []byte(text.String()), PageRequest{Anchors: true, MaxLines: 1 + r.IntN(6), MaxBytes: 1 << 20, CountLimit: 1 << 20}
		if r.IntN(2) == 0 {
			encoded, err := wide.Encode(file)
			if err != nil {
				t.Fatal(err)
			}
			file, req.Encoding, req.BOM = append(wide.BOM(), encoded...), wide, 2
		}
		want := anchored(text.String())
		got, at := "", Position{Offset: int64(req.BOM), Line: 1}
		for more := true; more; {
			req.From = &at
			page, err := ReadPage(context.Background(), Whole(file), int64(len(file)), req)
			if err != nil {
				break // at the end of an empty file
			}
			blocks := req
			blocks.CountLimit = 0
			other, err := ReadPage(context.Background(), bytes.NewReader(file), int64(len(file)), blocks)
			if err != nil || !bytes.Equal(other.Content, page.Content) {
				t.Fatalf("in blocks: %q %v, want %q", other.Content, err, page.Content)
			}
			got += string(page.Content)
			if more = page.Next != nil; more {
				at = *page.Next
			}
		}
		if got != want {
			t.Fatalf("%q: %q, want %q", text.String(), got, want)
		}
	}
}

// The ID of a line that is cut on the page, or longer than what is read of it at once, is that of
// all of it.
func TestPageAnchorsOfLongLines(t *testing.T) {
	for _, line := range []string{strings.Repeat("é-", 300_000), strings.Repeat("- ", 400_000) + "end", strings.Repeat(" ", 700_000)} {
		text := line + "\r\n}\n"
		want := anchored(text)
		for _, source := range []interface {
			ReadAt([]byte, int64) (int, error)
		}{Whole(text), strings.NewReader(text)} {
			page, err := ReadPage(context.Background(), source, int64(len(text)), PageRequest{Anchors: true, StartLine: 1, MaxLines: 9,
				MaxBytes: 1000, MaxLineChars: 5})
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(string(page.Content), "\n")
			if lines[0][:4] != want[:4] || lines[1] != want[len(want)-len(lines[1]):] {
				t.Errorf("%q, want %q… and %q", page.Content, want[:4], want[len(want)-8:])
			}
		}
	}
}
