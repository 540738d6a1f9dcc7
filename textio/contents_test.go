package textio

import "testing"

func TestContentsDiff(t *testing.T) {
	for _, tt := range []struct {
		name string
		c    Contents
		want string
	}{
		{"changed", Contents{Path: "f", Old: []byte("a\nb\n"), New: []byte("a\nc\n")}, "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		{"the same", Contents{Path: "f", Old: []byte("a\n"), New: []byte("a\n")}, ""},
		{"created", Contents{Path: "f", New: []byte("a\n"), Created: true}, "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n"},
		{"removed", Contents{Path: "f", Old: []byte("a\n"), Removed: true}, "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"},
		{"moved", Contents{Path: "g", From: "f", Old: []byte("a\n"), New: []byte("a\n")}, "diff --git a/f b/g\nrename from f\nrename to g\n"},
		{"moved and changed", Contents{Path: "g", From: "f", Old: []byte("a\n"), New: []byte("b\n")},
			"diff --git a/f b/g\nrename from f\nrename to g\n--- a/f\n+++ b/g\n@@ -1,1 +1,1 @@\n-a\n+b\n"},
		{"UTF-16", Contents{Path: "f", Old: []byte("\xff\xfea\x00\n\x00"), New: []byte("\xff\xfeb\x00\n\x00")},
			"--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n+b\n"},
		{"bytes as they are", Contents{Path: "f", Old: []byte("\xe9\r\n"), New: []byte("\xe8\r\n")},
			"--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-\xe9\r\n+\xe8\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := tt.c.Diff(0); d.Text != tt.want || d.Truncated {
				t.Errorf("%q, want %q", d.Text, tt.want)
			}
		})
	}
	binary := Contents{Path: "f", Old: []byte("a\n"), New: []byte("\x00")}
	if d := binary.Diff(0); d.Text != "" || !d.Truncated {
		t.Errorf("binary: %+v", d)
	}
}
