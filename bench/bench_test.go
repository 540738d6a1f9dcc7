package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMedianOf(t *testing.T) {
	of := func(values ...time.Duration) sample {
		var all []sample
		for _, v := range values {
			all = append(all, sample{wall: v, cpu: 2 * v, peak: int64(v), lines: 7})
		}
		return medianOf(all)
	}
	if got, want := of(9, 1, 5), (sample{wall: 5, cpu: 10, peak: 9, lines: 7}); got != want {
		t.Errorf("of three: %v, want %v", got, want)
	}
	if got, want := of(8, 2, 4, 6), (sample{wall: 5, cpu: 10, peak: 8, lines: 7}); got != want {
		t.Errorf("of four: %v, want %v", got, want)
	}
}

func TestVerdict(t *testing.T) {
	theirs := sample{wall: 10 * time.Millisecond, cpu: 20 * time.Millisecond}
	for _, c := range []struct {
		target    target
		wall, cpu time.Duration
		want      string
	}{
		{both(1), 10, 20, "met"},
		{both(1), 11, 20, "**missed**: wall"},
		{both(1), 10, 21, "**missed**: CPU"},
		{both(0.5), 6, 11, "**missed**: wall, CPU"},
		{target{wall: 1.5}, 15, 1000, "met"},
		{target{wall: 1, cpu: 1, slack: 2 * time.Millisecond}, 12, 22, "met"},
		{target{wall: 1, cpu: 1, slack: 2 * time.Millisecond}, 13, 22, "**missed**: wall"},
		{target{}, 1000, 1000, ""},
	} {
		ours := sample{wall: c.wall * time.Millisecond, cpu: c.cpu * time.Millisecond}
		if got := c.target.verdict(ours, theirs); got != c.want {
			t.Errorf("%v, %d and %d ms: %q, want %q", c.target, c.wall, c.cpu, got, c.want)
		}
	}
}

func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		text string
		want answer
	}{
		{`{"success":true,"result":{"matches":[{"file":"a","submatches":[[0,1],[2,3]]},{"file":"b"}],"truncated":false}}`, answer{results: 2}},
		{`{"success":true,"result":{"files":["a","b","c"],"truncated":true,"next_cursor":"n"}}`,
			answer{results: 3, truncated: true, cursor: "n"}},
		{`{"success":true,"result":{"content":"one\ntwo\n","truncated":false}}`, answer{results: 2}},
		{`{"id":1,"result":{"bytes_written":1}}` + "\n" + `{"id":2,"result":{"bytes_written":1}}`, answer{results: 2}},
		{`{"success":false,"error":"not_found","message":"no file"}`, answer{failure: "not_found: no file"}},
	} {
		var got answer
		if err := got.read(strings.NewReader(c.text)); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.text, got, err, c.want)
		}
	}
	if err := new(answer).read(strings.NewReader(`{"success":true`)); err == nil {
		t.Error("half an answer is taken for one")
	}
}

// A tree that ignores all of itself is refused: a search of it is fast, and finds nothing.
func TestCheckTree(t *testing.T) {
	for rules, want := range map[string]bool{"*.o\n/*.ko\n": true, "*.o\n/*\n": false, "!/debian/\n": false} {
		tree := t.TempDir()
		if err := os.WriteFile(filepath.Join(tree, ".gitignore"), []byte(rules), 0o666); err != nil {
			t.Fatal(err)
		}
		b := &bench{options: options{tree: tree}}
		if err := b.checkTree(); (err == nil) != want {
			t.Errorf("%q: %v", rules, err)
		}
	}
}
