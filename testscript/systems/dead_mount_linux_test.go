package systems

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// deadRuns are commands in a workspace with a dead mount at "dead" in it, and the codes of their
// answers; "" is success.
var deadRuns = []struct {
	code string
	args []string
}{
	{"timeout", []string{"info", "dead"}},
	{"timeout", []string{"read", "dead/a.txt"}},
	{"", []string{"ls"}},
	{"", []string{"ls", "--recursive", "--sort", "size"}},
	{"", []string{"glob", "**/*.txt"}},
	{"", []string{"glob", "**", "--sort", "modified"}},
	{"", []string{"grep", "one"}},
	{"timeout", []string{"grep", "one", "dead"}},
	{"timeout", []string{"grep", "one", "dead/a.txt"}},
	{"timeout", []string{"write", "dead/a.txt", "--content", "x"}},
	{"timeout", []string{"write", "dead/a.txt", "--content", "x", "--dry-run"}},
	{"timeout", []string{"append", "dead/a.txt", "--content", "x"}},
	{"timeout", []string{"edit", "dead/a.txt", "--expected-text", "x", "--replacement-text", "y"}},
	{"timeout", []string{"patch", "--- a/dead/a\n+++ b/dead/a\n@@ -1 +1 @@\n-x\n+y\n"}},
	{"timeout", []string{"mkdir", "dead/d"}},
	{"timeout", []string{"copy", "a.txt", "dead/b"}},
	{"timeout", []string{"move", "a.txt", "dead/b"}},
	{"timeout", []string{"delete", "dead/a.txt"}},
	{"timeout", []string{"delete", "dead", "--recursive"}},
	{"timeout", []string{"--root", "dead", "ls"}},
	{"timeout", []string{"--root", "../other", "--config", "dead/config.json", "ls"}},
	{"timeout", []string{"--root", "../other", "--state-dir", "dead/state", "write", "a.txt", "--mode", "overwrite", "--content", "x"}},
}

// TestDeadMount asks for everything on a mount that doesn't answer. Each call answers soon after
// its timeout. It hangs before its change begins.
func TestDeadMount(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, takes := range []bool{false, true} {
		root := deadWorkspace(t, takes)
		var wait sync.WaitGroup
		for _, run := range deadRuns {
			wait.Go(func() {
				args := append([]string{"--timeout", "500ms"}, run.args...)
				answers := askDead(t, exec.Command("fsbox", args...), root, takes, nil)
				if len(answers) != 1 {
					t.Errorf("%q: %d answers", args, len(answers))
					return
				}
				answer := answers[0]
				if got, _ := answer["error"].(string); got != run.code {
					t.Errorf("%q: error %q, want %q: %v", args, got, run.code, answer)
				}
				if answer["details"] != nil {
					t.Errorf("%q: not known to have changed nothing: %v", args, answer)
				}
				result, _ := answer["result"].(map[string]any)
				if run.code == "" && (result["truncated_by"] != "timeout" || !strings.Contains(fmt.Sprint(result), "a.txt")) {
					t.Errorf("%q: not what there was until then: %v", args, answer)
				}
			})
		}
		wait.Wait()
	}
}

