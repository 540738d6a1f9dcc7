package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// aheadQueries are literals and expressions of all kinds: with strings that they need, with shapes,
// and with neither.
func aheadQueries() []Query {
	return slices.Concat(properties, []Query{{Text: "foo", WholeWord: true}, {Text: "absent"}, {Text: "\r"}, {Text: "\xff"},
		{Text: "fo+|-", Regex: true, WholeWord: true}, {Text: `o\r?$`, Regex: true}, {Text: "^$", Regex: true}, {Text: `[0-9]{2}-[a-z]`, Regex: true},
		{Text: `\x00`, Regex: true}, {Text: `zz+`, Regex: true}})
}

// aheadText has matches far between, so that scouts leave parts out, and lines longer than a
// section.
func aheadText(r *rand.Rand) string {
	fill := []string{"filler\n", "\n", "x\n", "line\r\n", "long" + strings.Repeat(" and longer", 1+r.IntN(40)), "\x00", "\xff\n"}
	var text strings.Builder
	for range r.IntN(6) {
		text.WriteString(randomText(r, fill[:len(fill)-2*r.IntN(2)], r.IntN(300)))
		text.WriteString(randomText(r, textPieces, r.IntN(10)))
		if r.IntN(4) == 0 {
			text.WriteString(strings.Repeat("\x00", r.IntN(2000)))
		}
	}
	return text.String()
}

// Scouts don't change what is found, wherever their sections end.
func TestAhead(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, q := range aheadQueries() {
		m := compileOK(t, q)
		for range share(60) {
			text := aheadText(r)
			o := LineOptions{Before: r.IntN(3), After: r.IntN(3), MaxLines: r.IntN(4), CountOnly: r.IntN(5) == 0, FirstOnly: r.IntN(5) == 0,
				Force: true}
			m.sizes = sizes{step: 1 + r.IntN(200), piece: 2 << 10, overlap: 256, section: 1 + r.IntN(500), alone: int64(r.IntN(300))}
			want, wantResult := grepFrom(t, m, strings.NewReader(text), o)
			o.Workers = 2 + r.IntN(3)
			got, gotResult := grepFrom(t, m, strings.NewReader(text), o)
			if !reflect.DeepEqual(got, want) || gotResult != wantResult {
				t.Fatalf("%+v %+v %+v in %q:\n got %+v %s\nwant %+v %s", q, o, m.sizes, text, gotResult, brief(got), wantResult, brief(want))
			}
		}
	}
}

func FuzzAhead(f *testing.F) {
	for i, c := range searchCases {
		f.Add(c.flags, c.query, []byte(strings.Repeat(c.text, 30)), uint8(i), uint8(10*i), uint8(0))
	}
	f.Fuzz(func(t *testing.T, flags, query string, text []byte, step, section, around uint8) {
		if len(query) > 200 || len(text) > 20_000 {
			return
		}
		m, err := Compile(parseQuery(flags, query))
		if err != nil {
			return
		}
		m.sizes = sizes{step: int(step) + 1, piece: 1 << 10, overlap: 256, section: int(section) + 1, alone: 1}
		o := LineOptions{Before: int(around & 3), After: int(around >> 2 & 3), MaxLines: int(around >> 4 & 3), Force: true}
		want, wantResult := grepText(t, m, string(text), o)
		o.Workers = 2
		got, gotResult := grepText(t, m, string(text), o)
		if !reflect.DeepEqual(got, want) || gotResult != wantResult {
			t.Fatalf("got %+v %s\nwant %+v %s", gotResult, brief(got), wantResult, brief(want))
		}
	})
}

// What has no match is read once, by the scouts.
func TestAheadReadsOnce(t *testing.T) {
	text := strings.Repeat("a line without it\n", 1<<20)
	file := &readCounter{Reader: strings.NewReader(text)}
	res, err := compileOK(t, Query{Text: "absent"}).Search(context.Background(), file, int64(len(text)), LineOptions{Workers: 2}, nil, nil)
	most := int64(len(text)/sectionSize + aheadAfter/blockStep + 1)
	if err != nil || res.Count != 0 || file.bytes.Load() > int64(len(text)) || file.calls.Load() > most {
		t.Errorf("%+v, %v: %d bytes of %d read by %d calls", res, err, file.bytes.Load(), len(text), file.calls.Load())
	}
}

// readCounter counts what is read of a text.
type readCounter struct {
	*strings.Reader
	calls, bytes atomic.Int64
}

func (c *readCounter) ReadAt(p []byte, off int64) (int, error) {
	c.calls.Add(1)
	n, err := c.Reader.ReadAt(p, off)
	c.bytes.Add(int64(n))
	return n, err
}

// A file that ends early, can't be read or breaks ends the search as it does without scouts.
func TestAheadErrors(t *testing.T) {
	m := compileOK(t, Query{Text: "a"})
	m.sizes = sizes{step: 4, piece: 64, overlap: 16, section: 8, alone: 8}
	text := strings.Repeat("a\nb\n", 5000)
	for _, workers := range []int{0, 2} {
		o := LineOptions{CountOnly: true, Workers: workers}
		res, err := m.Search(context.Background(), strings.NewReader(text), 1<<20, o, nil, nil)
		if err != nil || res.Count != 5000 {
			t.Errorf("%d workers, shorter: %+v, %v", workers, res, err)
		}
		res, err = m.Search(context.Background(), failing{text, 10_000}, 1<<20, o, nil, nil)
		if !errors.Is(err, errDisk) || res.Count != 2500 {
			t.Errorf("%d workers, disk gone: %+v, %v", workers, res, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		o.CountOnly = false
		_, err = m.Search(ctx, strings.NewReader(text), int64(len(text)), o, nil, func(l LineMatch) bool {
			if l.Line > 20 {
				cancel()
			}
			return true
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers, canceled: %v", workers, err)
		}
		if p := panicOf(func() {
			_, _ = m.Search(context.Background(), breaking(10_000), 1<<20, o, nil, func(LineMatch) bool { return true })
		}); p != "broken" {
			t.Errorf("%d workers: panic %v", workers, p)
		}
	}
}

func panicOf(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

// breaking is a file whose reader panics from that offset on.
type breaking int64

func (b breaking) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > int64(b) {
		panic("broken")
	}
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}
