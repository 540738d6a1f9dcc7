package match

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// sourceText makes n bytes that look like source code: indented lines of some
// 40 bytes, a few thousand identifiers, and one "needleHere" in a million bytes.
func sourceText(n int) []byte {
	r := rand.New(rand.NewPCG(13, 14))
	syllables := []string{"get", "file", "err", "con", "text", "buf", "len", "re", "ad", "wri", "te", "node", "list", "ctx", "val", "str",
		"in", "dex"}
	words := make([]string, 3000)
	for i := range words {
		for range 1 + r.IntN(3) {
			words[i] += syllables[r.IntN(len(syllables))]
		}
	}
	shapes := []string{"\tif %s := %s(%s); %s != nil {\n", "\t\treturn %s.%s, %s(%s)\n", "func (%s *%s) %s(%s int) error {\n",
		"\t%s.%s = append(%s, %s)\n", "// %s says what the %s of a %s and %s is.\n", "}%.0s%.0s%.0s%.0s\n\n"}
	var b bytes.Buffer
	for b.Len() < n {
		word := func() string { return words[r.IntN(len(words))] }
		fmt.Fprintf(&b, shapes[r.IntN(len(shapes))], word(), word(), word(), word())
		if r.IntN(25_000) == 0 {
			b.WriteString("\tneedleHere(x)\n")
		}
	}
	return b.Bytes()[:n]
}

func BenchmarkSearch(b *testing.B) {
	text := sourceText(64 << 20)
	for _, c := range []struct{ name, flags, query string }{
		{"absent literal", "", "quixoticName"},
		{"rare literal", "", "needleHere"},
		{"frequent literal", "", "return"},
		{"absent (?i) literal", "i", "quixoticname"},
		{"frequent (?i) literal", "i", "RETURN"},
		{"frequent whole word", "w", "err"},
		{"alternation", "e", "needleHere|quixotic|zebra"},
		{"frequent alternation", "e", "return|append"},
		{"regex with rare literal", "e", `needle\w+\(`},
		{"regex with frequent literal", "e", `return \w+\.\w+[0-9]`},
		{"regex without literal", "e", `[a-z]+[0-9]{3}`},
		{"frequent regex without literal", "e", `[a-z]+\([a-z]+\)`},
		{"whole word regex", "ew", `ne+dle\w+`},
		{"multiline regex", "em", `needleHere\(x\)\n\tif`},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := compileOK(b, parseQuery(c.flags, c.query))
			var buf Buffers
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := m.Search(context.Background(), bytes.NewReader(text), int64(len(text)), LineOptions{CountOnly: true}, &buf,
					nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	long := bytes.ReplaceAll(text, []byte("\n"), []byte(" "))
	b.Run("absent literal in one long line", func(b *testing.B) {
		m := compileOK(b, Query{Text: "quixoticName"})
		var buf Buffers
		b.SetBytes(int64(len(long)))
		for b.Loop() {
			if _, err := m.Search(context.Background(), bytes.NewReader(long), int64(len(long)), LineOptions{}, &buf, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("small files", func(b *testing.B) {
		m := compileOK(b, Query{Text: "quixoticName"})
		var buf Buffers
		file := text[:8<<10]
		b.SetBytes(int64(len(file)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := m.Search(context.Background(), bytes.NewReader(file), int64(len(file)), LineOptions{}, &buf, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
