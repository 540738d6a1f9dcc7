package anchor

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsbox/textio/charset"
)

// parsed are texts and the anchors that they are; "" is none.
var parsed = []struct{ text, want string }{
	{"12#KDT", "12#KDT"}, {"1#BBB", "1#BBB"}, {"1#234", "1#234"}, {"12#KD7→text", "12#KD7"}, {"12#KDT:text", "12#KDT"},
	{"12#KDT-text", "12#KDT"}, {"12#KDT→", "12#KDT"}, {"12#KDT:13#KDT", "12#KDT"}, {"9223372036854775807#ZZZ", "9223372036854775807#ZZZ"},
	{"", ""}, {"12", ""}, {"12#", ""}, {"12#K", ""}, {"12#KD", ""}, {"12#KD→text", ""}, {"#KDT", ""}, {"0#KDT", ""}, {"012#KDT", ""},
	{"-1#KDT", ""}, {"+1#KDT", ""}, {"12#kdt", ""}, {"12#ABC", ""}, {"12#K1T", ""}, {"12#KDTX", ""}, {"12#KDT text", ""}, {" 12#KDT", ""},
	{"12 #KDT", ""}, {"12#KDT→a\n13#KDT→b", ""}, {"9223372036854775808#ZZZ", ""}, {"1#2#KDT", ""},
}

func TestParse(t *testing.T) {
	for _, tt := range parsed {
		a, ok := Parse(tt.text)
		if ok != (tt.want != "") || ok && a.String() != tt.want {
			t.Errorf("%q: %v %v, want %q", tt.text, a, ok, tt.want)
		}
	}
}

// What is parsed begins the text, and is parsed again as it is written.
func FuzzParse(f *testing.F) {
	for _, tt := range parsed {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, ok := Parse(text)
		if !ok {
			return
		}
		if again, ok := Parse(a.String()); !ok || again != a || !strings.HasPrefix(text, a.String()) || a.Line < 1 {
			t.Fatalf("%q: %v, and again %v %v", text, a, again, ok)
		}
	})
}

func TestOnEachLine(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "12#KDT→a": true, "12#KDT→a\n13#BBB:b\r\n": true, "12#KDT→a\nb": false, "12#KDT→a\n\n": false, "12#KDT": true,
	} {
		if got := OnEachLine([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// idsOf gives the IDs of all lines.
func idsOf(text string) (ids []ID) {
	lines := Context{Counts: Count(Whole([]byte(text)))}
	for h := range hashes(Whole([]byte(text))) {
		ids = append(ids, lines.ID(h))
	}
	return ids
}

// These IDs are what other versions and systems gave: they never change.
func TestIDsStay(t *testing.T) {
	got := fmt.Sprintf("%s", idsOf("func one() {\n\treturn\n}\n\n  }  \r\nfunc two() {\n\treturn\n}\nÄöü 1\n\xff"))
	if want := "[X94 FCZ F6L 745 SCH K3Q Z33 97Q PRP 8QL]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHash(t *testing.T) {
	same := func(a, b string) bool { return Of([]byte(a)).sum == Of([]byte(b)).sum }
	if !same("a b c", "a b c \t\r\n") || same("a b c", " a b c") || same("a b c", "a b  c") {
		t.Error("blanks count only where something comes after them")
	}
	if !same("x\xed\xa0\x80y", "x\ufffdy") {
		t.Error("a surrogate isn't as readers of UTF-16 see it")
	}
	text := "part é by \xed part"
	for cut := range text {
		h := Of([]byte(text[:cut]))
		if h.Add([]byte(text[cut:])); h != Of([]byte(text)) {
			t.Errorf("cut at %d: %v", cut, h)
		}
	}
}

// TestIDs says what an ID depends on.
func TestIDs(t *testing.T) {
	text := "first line\n{\n  same\n}\nsecond line\n{\n  same\n}\n"
	ids := idsOf(text)
	if ids[2] == ids[6] || ids[1] == ids[5] {
		t.Error("a line of one block has the ID of that of another")
	}
	moved := idsOf("new line\nanother line\n" + text)
	if !slices.Equal(moved[2:], ids) {
		t.Error("IDs depend on what is far above")
	}
	changed := idsOf(strings.Replace(text, "first", "other", 1))
	if changed[2] == ids[2] || !slices.Equal(changed[4:], ids[4:]) {
		t.Error("only the block whose name changes has other IDs")
	}
	twice := idsOf("name\n}\n}\n")
	if twice[1] == twice[2] {
		t.Error("equal lines after each other have one ID")
	}
	alone := Context{}
	first, again := alone.ID(Of([]byte("}"))), alone.ID(Of([]byte("}")))
	if id := alone.ID(Of([]byte("name"))); id != twice[0] || first != again {
		t.Error("without counts the text alone counts")
	}
}

// TestParts reads files in parts of all sizes: the lines are the same as of the whole text.
func TestParts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, label := range []string{"", "utf-16le", "utf-16be"} {
		encoding, _ := charset.Lookup(label)
		text := []byte(strings.Repeat("first é\nx\n\n\xed\xa0\x80\n😀 and more\n", 30_000))
		if label != "" {
			text = bytes.ToValidUTF8(text, nil)
		}
		file, err := encoding.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		from, to := int64(0), int64(len(file))
		f := File{Bytes: bytes.NewReader(file), From: from, To: to, Encoding: encoding}
		numbers := []int64{1, 2, 2, 5, 77_777, int64(r.IntN(70_000)) + 77_778, 149_999, 150_000, 150_001}
		var failed error
		got := Count(f.Parts(t.Context(), &failed)).Find(f.Parts(t.Context(), &failed), numbers)
		want := Count(Whole(text)).Find(Whole(text), numbers)
		if failed != nil || len(got) != len(numbers)-1 || !slices.Equal(got, want) {
			t.Errorf("%q: %v %v, want %v", label, failed, got, want)
		}
		f.To += 100 // it has become shorter since
		if n := len(slices.Collect(hashes(f.Parts(t.Context(), &failed)))); n != 150_000 || failed != nil {
			t.Errorf("%q: %d lines, %v", label, n, failed)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	var failed error
	f := File{Bytes: strings.NewReader("a\n"), To: 2}
	if Count(f.Parts(canceled, &failed)); failed != context.Canceled {
		t.Error(failed)
	}
}

func TestContextAfter(t *testing.T) {
	text := []byte("one line\n}\n}\n\ntwo lines\n}\n}\n")
	counts, ids := Count(Whole(text)), idsOf(string(text))
	for at, line := 0, 0; at < len(text); line++ {
		end := at + bytes.IndexByte(text[at:], '\n') + 1
		if id := counts.After(Whole(text[:at])).ID(Of(text[at:end])); id != ids[line] {
			t.Errorf("line %d: %s, want %s", line, id, ids[line])
		}
		at = end
	}
}
