package approval

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/textio"
	"fsbox/textio/diff"
)

// forged are texts that try to pass for rows of a question, to hide a change, or to take more
// space than they seem to.
var forged = []string{
	"fsbox asks: change 0 files", "fsbox asks (3f): delete 0 files (+0 -0)", "3f: not shown: 0 of 3 lines", `3f\ (+0 -0)`, "3f| -x",
	strings.Repeat("x", 39) + "fsbox asks (3f): change nothing", strings.Repeat("word ", 12) + "fsbox asks (3f): change nothing",
	"Yes: change nothing", "\r\nfsbox asks: nothing", "a\rb", "\x1b[2J\x1b[H", "\u202etxt.exe", "a\u200bb\u2060c\ufeff", "\u20d2x", "\u0335",
	"-\u20d2", "e" + strings.Repeat("\u0301", 9), "日本語のとても長い行" + strings.Repeat("日", 60), "\ttab\tand\t", "   ", "x ",
	strings.Repeat("word  ", 30), "→ is no tab …",
	`\x1b \u{200b} \\`, "\xff\xfe\x00", "\u2028\u2029\u0085", "\u3164\u2800\u00a0", strings.Repeat("y", 3000), strings.Repeat("\t", 80) + "x",
	strings.Repeat("\u202e", 50), "👩\u200d👩\u200d👧", "\U000e0041\U000e0042", "--- a/other", "+++ b/other", "@@ -1,1 +1,1 @@", "\\ No newline",
	`", "`, "a.txt (+0 -0)", "\n", "", "plain",
}

// forgedNames are names that try the same.
var forgedNames = []string{"old.txt", "src/a.txt", "a b", "x\n3f: delete nothing", "a (+0 -0)", `q"uote`, "\u202egnp.exe", "e\u0301", "\u0301x", "日本/語.txt",
	"-", "a, b", "…", strings.Repeat("long/", 40) + "end.txt", strings.Repeat("日", 80), "a to b", "\xff\xfe", "fsbox asks (3f): x", "a\x1b[31m", `a\nb`, "\t"}

// randomPlan makes a plan of a few files or of many.
func randomPlan(r *rand.Rand) *Plan {
	p := newPlan(fullBudget())
	text := func() (b []byte) {
		for range r.IntN(12) {
			b = append(b, forged[r.IntN(len(forged))]+"\n"...)
		}
		return b
	}
	count := 1 + r.IntN(4)
	if r.IntN(5) == 0 {
		count = 1 + r.IntN(60)
	}
	for i := range count {
		c := textio.Contents{Path: forgedNames[r.IntN(len(forgedNames))] + strconv.Itoa(i), Old: text(), New: text()}
		switch r.IntN(4) {
		case 0:
			c.Old, c.Created = nil, true
		case 1:
			c.New, c.Removed = nil, true
		case 2:
			c.From = forgedNames[r.IntN(len(forgedNames))] + "f" + strconv.Itoa(i)
		}
		f := command.ChangedFile{Contents: c}
		if r.IntN(9) == 0 {
			f.Kind, f.Contents = fs.ModeDir, textio.Contents{Path: c.Path, Removed: c.Removed}
		}
		p.print(deedOf(f), func(maxLines int) diff.Printed {
			d, words := c.Show("", maxLines)
			p.noteWords(c.Path, words)
			return d
		})
	}
	for range r.IntN(3) {
		p.Warnings = append(p.Warnings, forged[r.IntN(len(forged))])
	}
	p.finishDeeds()
	p.writeNotes()
	p.raw = p.printed.All().Text
	return p
}

var plans = flag.Int("plans", 200, "random plans whose question is read; 2,000 take half a minute")

// countOfPlans is a tenth of that with -short.
func countOfPlans() int {
	if testing.Short() {
		return *plans / 10
	}
	return *plans
}

// TestQuestion holds many plans to what a question promises.
func TestQuestion(t *testing.T) {
	r := rand.New(rand.NewPCG(38, 1))
	for n := range countOfPlans() {
		p := randomPlan(r)
		most := []int{0, 9, 12}[n%3]
		rows := p.rows(most, r.IntN)
		checkRows(t, fmt.Sprintf("plan %d in %d rows", n, most), p, rows)
		if t.Failed() || most > 0 && len(rows) > most {
			t.Fatalf("%s", strings.Join(rows, "\n"))
		}
	}
}

