package edit

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"fsbox/testscript"
)

var (
	byteEdits = flag.Int("byte-edits", 1000, "random edits held against the model in bytes; the gate takes 2,500, a long run 1,000,000")
	byteSeed  = flag.Uint64("byte-seed", 1, "seed of the random edits")
)

// byteLine is a line of a file in units: bytes, or halves of UTF-16. ID is
// unique text that it begins with. Plain lines can be asked for whole.
type byteLine struct {
	id     string
	rest   []uint16
	ending string
	plain  bool
}

// byteKind is a kind of file: what its lines may hold and how they end.
type byteKind struct {
	name    string
	mark    string                 // byte order mark, in bytes
	order   binary.AppendByteOrder // of UTF-16, else nil
	endings []string
	odd     [][]uint16 // what else lines may hold
	open    bool       // no final line end
}

func units(text string) (list []uint16) {
	for i := range len(text) {
		list = append(list, uint16(text[i]))
	}
	return list
}

func byteKinds() []byteKind {
	lf, crlf := []string{"\n"}, []string{"\r\n"}
	mixed := []string{"\n", "\r\n", "\n", "\r\n", " \n", "\t\r\n"}
	utf8 := [][]uint16{units("é"), units("“x”"), units("😀"), units("\f")}
	wide := [][]uint16{utf16.Encode([]rune("é")), utf16.Encode([]rune("😀“")), {0xd800}, {0x0a0d}, {0x0d0a}, {0x2028}}
	return []byteKind{
		{name: "crlf", endings: crlf, odd: utf8},
		{name: "mixed", endings: mixed, odd: utf8},
		{name: "lone-cr", endings: []string{"\n", "\r\n"}, odd: [][]uint16{units("\r"), units("a\rb"), units("\rx")}},
		{name: "bom", mark: "\xef\xbb\xbf", endings: mixed, odd: utf8},
		{name: "utf-16le", mark: "\xff\xfe", order: binary.LittleEndian, endings: mixed, odd: wide},
		{name: "utf-16be", mark: "\xfe\xff", order: binary.BigEndian, endings: crlf, odd: wide},
		{name: "windows-1252", endings: mixed, odd: [][]uint16{units("caf\xe9"), units("\x93x\x94"), units("\xa0")}},
		{name: "gbk", endings: crlf, odd: [][]uint16{units("\xc4\xe3\xba\xc3"), units("\x81\x5c"), units("\x84\x31\xa4\x37")}},
		{name: "shift-jis", endings: lf, odd: [][]uint16{units("\x95\x5c"), units("\x83\x7c\x93\xfa"), units("\xb2\xe2")}},
		{name: "invalid", endings: mixed, odd: [][]uint16{units("\xff"), units("\xc3("), units("\xe2\x80"), units("\xed\xa0\x80"),
			units("\xf5")}},
		{name: "open", endings: mixed, odd: utf8, open: true},
		{name: "lf", endings: lf, odd: utf8},
	}
}

// byteFile is a file of which the model knows every byte.
type byteFile struct {
	kind  byteKind
	lines []byteLine
}

func (f *byteFile) content() []byte {
	out := []byte(f.kind.mark)
	for _, line := range f.lines {
		for _, u := range slices.Concat(units(line.id), line.rest, units(line.ending)) {
			if f.kind.order == nil {
				out = append(out, byte(u))
			} else {
				out = f.kind.order.AppendUint16(out, u)
			}
		}
	}
	return out
}

// byteModel makes requests and knows what they come to.
type byteModel struct {
	*rand.Rand
	ids int
}

func (m *byteModel) newID() string {
	m.ids++
	return fmt.Sprintf("w%d;", m.ids)
}

func (m *byteModel) newLine(kind byteKind) byteLine {
	line := byteLine{id: m.newID(), ending: kind.endings[m.IntN(len(kind.endings))], plain: true}
	for range m.IntN(4) {
		if m.IntN(3) == 0 {
			line.plain = false
			line.rest = append(line.rest, kind.odd[m.IntN(len(kind.odd))]...)
		}
		line.rest = append(line.rest, units([]string{"x", " = ", "\tif", "()", "$&"}[m.IntN(5)])...)
	}
	if n := len(line.rest); n > 0 && line.rest[n-1] == '\r' {
		line.rest = append(line.rest, '.')
	}
	return line
}

func (m *byteModel) newFile(kind byteKind) *byteFile {
	f := &byteFile{kind: kind}
	for range 4 + m.IntN(12) {
		f.lines = append(f.lines, m.newLine(kind))
	}
	if kind.open {
		f.lines[len(f.lines)-1].ending = ""
	}
	return f
}

