package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// A text of several batches, with hits in nearly every line and in few.
func TestManyLines(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	r := rand.New(rand.NewPCG(3, 4))
	text := randomText(r, textPieces[:len(textPieces)-1], share(100_000))
	for _, q := range properties {
		want := reference(q, text, LineOptions{Before: 1, After: 1})
		got, _ := grepText(t, compileOK(t, q), text, LineOptions{Before: 1, After: 1})
		if len(got) != len(want) {
			t.Errorf("%+v: %d lines, want %d", q, len(got), len(want))
			continue
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("%+v:\n got %+v\nwant %+v", q, got[i], want[i])
				break
			}
		}
	}
}

func TestStepsAgreeOnInvalidText(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pieces := append([]string{"\xff", "\xe6\x97", "\xed\xa0\x80", "\x80"}, textPieces...)
	queries := append([]Query{{Text: "foo", WholeWord: true}, {Text: "fo+|-", Regex: true, WholeWord: true},
		{Text: "foo.bar", Regex: true, Multiline: true},
		{Text: "o\n", Multiline: true}, {Text: "\xff"}, {Text: `o\r?$`, Regex: true}}, properties...)
	for _, q := range queries {
		m := compileOK(t, q)
		for range 40 {
			text := randomText(r, pieces, r.IntN(60))
			var want []LineMatch
			for i, step := range []int{blockStep, 1, 7, 64} {
				m.sizes.step = step
				got, _ := grepText(t, m, text, LineOptions{Before: 1, After: 2})
				if i == 0 {
					want = got
				} else if !reflect.DeepEqual(got, want) {
					t.Fatalf("%+v, step %d in %q:\n got %+v\nwant %+v", q, step, text, got, want)
				}
			}
		}
	}
}

func TestLongLine(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "foo ", "é", "日", "xyz", strings.Repeat("a", 3000), strings.Repeat("日", 700), strings.Repeat("filler ", 300),
		strings.Repeat("日本", 200)}
	queries := []Query{{Text: "foo"}, {Text: "foo", IgnoreCase: true}, {Text: "foo", WholeWord: true}, {Text: "absent"},
		{Text: "aaa"}, {Text: "日日日"}, {Text: "fo+", Regex: true}, {Text: "foo|xyz", Regex: true}, {Text: "^a", Regex: true},
		{Text: "z$", Regex: true}, {Text: `\bxyz\b`, Regex: true}}
	for _, q := range queries {
		small, normal := compileOK(t, q), compileOK(t, q)
		small.sizes = sizes{step: 777, piece: 8 << 10, overlap: 2 << 10}
		for range share(12) {
			text := "foo first\n" + randomText(r, pieces, 120) + "\nfoo between\n" + randomText(r, pieces, 150) + "foo\r\nfoo last\n"
			for _, o := range []LineOptions{{}, {Before: 2, After: 2}, {MaxLines: 1, After: 1}, {MaxLines: 2}} {
				text := text + strings.Repeat("- ", 6000) + "foo\r\n"
				got, gotRes := grepText(t, small, text, o)
				want, wantRes := grepText(t, normal, text, o)
				if !reflect.DeepEqual(got, want) || gotRes != wantRes {
					t.Fatalf("%+v %+v:\n got %+v\nwant %+v", q, o, gotRes, wantRes)
				}
			}
		}
	}
}

func TestBinary(t *testing.T) {
	m := compileOK(t, Query{Text: "foo"})
	text := "foo\x00\n"
	if got, res := grepText(t, m, text, LineOptions{}); len(got) > 0 || !res.Binary {
		t.Errorf("binary file: %v, %+v", got, res)
	}
	if got, res := grepText(t, m, text, LineOptions{Force: true}); len(got) != 1 || res.Binary {
		t.Errorf("forced: %v, %+v", got, res)
	}
}

