package literal

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// The kernels in assembly, compared with the Go code that replaces them elsewhere. Without AVX2
// there is nothing to compare.

func needAVX2(t testing.TB) {
	if !hasAVX2() {
		t.Skip("no AVX2 here")
	}
}

// mostLeft is more positions than a kernel leaves to Go code when it comes to the end.
const mostLeft = 64

func (p pair) plain() *pair {
	p.avx2 = false
	return &p
}

func (t teddy) plain() *teddy {
	t.avx2 = false
	return &t
}

// pairAt makes the pair of three bytes of a needle: the first, and those so many bytes after it.
func pairAt(needle string, mask byte, first, second, third int) *pair {
	of := func(i int) class { return classOf(needle[i], mask) }
	return &pair{first: of(first), second: of(second), gap: second - first, third: of(third), thirdGap: third - first, at: first,
		avx2: hasAVX2()}
}

var longNeedle = "x" + strings.Repeat(".", 100) + "yz"

var kernelPairs = []struct {
	needle               string
	mask                 byte
	first, second, third int
}{
	{"xy", 0, 0, 1, 1},
	{"xyz", 0, 0, 1, 2},
	{"xyz", 0, 1, 2, 0},
	{"x..y...z", 0, 0, 3, 7},
	{"z......x.y", 0, 7, 9, 0},
	{longNeedle, 0, 0, 101, 102},
	{longNeedle, 0, 101, 102, 0},
	{"aBc", asciiCase, 0, 1, 2},
	{"\x00\xff\x80", 0, 0, 1, 2},
	{"@_7", 0xFF, 0, 1, 2},
	{"a_9", 0xE0, 0, 2, 1},
}

// kernelTeddies are sets of texts; those that begin with ~ are searched in any case.
var kernelTeddies = []string{
	"xyz", "xyz needle", "ERR_SYS PME_TURN_OFF LINK_REQ_RST CFG_BME_EVT", "~err_sys ~link", "~kiss ~skin ~éa. ~ſäß",
	"\x80\xff\x7f \xff\xff\xff",
	"abc abd acd bcd xyz yza zab cde def efg", "aaa", "aaab baaa",
}

func teddyOf(list string) *teddy {
	texts := strings.Split(list, " ")
	fold := strings.HasPrefix(list, "~")
	for i := range texts {
		texts[i] = strings.TrimPrefix(texts[i], "~")
	}
	t, _ := newTeddy(texts, fold)
	return t
}

// eachText gives texts of every length up to 200 with the needle at every place, or in longer ones
// at some, partly outside too, as the whole of memory that may be read: it is at the end of a page,
// then at the start of one.
func eachText(t *testing.T, needle string, try func(text []byte)) {
	low, high := guarded(t)
	for n := range 201 {
		step := 1 + n/20
		if *sweep {
			step = 1 + n/100
		}
		for at := -len(needle); at <= n; at += step {
			text := bytes.Repeat([]byte{'.'}, n)
			if at >= 0 {
				copy(text[at:], needle)
			} else {
				copy(text, needle[-at:])
			}
			copy(low, text)
			try(low[:n:n])
			copy(high[len(high)-n:], text)
			try(high[len(high)-n:])
		}
	}
}

func TestPairKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	needAVX2(t)
	for _, c := range kernelPairs {
		p, found := pairAt(c.needle, c.mask, c.first, c.second, c.third), 0
		for _, missing := range []int{-1, c.first, c.second, c.third} {
			needle := []byte(c.needle)
			if missing >= 0 {
				needle[missing] = '.'
			}
			eachText(t, string(needle), func(text []byte) {
				for _, from := range []int{0, 1, len(text) / 2, len(text)} {
					found += checkPair(t, p, text, min(from, len(text)))
				}
			})
		}
		if found == 0 {
			t.Errorf("%q: was never there", c.needle)
		}
	}
}

