package search

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fsbox/testscript"
)

var (
	regexes   = flag.Int("regexes", 15, "random regular expressions held against package regexp; a long run 20,000")
	regexSeed = flag.Uint64("regex-seed", 1, "seed of the random expressions")
)

// TestRegexesAgainstGo searches random texts for random expressions in all modes, with RE2 and
// without, and holds both against what package regexp finds.
func TestRegexesAgainstGo(t *testing.T) {
	testscript.NeedsUnix(t, "a shell that starts the program with less memory")
	root := t.TempDir()
	engines := []string{"batch"}
	if runtime.GOOS == "linux" && !testscript.Emulated() {
		engines = append(engines, "ulimit -v 4000000; batch") // RE2 wants more
	}
	var sessions []func(regexQuery) []byte
	for _, engine := range engines {
		sessions = append(sessions, regexSession(t, root, strings.Replace(engine, "batch", `exec fsbox --timeout 5m batch`, 1)))
	}
	var r regexModel
	var files map[string]string
	matched := 0
	for i := range testscript.Sized(testscript.Sized(*regexes)) {
		if i%10 == 0 {
			r = regexModel{rand.New(rand.NewPCG(*regexSeed, uint64(i)))}
			files = r.files(t, root, i/10%6 == 0)
		}
		pattern := cmp.Or(r.pattern(3), "a|")
		for range 3 {
			q := r.query(pattern, files)
			if q.Multiline && q.Mode == "matches" && textBytes(files) > 20_000 { // where each match has its whole line in the model
				q.Mode = "counts"
			}
			want, err := q.expect(files)
			if err != nil {
				t.Fatalf("%q: %v", pattern, err)
			}
			matched += len(want)
			for n, ask := range sessions {
				q.hold(t, fmt.Sprintf("expression %d, %q", i, engines[n]), ask, want, files)
			}
		}
	}
	t.Logf("%d expressions, %d results", *regexes, matched)
}

func textBytes(files map[string]string) (n int) {
	for _, text := range files {
		n += len(text)
	}
	return n
}

// regexSession starts a process that answers requests.
func regexSession(t *testing.T, root, command string) func(regexQuery) []byte {
	ask := batchSession(t, root, command)
	return func(q regexQuery) []byte { return ask(q) }
}

// batchSession starts a batch in a folder by a shell, and gives what sends it a search and reads
// the answer.
func batchSession(t *testing.T, root, command string) func(input any) []byte {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
	})
	lines := bufio.NewReaderSize(out, 1<<20)
	return func(input any) []byte {
		request, err := json.Marshal(map[string]any{"tool": "grep", "input": input})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = in.Write(append(request, '\n'))
		answer, err := lines.ReadBytes('\n')
		if err != nil {
			t.Fatalf("%s: %v", request, err)
		}
		return answer
	}
}

// regexModel makes expressions, texts and requests.
type regexModel struct{ *rand.Rand }

func (r regexModel) one(of ...string) string { return of[r.IntN(len(of))] }

func (r regexModel) pattern(depth int) string {
	if depth == 0 {
		return r.one("a", "b", "ab", "foo", "x", "é", "日", "K", "s", "1", "-", " ", ".", ".", "[ab]", "[^a]", "[^é]", "[^\\n\\r]",
			"[日-本k]", "[a-f0-9]",
			`\w`, `\W`, `\d`, `\s`, `\S`, `\pL`, `\PL`, `\p{Greek}`, `[[:alpha:]]`, `\r`, `\t`, `\x{e9}`, `\Qa.b\E`, "^", "$", `\b`, `\B`, "",
			"foo.*bar", `\w+\s+\w+`, "one|two|foo", "^a|b$", `[\x{80}-\x{10FFFF}]`, `\.`, "(?i:foo|ſ)")
	}
	sub := func() string { return "(?:" + r.pattern(r.IntN(depth)) + ")" }
	switch r.IntN(7) {
	case 0:
		return r.pattern(0)
	case 1:
		return "(" + sub() + "|" + sub() + ")"
	case 2:
		return sub() + r.one("*", "+", "?", "{2}", "{1,3}", "{0,2}?", "*?", "+?", "??")
	case 3:
		return r.one("^", `\b`, `\B`, "(?i)", "(?s).", "(?U)", "(?s:.)*") + sub()
	case 4:
		return sub() + r.one("$", `\b`, `\B`, `\s`, ".*", "")
	}
	return sub() + sub()
}

