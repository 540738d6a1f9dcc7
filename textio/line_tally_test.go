package textio

import (
	"bytes"
	"testing"
)

// However a text is cut into blocks, its tally is the same.
func TestLineTallyInBlocks(t *testing.T) {
	for _, name := range []string{"utf-8", "utf-16le", "utf-32be"} {
		e := encoded(t, name)
		for _, text := range append(pageFiles, "a\r\nb\r\n\r\nc\n", "a\n\r", "\u0a0d\r\n\u0d0a\n") {
			raw, err := e.Encode(bytes.ToValidUTF8([]byte(text), nil))
			if err != nil {
				t.Fatal(err)
			}
			whole := NewLineTally(e)
			whole.Write(raw)
			for cut := 0; cut <= len(raw); cut += e.UnitWidth() {
				tally := NewLineTally(e)
				tally.Write(raw[:cut])
				tally.Write(raw[cut:])
				if tally.Lines() != whole.Lines() || tally.crlf != whole.crlf || tally.eol() != whole.eol() || tally.final != whole.final {
					t.Errorf("%s %.40q cut at %d: %+v, want %+v", name, text, cut, tally, whole)
				}
			}
		}
	}
}