// checkPair compares all positions of the pair from from on, and says how many there are.
func checkPair(t *testing.T, p *pair, text []byte, from int) (found int) {
	t.Helper()
	end := len(text) - max(p.gap, p.thirdGap)
	for plain := p.plain(); ; from++ {
		if at := p.skip(text, max(from, -p.thirdGap), end); end-at >= mostLeft && !p.holds(text, at) {
			t.Fatalf("%+v in %q from %d: stopped at %d", p, text, from, at)
		}
		got, want := p.next(text, from), plain.next(text, from)
		if got != want {
			t.Fatalf("%+v in %q from %d: %d, want %d", p, text, from, got, want)
		}
		if from = got; from < 0 {
			return found
		}
		found++
	}
}

func TestTeddyKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	needAVX2(t)
	for _, list := range kernelTeddies {
		teddy := teddyOf(list)
		for _, needle := range strings.Split(strings.ReplaceAll(list, "~", ""), " ") {
			found := 0
			eachText(t, needle, func(text []byte) {
				found += checkTeddy(t, teddy, text, 0) + checkTeddy(t, teddy, text, len(text)/2)
			})
			if found == 0 {
				t.Errorf("%q: %q was never there", list, needle)
			}
		}
	}
}

// checkTeddy compares all positions and buckets from from on, and says how many there are.
func checkTeddy(t *testing.T, fast *teddy, text []byte, from int) (found int) {
	t.Helper()
	end := len(text) - printLen + 1
	for plain := fast.plain(); ; from++ {
		if at := fast.skip(text, from, end); end-at >= mostLeft && fast.at(text, at) == 0 {
			t.Fatalf("in %q from %d: stopped at %d", text, from, at)
		}
		got, set := fast.next(text, from)
		want, wanted := plain.next(text, from)
		if got != want || set != wanted {
			t.Fatalf("in %q from %d: %d of %b, want %d of %b", text, from, got, set, want, wanted)
		}
		if from = got; set == 0 {
			return found
		}
		found++
	}
}

// A span longer than one call of a kernel looks at.
func TestKernelSpans(t *testing.T) {
	needAVX2(t)
	text := bytes.Repeat([]byte{'.'}, 600<<10)
	for _, at := range []int{256<<10 - 3, 256<<10 - 1, 256 << 10, 512<<10 - 1, 600<<10 - 3} {
		here := slices.Clone(text)
		copy(here[at:], "xyz")
		if checkPair(t, pairAt("xyz", 0, 0, 1, 2), here, 0) != 1 || checkTeddy(t, teddyOf("xyz"), here, 0) != 1 {
			t.Errorf("at %d: not found", at)
		}
	}
}

func FuzzPairKernel(f *testing.F) {
	needAVX2(f)
	for _, c := range kernelPairs {
		f.Add([]byte(c.needle), c.mask, uint8(c.first), uint8(c.second), uint8(c.third), []byte(strings.Repeat("..", 50)+c.needle+".."),
			uint16(1))
	}
	f.Fuzz(func(t *testing.T, needle []byte, mask byte, first, second, third uint8, text []byte, from uint16) {
		if max(first, second, third) >= uint8(min(len(needle), 255)) || first >= second {
			return
		}
		p := pairAt(string(needle), mask, int(first), int(second), int(third))
		checkPair(t, p, text, min(int(from), len(text)))
		naive := []int{}
		for i := range text {
			at := func(gap int, c class) bool { return i+gap >= 0 && i+gap < len(text) && c.has(text[i+gap]) }
			if at(0, p.first) && at(p.gap, p.second) && at(p.thirdGap, p.third) {
				naive = append(naive, i)
			}
		}
		for got := -1; ; naive = naive[1:] {
			if got = p.next(text, got+1); len(naive) == 0 || got != naive[0] {
				if got >= 0 || len(naive) > 0 {
					t.Fatalf("%+v in %q: %d, not %v", p, text, got, naive)
				}
				return
			}
		}
	})
}

func FuzzTeddyKernel(f *testing.F) {
	needAVX2(f)
	for _, list := range kernelTeddies {
		f.Add(list, []byte(strings.Repeat(".", 50)+strings.ReplaceAll(list, "~", "")+"..."), uint16(1))
	}
	f.Fuzz(func(t *testing.T, list string, text []byte, from uint16) {
		if teddy := teddyOf(list); teddy != nil && len(list) < 500 {
			checkTeddy(t, teddy, text, min(int(from), len(text)))
		}
	})
}
