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

// anchored is a text as a page with anchors shows it. In a long file each ID is that of the line
// alone.
func anchored(text string, long bool) string {
	lines := anchor.Context{}
	if !long {
		lines.Counts = anchor.Count(anchor.Whole([]byte(text)))
	}
	var out []byte
	number := int64(0)
	for line := range strings.Lines(text) {
		number++
		out = anchor.Anchor{Line: number, ID: lines.ID(anchor.Of([]byte(line)))}.Append(out)
		out = append(append(out, "→"...), strings.ReplaceAll(line, "\r\n", "\n")...)
	}
	return string(out)
}

// TestPageAnchors reads random files page by page, from memory and in blocks, in UTF-8 and UTF-16.
func TestPageAnchors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	wide, _ := charset.Lookup("utf-16le")
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	for range rounds {
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
		want, wantLong := anchored(text.String(), false), anchored(text.String(), true)
		got, gotLong, at := "", "", Position{Offset: int64(req.BOM), Line: 1}
		for more := true; more; {
			req.From = &at
			page, err := ReadPage(context.Background(), Whole(file), int64(len(file)), req)
			if err != nil {
				break // at the end of an empty file
			}
			other, err := ReadPage(context.Background(), bytes.NewReader(file), int64(len(file)), req)
			if err != nil || !bytes.Equal(other.Content, page.Content) {
				t.Fatalf("in blocks: %q %v, want %q", other.Content, err, page.Content)
			}
			blocks := req
			blocks.CountLimit = 0
			if other, err = ReadPage(context.Background(), bytes.NewReader(file), int64(len(file)), blocks); err != nil {
				t.Fatal(err)
			}
			gotLong += string(other.Content)
			got += string(page.Content)
			if more = page.Next != nil; more {
				at = *page.Next
			}
		}
		if got != want || gotLong != wantLong {
			t.Fatalf("%q: %q and %q, want %q and %q", text.String(), got, gotLong, want, wantLong)
		}
	}
}

// The ID of a line that is cut on the page, or longer than what is read of it at once, is that of
// all of it.
func TestPageAnchorsOfLongLines(t *testing.T) {
	for _, line := range []string{strings.Repeat("é-", 300_000), strings.Repeat("- ", 400_000) + "end", strings.Repeat(" ", 700_000)} {
		text := line + "\r\n}\n"
		want := anchored(text, false)
		for _, source := range []interface {
			ReadAt([]byte, int64) (int, error)
		}{Whole(text), strings.NewReader(text)} {
			page, err := ReadPage(context.Background(), source, int64(len(text)), PageRequest{Anchors: true, StartLine: 1, MaxLines: 9,
				MaxBytes: 1000, MaxLineChars: 5, CountLimit: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(string(page.Content), "\n")
			if lines[0][:5] != want[:5] || lines[1] != want[len(want)-len(lines[1]):] {
				t.Errorf("%q, want %q… and %q", page.Content, want[:5], want[len(want)-8:])
			}
		}
	}
}
