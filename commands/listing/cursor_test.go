package listing

import (
	"slices"
	"testing"

	"fsbox/commands/answer"
)

func TestCursor(t *testing.T) {
	for _, parts := range [][]string{{"a"}, {""}, {"src/a-b_c.go", "12"}, {"a", "b c", "é\xff\n"}, {"a:b", "c"}, {"", "", ""}} {
		cursor := EncodeCursor(ReadCursor, "fp", parts...)
		got, fail := OpenCursor(ReadCursor, cursor, "fp", len(parts))
		if fail != nil || !slices.Equal(got, parts) {
			t.Errorf("%q: %q, %v", parts, got, fail)
		}
	}
	if parts, fail := OpenCursor(ReadCursor, "", "fp", 2); parts != nil || fail != nil {
		t.Errorf("no cursor: %q, %v", parts, fail)
	}
	const foreign, other = "the cursor is not one that was given for these arguments", "the cursor belongs to another command"
	good, coded := EncodeCursor(ReadCursor, "fp", "a", "b"), EncodeCursor(ReadCursor, "fp", "a b", "c")
	for _, tt := range []struct {
		cursor, kind string
		want         int
		message      string
	}{
		{"a", ReadCursor, 2, foreign},
		{"AAAA", ReadCursor, 2, foreign},
		{"AAAAAAA", ReadCursor, 2, foreign},
		{"*" + good, ReadCursor, 2, foreign},
		{good + "=", ReadCursor, 2, foreign},
		{good + "AA", ReadCursor, 2, foreign},
		{good[:len(good)-1], ReadCursor, 2, foreign},
		{coded[:len(coded)-2], ReadCursor, 2, foreign},
		{coded + "=", ReadCursor, 2, foreign},
		{"R" + good[1:], ReadCursor, 2, foreign},
		{"r" + coded[1:], ReadCursor, 2, foreign},
		{EncodeCursor(ReadCursor, "other", "a", "b"), ReadCursor, 2, foreign},
		{good, LsCursor, 2, other},
		{coded, LsCursor, 2, other},
		{good, ReadCursor, 1, foreign},
		{good, ReadCursor, 3, foreign},
	} {
		_, fail := OpenCursor(tt.kind, tt.cursor, "fp", tt.want)
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
		cursor := []byte(EncodeCursor(LsCursor, "", a, b))
		got, fail := OpenCursor(LsCursor, string(cursor), "", 2)
		if fail != nil || got[0] != a || got[1] != b {
			t.Fatalf("%q, %q: %q, %v", a, b, got, fail)
		}
		cursor[int(at)%len(cursor)] = by
		if got, fail := OpenCursor(LsCursor, string(cursor), "", 2); fail == nil && (got[0] != a || got[1] != b) {
			t.Fatalf("%q, %q changed to %q", a, b, got)
		}
	})
}

func TestNumbers(t *testing.T) {
	if got, ok := Numbers(10, "1", "-2", "9223372036854775807"); !ok || !slices.Equal(got, []int64{1, -2, 1<<63 - 1}) {
		t.Errorf("%v, %v", got, ok)
	}
	for _, bad := range []string{"", " 1", "1.0", "x", "9223372036854775808"} {
		if got, ok := Numbers(10, "1", bad); ok || got != nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
}

// A fingerprint changes with each argument and with where one ends.
func TestFingerprint(t *testing.T) {
	seen := map[string][]string{}
	for _, args := range [][]string{{}, {""}, {"", ""}, {"a"}, {"b"}, {"a", "b"}, {"b", "a"}, {"ab"}, {"ab", ""}, {"", "ab"}, {"a", "", "b"},
		{"1:a"}} {
		sum := Fingerprint(args...)
		if other, ok := seen[sum]; ok {
			t.Errorf("%q and %q have the same", args, other)
		}
		seen[sum] = args
		if Fingerprint(args...) != sum {
			t.Errorf("%q: not the same twice", args)
		}
	}
}
