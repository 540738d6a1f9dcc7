package patch

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
)

// TestPatchCommonLines has hunks that fit nearly everywhere in a large file. They
// take little memory, whatever the outcome, and end with the call.
func TestPatchCommonLines(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	old, hunks := []byte(strings.Repeat("a\n", 1<<20)), 10 // the whole text is gone through for each
	if *sweep {
		hunks = 100
	}
	update := func(body string) string { return "*** Begin Patch\n*** Update File: x\n" + body + "*** End Patch\n" }
	for name, text := range map[string]string{
		"anchors":    update(strings.Repeat("@@ a\n a\n-a\n+b\n", hunks)),
		"chains":     update(strings.Repeat("@@ a\n@@ a\n@@ a\n a\n-a\n+b\n", hunks)),
		"no anchors": update(strings.Repeat("@@\n a\n-a\n+b\n", hunks)),
		"insertions": update(strings.Repeat("@@ a\n+b\n", hunks)),
		"almost":     update("@@\n" + strings.Repeat(" a\n", 50_000) + "-c\n+b\n"),
		"numbers":    "--- x\n+++ x\n" + strings.Repeat("@@ -9,2 +9,2 @@\n a\n-a\n+b\n", hunks),
	} {
		f := onlyFile(t, text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := f.Apply(t.Context(), old, Options{})
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; err == nil || taken > 100<<20 {
			t.Errorf("%s: %v, %d bytes", name, err, taken)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := f.Apply(ctx, old, Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", name, err)
		}
	}
}

// TestPatchCarriesOffset has a second hunk that fits nearer to its number than where
// the first, which has moved, says: neither is chosen.
func TestPatchCarriesOffset(t *testing.T) {
	body := "one\n2\n3\n4\n5\n6\n7\n8\n9\nx\ny\nz\n"
	patch := "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-one\n+ONE\n 2\n@@ -10,3 +10,3 @@\n x\n-y\n+Y\n z\n"
	for _, tt := range []struct{ old, want string }{
		{body, strings.NewReplacer("one", "ONE", "y", "Y").Replace(body)},
		{strings.Repeat("0\n", 20) + body, strings.Repeat("0\n", 20) + strings.NewReplacer("one", "ONE", "y", "Y").Replace(body)},
		{strings.Repeat("0\n", 20) + body + "x\ny\nz\n", strings.Repeat("0\n", 20) + strings.NewReplacer("one", "ONE", "9\nx\ny",
			"9\nx\nY").Replace(body) + "x\ny\nz\n"},
		{"0\n0\n0\n0\n0\n0\none\n2\n3\nx\ny\nz\n3\n4\n5\nx\ny\nz\n", "!ambiguous [10 16]"},
		{body + "x\ny\nz\n", strings.NewReplacer("one", "ONE", "9\nx\ny", "9\nx\nY").Replace(body) + "x\ny\nz\n"},
	} {
		out, _, err := onlyFile(t, patch).Apply(t.Context(), []byte(tt.old), Options{})
		got := string(out)
		if err != nil {
			got = "!" + describePatchError(err)
		}
		if got != tt.want {
			t.Errorf("%q:\ngot  %q\nwant %q", tt.old, got, tt.want)
		}
	}
}