// byteEdit is a request and the answer it must get: an error code, or how it matched.
type byteEdit struct {
	Expected    string `json:"expected_text"`
	Replacement string `json:"replacement_text"`
	All         bool   `json:"replace_all,omitempty"`
	Count       int    `json:"expected_count,omitempty"`
	Match       string `json:"match,omitempty"`
	WholeWord   bool   `json:"whole_word,omitempty"`

	code, tier string
	inLine     bool // a word for a word: sed can do it
}

// next makes an edit and does it in the model.
func (m *byteModel) next(f *byteFile) byteEdit {
	switch m.IntN(10) {
	case 0:
		return byteEdit{Expected: m.newID(), Replacement: "x", code: "match_not_found"}
	case 1:
		return m.everywhere(f)
	case 2, 3:
		return m.word(f)
	case 4:
		return m.wholeWord(f)
	}
	return m.window(f)
}

// wholeWord replaces the id of a line without its sign: as a whole word it is
// there once, though others may begin with it. Half of an id is there, but as no
// whole word.
func (m *byteModel) wholeWord(f *byteFile) byteEdit {
	line := &f.lines[m.IntN(len(f.lines))]
	name, sign := line.id[:len(line.id)-1], line.id[len(line.id)-1:]
	e := byteEdit{Expected: name, WholeWord: true, All: m.IntN(2) == 0, tier: "exact"}
	if m.IntN(4) == 0 {
		e.Expected, e.Replacement, e.code, e.tier = "w", "x", "match_not_found", ""
		return e
	}
	id := m.newID()
	e.Replacement = id[:len(id)-1]
	line.id = e.Replacement + sign
	return e
}

// everywhere replaces the sign after the id of all lines, and takes it back the
// next time.
func (m *byteModel) everywhere(f *byteFile) byteEdit {
	e := byteEdit{Expected: ";", Replacement: "!", All: true, tier: "exact"}
	if strings.HasSuffix(f.lines[0].id, "!") {
		e.Expected, e.Replacement = "!", ";"
	}
	count := 0
	for i, line := range f.lines {
		if before := line.id; strings.Contains(before, e.Expected) {
			f.lines[i].id = strings.ReplaceAll(before, e.Expected, e.Replacement)
			count++
		}
	}
	if m.IntN(3) == 0 {
		e.All, e.Count = false, count
	}
	return e
}

// word replaces the beginning of a line, sometimes by two lines: the second one
// then has what followed, and the first the same line end.
func (m *byteModel) word(f *byteFile) byteEdit {
	i := m.IntN(len(f.lines))
	line := f.lines[i]
	e := byteEdit{Expected: line.id, Replacement: m.newID(), tier: "exact", inLine: true}
	f.lines[i].id = e.Replacement
	if m.IntN(3) > 0 {
		return e
	}
	added := byteLine{id: m.newID(), rest: units("$1 \\1"), ending: f.endingNear(i), plain: true}
	e.Replacement = added.id + "$1 \\1\n" + e.Replacement
	e.inLine = false
	f.lines = slices.Insert(f.lines, i, added)
	return e
}

