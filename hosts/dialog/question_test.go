package dialog

import (
	"strings"
	"testing"
)

// screen is one that Codex has shown, and another that Claude Code has.
var screens = map[string]string{
	"long": `
  Field 1/1 (1 required unanswered)
  fsbox asks (sa): delete 1 file, change 2 (+2 -5)
  sa: not shown: 2 of 7 lines
  sa: sa| is text of files, → tab
  sa: delete old.txt (-3, 2 of 3 shown)
  sa|-one
  sa|-two
  sa: change src/a.txt (+1 -1)
  sa|-row 5
  sa|+row five
  sa: change src/b.go (+1 -1, 1 of 2 shown)
  sa|-→if x {
  fsbox asks (sa): delete 1 file, change 2 (+2 -5)

  Decision
  › 1. No: change nothing
    2. Yes: delete 1 file, change 2 (+2 -5)
`,
	"brief": `
────────────────────────────────────────────────────────────
  MCP server “fsbox” requests your input
  fsbox asks (qs): delete 1 file, change 2 (+2 -5)
  qs: not shown: 7 of 7 lines
  qs: delete old.txt; change src/a.txt, src/b.go

  ❯ * Decision: ▾
        ❯ ◯ No: change nothing
          ◯ Yes: delete 1 file, change 2 (+2 -5)
`,
}

func planOf(t *testing.T, name string) Plan {
	t.Helper()
	for _, p := range Plans() {
		if p.Name == name {
			return p
		}
	}
	t.Fatal(name)
	return Plan{}
}

func TestRead(t *testing.T) {
	p := planOf(t, "a delete and two changes")
	for name, screen := range screens {
		q, err := Read(strings.Split(screen, "\n"))
		if err != nil || len(q.Answers) != 2 || q.Ends != (name == "long") {
			t.Fatalf("%s: %+v, %v", name, q, err)
		}
		if faults := q.Check(p); faults != nil {
			t.Errorf("%s: %q", name, faults)
		}
	}
}

// Whatever a screen says that isn't so, or leaves out, is a fault.
func TestCheck(t *testing.T) {
	p := planOf(t, "a delete and two changes")
	for old, now := range map[string]string{
		"\n  sa|-two": "", "2 of 7": "1 of 7", "|-one": "|+one", "+row five": "+row 5", "delete old.txt (": "delete new.txt (",
		"\n  sa: change src/a.txt (+1 -1)": "", "→if x": "if x", "  fsbox asks (sa): delete 1 file, change 2 (+2 -5)\n\n": "",
		"sa|-row 5": "s |-row 5", "change src/b.go (": "copy src/b.go (",
	} {
		screen := strings.Replace(screens["long"], old, now, 1)
		q, err := Read(strings.Split(screen, "\n"))
		if screen == screens["long"] || err == nil && q.Ends && len(q.Check(p)) == 0 {
			t.Errorf("without %q nothing is found", old)
		}
	}
	for old, now := range map[string]string{"7 of 7": "6 of 7", "; change": "; copy", ", src/b.go": "", "old.txt; ": "old.txt, other.txt; "} {
		q, err := Read(strings.Split(strings.Replace(screens["brief"], old, now, 1), "\n"))
		if err == nil && len(q.Check(p)) == 0 {
			t.Errorf("brief, without %q nothing is found", old)
		}
	}
}

// The plans are those that docs and README speak of.
func TestPlans(t *testing.T) {
	all, hostile := map[string]bool{}, len(hostile())
	for _, p := range Plans() {
		if p.Summary == "" || len(p.Deeds) == 0 || all[p.Name] {
			t.Errorf("%+v", p)
		}
		all[p.Name] = true
	}
	if len(all) < 50 || hostile < 20 {
		t.Errorf("%d plans, %d hostile", len(all), hostile)
	}
}

func TestPicture(t *testing.T) {
	text := Picture("a & b", strings.Split(screens["long"], "\n"), 60)
	if !strings.Contains(text, "<title>a &amp; b</title>") || !strings.Contains(text, ">  sa|-→if x {</text>") || strings.Count(text, "<text") != 16 {
		t.Error(text)
	}
}
