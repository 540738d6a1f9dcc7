package testscript

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// interfaces sends one request through every interface. Requests that change files get a copy of
// the folder for each.
func interfaces(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interfaces TOOL OBJECT ARGS...")
	}
	tool, object, flags := args[0], args[1], args[2:]
	line := fmt.Sprintf("{\"id\":7,\"tool\":%q,\"input\":%s}\n", tool, object)
	runs := []struct {
		name, stdin string
		args        []string
	}{
		{"flags", "", append([]string{tool}, flags...)},
		{"json", "", []string{tool, "--json", object}},
		{"stdin", object + "\n", []string{tool, "-"}},
		{"batch", line, []string{"batch"}},
	}
	var first map[string]any
	for _, run := range runs {
		answer := runInterface(ts, run.stdin, run.args)
		if id := answer["id"]; run.name == "batch" && id != 7.0 {
			ts.Fatalf("batch: id %v, want 7", id)
		}
		delete(answer, "id")
		if first == nil {
			first = answer
		} else if !reflect.DeepEqual(answer, first) {
			ts.Fatalf("%s and flags differ:\n%v\n%v", run.name, answer, first)
		}
	}
}

func runInterface(ts *testscript.TestScript, stdin string, args []string) map[string]any {
	dir, err := os.MkdirTemp("", "fsbox-door")
	ts.Check(err)
	defer os.RemoveAll(dir)
	ts.Check(copyFolder(ts.MkAbs("."), dir))
	cmd := exec.Command("fsbox", args...)
	cmd.Path = filepath.Join(programs(ts), programName)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "USERPROFILE", "AppData", "LocalAppData",
		"SYSTEMROOT", "PATH", "FSBOX_STATE_DIR", "FSBOX_ALLOW_WRITE",
		"FSBOX_ALLOW_DELETE", LackVariable} {
		if value := ts.Getenv(name); value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	out, err := cmd.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		ts.Fatalf("%v: %v", args, err)
	}
	var answer map[string]any
	if err := json.Unmarshal(out, &answer); err != nil {
		ts.Fatalf("%v: %v in %q", args, err, out)
	}
	scrub(answer)
	return answer
}

// copyFolder copies what is in a folder, with times and modes where cp is there.
func copyFolder(from, to string) error {
	if runtime.GOOS == "windows" {
		return os.CopyFS(to, os.DirFS(from))
	}
	return exec.Command("cp", "-a", from+"/.", to).Run()
}

// programs is the folder that testscript puts at the front of PATH for the programs of TestMain.
func programs(ts *testscript.TestScript) string {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, programName)); err == nil {
			return dir
		}
	}
	ts.Fatalf("fsbox is not in PATH")
	return ""
}

// scrub takes out what can't be the same in two copies of a folder: times, cursors and absolute
// paths.
func scrub(v any) {
	switch x := v.(type) {
	case map[string]any:
		for name, member := range x {
			if slices.Contains([]string{"modified", "next_cursor", "backup_id", "state_dir", "root", "resolved_root", "absolute_path"}, name) {
				delete(x, name)
				continue
			}
			scrub(member)
		}
		if text, ok := x["message"].(string); ok && strings.HasPrefix(text, "root ") {
			delete(x, "message")
		}
	case []any:
		for _, item := range x {
			scrub(item)
		}
	}
}