func TestUTF16(t *testing.T) {
	text := "äb𝄞\r\nfoo 𝄞 foo\n" + strings.Repeat("𝄞", 50) + "foo\n"
	want := "2:0-3,6-9 foo 𝄞 foo|3:50-53 " + strings.Repeat("𝄞", 50) + "foo"
	for name, encoded := range map[string]string{
		"le": "\xff\xfe" + utf16Bytes(text, 0), "be": "\xfe\xff" + utf16Bytes(text, 1),
		"32le": "\xff\xfe\x00\x00" + utf32Bytes(text, false), "32be": "\x00\x00\xfe\xff" + utf32Bytes(text, true),
	} {
		for _, q := range []Query{{Text: "foo"}, {Text: "fo+", Regex: true}, {Text: "foo", Multiline: true}} {
			m := compileOK(t, q)
			for _, step := range []int{1, 7, 64, blockStep} {
				m.sizes.step = step
				want := want
				if q.Multiline { // there each match is by itself
					want = strings.Replace(want, ",", " foo 𝄞 foo|2:", 1)
				}
				if got, _ := grepText(t, m, encoded, LineOptions{}); brief(got) != want {
					t.Errorf("utf-16 %s %+v step %d:\n got %q\nwant %q", name, q, step, brief(got), want)
				}
			}
		}
	}
}

func utf16Bytes(s string, high int) string {
	var b []byte
	for _, r := range s {
		units := []rune{r}
		if r >= 0x10000 {
			units = []rune{0xD800 + (r-0x10000)>>10, 0xDC00 + (r-0x10000)&0x3FF}
		}
		for _, u := range units {
			pair := [2]byte{}
			pair[high], pair[1-high] = byte(u), byte(u>>8)
			b = append(b, pair[:]...)
		}
	}
	return string(b)
}

func utf32Bytes(s string, big bool) string {
	var b []byte
	for _, r := range s {
		if big {
			b = append(b, byte(r>>24), byte(r>>16), byte(r>>8), byte(r))
		} else {
			b = append(b, byte(r), byte(r>>8), byte(r>>16), byte(r>>24))
		}
	}
	return string(b)
}

// failing gives an error after the first n bytes.
type failing struct {
	text string
	n    int64
}

var errDisk = errors.New("disk gone")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.n {
		return 0, errDisk
	}
	n := copy(p, f.text[off:min(f.n, int64(len(f.text)))])
	return n, errDisk
}

func TestErrors(t *testing.T) {
	m := compileOK(t, Query{Text: "a"})
	_, err := m.Search(context.Background(), failing{"a\na\n", 2}, 4, LineOptions{}, nil, func(LineMatch) bool { return true })
	if !errors.Is(err, errDisk) {
		t.Errorf("read error: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, q := range []Query{{Text: "a"}, {Text: "a", Multiline: true}} {
		_, err = compileOK(t, q).Search(ctx, strings.NewReader("a"), 1, LineOptions{}, nil, func(LineMatch) bool { return true })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("canceled: %v", err)
		}
	}
}

// A file may be shorter or longer than its size said. Size 0 says nothing: in /proc all have it.
func TestChangedSize(t *testing.T) {
	m := compileOK(t, Query{Text: "a"})
	for size, want := range map[int64]int64{0: 3, 2: 1, 4: 2, 100: 3, 1 << 40: 3} {
		res, err := m.Search(context.Background(), strings.NewReader("a\na\na\n"), size, LineOptions{CountOnly: true}, nil, nil)
		if err != nil || res.Count != want {
			t.Errorf("size %d: %+v, %v", size, res, err)
		}
	}
	whole := compileOK(t, Query{Text: "a", Multiline: true})
	for limit, tooLarge := range map[int64]bool{5: true, 6: false} {
		var large *TooLargeForMultilineError
		_, err := whole.Search(context.Background(), strings.NewReader("a\na\na\n"), 0, LineOptions{CountOnly: true, MaxMultiline: limit}, nil,
			nil)
		if errors.As(err, &large) != tooLarge || (err != nil) != tooLarge {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}
