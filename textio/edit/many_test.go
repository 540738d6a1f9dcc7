package edit

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"fsbox/textio/diff"
)

// TestEditManyPlaces replaces in more places than a diff shows: all are counted.
func TestEditManyPlaces(t *testing.T) {
	const places = 30_000
	for _, tt := range []struct {
		name, unit           string
		edit                 Edit
		additions, deletions int // for each unit
	}{
		{"every line", "a\n", Edit{Expected: []byte("a"), Replacement: []byte("b"), All: true}, 1, 1},
		{"every second line", "a\nx\n", Edit{Expected: []byte("a"), Replacement: []byte("b"), All: true}, 1, 1},
		{"every third line", "a\nx\ny\n", Edit{Expected: []byte("a\n"), Replacement: []byte("b\n"), All: true}, 1, 1},
		{"lines gone", "a\nx\n", Edit{Expected: []byte("a\n"), All: true}, 0, 1},
		{"lines added", "a\nx\n", Edit{Expected: []byte("a\n"), Replacement: []byte("a\nb\n"), All: true}, 1, 0},
		{"CRLF", "a\r\nx\r\n", Edit{Expected: []byte("a\nx"), Replacement: []byte("b\nx"), All: true}, 1, 1},
	} {
		old := []byte(strings.Repeat(tt.unit, places))
		out, results, err := applyAll(old, []Edit{tt.edit})
		if err != nil || results[0].Replacements != places || len(results[0].Lines) != MaxLines {
			t.Fatalf("%s: %v, %v", tt.name, results, err)
		}
		d := diff.Unified("x", old, out, false, 200)
		if d.Additions != tt.additions*places || d.Deletions != tt.deletions*places || !d.Truncated {
			t.Errorf("%s: +%d -%d of %d places", tt.name, d.Additions, d.Deletions, places)
		}
	}
}

// TestEditMemory has the text, the new text and little more, and stops with the call.
func TestEditMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	old := bytes.Repeat([]byte("a\nx\n"), 1<<20)
	edits := []Edit{{Expected: []byte("a"), All: true}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, _, err := applyAll(old, edits)
	d := diff.Unified("x", old, out, false, 200)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; err != nil || taken > 16<<20 || d.Deletions != 1<<20 {
		t.Errorf("%v, %d bytes, %d lines", err, taken, d.Deletions)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Apply(ctx, old, edits, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, _, err := Apply(ctx, old, []Edit{{Expected: []byte("b b b")}}, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a miss, cancelled: %v", err)
	}
}
