package requests

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"fsbox/testscript"

	"github.com/rogpeppe/go-internal/txtar"
)

// habit is a call made for a tool of another program. See habits.table.
type habit struct {
	line       int
	tool, ours string   // the program's name of the tool, and that of fsbox's own
	object     string   // its arguments
	batch, mcp mistake  // what becomes of it, by each of the ways
	then       []string // the call that the hint of a refusal leads to: a tool and its arguments
}

type habitSection struct {
	host string
	rows []habit
}

const habitsPage = "../../docs/coming-from.md"

// TestHabits holds what becomes of calls made for other programs' tools: none has another meaning
// without a word, and each refusal leads to a call that works.
func TestHabits(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	testscript.NeedsUnix(t, "paths with slashes in the answers")
	text, err := os.ReadFile("habits.table")
	if err != nil {
		t.Fatal(err)
	}
	table := txtar.Parse(text)
	var page strings.Builder
	calls, taken := 0, 0
	for _, section := range habitSections(t, string(table.Comment)) {
		fmt.Fprintf(&page, "## %s\n\n| call | answer |\n|---|---|\n", section.host)
		t.Run(section.host, func(t *testing.T) {
			for _, row := range section.rows {
				for way, want := range map[string]mistake{"batch": row.batch, "mcp": row.mcp} {
					run := newMistakeRun(t, habitFiles(table.Files))
					answer := run.habit(way, row)
					run.judge(want, answer)
					calls++
					if want.code == "ok" {
						taken++
					}
					run.follow(row, want)
					if way == "batch" {
						page.WriteString(row.pageRow(answer))
					}
				}
			}
		})
		page.WriteString("\n")
	}
	if calls < 220 || taken*4 < calls*2 {
		t.Errorf("%d of %d calls are taken", taken, calls)
	}
	checkHabitsPage(t, page.String())
}

// habitFiles are the files of the table, and an image.
func habitFiles(files []txtar.File) []txtar.File {
	return append(files[:len(files):len(files)], txtar.File{Name: "ws/docs/logo.png", Data: []byte("\x89PNG\r\n\x1a\n\x00")})
}

// habitSections reads the table.
func habitSections(t *testing.T, text string) (all []habitSection) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "# ") {
			all = append(all, habitSection{host: line[2:]})
			continue
		}
		if line == "" || strings.HasPrefix(line, "//") {
			continue
		}
		rows := &all[len(all)-1].rows
		switch call, isThen := strings.CutPrefix(line, "=> "); {
		case isThen:
			(*rows)[len(*rows)-1].then = strings.SplitN(call, " ", 2)
		case strings.HasPrefix(line, "\t\t"):
			(*rows)[len(*rows)-1].mcp = habitWant(number, line)
		case strings.HasPrefix(line, "\t"):
			row := &(*rows)[len(*rows)-1]
			row.batch = habitWant(number, line)
			row.mcp = row.batch
		default:
			head, object, _ := strings.Cut(line, " ")
			tool, ours, ok := strings.Cut(head, "=")
			if !ok {
				t.Fatalf("line %d: %s", number, line)
			}
			*rows = append(*rows, habit{line: number, tool: tool, ours: ours, object: object})
		}
	}
	return all
}

func habitWant(number int, line string) mistake {
	want := mistake{line: number}
	for i, word := range strings.Split(strings.TrimLeft(line, "\t"), " | ") {
		absent, isAbsent := strings.CutPrefix(word, "!")
		switch {
		case i == 0:
			want.code = word
		case isAbsent:
			want.absent = append(want.absent, absent)
		default:
			want.words = append(want.words, word)
		}
	}
	return want
}

// habit sends a call one way, and gives the envelope of its answer.
func (r *mistakeRun) habit(way string, row habit) string {
	if way == "batch" {
		return r.fsbox(fmt.Sprintf(`{"tool":%q,"input":%s}`, row.tool, r.expand(row.object)), "batch")[0]
	}
	return r.onceByMCP(row.ours, row.object)
}

// follow sends the call that a hint leads to, in the workspace as the refused one left it.
func (r *mistakeRun) follow(row habit, want mistake) {
	if want.code == "ok" && row.batch.code != "ok" {
		return // by this way the call is taken
	}
	if row.then == nil {
		if want.code != "ok" {
			r.t.Errorf("line %d: refused, and no row says which call works", row.line)
		}
		return
	}
	answer := r.onceByMCP(row.then[0], row.then[1])
	if !strings.HasPrefix(answer, `{"success":true`) {
		r.t.Errorf("line %d: the call that the hint leads to fails: %s", row.line, answer)
	}
}

// onceByMCP sends one call to a server of its own, and gives the envelope of its answer.
func (r *mistakeRun) onceByMCP(tool, object string) string {
	cmd := r.command("mcp", "--structured")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",` +
		`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
		fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, r.expand(object)) + "\n")
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return mcpEnvelope(r.t, lines[len(lines)-1])
}

// pageRow is the row of the page for a call by batch: what it says, and what becomes of it.
func (row habit) pageRow(answer string) string {
	var a struct {
		Success              bool
		Error, Message, Hint string
	}
	_ = json.Unmarshal([]byte(answer), &a) // judge has looked at it
	said := "accepted: " + a.Message
	if a.Success && a.Hint != "" {
		said += "; " + a.Hint
	}
	if !a.Success {
		said = "`" + a.Error + "`: " + a.Hint
	}
	escape := strings.NewReplacer("|", `\|`, "\n", " ")
	return fmt.Sprintf("| `%s` `%s` | %s |\n", row.tool, escape.Replace(row.object), escape.Replace(said))
}

// checkHabitsPage holds the page's tables equal to the answers.
func checkHabitsPage(t *testing.T, tables string) {
	const begin, end = "<!-- generated: habits -->\n\n", "\n<!-- end -->"
	page, err := os.ReadFile(habitsPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s lacks its marks", habitsPage)
	}
	want := before + begin + strings.TrimSpace(tables) + "\n" + end + after
	switch {
	case want == string(page):
	case testscript.Update():
		if err := os.WriteFile(habitsPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s differs; if that is meant: go test ./testscript/requests -run TestHabits -update", habitsPage)
	}
}
