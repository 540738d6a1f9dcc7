package commands

import (
	"bytes"
	"errors"
	"fsbox/commands/request"
	"fsbox/commands/stream"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// objectsOf cuts input the way serveObjects does: after an object that is no JSON the rest of its
// line is given up. A frame without text stands for its message.
func objectsOf(t *testing.T, in io.Reader) []string {
	t.Helper()
	f := stream.NewFramer(in)
	return collect(t, func() (stream.Frame, error) {
		got, err := f.NextObject()
		if err == nil && !got.Long {
			if _, fail := request.ParseObject(got.Text); fail != nil {
				f.GiveUpLine(got)
			}
		}
		return got, err
	})
}

func linesOf(t *testing.T, in io.Reader) []string {
	lines := stream.NewLines(in, func() {})
	return collect(t, func() (stream.Frame, error) {
		line, err := lines.Next()
		return stream.Frame{Text: line.Text, Long: line.Long}, err
	})
}

func collect(t *testing.T, next func() (stream.Frame, error)) []string {
	t.Helper()
	var all []string
	for {
		got, err := next()
		switch {
		case err == io.EOF:
			return all
		case err != nil:
			t.Fatal(err)
		case got.Long:
			all = append(all, tooLargeMessage)
		default:
			all = append(all, string(got.Text))
		}
	}
}

const tooLargeMessage = "too large"

func TestObjects(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"blanks only", " \t\r\n\n \n", nil},
		{"one", `{"a":1}`, []string{`{"a":1}`}},
		{"one a line", "{\"a\":1}\n{\"b\":2}\r\n\n{\"c\":3}\n", []string{`{"a":1}`, `{"b":2}`, `{"c":3}`}},
		{"several on one line", `{"a":1}{"b":2} {"c":3}`, []string{`{"a":1}`, `{"b":2}`, `{"c":3}`}},
		{"over lines", "{\n  \"edits\": [\n    {\"a\": 1},\n    {\"b\": 2}\n  ],\n  \"c\":\n  {}\n}\n{}", []string{
			"{\n  \"edits\": [\n    {\"a\": 1},\n    {\"b\": 2}\n  ],\n  \"c\":\n  {}\n}", "{}"}},
		{"brackets in strings", `{"a":"}{]["} {"b":"\"}"} {"c":"\\"}`, []string{`{"a":"}{]["}`, `{"b":"\"}"}`, `{"c":"\\"}`}},
		{"garbage line", "garbage here\n{\"a\":1}\n", []string{"garbage here\n", `{"a":1}`}},
		{"garbage after an object", "{\"a\":1} garbage {\"b\":2}\n{\"c\":3}", []string{`{"a":1}`, "garbage {\"b\":2}\n", `{"c":3}`}},
		{"garbage at the end", "{\"a\":1}\ngarbage", []string{`{"a":1}`, "garbage"}},
		{"array", "[1,[2]]\n{\"a\":1}", []string{"[1,[2]]", `{"a":1}`}},
		{"bad object gives up its line", "{a:1} {\"b\":2}\n{\"c\":3}", []string{"{a:1}", `{"c":3}`}},
		{"bad object at its line's end", "{a:1}\n{\"b\":2}", []string{"{a:1}", `{"b":2}`}},
		{"bad object over lines", "{a:\n1} {\"b\":2}\n{\"c\":3}", []string{"{a:\n1}", `{"c":3}`}},
		{"string without end", "{\"a\":\"x}\n{\"b\":2}", []string{"{\"a\":\"x}\n", `{"b":2}`}},
		{"object without end", "{\"a\":1\n{\"b\":2}\n{\"c\":3}", []string{"{\"a\":1\n", `{"b":2}`, `{"c":3}`}},
		{"only a bracket", "{\n{\"b\":2}", []string{"{\n", `{"b":2}`}},
		{"closed by the wrong bracket", "{\"a\":1]\n{\"b\":2}", []string{`{"a":1]`, `{"b":2}`}},
		{"cut off", `{"a":{"b":1}`, []string{`{"a":{"b":1}`}},
		{"cut off in a string", `{"a":"b`, []string{`{"a":"b`}},
		{"stray closing bracket", "}\n{\"a\":1}", []string{"}\n", `{"a":1}`}},
		{"bare string", "\"{\"\n{\"a\":1}", []string{"\"{\"\n", `{"a":1}`}},
		{"byte order mark", "\ufeff{\"a\":1}\n{\"b\":2}", []string{`{"a":1}`, `{"b":2}`}},
		{"a second byte order mark", "{\"a\":1}\n\ufeff{\"b\":2}", []string{`{"a":1}`, "\ufeff{\"b\":2}"}},
		{"not UTF-8", "{\"a\":\"\xff\"}\n{\"b\":2}", []string{"{\"a\":\"\xff\"}", `{"b":2}`}},
	} {
		for _, in := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
			if got := objectsOf(t, in); !slices.Equal(got, tt.want) {
				t.Errorf("%s: %q\nwant %q", tt.name, got, tt.want)
			}
		}
	}
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"\n \r\n\t\n", nil},
		{"{}", []string{"{}"}},
		{"{}\n{} {}\n\n garbage\r\n[", []string{"{}\n", "{} {}\n", " garbage\r\n", "["}},
		{"{\n}\n", []string{"{\n", "}\n"}},
	} {
		if got := linesOf(t, strings.NewReader(tt.in)); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

// The largest request is taken, one byte more is refused, and what follows is found again.
func TestLargestRequest(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	const next = `{"id":1}`
	object := func(size int) string { return `{"a":"` + strings.Repeat("x", size-len(`{"a":""}`)) + `"}` }
	for end, cut := range map[string]func(*testing.T, io.Reader) []string{"\n": objectsOf, "\r\n": linesOf} {
		got := cut(t, strings.NewReader(object(stream.MaxBytes)+end+next))
		if len(got) != 2 || len(strings.TrimSpace(got[0])) != stream.MaxBytes || got[1] != next {
			t.Errorf("largest: %d frames, the first of %d bytes", len(got), len(got[0]))
		}
		got = cut(t, strings.NewReader(object(stream.MaxBytes+1)+end+next))
		if !slices.Equal(got, []string{tooLargeMessage, next}) {
			t.Errorf("larger: %d frames, the first %.60q", len(got), got[0])
		}
	}
	garbage := strings.Repeat("x", stream.MaxBytes+1) + "\n" + next
	if got := objectsOf(t, strings.NewReader(garbage)); !slices.Equal(got, []string{tooLargeMessage, next}) {
		t.Errorf("garbage: %.100q", got)
	}
	deep := strings.Repeat("[", stream.MaxBytes+1) + strings.Repeat("]", stream.MaxBytes+1) + "\n" + next
	if got := objectsOf(t, strings.NewReader(deep)); !slices.Equal(got, []string{tooLargeMessage, next}) {
		t.Errorf("deep: %.100q", got)
	}
}

// A request that doesn't end takes no more memory the longer it goes on.
func TestEndlessRequest(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for name, cut := range map[string]func(*testing.T, io.Reader) []string{"object": objectsOf, "line": linesOf} {
		allocated := func(size int64) uint64 {
			var before, after runtime.MemStats
			in := io.MultiReader(strings.NewReader(`{"a":"`), io.LimitReader(endless{}, size), strings.NewReader("\"}\n{}"))
			runtime.ReadMemStats(&before)
			if got := cut(t, in); !slices.Equal(got, []string{tooLargeMessage, "{}"}) {
				t.Errorf("%s: %.100q", name, got)
			}
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		short, long := allocated(stream.MaxBytes+1<<20), allocated(2*stream.MaxBytes)
		if long > short+1<<20 {
			t.Errorf("%s: %d bytes were allocated for a request, %d for a longer one", name, short, long)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// An input that fails, unlike one that ends, is no end of a request.
func TestBrokenInput(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(broken))
	f := stream.NewFramer(in)
	if got, err := f.NextObject(); string(got.Text) != "{}" || err != nil {
		t.Errorf("%q, %v", got.Text, err)
	}
	if got, err := f.NextObject(); err != broken {
		t.Errorf("%q, %v", got.Text, err)
	}
}

var streamSeeds = []string{"", "{}", "{\"a\":1}\n{\"b\":2}", "[{\n{", "{\"a\":\"x\n", "x\n{}", "{\"a\\\"}\n{", "}{][\"", "{\"a\":\n{}}",
	"\\\"{\n\"",
	"{\"a\":1,\n{\"b\":2}\n{}", "\xff\xfe{\x00}\x00"}

// Framing ends, and every byte but blanks between requests is in exactly one frame, in order.
func FuzzObjectsKeepBytes(f *testing.F) {
	for _, seed := range streamSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		framer := stream.NewFramer(bytes.NewReader(in))
		var all []byte
		for frames := 0; ; frames++ {
			got, err := framer.NextObject()
			if err == io.EOF {
				break
			}
			if frames > len(in) {
				t.Fatalf("more frames than bytes in %q", in)
			}
			if len(got.Text) == 0 || request.IsBlank(got.Text[0]) {
				t.Fatalf("frame %q of %q", got.Text, in)
			}
			all = append(all, got.Text...)
		}
		if !bytes.Equal(solid(all), solid(in)) {
			t.Fatalf("%q became %q", in, all)
		}
	})
}

// solid leaves blanks out.
func solid(all []byte) []byte { return slices.DeleteFunc(bytes.Clone(all), request.IsBlank) }

func FuzzLinesKeepBytes(f *testing.F) {
	for _, seed := range streamSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var all, want []byte
		for _, line := range linesOf(t, bytes.NewReader(in)) {
			all = append(all, line...)
		}
		for line := range bytes.Lines(in) {
			if len(bytes.TrimSpace(line)) > 0 {
				want = append(want, line...)
			}
		}
		if !bytes.Equal(all, want) {
			t.Fatalf("%q became %q", in, all)
		}
	})
}

// A request on a line of its own is found after any line that opens nothing, and after any request
// that is in order.
func FuzzObjectsFindTheNext(f *testing.F) {
	for _, seed := range streamSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		garbage := strings.NewReplacer("{", "(", "}", ")", "[", "<", "]", ">", `"`, "'").Replace(in)
		const next = `{"id":"next","path":"x"}`
		for _, before := range []string{garbage + "\n", "{} " + garbage + "\n", "{\"bad\" " + garbage + "}\n", "{\"open\"\n"} {
			got := objectsOf(t, strings.NewReader(before+next+"\n"))
			if len(got) == 0 || got[len(got)-1] != next {
				t.Fatalf("after %q: %q", before, got)
			}
		}
	})
}
