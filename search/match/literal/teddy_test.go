package literal

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// One search for several strings finds what is found by one for each: the first line that has one
// of them.
func TestTeddy(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(23, 24))
	pieces := []string{"a", "b", "c", "A", "k", "K", "\u212a", "s", "ſ", "_", "é", "É", "\n"}
	found := 0
	searches := 1000
	if *sweep {
		searches = 4000
	}
	for i := range searches {
		fold := i%2 == 1
		var texts []string
		for range 1 + r.IntN(20) {
			text := strings.ReplaceAll(randomText(r, pieces, 3+r.IntN(6)), "\n", "b")
			texts = append(texts, text)
		}
		teddy, _ := newTeddy(texts, fold)
		if teddy == nil {
			t.Fatalf("no search for %q", texts)
		}
		text := []byte(randomText(r, append(pieces, ".", "\xff", "\xe2\x84", texts[0]), r.IntN(300)))
		for from := 0; from <= len(text); {
			first := len(text)
			for _, s := range texts {
				if at, _ := New(s, fold).Find(text, from); at >= 0 {
					first = min(first, at)
				}
			}
			start, end := teddy.Find(text, from)
			if first == len(text) {
				if start >= 0 {
					t.Fatalf("%q (folded: %v) in %q from %d: found %q", texts, fold, text, from, text[start:end])
				}
				break
			}
			if start < first || end <= start || lineStart(text, start) != lineStart(text, first) {
				t.Fatalf("%q (folded: %v) in %q from %d: at %d, the first is at %d", texts, fold, text, from, start, first)
			}
			found++
			end = bytes.IndexByte(text[start:], '\n')
			if end < 0 {
				break
			}
			from = start + end + 1
		}
	}
	if found < searches/4 {
		t.Errorf("only %d were there to be found", found)
	}
}

func TestTeddyPrints(t *testing.T) {
	for _, c := range []struct {
		texts  string
		fold   bool
		useful bool
	}{
		{"ERR_SYS PME_TURN_OFF LINK_REQ_RST CFG_BME_EVT", false, true},
		{"err_sys pme_turn_off link_req_rst cfg_bme_evt", true, true},
		{"mutex semaphore rwlock futex", false, true},
		{"    aaaa eeee tttt", false, false},
	} {
		if f, hits := newTeddy(strings.Split(c.texts, " "), c.fold); (f != nil && hits < maxTeddyHits) != c.useful {
			t.Errorf("%q: expected %g times per byte", c.texts, hits)
		}
	}
	for _, short := range []string{"", "x", "xy", "é"} {
		if f, _ := newTeddy([]string{"one", short}, false); f != nil {
			t.Errorf("%q: has a fingerprint", short)
		}
	}
}

func BenchmarkTeddyAbsent(b *testing.B) {
	text := []byte(strings.Repeat("the quick brown fox jumps over the lazy dog\n", 64<<10/44))
	t, _ := newTeddy([]string{"ERR_SYS", "PME_TURN_OFF", "LINK_REQ_RST", "CFG_BME_EVT"}, false)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if at, _ := t.Find(text, 0); at >= 0 {
			b.Fatal("found")
		}
	}
}

func BenchmarkNewTeddy(b *testing.B) {
	var texts []string
	for i := range maxTexts {
		texts = append(texts, strings.Repeat(string(rune('a'+i%26)), 3+i%7)+"_name")
	}
	for b.Loop() {
		newTeddy(texts, false)
	}
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }
