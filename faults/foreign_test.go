//go:build linux && amd64

package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Two people and the program share a file. Each has a line of it: the program's begins with
// "count", a person's with "ann" or "bob".
const shared = "count 0\nann -\nbob -\n"

// editor is a program without locks that changes the line of one person, in the way that editors
// have.
type editor struct {
	name string
	edit func(ws, who string) error
}

var editors = []editor{{"replace", replaceAs}, {"in place", writeAs}, {"append", appendAs}}

func replaceAs(ws, who string) error {
	path, temp := filepath.Join(ws, "a.txt"), filepath.Join(ws, "../out/editors")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(temp, []byte(strings.Replace(string(text), who+" -", who+" +", 1)), 0o644); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

func writeAs(ws, who string) error {
	f, err := os.OpenFile(filepath.Join(ws, "a.txt"), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	var text [256]byte
	n, _ := f.ReadAt(text[:], 0)
	_, err = f.WriteAt([]byte("+"), int64(strings.Index(string(text[:n]), who+" -")+len(who)+1))
	return err
}

func appendAs(ws, who string) error {
	f, err := os.OpenFile(filepath.Join(ws, "a.txt"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintf(f, "%s +\n", who)
	return err
}

// counting are calls that set the count to 1 and must leave the people's lines alone, or fail.
var counting = []scenario{
	{name: "edit", args: []string{"edit", "a.txt", "--expected-text", "count 0", "--replacement-text", "count 1"}},
	{name: "edit-if-match", args: []string{"edit", "a.txt", "--expected-text", "count 0", "--replacement-text", "count 1", "--if-match",
		etagHere}},
	{name: "edit-glob", args: []string{"edit", ".", "--glob", "a.*", "--expected-text", "count 0", "--replacement-text", "count 1"}},
	{name: "write-if-match", args: []string{"write", "a.txt", "--mode", "overwrite", "--content", strings.Replace(shared, "0", "1", 1),
		"--if-match", etagHere}},
	{name: "append", args: []string{"append", "a.txt", "--content", "count 1\n"}},
}

// intrusion is what a person does before a call of the program.
type intrusion struct {
	at  int
	how editor
	who string
}

func (i intrusion) String() string {
	return fmt.Sprintf("%s by %s before call %d", i.how.name, i.who, i.at)
}

// plan is what happens during one run.
type plan struct {
	intrusions []intrusion
	kill       int // the program, before this call; never if negative
}

func (p plan) String() string {
	s := fmt.Sprint(p.intrusions)
	if p.kill >= 0 {
		s += fmt.Sprintf(" and a kill before call %d", p.kill)
	}
	return s
}

// TestForeignEditor changes the file while the program is at it, before each of its calls in turn,
// and in the long run at each two of them. What people write is there afterwards; so is what the
// program says it wrote.
func TestForeignEditor(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	sweepPlans(t, func(calls []call) (all []plan) {
		for i := range calls {
			for _, how := range editors {
				first := intrusion{i, how, "ann"}
				all = append(all, plan{[]intrusion{first}, -1})
				for j := i; *longRun && j < len(calls); j++ {
					all = append(all, plan{[]intrusion{first, {j, editors[(i+j)%len(editors)], "bob"}}, -1})
				}
			}
		}
		return all
	})
}

// TestForeignEditorAndKill changes the file and then kills the program, and makes the call once
// more. The short run stays around the commit.
func TestForeignEditorAndKill(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	sweepPlans(t, func(calls []call) (all []plan) {
		from, to := 0, len(calls)
		if !*longRun {
			from, to = aroundCommit(calls)
		}
		for i := from; i < to; i++ {
			for j := i + 1; j < to; j++ {
				all = append(all, plan{[]intrusion{{i, editors[(i+j)%len(editors)], "ann"}}, j})
			}
		}
		return all
	})
}

// aroundCommit are the calls right before and after the last rename, or the last write where there
// is none.
func aroundCommit(calls []call) (from, to int) {
	commit := 0
	for i, c := range calls {
		if strings.HasPrefix(c.name, "rename") || c.name == "write" && c.object == "ws/a.txt" {
			commit = i
		}
	}
	return max(0, commit-2), min(len(calls), commit+6)
}

// sweepPlans carries out plans for runs that make such calls.
func sweepPlans(t *testing.T, plans func(calls []call) []plan) {
	all := newTotal(t)
	for nth, s := range counting {
		s.setup = around(file("a.txt", shared))
		s.after = []entry{file("a.txt", shared)}
		t.Run(s.name, func(t *testing.T) {
			s.need(t)
			t.Parallel()
			var y tally
			y.carryOut(t, &s, plan{kill: -1})
			for _, p := range sample(plans(y.calls), nth) {
				y.aim(func() bool { return y.carryOut(t, &s, p) })
			}
			y.verify(t, all)
		})
	}
}

// carryOut makes one run. It reports whether somebody got at the file in it, if that was planned:
// the first intrusion may shorten the run, so that there is no second one.
func (y *tally) carryOut(t *testing.T, s *scenario, p plan) (asPlanned bool) {
	t.Helper()
	r := s.begin(t)
	var failed []string
	made := 0
	o := follow(t, r.command, func(c call) verdict {
		for ; made < len(p.intrusions) && p.intrusions[made].at == c.n; made++ {
			if err := p.intrusions[made].how.edit(filepath.Join(r.base, "ws"), p.intrusions[made].who); err != nil {
				failed = append(failed, fmt.Sprintf("the file could not be changed: %v", err))
			}
		}
		return verdict{kill: c.n == p.kill}
	})
	y.calls = o.calls
	if o.status.Signaled() {
		_, err := r.again()
		check(t, err)
	}
	now, err := look(r.base)
	check(t, err)
	sample := fmt.Sprintf("%s and left %q", strings.TrimSpace(o.stdout), now["a.txt"].text)
	y.judged(p.String(), sample, append(failed, r.judgeShared(o, now, p.intrusions[:made])...))
	return made > 0 || len(p.intrusions) == 0
}

// conflictMark is in the name of a file that keeps what somebody else wrote, where it can't be put
// back.
const conflictMark = ".fsbox-conflict-"

func (r *run) judgeShared(o *outcome, now tree, made []intrusion) (complaints []string) {
	complain := func(wrong bool, format string, args ...any) {
		if wrong {
			complaints = append(complaints, fmt.Sprintf(format, args...))
		}
	}
	kept := now["a.txt"].text
	for path, n := range now {
		if strings.Contains(path, conflictMark) {
			kept += n.text
			complain(!o.status.Signaled() && !strings.Contains(o.stdout, path), "the answer doesn't name a file that keeps a change")
			delete(now, path)
		}
	}
	for _, i := range made {
		complain(!strings.Contains(kept, i.who+" +"), "the change by %s is lost", i.who)
	}
	complain(len(now.sweep()) > 0, "there is litter")
	complaints = append(complaints, r.others(now)...)
	if o.status.Signaled() {
		return complaints
	}
	a, err := parseAnswer(o.stdout)
	complain(err != nil, "%v", err)
	counted := strings.Count(now["a.txt"].text, "count 1")
	complain(a.Success && counted == 0, "success, and what it wrote is lost")
	complain(counted > 1, "what it wrote is there twice")
	complain(counted == 1 && !a.Success && !a.Details.Committed, "what it wrote is there, and it says that it failed")
	return complaints
}