// files fills the folder with new texts.
func (r regexModel) files(t *testing.T, root string, large bool) map[string]string {
	t.Helper()
	files := map[string]string{}
	for i, name := range []string{"a", "b/a", "b/b", "b.txt", "c/d/e", "empty", "f", "g"} {
		size := r.IntN(1 << r.IntN(12))
		switch {
		case i == 5:
			size = 0
		case i == 6:
			size = r.IntN(6000)
		case i == 7 && large:
			size = r.IntN(300_000)
		}
		files[name] = r.text(size)
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(files[name]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// text makes a text of about so many bytes: some have lines as long as themselves, some are ASCII,
// some are no UTF-8.
func (r regexModel) text(size int) string {
	pieces := []string{"a", "b", "ab", "foo", "bar", "one", "two", "x", " ", " ", "-", "1", "23", ".", "_", "A", "FOO", "K", "s", "\t", "a.b",
		"word other"}
	pieces = append(pieces, [][]string{{}, {"é", "日", "本", "α", "😀", "\u212a", "ſ", "e\u0301", "É"}, {"\xff", "\xe6\x97", "\x80",
		"é", "日"}}[r.IntN(3)]...)
	end, every := r.one("\n", "\n", "\r\n", "\r"), 1<<r.IntN(20)
	var text strings.Builder
	for text.Len() < size {
		if r.IntN(every) < 5 {
			text.WriteString(end)
		}
		text.WriteString(pieces[r.IntN(len(pieces))])
	}
	return text.String() + r.one("", "", "\n", end, "\n\n")
}

// regexQuery is a request of grep.
type regexQuery struct {
	Query     string `json:"query"`
	UseRegex  bool   `json:"use_regex"`
	Path      string `json:"path"`
	Sensitive bool   `json:"case_sensitive"`
	Word      bool   `json:"whole_word"`
	Multiline bool   `json:"multiline"`
	Before    int    `json:"before"`
	After     int    `json:"after"`
	Most      int    `json:"max_matches"`
	PerFile   int    `json:"max_matches_per_file,omitempty"`
	Mode      string `json:"output_mode"`
	Cursor    string `json:"cursor,omitempty"`
}

func (r regexModel) query(pattern string, files map[string]string) regexQuery {
	q := regexQuery{Query: pattern, UseRegex: true, Path: ".", Sensitive: r.IntN(3) > 0, Word: r.IntN(4) == 0, Multiline: r.IntN(2) == 0,
		Before: max(0, r.IntN(6)-3), After: max(0, r.IntN(6)-3), Most: 1 + r.IntN(1<<r.IntN(11)), Mode: r.one("matches", "matches", "matches",
			"files", "counts")}
	if r.IntN(5) == 0 {
		q.PerFile = 1 + r.IntN(3)
	}
	if r.IntN(2) == 0 {
		names := sortedNames(files)
		q.Path = names[r.IntN(len(names))]
	}
	return q
}

func sortedNames(files map[string]string) (names []string) {
	for name := range files {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/")) })
	return names
}

// regexResult is one result of a request, as far as the model knows it.
type regexResult struct {
	File    string `json:"file"`
	Count   int    `json:"count"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Start   int    `json:"match_start"`
	End     int    `json:"match_end"`

	Snippet      string   `json:"snippet"`
	SnippetStart int      `json:"snippet_start"`
	Submatches   [][2]int `json:"submatches"`
	More         bool     `json:"submatches_truncated"`
	Before       []string `json:"before"`
	After        []string `json:"after"`
}

// regexPage is an answer.
type regexPage struct {
	Success bool
	Error   string
	Result  struct {
		FilesSearched int `json:"files_searched"`
		Matches       []regexResult
		Counts        []regexResult
		Files         []string
		Truncated     bool
		TruncatedBy   string `json:"truncated_by"`
		NextCursor    string `json:"next_cursor"`
		SkippedCount  int    `json:"skipped_count"`
	}
}

func (p *regexPage) results() []regexResult {
	all := slices.Concat(p.Result.Matches, p.Result.Counts)
	for _, file := range p.Result.Files {
		all = append(all, regexResult{File: file})
	}
	return all
}

// hold asks for the results, page by page, and compares them with those that the model wants.
func (q regexQuery) hold(t *testing.T, where string, ask func(regexQuery) []byte, want []regexResult, files map[string]string) {
	t.Helper()
	for pages := 0; pages < 4; pages++ {
		answer := ask(q)
		var p regexPage
		fail := func(format string, args ...any) {
			t.Helper()
			asked, _ := json.Marshal(q)
			t.Fatalf("%s: %s:\n%s\n%.2000s", where, fmt.Sprintf(format, args...), asked, answer)
		}
		if err := json.Unmarshal(answer, &p); err != nil || !p.Success || p.Result.SkippedCount > 0 || p.Result.TruncatedBy == "timeout" {
			fail("not answered: %v", err)
		}
		got := p.results()
		if p.Result.Truncated != (len(got) < len(want)) || len(got) > min(q.Most, len(want)) || p.Result.Truncated && len(got) == 0 {
			fail("page %d: %d results, want %d, truncated: %v", pages, len(got), len(want), p.Result.Truncated)
		}
		if searched := len(files); !p.Result.Truncated && pages == 0 && q.Path == "." && p.Result.FilesSearched != searched {
			fail("%d files searched", p.Result.FilesSearched)
		}
		for i := range got {
			if why := got[i].differs(want[i]); why != "" {
				fail("result %d, %s: got %+v, want %+v", i, why, got[i], want[i])
			}
		}
		if want = want[len(got):]; len(want) == 0 {
			return
		}
		q.Cursor = p.Result.NextCursor
	}
}

// differs says what is wrong with a result, "" if nothing. The model has the whole lines as
// Snippet, and all matches as Submatches.
func (got regexResult) differs(want regexResult) string {
	got.EndLine = max(got.EndLine, got.Line)
	snippet, line := []rune(got.Snippet), []rune(want.Snippet)
	end := got.SnippetStart + len(snippet)
	if len(snippet) != min(200, len(line)) || string(snippet) != string(line[min(got.SnippetStart, len(line)):min(end, len(line))]) ||
		want.Start < got.SnippetStart || want.Start > end {
		return "snippet"
	}
	shown := 0
	for shown < len(want.Submatches) && (want.Submatches[shown][0] < end || want.Submatches[shown][0] == end &&
		end-got.SnippetStart == len(line)) {
		shown++
	}
	want.More = len(want.Submatches) > max(shown, 1)
	if want.Submatches = want.Submatches[:shown]; shown < 2 {
		want.Submatches = nil
	}
	want.Snippet, want.SnippetStart = got.Snippet, got.SnippetStart
	if !reflect.DeepEqual(got, want) {
		return "values"
	}
	return ""
}

// expect gives all results of a request, by package regexp.
func (q regexQuery) expect(files map[string]string) (all []regexResult, err error) {
	flags := "(?m)"
	if q.Multiline {
		flags += "(?s)"
	}
	if !q.Sensitive {
		flags += "(?i)"
	}
	s := regexSearch{regexQuery: q, keepCR: strings.Contains(strings.ReplaceAll(q.Query, `[^\n\r]`, ""), `\r`)}
	const noWord = `[^\pL\pM\p{Nd}_]`
	expr := flags + "(?:" + q.Query + ")"
	for _, p := range []struct {
		to   **regexp.Regexp
		expr string
	}{{&s.plain, expr}, {&s.first, "(?:(?m:^)|" + noWord + ")(" + expr + ")(?:" + noWord + "|(?m:$))"}, {&s.next, noWord + "(" + expr + ")(?:" +
		noWord + "|(?m:$))"}} {
		if *p.to, err = regexp.Compile(p.expr); err != nil {
			return nil, err
		}
	}
	for _, name := range sortedNames(files) {
		if q.Path != "." && q.Path != name {
			continue
		}
		found := s.in(files[name])
		if q.PerFile > 0 && q.Mode != "files" {
			found = found[:min(q.PerFile, len(found))]
		}
		switch {
		case len(found) == 0:
		case q.Mode == "files":
			all = append(all, regexResult{File: name})
		case q.Mode == "counts":
			all = append(all, regexResult{File: name, Count: len(found)})
		}
		for i := range found {
			found[i].File = name
		}
		if q.Mode == "matches" {
			all = append(all, found...)
		}
	}
	return all, nil
}

// regexSearch finds what a request would in one text, in the plainest way.
type regexSearch struct {
	regexQuery
	keepCR             bool
	plain, first, next *regexp.Regexp // the expression, and as a whole word: anywhere, and after the first character
}

// spans gives the matches in a text that don't overlap.
func (s *regexSearch) spans(text []byte) (all [][]int) {
	if !s.Word {
		return s.plain.FindAllIndex(text, -1)
	}
	for from, last := 0, -1; from <= len(text); {
		base, re := 0, s.first
		if from > 0 {
			_, size := utf8.DecodeLastRune(text[:from])
			base, re = from-size, s.next
		}
		m := re.FindSubmatchIndex(text[base:])
		if m == nil {
			break
		}
		start, end := base+m[2], base+m[3]
		if start < end || start != last {
			all = append(all, []int{start, end})
		}
		if from, last = end, end; start == end {
			_, size := utf8.DecodeRune(text[end:])
			from += max(size, 1)
		}
	}
	return all
}

// in gives the results in one text.
func (s *regexSearch) in(content string) (all []regexResult) {
	if s.Multiline && !s.keepCR {
		content = strings.ReplaceAll(content, "\r\n", "\n")
	}
	text := []byte(content)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			text[i] = 0x1A // what an invalid byte is to an expression
		}
		i += size
	}
	if len(text) == 0 {
		return nil
	}
	l := regexLines{content: content, starts: []int{0}}
	for i, c := range text[:len(text)-1] {
		if c == '\n' {
			l.starts = append(l.starts, i+1)
		}
	}
	if s.Multiline {
		return s.each(&l, s.spans(text))
	}
	for n := range l.starts {
		from, to := l.bounds(n)
		line := text[from:to]
		if !s.keepCR {
			line = line[:len(l.visible(n))]
		}
		if spans := s.spans(line); len(spans) > 0 {
			for _, span := range spans {
				span[0], span[1] = span[0]+from, span[1]+from
			}
			all = append(all, s.result(&l, n, n, spans))
		}
	}
	return all
}

// each makes one result of each match.
func (s *regexSearch) each(l *regexLines, spans [][]int) (all []regexResult) {
	for _, span := range spans {
		if at := span[0]; at == len(l.content) && l.content[at-1] == '\n' {
			break
		}
		if s.Mode != "matches" {
			all = append(all, regexResult{})
			continue
		}
		all = append(all, s.result(l, l.of(span[0]), l.of(max(span[0], span[1]-1)), [][]int{span}))
	}
	return all
}

// result describes the matches in lines first to last.
func (s *regexSearch) result(l *regexLines, first, last int, spans [][]int) regexResult {
	from, _ := l.bounds(first)
	_, to := l.bounds(last)
	text := l.content[from : to-len("\r")*l.hides(last)]
	m := regexResult{Line: first + 1, EndLine: last + 1, Snippet: string([]rune(text))}
	for n := max(0, first-s.regexQuery.Before); n < first; n++ {
		m.Before = append(m.Before, l.context(n))
	}
	for n := last + 1; n < min(len(l.starts), last+1+s.regexQuery.After); n++ {
		m.After = append(m.After, l.context(n))
	}
	at, points := 0, 0
	point := func(offset int) int {
		offset = min(offset-from, len(text))
		if offset < at {
			at, points = 0, 0
		}
		points += utf8.RuneCountInString(text[at:offset])
		at = offset
		return points
	}
	for _, span := range spans[:min(len(spans), 203)] { // more never begin in a snippet
		m.Submatches = append(m.Submatches, [2]int{point(span[0]), point(span[1])})
	}
	m.Start, m.End = m.Submatches[0][0], m.Submatches[0][1]
	return m
}

// regexLines is a text and where its lines begin.
type regexLines struct {
	content string
	starts  []int
}

// bounds gives where a line begins and where its line end does.
func (l *regexLines) bounds(n int) (from, to int) {
	to = len(l.content)
	if n+1 < len(l.starts) {
		to = l.starts[n+1]
	}
	return l.starts[n], l.starts[n] + len(bytes.TrimSuffix([]byte(l.content[l.starts[n]:to]), []byte("\n")))
}

// hides is 1 if the line end is CRLF.
func (l *regexLines) hides(n int) int {
	if from, to := l.bounds(n); to > from && to < len(l.content) && l.content[to-1] == '\r' {
		return 1
	}
	return 0
}

func (l *regexLines) visible(n int) string {
	from, to := l.bounds(n)
	return l.content[from : to-l.hides(n)]
}

// context is a line as it is shown around others.
func (l *regexLines) context(n int) string {
	line := []rune(l.visible(n))
	return string(line[:min(200, len(line))])
}

// of gives the line that holds an offset.
func (l *regexLines) of(at int) int {
	n, found := slices.BinarySearch(l.starts, at)
	if !found {
		n--
	}
	return n
}
