package tasks

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"fsbox/bench/results"
)

var update = flag.Bool("update", false, "keep the figures in results.json")

// goals are the most characters, sent and read, that some ways may take.
var goals = map[string]int{"cobra-completion-output/edit": 24_000, "cobra-completion-output/anchors": 20_000, "cobra-rename/edit": 800,
	"cobra-move-function/fsbox": 900}

// nine are changes of real packages in which fsbox, whichever of its ways the agent takes, is
// compared with a shell: all of them together.
var nine = []string{"zod-snowflake", "zod-rename", "zod-fix", "cobra-usage-hint", "cobra-rename-move", "cobra-fix", "fastify-option",
	"fastify-rename", "fastify-generated"}

// The most that the nine changes may cost: characters, in hundredths of those of the shell, and
// calls.
const (
	mostOfShell = 115
	mostCalls   = 45
)

// checkNine compares the nine changes, if all were made.
func checkNine(t *testing.T, all []results.Task) {
	sum := map[string]results.Task{}
	count := 0
	for _, one := range all {
		if slices.Contains(nine, one.Name) {
			s := sum[one.Way]
			s.Calls, s.Sent, s.Read = s.Calls+one.Calls, s.Sent+one.Sent, s.Read+one.Read
			sum[one.Way], count = s, count+1
		}
	}
	ours, shell := sum["fsbox"], sum["shell"]
	if count < 2*len(nine) {
		return
	}
	t.Logf("nine changes: %d calls, %d characters; by a shell %d calls, %d", ours.Calls, ours.Sent+ours.Read,
		shell.Calls, shell.Sent+shell.Read)
	if ours.Calls > mostCalls || 100*(ours.Sent+ours.Read) > mostOfShell*(shell.Sent+shell.Read) {
		t.Errorf("more than %d calls, or than %d %% of the shell's characters", mostCalls, mostOfShell)
	}
}

// TestTasks does each task in each way, and holds what it costs against the goals.
func TestTasks(t *testing.T) {
	for _, program := range []string{"bash", "rg", "sed", "python3", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("this needs ", program)
		}
	}
	temp := t.TempDir()
	fsbox := filepath.Join(temp, "fsbox")
	folders, err := filepath.Glob("*/start.sh")
	if err := errors.Join(err, results.Build("../..", fsbox)); err != nil {
		t.Fatal(err)
	}
	var all []results.Task
	for _, folder := range folders {
		for _, way := range []string{"fsbox", "edit", "anchors", "patch", "shell"} {
			name := filepath.Dir(folder) + "/" + way
			if _, err := os.Stat(name + ".yaml"); err != nil {
				continue
			}
			t.Run(name, func(t *testing.T) {
				cost := replay(t, fsbox, name)
				if sum := cost.Sent + cost.Read; goals[name] > 0 && sum > goals[name] {
					t.Errorf("%d characters, at most %d are the goal", sum, goals[name])
				}
				all = append(all, cost)
			})
		}
	}
	checkNine(t, all)
	if !*update || t.Failed() {
		return
	}
	facts := results.Facts(temp, "rg", "sed", "python3")
	if err := results.Change("../results.json", func(r *results.Results) { r.Tasks, r.TasksOn = all, facts }); err != nil {
		t.Fatal(err)
	}
}

// replay does a task in one way, in a fresh tree.
func replay(t *testing.T, fsbox, name string) results.Task {
	var steps []any
	text, err := os.ReadFile(name + ".yaml")
	if err := errors.Join(err, yaml.Unmarshal(text, &steps)); err != nil {
		t.Fatal(err)
	}
	task, way := filepath.Split(name)
	a := agent{t: t, tree: t.TempDir(), marks: map[string]string{}, cost: results.Task{Name: filepath.Clean(task), Way: way}}
	script, err := filepath.Abs(task + "start.sh")
	if err != nil {
		t.Fatal(err)
	}
	start := exec.Command("sh", "-e", script)
	start.Dir = a.tree
	if out, err := start.CombinedOutput(); err != nil && !*update {
		t.Skipf("the tree can't be had: %v: %s", err, out)
	} else if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a.start(fsbox)
	for _, step := range steps {
		a.do(step)
	}
	want, err := os.ReadFile(task + "end.sha256")
	if sum := sumOf(t, a.tree); err != nil || sum != strings.TrimSpace(string(want)) {
		t.Errorf("the files at the end are others than %s says: %s, %v", task+"end.sha256", sum, err)
	}
	t.Logf("%+v", a.cost)
	return a.cost
}

// sumOf is the sum over names and contents of all files of a tree.
func sumOf(t *testing.T, tree string) string {
	sum := sha256.New()
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", strings.TrimPrefix(path, tree), len(content), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}