// TestDeadMountStream continues with the next line.
func TestDeadMountStream(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	root := deadWorkspace(t, false)
	cmd := exec.Command("fsbox", "--timeout", "1s", "batch")
	cmd.Stdin = strings.NewReader(`{"tool":"append","input":{"path":"dead/log","content":"x"}}
{"tool":"ls","input":{}}
{"tool":"append","input":{"path":"a.txt","content":"two\n"}}
{"tool":"read","input":{"path":"a.txt"}}
`)
	var got []string
	for _, answer := range askDead(t, cmd, root, false, nil) {
		result, _ := answer["result"].(map[string]any)
		got = append(got, fmt.Sprint(answer["error"], " ", result["content"]))
	}
	if want := []string{"timeout <nil>", "<nil> <nil>", "<nil> <nil>", "<nil> one\ntwo\n"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
}

// TestDeadMountMCP: a call that hangs before its file is opened holds up no other one.
func TestDeadMountMCP(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	root := deadWorkspace(t, false)
	cmd := exec.Command("fsbox", "--timeout", "1s", "mcp")
	const call = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}` + "\n"
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n" +
		fmt.Sprintf(call, 2, "read", `{"path":"dead/a.txt"}`) + fmt.Sprintf(call, 3, "read", `{"path":"a.txt"}`) +
		fmt.Sprintf(call, 4, "append", `{"path":"dead/log","content":"x"}`) + fmt.Sprintf(call, 5, "read", `{"path":"a.txt"}`))
	var got []string
	for _, answer := range askDead(t, cmd, root, false, nil) {
		result, _ := answer["result"].(map[string]any)
		got = append(got, fmt.Sprint(answer["id"], " ", result["isError"]))
	}
	slices.Sort(got)
	if want := []string{"1 <nil>", "2 true", "3 <nil>", "4 true", "5 <nil>"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, want %q", got, want)
	}
}

// TestDeadMountSignal interrupts calls that hang. A call that changes files listens to signals from
// its start. One that only reads ends without an answer if it doesn't listen yet, and is asked
// again then, with more time.
func TestDeadMountSignal(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	root := deadWorkspace(t, false)
	for _, sent := range []syscall.Signal{unix.SIGINT, unix.SIGTERM} {
		if signal.Ignored(sent) { // a shell has programs in the background ignore SIGINT, and those that they start
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, sent)
			defer signal.Stop(caught)
		}
		for _, args := range [][]string{{"read", "dead/a.txt"}, {"append", "dead/a.txt", "--content", "x"}, {"-C", "dead", "ls"}} {
			for wait := time.Millisecond; ; wait *= 2 {
				cmd := exec.Command("fsbox", append([]string{"--timeout", "5m"}, args...)...)
				interrupt := func() {
					awaitHang(t, cmd.Process.Pid)
					time.Sleep(wait)
					_ = cmd.Process.Signal(sent)
				}
				answers := askDead(t, cmd, root, false, interrupt)
				if len(answers) == 0 && args[0] != "append" && endedBy(cmd) == sent && wait < patience {
					continue
				}
				if len(answers) != 1 || answers[0]["error"] != "canceled" {
					t.Errorf("%q, %v: %v", args, sent, answers)
				}
				break
			}
		}
	}
}

// endedBy is the signal that ended a command.
func endedBy(cmd *exec.Cmd) syscall.Signal {
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return status.Signal()
}

// deadWorkspace makes a workspace with a file and a dead mount in it, and one beside it.
func deadWorkspace(t *testing.T, takes bool) (root string) {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"ws/dead", "other"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, folder, "../a.txt"), []byte("one\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "other/a.txt"), []byte("one\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := mountDead(filepath.Join(dir, "ws/dead"), takes)
	if err != nil {
		t.Skipf("no FUSE file system can be mounted here: %v", err)
	}
	t.Cleanup(m.end)
	return filepath.Join(dir, "ws")
}

// patience is after what time an answer counts as missing, on any machine.
const patience = 5 * time.Minute

// askDead runs a command to the end of its output, and interrupt, if there is one, meanwhile.
func askDead(t *testing.T, cmd *exec.Cmd, root string, takes bool, interrupt func()) (answers []map[string]any) {
	t.Helper()
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "FSBOX_ALLOW_WRITE=1", "FSBOX_ALLOW_DELETE=1", "XDG_STATE_HOME="+root+".state",
		"XDG_CONFIG_HOME="+root+".config")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	overdue := time.AfterFunc(patience, func() {
		t.Errorf("%q: no answer in %v", cmd.Args, patience)
		out.Close()
		_ = cmd.Process.Kill()
	})
	if interrupt != nil {
		interrupt()
	}
	text, _ := io.ReadAll(out)  // an error is told above
	if overdue.Stop(); !takes { // else nothing ends it while the mount is there
		_ = cmd.Wait()
	}
	for line := range strings.Lines(string(text)) {
		var answer map[string]any
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Errorf("%q: %v in %q", cmd.Args, err, line)
		}
		answers = append(answers, answer)
	}
	return answers
}

// awaitHang waits until a thread of a process waits for FUSE.
func awaitHang(t *testing.T, pid int) {
	t.Helper()
	for range patience / (10 * time.Millisecond) {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/wchan", pid))
		for _, file := range threads {
			if where, _ := os.ReadFile(file); strings.Contains(string(where), "fuse") || strings.Contains(string(where), "request_wait") {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nothing hangs")
}
