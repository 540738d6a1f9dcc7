package textio

import (
	"math/rand/v2"
	"testing"
)

// ScanNames skips strings quickly. It counts the same as a look at each byte.
func TestScanNames(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	pieces := []string{`"`, `\`, `\\`, `:`, `{`, `}`, `,`, `a`, `bcd`, ` `, `"a":`, `"x\"y":1`, `"\\":`}
	for range 20000 {
		text := ""
		for range r.IntN(14) {
			text += pieces[r.IntN(len(pieces))]
		}
		members, long := ScanNames([]byte(text), 3, 4)
		wantMembers, wantLong := scanEachByte([]byte(text), 3, 4)
		if members != wantMembers || string(long) != string(wantLong) {
			t.Fatalf("%s: %d %q, want %d %q", text, members, long, wantMembers, wantLong)
		}
	}
}

func scanEachByte(text []byte, most, longest int) (members int, long []byte) {
	inString, start, end := false, 0, 0
	for i := 0; i < len(text) && members <= most; i++ {
		switch c := text[i]; {
		case c == '"' && inString:
			inString, end = false, i
		case c == '"':
			inString, start = true, i+1
		case c == '\\' && inString:
			i++
		case c == ':' && !inString:
			members++
			if long == nil && end-start > longest {
				long = text[start:end]
			}
		}
	}
	return members, long
}
