package patch

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"fsbox/textio/diff"
	"fsbox/textio/lines"
)

// FuzzParsePatch parses and applies anything.
func FuzzParsePatch(f *testing.F) {
	for _, tt := range append(beginCases(), unifiedCases()...) {
		f.Add([]byte(tt.patch), []byte(tt.old), false)
		f.Add([]byte(tt.patch), []byte(strings.ReplaceAll(tt.old, "a", "  a")), true)
	}
	f.Fuzz(func(t *testing.T, text, old []byte, lenient bool) {
		patch, err := Parse(text)
		if err != nil {
			checkSyntaxError(t, err, text)
			return
		}
		if len(patch.Files) == 0 {
			t.Fatal("a patch of no files")
		}
		for i := range patch.Files {
			checkFilePatch(t, &patch.Files[i], old, lenient)
		}
	})
}

func checkSyntaxError(t *testing.T, err error, text []byte) {
	t.Helper()
	var syntax *SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("%T: %v", err, err)
	}
	if lines := lines.Count(text); syntax.Line < 1 || syntax.Line > max(1, lines)+1 {
		t.Fatalf("line %d of %d", syntax.Line, lines)
	}
}

// checkFilePatch checks what holds for any patch and any text.
func checkFilePatch(t *testing.T, f *File, old []byte, lenient bool) {
	t.Helper()
	if f.Path == "" || (f.From != "") != (f.Action == Move) {
		t.Fatalf("%s %q from %q", f.Action, f.Path, f.From)
	}
	original := bytes.Clone(old)
	out, results, err := f.Apply(context.Background(), old, Options{Lenient: lenient})
	if !bytes.Equal(old, original) {
		t.Fatal("the old text was written to")
	}
	if err != nil {
		var conflict *ConflictError
		if !errors.As(err, &conflict) || out != nil {
			t.Fatalf("%T: %v, %q", err, err, out)
		}
		return
	}
	if len(results) != len(f.Hunks) || f.Action == Delete && len(out) > 0 {
		t.Fatalf("%d results, %q", len(results), out)
	}
}

// FuzzPatchRoundTrip applies the difference of two texts to the first, as a diff,
// and without numbers in the Begin Patch form.
func FuzzPatchRoundTrip(f *testing.F) {
	for _, tt := range append(beginCases(), unifiedCases()...) {
		f.Add([]byte(tt.old), []byte(tt.want))
	}
	f.Add([]byte("a\nb\n"), []byte("a\r\nb"))
	f.Add([]byte(""), []byte("a\r")) // the carriage return is no part of a line end
	f.Add([]byte("-- a\n"), []byte("++ a\n"))
	f.Fuzz(func(t *testing.T, old, new []byte) {
		diff := diff.Unified("x", old, new, false, 0).Text
		if diff == "" {
			return
		}
		if got, err := applyText(diff, old); err != nil || !bytes.Equal(got, new) {
			t.Fatalf("got %q, %v\nwant %q\n%s", got, err, new, diff)
		}
		checkBeginForm(t, old, new, diff)
	})
}

// checkBeginForm rewrites a diff of texts that the Begin Patch form can tell
// apart: it must be ambiguous or have the same outcome.
func checkBeginForm(t *testing.T, old, new []byte, diff string) {
	t.Helper()
	ends := func(text []byte) bool { return bytes.HasSuffix(text, lines.LF) }
	if len(old) == 0 || len(new) == 0 || !ends(old) || !ends(new) || bytes.Contains(old, []byte("\r")) || bytes.Contains(new, []byte("\r")) {
		return
	}
	text := []string{"*** Begin Patch", "*** Update File: x"}
	for _, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n")[2:] {
		if strings.HasPrefix(line, "@@") {
			line = "@@"
		}
		text = append(text, line)
	}
	got, err := applyText(strings.Join(append(text, "*** End Patch"), "\n"), old)
	var conflict *ConflictError
	if errors.As(err, &conflict) && conflict.Ambiguous {
		return
	}
	if err != nil || !bytes.Equal(got, new) {
		t.Fatalf("got %q, %v\nwant %q\n%s", got, err, new, diff)
	}
}

func applyText(patch string, old []byte) ([]byte, error) {
	p, err := Parse([]byte(patch))
	if err != nil {
		return nil, err
	}
	out, _, err := p.Files[0].Apply(context.Background(), old, Options{})
	return out, err
}
