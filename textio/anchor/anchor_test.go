package anchor

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// parsed are texts and the anchors that they are; "" is none.
var parsed = []struct{ text, want string }{
	{"12#KD", "12#KD"}, {"1#BB", "1#BB"}, {"12#KD→text", "12#KD"}, {"12#KD:text", "12#KD"}, {"12#KD-text", "12#KD"},
	{"12#KD→", "12#KD"}, {"12#KD:13#KD", "12#KD"}, {"9223372036854775807#ZZ", "9223372036854775807#ZZ"},
	{"", ""}, {"12", ""}, {"12#", ""}, {"12#K", ""}, {"#KD", ""}, {"0#KD", ""}, {"012#KD", ""}, {"-1#KD", ""}, {"+1#KD", ""},
	{"12#kd", ""}, {"12#AB", ""}, {"12#KDX", ""}, {"12#KD text", ""}, {" 12#KD", ""}, {"12 #KD", ""}, {"12#KD→a\n13#KD→b", ""},
	{"9223372036854775808#ZZ", ""}, {"1#2#KD", ""},
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
		"": false, "12#KD→a": true, "12#KD→a\n13#BB:b\r\n": true, "12#KD→a\nb": false, "12#KD→a\n\n": false, "12#KD": true,
	} {
		if got := OnEachLine([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// These IDs are what other versions and systems gave: they never change.
func TestIDsStay(t *testing.T) {
	text := []byte("func one() {\n\treturn\n}\n\n  }  \r\nÄöü 1\n\xff\n")
	ids, got := Text{Bytes: text}, ""
	for at := 0; at < len(text); {
		end := at + bytes.IndexByte(text[at:], '\n') + 1
		id := ids.ID(at, end)
		got, at = got+string(id[:])+" ", end
	}
	if want := "VB GM XT PF "; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHash(t *testing.T) {
	near := Of([]byte("other"))
	same := func(a, b string) bool { return Of([]byte(a)).ID(near) == Of([]byte(b)).ID(near) }
	if !same("a b c", "a b c \t\r\n") || same("a b c", " a b c") || same("a b c", "a b  c") {
		t.Error("blanks count only where something comes after them")
	}
	if !same("x\xed\xa0\x80y", "x\ufffdy") {
		t.Error("a surrogate isn't as readers of UTF-16 see it")
	}
	for text, want := range map[string]bool{"ab1": true, "{ab}": false, "Äö٣": true, "a\xff\xffb": false, "a_b": false, "é́é": false} {
		if got := Of([]byte(text)).HasText(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if Of([]byte("}")).ID(near) == Of([]byte("}")).ID(Of([]byte("one"))) || Of(nil).ID(near) == near.ID(Hash{}) {
		t.Error("the ID of a line without text doesn't depend on the one before")
	}
	text := "part é by \xed part"
	for cut := range text {
		h := Of([]byte(text[:cut]))
		if h.Add([]byte(text[cut:])); h != Of([]byte(text)) {
			t.Errorf("cut at %d: %v", cut, h)
		}
	}
}

// TestText asks for lines in any order, as a search with context does.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		text := randomLines(r)
		starts := []int{0}
		for i, c := range text {
			if c == '\n' {
				starts = append(starts, i+1)
			}
		}
		starts = append(starts, len(text))
		near := Of([]byte("before"))
		ids := Text{Bytes: text, Near: near}
		for range 30 {
			i := r.IntN(len(starts) - 1)
			if got, want := ids.ID(starts[i], starts[i+1]), plainID(text, starts, i, near); got != want {
				t.Fatalf("%q, line %d: %s, want %s", text, i, got, want)
			}
		}
	}
}

func randomLines(r *rand.Rand) (text []byte) {
	for range r.IntN(12) {
		text = append(text, []string{"\n", "}\n", "  \n", "one\n", "two\r\n", "ab\n", "twelve x"}[r.IntN(7)]...)
	}
	return text
}

func plainID(text []byte, starts []int, i int, near Hash) ID {
	for before := i - 1; before >= 0; before-- {
		if line := Of(text[starts[before]:starts[before+1]]); line.HasText() {
			near = line
			break
		}
	}
	return Of(text[starts[i]:starts[i+1]]).ID(near)
}