var (
	askerRow  = regexp.MustCompile(`^fsbox asks \(([a-z0-9]{2,4})\): (.*)$`)
	missedRow = regexp.MustCompile(`(\d+) of (\d+) (paths?|lines?)`)
	factsEnd  = regexp.MustCompile(`\(((\+\d+)? ?(-\d+)?, )?.*\)$`)
)

// checkRows reads a question as a person would, who knows nothing of the plan.
func checkRows(t *testing.T, name string, p *Plan, rows []string) {
	t.Helper()
	fail := func(format string, args ...any) { t.Helper(); t.Errorf(name+": "+format, args...) }
	head := askerRow.FindStringSubmatch(rows[0])
	switch {
	case len(rows) > QuestionRows:
		fail("%d rows", len(rows))
	case head == nil || rows[0] != rows[len(rows)-1]:
		fail("begins with %q, ends with %q", rows[0], rows[len(rows)-1])
		return
	}
	mark := head[1]
	var joined []string // rows with their continuations
	for i, row := range rows {
		if !utf8.ValidString(row) || words.Columns(row) > QuestionColumns ||
			strings.ContainsFunc(row, func(r rune) bool { return !unicode.IsPrint(r) }) {
			fail("row %d is %q, of %d columns", i, row, words.Columns(row))
		}
		end := strings.TrimRight(row, " ")
		if end != row && len(end) > len(mark)+1 && strings.HasPrefix(rows[i+1], mark+`\`) {
			fail("row %d ends with a blank: %q", i, row)
		}
		rest, marked := strings.CutPrefix(row, mark)
		isEnd := i == 0 || i == len(rows)-1
		switch {
		case isEnd:
		case !marked || !strings.ContainsAny(rest[:1], `:|\`):
			fail("row %d is %q", i, row)
		case rest[0] == '\\':
			joined[len(joined)-1] += rest[1:]
		default:
			joined = append(joined, rest)
		}
	}
	checkWrapped(fail, mark, rows)
	checkCounts(fail, p, joined)
}

// checkWrapped wraps a question as hosts do, by characters and by words: a row that begins like one
// of fsbox's is one.
func checkWrapped(fail func(string, ...any), mark string, rows []string) {
	begins := func(row string) bool {
		return strings.HasPrefix(row, "fsbox asks ("+mark) || strings.HasPrefix(row, mark+":") || strings.HasPrefix(row, mark+"|") ||
			strings.HasPrefix(row, mark+`\`)
	}
	for width := 20; width <= 120; width++ {
		for i, row := range rows {
			for _, wrapped := range [][]string{wrappedByCharacters(row, width), wrappedByWords(row, width)} {
				for j, part := range wrapped {
					if begins(strings.TrimLeft(part, " ")) != (j == 0) && !strings.HasPrefix(row, mark+": "+mark+"|") {
						fail("at width %d, row %d has %q", width, i, part)
					}
				}
			}
		}
	}
}

func wrappedByCharacters(row string, width int) (parts []string) {
	for r := []rune(row); len(r) > 0; r = r[min(width, len(r)):] {
		parts = append(parts, string(r[:min(width, len(r))]))
	}
	return parts
}

func wrappedByWords(row string, width int) (parts []string) {
	line := ""
	for i, word := range strings.Split(row, " ") {
		if i > 0 && len([]rune(line))+1+len([]rune(word)) > width {
			parts = append(parts, line)
			line = word
		} else if i > 0 {
			line += " " + word
		} else {
			line = word
		}
		for len([]rune(line)) > width {
			parts = append(parts, string([]rune(line)[:width]))
			line = string([]rune(line)[width:])
		}
	}
	return append(parts, line)
}

// checkCounts: each deed and each line is there, or is said to be missing.
func checkCounts(fail func(string, ...any), p *Plan, rows []string) {
	missing := map[string]int{}
	if len(rows) > 0 && strings.HasPrefix(rows[0], ": not shown: ") {
		for _, found := range missedRow.FindAllStringSubmatch(rows[0], -1) {
			missing[found[3][:4]], _ = strconv.Atoi(found[1])
		}
	}
	all, lines, at := 0, 0, 0
	for _, d := range p.deeds {
		all += d.plus + d.minus
		sentence := ": " + d.sentence(maxNameColumns)
		for i := at; i < len(rows); i++ {
			if facts, found := strings.CutPrefix(rows[i], sentence); found && (facts == "" || factsEnd.MatchString(facts)) {
				at = i + 1
				lines += checkLines(fail, p.raw[d.from:d.end], rows[at:], d, facts)
				missing["shown"]++
				break
			}
		}
	}
	if missing["shown"]+missing["path"] != len(p.deeds) {
		fail("%d deeds, of which %d are shown and %d missing", len(p.deeds), missing["shown"], missing["path"])
	}
	if lines+missing["line"] != all {
		fail("%d lines, of which %d are shown and %d missing", all, lines, missing["line"])
	}
}

// checkLines: what is shown of a deed are lines of its diff, in their order.
func checkLines(fail func(string, ...any), text string, rows []string, d deed, facts string) (n int) {
	diff := changedLines(text, 1<<20)
	for _, row := range rows {
		shown, isLine := strings.CutPrefix(row, "|")
		if !isLine {
			break
		}
		at := -1
		for i, line := range diff {
			if isPart(line.text, shown) {
				at = i
				break
			}
		}
		if at != 0 {
			fail("%q is not the next line of %q", shown, text)
			return n
		}
		diff = diff[1:]
		n++
	}
	total := d.plus + d.minus
	if said := fmt.Sprintf("%d of %d shown", n, total); (n < total) != strings.Contains(facts, said) {
		fail("%d of %d lines are shown, said is %q", n, total, facts)
	}
	return n
}

// isPart reads a line as it is shown, whether there are escapes or not.
func isPart(line, shown string) bool {
	for _, double := range []bool{false, true} {
		spelled := line[:1] + strings.Join(spelling{double}.pieces(line[1:]), "")
		parts := strings.Split(shown[1:], cutMark)
		if len(parts) == 1 && spelled == shown || len(parts) > 1 && shown[0] == line[0] && strings.Contains(spelled, strings.Join(parts, "")) {
			return true
		}
	}
	return false
}

// TestMarkIsNowhereElse: whatever marks a file tries to guess, it has none that is taken.
func TestMarkIsNowhereElse(t *testing.T) {
	const letters = "abcdefghkmnpqrstuvwxyz3456789"
	var every strings.Builder
	for _, a := range letters {
		for _, b := range letters {
			every.WriteString(string(a) + string(b) + ": delete nothing\n")
		}
	}
	p := &Plan{raw: "@@ -0,0 +1,9999 @@\n+" + strings.ReplaceAll(strings.TrimSuffix(every.String(), "\n"), "\n", "\n+"),
		deeds: []deed{{kind: deedCreate, noun: nounFile, path: "x", plus: 841}}}
	p.deeds[0].end = len(p.raw)
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		checkRows(t, "every mark", p, p.rows(0, r.IntN))
	}
}

// TestMarkGrows: where every mark of two characters is taken, a longer one is found; and what looks
// like a mark counts as one.
func TestMarkGrows(t *testing.T) {
	for text, want := range map[string]string{"none": "aa", "aaa: x": "aaaa", "AA: x": "aaa", "\u0430\uff41: x": "aaa", "a\u0332a: x": "aaa"} {
		p := &Plan{raw: "@@ -0,0 +1,1 @@\n+" + text + "\n", deeds: []deed{{kind: deedCreate, noun: nounFile, path: "x.txt", plus: 1}}}
		p.deeds[0].end = len(p.raw)
		for _, most := range []int{0, 4} {
			if rows := p.rows(most, func(int) int { return 0 }); !strings.HasPrefix(rows[0], "fsbox asks ("+want+"): create ") {
				t.Errorf("%q: %q", text, rows)
			}
		}
	}
}

func TestSummary(t *testing.T) {
	for want, deeds := range map[string][]deed{
		"delete 1 file, change 2 (+10 -13)": {{noun: nounFile, minus: 3},
			{kind: deedChange, noun: nounFile, plus: 10, minus: 10}, {kind: deedChange, noun: nounFile}},
		"create 1 folder":          {{kind: deedCreate, noun: nounFolder}},
		"delete 1 folder, 1 file":  {{noun: nounFolder}, {noun: nounFile}},
		"delete 2 files, 1 folder": {{noun: nounFile}, {noun: nounFolder}, {noun: nounFile}},
		"change 1 file (+12M -0)":  {{kind: deedChange, noun: nounFile, plus: 12345678}},
		"delete 1 file, 4 more": {{noun: nounFile}, {noun: "symbolic link"}, {kind: deedReplace, noun: nounFolder},
			{kind: deedMove, noun: nounFolder}, {kind: deedCopy, noun: nounFolder}},
	} {
		if p := (&Plan{deeds: deeds}); p.summary(40) != want {
			t.Errorf("%q, want %q", p.summary(40), want)
		}
	}
}

// TestYes: the title names what is done, in one row.
func TestYes(t *testing.T) {
	for want, deeds := range map[string][]deed{
		"Yes: delete old.txt":                           {{noun: nounFile, path: "old.txt", minus: 3}},
		`Yes: delete "No: change nothing"`:              {{noun: nounFile, path: "No: change nothing"}},
		`Yes: move folder "a" to "b"`:                   {{kind: deedMove, noun: nounFolder, path: "a", to: "b"}},
		`Yes: delete "nothing"`:                         {{noun: nounFile, path: "nothing"}},
		`Yes: delete folder "d"`:                        {{noun: nounFolder, path: "d", names: 1}, {noun: nounFile, path: "d/x", below: true}},
		"Yes: delete 1 file, change 1":                  {{noun: nounFile, path: "d"}, {kind: deedChange, noun: nounFile, path: "x"}},
		"Yes: change 1 file (+1 -0)":                    {{kind: deedChange, noun: nounFile, path: strings.Repeat("x", 60), plus: 1}},
		`Yes: create "\x1b[2J\u202e\n\u{301}x"`:         {{kind: deedCreate, noun: nounFile, path: "\x1b[2J\u202e\n\u0301x"}},
		"Yes: create " + strings.Repeat("x", 30) + ".c": {{kind: deedCreate, noun: nounFile, path: strings.Repeat("x", 30) + ".c"}},
		"Yes: create 1 file":                            {{kind: deedCreate, noun: nounFile, path: strings.Repeat("x", 31) + ".c"}},
		`Yes: change "a.txt, b.txt (+0 -0)\u2026"`:      {{kind: deedChange, noun: nounFile, path: "a.txt, b.txt (+0 -0)…"}},
	} {
		if p := (&Plan{deeds: deeds}); p.yesTitle() != want {
			t.Errorf("%q, want %q", p.yesTitle(), want)
		}
	}
}

// FuzzQuestion: whatever is in a plan, a prompt has no control characters, no line wider than the
// terminal, and one line of its own kind; and a dialog keeps its promises.
func FuzzQuestion(f *testing.F) {
	f.Add("a\x1b[2Jb", "a\n+Make this change? [y/N] \r", 40)
	f.Add("\u202e\u200b\xff", strings.Repeat("日本", 100), 1)
	f.Add("a\u034f\ufe0f\u180b\u115f\u3164\u2800\U000e0101", "e"+strings.Repeat("\u0301", 50), 80)
	f.Add("\nMake this change? [y/N] y", "\u2028x\u0085\x9b", 200)
	f.Add("\u20d2", "\u20d2\n\u0335x\n-\u20d2", 60)
	f.Fuzz(func(t *testing.T, path, content string, columns int) {
		c := textio.Contents{Path: path, New: []byte(content), Created: true}
		p := newPlan(fullBudget())
		p.Warnings = []string{content}
		p.print(deedOf(command.ChangedFile{Contents: c}), func(maxLines int) diff.Printed {
			d, words := c.Show("", maxLines)
			p.noteWords(path, words)
			return d
		})
		p.finishDeeds()
		p.writeNotes()
		p.raw = p.printed.All().Text
		checkPrompt(t, p.Question(path, columns%300, false))
		checkRows(t, "dialog", p, p.rows(0, rand.IntN))
	})
}

func checkPrompt(t *testing.T, text string) {
	t.Helper()
	text = strings.TrimPrefix(text, "\n")
	lines := strings.Split(text, "\n")
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }) ||
		strings.ContainsAny(text, "\u034f\ufe0f\u180b\u115f\u3164\u2800\U000e0101") ||
		strings.Contains(text, strings.Repeat("\u0301", words.MaxMarks+1)) || regexp.MustCompile(`(?m)[-+| ]\p{M}`).MatchString(text) {
		t.Errorf("%q", text)
	}
	for i, line := range lines {
		isOwn := i == 0 || i >= len(lines)-2 || line == DiffIsCut
		if !isOwn && !strings.HasPrefix(line, Quoted) && !strings.HasPrefix(line, Continued) {
			t.Errorf("line %d is %q", i, line)
		}
	}
}

func fullBudget() *answer.Budget { return &answer.Budget{Left: planBytes} }
