package literal

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestShapesAreFound compares the search for lines of some shapes with the plain way to look at
// each line.
func TestShapesAreFound(t *testing.T) {
	if !hasAVX2() {
		t.Skip("there is no kernel for shapes")
	}
	r := rand.New(rand.NewPCG(23, 25))
	pieces := []string{"a", "b", "Z", "7", "-", "(", "\xff", "\x00", "\n", "\r\n", "zzzzzzzzz", "~~~~~~~~~~~"}
	found := 0
	for range 3000 {
		var all []*Shape
		for range 1 + r.IntN(3) {
			s := randomShape(r, "abZ7-(\xff\x00")
			s.aim()
			all = append(all, s)
		}
		text := []byte(randomText(r, pieces, r.IntN(120)))
		finder := searchShapes(all)
		for from := 0; from < len(text); {
			at, _ := finder.Find(text, from)
			want := len(text)
			for start := from; start < len(text) && want == len(text); start = lineAfter(text, start) {
				if isFirstOrOpen(text, start) || hasOneOf(all, text, start) {
					want = start
				}
			}
			if at < 0 {
				at = len(text)
			}
			if lineOf(text, at) != lineOf(text, want) {
				t.Fatalf("%v in %q from %d: at %d, want %d", all, text, from, at, want)
			}
			found++
			from = lineAfter(text, at)
		}
	}
	if found < 1000 {
		t.Errorf("only %d were there to be found", found)
	}
}

// randomShape is one that begins and ends at a line's bounds now and then.
func randomShape(r *rand.Rand, chars string) *Shape {
	s := &Shape{Places: make([]Bytes, printLen+r.IntN(5))}
	for i := range s.Places {
		for range 1 + r.IntN(4) {
			b := chars[r.IntN(len(chars))]
			s.Places[i].Add(b, b)
		}
	}
	s.At = r.IntN(len(s.Places))
	if r.IntN(3) == 0 {
		s.Places[0], s.At = Bytes{}, max(s.At, 1)
		s.Places[0].Add('\n', '\n')
	}
	if r.IntN(3) == 0 {
		s.Places[len(s.Places)-1].Add('\n', '\r')
	}
	return s
}

func isFirstOrOpen(text []byte, start int) bool {
	return start == 0 || bytes.IndexByte(text[start:], '\n') < 0
}

// hasOneOf reports whether the line that begins at start has one of the shapes.
func hasOneOf(all []*Shape, text []byte, start int) bool {
	for _, s := range all {
		for first := 0; first+len(s.Places) <= len(text); first++ {
			i := 0
			for i < len(s.Places) && s.Places[i].Has(text[first+i]) {
				i++
			}
			if at := first + s.At; i == len(s.Places) && at >= start && at < lineAfter(text, start) {
				return true
			}
		}
	}
	return false
}

// lineOf gives the start of the line that at is in; the end of the text if it is there.
func lineOf(text []byte, at int) int {
	if at == len(text) {
		return at
	}
	return lineStart(text, at)
}

func lineAfter(text []byte, at int) int {
	if i := bytes.IndexByte(text[min(at, len(text)):], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

func TestBytesInParts(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 26))
	for range 300 {
		var set Bytes
		for range r.IntN(6) {
			lo := byte(r.IntN(256))
			set.Add(lo, lo|byte(r.IntN(64)))
		}
		for b := range 256 {
			n := 0
			for _, part := range set.parts() {
				if part.low>>(b&15)&(part.high>>(b>>4))&1 != 0 {
					n++
				}
			}
			if has := set.Has(byte(b)); has != (n == 1) || n > 1 {
				t.Fatalf("%x in %x: %v, in %d parts", b, set, has, n)
			}
		}
	}
	if (&Shape{Places: make([]Bytes, 2)}).aim() != 1 {
		t.Error("a shape that is too short has a fingerprint")
	}
}
