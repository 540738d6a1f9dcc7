package commands

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/read"
	"fsbox/commands/words"

	"golang.org/x/term"
)

// A request that succeeds has something to say.
func TestTextOfEveryTool(t *testing.T) {
	for _, tool := range sampled() {
		env, _ := filledEnv(t)
		a := performed(t.Context(), env, nil, sampleCall(t, tool))
		if text := a.Text(); !a.Success || !strings.HasSuffix(text, "\n") || strings.Count(text, "\n") == 0 {
			t.Errorf("%s: %q", tool.Name, text)
		}
	}
}

// TestPagesTellWhereToLook: the line of the text form that says how to continue is where the pages
// say that it is, and a warning comes after what was asked for.
func TestPagesTellWhereToLook(t *testing.T) {
	text := answer.Succeeded(nil, &read.Result{Content: "content\n", StartLine: 1, EndLine: 1, Truncated: true, NextCursor: "c"},
		[]string{"careful"}).Text()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "continue with") })
	where := map[int]string{0: "first", len(lines) - 1: "last"}[at]
	warns, asked := slices.Index(lines, "warning: careful"), slices.Index(lines, "content")
	if len(lines) < 3 || !strings.HasPrefix(lines[max(at, 0)], "[") || warns < asked {
		t.Fatalf("the text form isn't as the test knows it: %q", text)
	}
	claim := regexp.MustCompile(`(\w+) line (?:may be a note )?in square brackets`)
	for _, page := range []string{"docs/wire.md", "docs/scripts.md", "examples/AGENTS.md", "examples/skill/SKILL.md"} {
		claims := claim.FindAllStringSubmatch(readRepository(t, page), -1)
		if len(claims) == 0 {
			t.Errorf("%s doesn't say which line tells how to continue", page)
		}
		for _, said := range claims {
			if said[1] != where {
				t.Errorf("%s says %q, and it is the %s line", page, said[0], where)
			}
		}
	}
}

// randomAnswers gives one answer for each type that results and details have.
func randomAnswers(r *rand.Rand, do func(answer.Answer)) {
	for _, of := range answered() {
		p := reflect.New(of)
		fillRandom(r, p.Elem())
		pick := func() string { return answerTexts[r.IntN(len(answerTexts))] }
		a := answer.Answer{Success: true, Message: pick(), Hint: pick(), Warnings: []string{pick()}}
		if result, ok := p.Interface().(answer.Result); ok {
			a.Result = result
		} else {
			a.Success, a.Error, a.Details = false, answer.CodeInternal, p.Interface()
		}
		do(a)
	}
}

// Whatever an answer holds, its text is UTF-8 and ends with a line end, and a stream carries the
// same text in one line of JSON.
func TestTextOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range sized(300) {
		randomAnswers(r, func(a answer.Answer) {
			text := a.Text()
			if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
				t.Fatalf("%T %T: %q", a.Result, a.Details, text)
			}
			if line := textLine(t, a); line != text {
				t.Fatalf("a stream has %q for %q", line, text)
			}
		})
	}
}

// textLine reads the text back from an answer of a stream.
func textLine(t *testing.T, a answer.Answer) string {
	t.Helper()
	var out bytes.Buffer
	a.ID = []byte(`"x"`)
	o := answer.NewOutput(&out, answer.FormatText, true, answer.Bound{}, nil)
	if err := o.Answer(a); err != nil || bytes.Count(out.Bytes(), []byte("\n")) != 1 {
		t.Fatalf("%v, %q", err, out.Bytes())
	}
	var back struct {
		ID      string
		Success bool
		Text    string
	}
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || back.ID != "x" || back.Success != a.Success {
		t.Fatalf("%v, %q", err, out.Bytes())
	}
	return back.Text
}

// A long content goes out whole, though in pieces, and characters aren't torn between them.
func TestLongText(t *testing.T) {
	for _, content := range []string{strings.Repeat("ab€😀", 50_000), strings.Repeat("x", answer.Chunk), "\n" +
		strings.Repeat("\xff\xf0\x9f", 100_000)} {
		a := answer.Succeeded(nil, &read.Result{Content: content}, nil)
		want := string([]rune(content))
		if got := a.Text(); got != want {
			t.Errorf("%d bytes became %d", len(want), len(got))
		}
		if got := textLine(t, a); got != want {
			t.Errorf("%d bytes became %d in a stream", len(want), len(got))
		}
		if err := a.WriteText(&failingWriter{}, nil); !errors.Is(err, errFull) {
			t.Errorf("error %v, want the writer's", err)
		}
	}
}

