package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/bench/results"
)

func TestMedianOf(t *testing.T) {
	of := func(values ...float64) results.Cost {
		var all []results.Cost
		for _, v := range values {
			all = append(all, results.Cost{Wall: v, CPU: 2 * v, Peak: v, Results: 7})
		}
		return medianOf(all)
	}
	if got, want := of(9, 1, 5), (results.Cost{Wall: 5, CPU: 10, Peak: 9, Results: 7}); got != want {
		t.Errorf("of three: %v, want %v", got, want)
	}
	if got, want := of(8, 2, 4, 6), (results.Cost{Wall: 5, CPU: 10, Peak: 8, Results: 7}); got != want {
		t.Errorf("of four: %v, want %v", got, want)
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
		if got, err := readAnswers(strings.NewReader(c.text)); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.text, got, err, c.want)
		}
	}
	if _, err := readAnswers(strings.NewReader(`{"success":true`)); err == nil {
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
		b := &bench{tree: tree, rg: "true"}
		if err := b.check(); (err == nil) != want {
			t.Errorf("%q: %v", rules, err)
		}
	}
}
