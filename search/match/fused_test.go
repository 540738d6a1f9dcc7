package match

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A fused search finds the lines that have one of its strings, and no others.
func TestFused(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	letters := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abcAB_\xff"[r.IntN(7)]
		}
		return string(b)
	}
	found := 0
	for range 3000 {
		var texts []string
		for range 2 + r.IntN(5) {
			texts = append(texts, letters(2+r.IntN(6)))
		}
		f, _ := newFused(texts)
		if f == nil {
			t.Fatalf("nothing fused of %q", texts)
		}
		var lines, want []string
		for range r.IntN(12) {
			line := letters(r.IntN(60))
			lines = append(lines, line)
			if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(line, s) }) {
				want = append(want, line)
			}
		}
		text := []byte(strings.Join(lines, "\n"))
		var got []string
		for from := 0; from <= len(text); {
			at, end := f.find(text, from)
			if at < 0 {
				break
			}
			if !slices.Contains(texts, string(text[at:end])) {
				t.Fatalf("%q in %q: found %q", texts, text, text[at:end])
			}
			stop := lineEnd(text, at)
			got = append(got, string(text[lineStart(text, at):stop]))
			from = stop + 1
		}
		if found += len(got); !slices.Equal(got, want) {
			t.Fatalf("%q in %q:\n got %q\nwant %q", texts, text, got, want)
		}
	}
	if found == 0 {
		t.Error("nothing was there to be found")
	}
}

func TestFusedPair(t *testing.T) {
	for _, c := range []struct {
		texts  []string
		useful bool
	}{
		{[]string{"ERR_SYS", "PME_TURN_OFF", "LINK_REQ_RST", "CFG_BME_EVT"}, true},
		{[]string{"mutex", "semaphore", "rwlock", "futex"}, false},
		{[]string{"the", "and", "return", "if"}, false},
	} {
		if f, hits := newFused(c.texts); f == nil || (hits < maxFusedHits) != c.useful {
			t.Errorf("%q: expected %g times per byte", c.texts, hits)
		}
	}
	for _, texts := range [][]string{nil, {"one"}, {"two", "x"}} {
		if f, _ := newFused(texts); f != nil {
			t.Errorf("%q: fused", texts)
		}
	}
}

func BenchmarkFuse(b *testing.B) {
	for b.Loop() {
		newFused([]string{"ERR_SYS", "PME_TURN_OFF", "LINK_REQ_RST", "CFG_BME_EVT", "REGISTER_WRITE", "INTERRUPT_MASK", "dma_buffer", "queue_depth"})
	}
}