// endingNear is the line end that text put into line i gets, without blanks
// before it: they are content.
func (f *byteFile) endingNear(i int) string {
	ending := f.lines[i].ending
	if ending == "" && i > 0 {
		ending = f.lines[i-1].ending
	}
	if strings.HasSuffix(ending, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// window asks for whole plain lines and changes, adds or deletes one of them.
// Every other line keeps its own end.
func (m *byteModel) window(f *byteFile) byteEdit {
	from := m.IntN(len(f.lines))
	to := from
	for to < len(f.lines) && to < from+4 && f.lines[to].plain && f.lines[to].ending != "" {
		to++
	}
	if to-from < 2 {
		return m.word(f)
	}
	lines := slices.Clone(f.lines[from:to])
	e := m.ask(lines)
	at := m.IntN(len(lines))
	switch m.IntN(3) {
	case 0: // change: the blanks before the line's end are its own no more, if they were not asked for
		lines[at].id = m.newID()
		if e.tier == "trailing_blanks" {
			lines[at].ending = strings.TrimLeft(lines[at].ending, " \t")
		}
	case 1:
		added := byteLine{id: m.newID(), ending: f.endingNear(max(from+at-1, 0)), plain: true} // that of the line before
		lines = slices.Insert(lines, at, added)
	case 2:
		lines = slices.Delete(lines, at, at+1)
	}
	e.Replacement = e.text(lines)
	f.lines = slices.Concat(f.lines[:from], lines, f.lines[to:])
	return e
}

// ask begins an edit of whole lines. It has them with LF, with or without the
// blanks at their ends, which decides how they must match.
func (m *byteModel) ask(lines []byteLine) byteEdit {
	bare, blanks, crlf := m.IntN(2) == 0, false, false
	for _, line := range lines {
		blanks = blanks || len(strings.TrimLeft(line.ending, " \t")) < len(line.ending)
		crlf = crlf || strings.HasSuffix(line.ending, "\r\n")
	}
	e := byteEdit{tier: "exact"}
	switch {
	case bare && blanks:
		e.tier = "trailing_blanks"
	case crlf:
		e.tier = "eol"
	}
	if e.tier == "trailing_blanks" || m.IntN(2) == 0 {
		e.Match = "lenient"
	}
	e.Expected = e.text(lines)
	return e
}

// text is how the request writes lines.
func (e *byteEdit) text(lines []byteLine) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line.id)
		for _, u := range line.rest {
			b.WriteByte(byte(u))
		}
		if e.tier != "trailing_blanks" {
			b.WriteString(strings.TrimRight(line.ending, "\r\n"))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestEditsInBytes makes random edits of files of every kind through a batch, and
// looks at all bytes of the file after each: those that the edit doesn't speak of
// must be as they were. Sed does some of them as well.
func TestEditsInBytes(t *testing.T) {
	root := t.TempDir()
	ask := startBatch(t, root)
	m := &byteModel{Rand: rand.New(rand.NewPCG(*byteSeed, *byteSeed))}
	kinds := byteKinds()
	sed, _ := exec.LookPath("sed")
	if sed == "" {
		t.Log("without sed: the model is the only judge")
	}
	seen := make(map[string]int)
	var f *byteFile
	path := filepath.Join(root, "f.txt")
	for n := range testscript.Sized(*byteEdits) {
		if n%20 == 0 {
			f = m.newFile(kinds[n/20%len(kinds)])
			if err := os.WriteFile(path, f.content(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		before := f.content()
		e := m.next(f)
		code, tier := ask(e)
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if code != e.code || tier != e.tier || !bytes.Equal(after, f.content()) {
			t.Fatalf("seed %d, edit %d, %s:\n   was %q\n  edit %+v\nanswer %q %q\n   got %q\n  want %q", *byteSeed, n, f.kind.name, before, e,
				code, tier, after, f.content())
		}
		if e.inLine && n%25 == 0 && sed != "" && f.kind.order == nil {
			seen["sed"]++
			judgeBySed(t, sed, before, e, after)
		}
		seen[tier+code]++
	}
	for _, outcome := range []string{"exact", "eol", "trailing_blanks", "match_not_found"} {
		if seen[outcome] < testscript.Sized(*byteEdits)/50 {
			t.Errorf("outcome %q was seen %d times only: %v", outcome, seen[outcome], seen)
		}
	}
	t.Log(seen)
}

// judgeBySed makes an edit within a line by sed.
func judgeBySed(t *testing.T, sed string, before []byte, e byteEdit, after []byte) {
	t.Helper()
	cmd := exec.Command(sed, "s/"+e.Expected+"/"+e.Replacement+"/") // words and a sign: no pattern
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdin = bytes.NewReader(before)
	got, err := cmd.Output()
	if err != nil || !bytes.Equal(got, after) {
		t.Errorf("%q: %+v: sed has %q, %v; not %q", before, e, got, err, after)
	}
}

// startBatch runs a batch in root and returns a function that edits f.txt.
func startBatch(t *testing.T, root string) func(byteEdit) (code, tier string) {
	t.Helper()
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan int)
	go func() {
		args := []string{"--root", root, "--state-dir", t.TempDir(), "--allow-write", "--no-fsync", "--no-backup", "--timeout", "60s", "batch"}
		status := testscript.RunHere(args, requests, answers, io.Discard)
		answers.Close()
		done <- status
	}()
	t.Cleanup(func() {
		in.Close()
		io.Copy(io.Discard, out)
		<-done
	})
	lines := bufio.NewReader(out)
	return func(e byteEdit) (code, tier string) {
		input := struct {
			Path string `json:"path"`
			byteEdit
		}{"f.txt", e}
		line, err := json.Marshal(map[string]any{"tool": "edit", "input": input})
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(line, '\n'))
		text, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Error  string
			Result struct{ Results []struct{ Match string } }
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		if len(answer.Result.Results) == 1 {
			tier = answer.Result.Results[0].Match
		}
		return answer.Error, tier
	}
}
