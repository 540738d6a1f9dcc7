package commands

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/request"
	"fsbox/commands/verb"
	"fsbox/commands/words"
)

func TestPlural(t *testing.T) {
	for _, tt := range []struct {
		n          int64
		noun, want string
	}{
		{0, "line", "0 lines"}, {1, "line", "1 line"}, {2, "line", "2 lines"}, {1, "entry", "1 entry"}, {2, "entry", "2 entries"},
		{1, "match", "1 match"}, {3, "match", "3 matches"}, {1000000, "byte", "1000000 bytes"}, {2, "other hard link", "2 other hard links"},
	} {
		if got := words.Plural(tt.n, tt.noun); got != tt.want {
			t.Errorf("%d %s: %q", tt.n, tt.noun, got)
		}
	}
}

// Joining a folder and what lies below it, and taking them apart again.
func TestUnderBelow(t *testing.T) {
	for _, tt := range []struct{ folder, rel, path string }{
		{".", ".", "."}, {".", "a", "a"}, {".", "a/b", "a/b"}, {"a", ".", "a"}, {"a", "b", "a/b"}, {"a/b", "c/d", "a/b/c/d"}, {"a", "a", "a/a"},
	} {
		if got := words.Under(tt.folder, tt.rel); got != tt.path {
			t.Errorf("under %q, %q: %q", tt.folder, tt.rel, got)
		}
		if got := words.Below(tt.folder, tt.path); got != tt.rel {
			t.Errorf("below %q, %q: %q", tt.folder, tt.path, got)
		}
	}
}

func TestBase64Name(t *testing.T) {
	for name, want := range map[string]string{"a/b": "", "é": "", "\ufffd": "", "a\xff": "Yf8=", "\xed\xa0\x80": "7aCA"} {
		if got := words.Base64(name); got != want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestCursor(t *testing.T) {
	for _, parts := range [][]string{{"a"}, {""}, {"src/a-b_c.go", "12"}, {"a", "b c", "é\xff\n"}, {"a:b", "c"}, {"", "", ""}} {
		cursor := verb.EncodeCursor(verb.ReadCursor, "fp", parts...)
		got, fail := verb.OpenCursor(verb.ReadCursor, cursor, "fp", len(parts))
		if fail != nil || !slices.Equal(got, parts) {
			t.Errorf("%q: %q, %v", parts, got, fail)
		}
	}
	if parts, fail := verb.OpenCursor(verb.ReadCursor, "", "fp", 2); parts != nil || fail != nil {
		t.Errorf("no cursor: %q, %v", parts, fail)
	}
	const foreign, other = "the cursor is not one that was given for these arguments", "the cursor belongs to another command"
	good, coded := verb.EncodeCursor(verb.ReadCursor, "fp", "a", "b"), verb.EncodeCursor(verb.ReadCursor, "fp", "a b", "c")
	for _, tt := range []struct {
		cursor, kind string
		want         int
		message      string
	}{
		{"a", verb.ReadCursor, 2, foreign},
		{"AAAA", verb.ReadCursor, 2, foreign},
		{"AAAAAAA", verb.ReadCursor, 2, foreign},
		{"*" + good, verb.ReadCursor, 2, foreign},
		{good + "=", verb.ReadCursor, 2, foreign},
		{good + "AA", verb.ReadCursor, 2, foreign},
		{good[:len(good)-1], verb.ReadCursor, 2, foreign},
		{coded[:len(coded)-2], verb.ReadCursor, 2, foreign},
		{coded + "=", verb.ReadCursor, 2, foreign},
		{"R" + good[1:], verb.ReadCursor, 2, foreign},
		{"r" + coded[1:], verb.ReadCursor, 2, foreign},
		{verb.EncodeCursor(verb.ReadCursor, "other", "a", "b"), verb.ReadCursor, 2, foreign},
		{good, verb.LsCursor, 2, other},
		{coded, verb.LsCursor, 2, other},
		{good, verb.ReadCursor, 1, foreign},
		{good, verb.ReadCursor, 3, foreign},
	} {
		_, fail := verb.OpenCursor(tt.kind, tt.cursor, "fp", tt.want)
		if fail == nil || fail.Code != answer.CodeInvalidCursor || fail.Message != tt.message || fail.Hint == "" {
			t.Errorf("%q as %s of %d: %+v", tt.cursor, tt.kind, tt.want, fail)
		}
	}
}

// A cursor that was changed in one place is refused, or means what it meant.
func FuzzCursor(f *testing.F) {
	f.Add("fp", "src/a b.go", uint16(3), byte('x'))
	f.Add("fp", "src/a-b.go", uint16(3), byte(':'))
	f.Add("", "\xff", uint16(0), byte('A'))
	f.Fuzz(func(t *testing.T, a, b string, at uint16, by byte) {
		if slices.Contains([]byte(a+b), 0) {
			return // a path holds no NUL
		}
		cursor := []byte(verb.EncodeCursor(verb.LsCursor, "", a, b))
		got, fail := verb.OpenCursor(verb.LsCursor, string(cursor), "", 2)
		if fail != nil || got[0] != a || got[1] != b {
			t.Fatalf("%q, %q: %q, %v", a, b, got, fail)
		}
		cursor[int(at)%len(cursor)] = by
		if got, fail := verb.OpenCursor(verb.LsCursor, string(cursor), "", 2); fail == nil && (got[0] != a || got[1] != b) {
			t.Fatalf("%q, %q changed to %q", a, b, got)
		}
	})
}

func TestNumbers(t *testing.T) {
	if got, ok := verb.Numbers(10, "1", "-2", "9223372036854775807"); !ok || !slices.Equal(got, []int64{1, -2, 1<<63 - 1}) {
		t.Errorf("%v, %v", got, ok)
	}
	for _, bad := range []string{"", " 1", "1.0", "x", "9223372036854775808"} {
		if got, ok := verb.Numbers(10, "1", bad); ok || got != nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
}

// A fingerprint changes with each argument and with where one ends.
func TestFingerprint(t *testing.T) {
	seen := map[string][]string{}
	for _, args := range [][]string{{}, {""}, {"", ""}, {"a"}, {"b"}, {"a", "b"}, {"b", "a"}, {"ab"}, {"ab", ""}, {"", "ab"}, {"a", "", "b"},
		{"1:a"}} {
		sum := verb.Fingerprint(args...)
		if other, ok := seen[sum]; ok {
			t.Errorf("%q and %q have the same", args, other)
		}
		seen[sum] = args
		if verb.Fingerprint(args...) != sum {
			t.Errorf("%q: not the same twice", args)
		}
	}
}

// What a hint for an unknown field names is a field of the tool, or a tool.
func TestOtherNames(t *testing.T) {
	quoted := regexp.MustCompile(`"([a-z_]+)"`)
	var all []request.Field
	for _, tool := range Tools() {
		all = append(all, verb.NewCall(tool).Fields...)
	}
	for _, tool := range Tools() {
		fields := verb.NewCall(tool).Fields
		for _, other := range hint.OtherNames {
			for _, name := range strings.Fields(other.Names) {
				if _, _, known := request.FindField(fields, name); known {
					continue
				}
				for _, word := range quoted.FindAllStringSubmatch(request.Elsewhere(name, fields), -1) {
					_, _, isField := request.FindField(all, word[1])
					_, _, has := request.FindField(fields, word[1])
					if _, isTool := verb.Find(Tools(), word[1]); isField && !has && !isTool {
						t.Errorf("%s has no field %q, which the hint for %q names", tool.Name, word[1], name)
					}
				}
			}
		}
	}
}