// Colours change nothing of a text, except that what would control the terminal is escaped.
func TestColours(t *testing.T) {
	codes := *term.NewTerminal(nil, "").Escape
	without := strings.NewReplacer(string(codes.Red), "", string(codes.Green), "", string(codes.Yellow), "", string(codes.Blue), "",
		string(codes.Magenta), "", string(codes.Cyan), "", string(codes.Reset), "")
	r := rand.New(rand.NewPCG(9, 10))
	for range sized(100) {
		randomAnswers(r, func(a answer.Answer) {
			var coloured strings.Builder
			if err := a.WriteText(&coloured, &answer.Style{Colours: codes}); err != nil {
				t.Fatal(err)
			}
			if got, want := without.Replace(coloured.String()), words.VisibleLines(a.Text()); got != want {
				t.Fatalf("%q\nwant\n%q", got, want)
			}
		})
	}
}

func TestPaintFound(t *testing.T) {
	for _, c := range []struct {
		line  string
		found answer.Spans
		want  string
	}{
		{"héllo wörld", answer.Spans{{1, 3}, {6, 8}}, "h<él>lo <wö>rld"}, {"abc", nil, "abc"}, {"abc", answer.Spans{{1, 9}}, "a<bc>"},
		{"abc", answer.Spans{{3, 3}, {9, 10}}, "abc"},
		{"abc", answer.Spans{{-4, 2}}, "<ab>c"}, {"\xff\xfeb", answer.Spans{{1, 2}}, "\ufffd<\ufffd>b"},
	} {
		var out strings.Builder
		s := &answer.Style{}
		s.Colours.Red, s.Colours.Reset = []byte("<"), []byte(">")
		text := &answer.Text{W: &out, Style: s}
		text.PaintFound(c.line, c.found)
		if text.Flush(); out.String() != c.want {
			t.Errorf("%q %v: %q, want %q", c.line, c.found, out.String(), c.want)
		}
	}
}

func TestSizeText(t *testing.T) {
	for size, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1 << 20: "1.0 MiB", 1<<20 - 1: "1.0 MiB",
		1022 << 10: "1.0 MiB", 990 << 10: "990.0 KiB",
		10 << 30: "10.0 GiB", math.MaxInt64: "8.0 EiB"} {
		if got := words.Size(size); got != want {
			t.Errorf("%d: %s, want %s", size, got, want)
		}
	}
}

func TestNameText(t *testing.T) {
	for name, want := range map[string]string{
		"a/b c.go": "a/b c.go", `back\slash`: `back\slash`, "世界": "世界", "😀\u200d😀": "😀\u200d😀",
		"a\nb": `"a\nb"`, "a\x1b[31m/\"": `"a\u001b[31m/\""`, `"quoted"`: `"\"quoted\""`, "": `""`, "\x7f\u0085": `"\u007f\u0085"`,
		"a\u2028b\u202eb": `"a\u2028b\u202eb"`, "caf\xe9": "caf\ufffd",
	} {
		got := words.Name(name)
		if got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
		var back string
		if strings.HasPrefix(got, `"`) && (json.Unmarshal([]byte(got), &back) != nil || back != name) {
			t.Errorf("%q comes back as %q", name, back)
		}
	}
}

// No hint of a text refers to JSON that isn't there.
func TestHintText(t *testing.T) {
	for _, file := range sourcesBelow(t, ".") {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(source)) {
			if text, isText := quotedText(line); isText && strings.Contains(answer.HintText(text), "details") && file != "text_failure.go" {
				t.Errorf("%s: %s", file, answer.HintText(text))
			}
		}
	}
}

// quotedText is what a line of Go has between its first quote and its last, if that mentions
// details.
func quotedText(line string) (text string, ok bool) {
	code, _, _ := strings.Cut(line, " // ")
	_, text, _ = strings.Cut(code, `"`)
	at := strings.LastIndex(text, `"`)
	if at < 0 || !strings.Contains(text[:at], "details.") {
		return "", false
	}
	return text[:at], true
}
