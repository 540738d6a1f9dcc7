package commands

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Command lines that FuzzArgv begins with, their arguments separated by NUL bytes.
var argvSeeds = []string{
	"", "read\x00f", "read\x00d/l/secret", "read\x00../out/secret", "read\x00--\x00-f", "ls\x00-\x00--recursive", "info\x00$OUT/secret",
	"grep\x00-A\x001\x00SECRET\x00.",
	"glob\x00**/*\x00--no-ignore", "write\x00n/new\x00--content\x00x\x00--mode=overwrite", "write\x00d/l/new\x00--content=x",
	"append\x00f\x00--content\x00+",
	"edit\x00f\x00--expected-text\x00f\x00--replacement-text\x00g",
	"patch\x00--json\x00{\"patch\":\"*** Begin Patch\\n*** Delete File: f\\n*** End Patch\"}",
	"mkdir\x00a/b/c", "copy\x00d\x00copied", "copy\x00d/l\x00x", "move\x00f\x00../out/f", "move\x00d\x00d/l/d", "delete\x00d\x00--recursive",
	"delete\x00d/l/secret", "undo",
	"undo\x00--since\x00x", "check", "schema\x00--for\x00openai", "batch", "mcp", "completion\x00bash", "man", "--help", "read\x00--help",
	"--version", "\xff\xfe",
	"read\x00--json\x00{\"path\":\"../out/secret\"}", "read\x00--path-base64\x00Li4vb3V0L3NlY3JldA==", "--timeout\x001ns\x00ls",
	"--format\x00text\x00ls\x00-r", "rd\x00f", "Read\x00--Path=f",
	"ls\x00--max-entries\x00-1", "ls\x00--cursor\x00x", "--deny\x00[\x00ls", "--max-output-bytes\x001\x00read\x00f",
	"--approval\x00token\x00delete\x00f", "--approval=prompt\x00delete\x00f",
}

// FuzzArgv runs any command line in a workspace that has links to a folder outside. No command line
// makes the program panic or hang, each answers, and nothing outside is read or changed.
func FuzzArgv(f *testing.F) {
	for _, seed := range argvSeeds {
		f.Add(seed)
	}
	home := f.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		f.Setenv(name, home)
	}
	f.Setenv("FSBOX_CONFIG", "")
	f.Fuzz(func(t *testing.T, line string) {
		root := argvTree(t)
		args := strings.Split(strings.ReplaceAll(line, "$OUT", filepath.Join(root, "../out")), "\x00")
		for _, arg := range args {
			if namesHostPath(arg) {
				return // the operator may name any path of the host
			}
		}
		args = append([]string{"-C", root, "--state-dir", filepath.Join(root, "../state"), "--allow-write", "--allow-delete", "--no-fsync",
			"--confine", "off"}, args...)
		before := outsideOf(t, root)
		var out strings.Builder
		done := make(chan int, 1)
		go func() {
			done <- Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Commands: All()}.Run(context.Background(), args)
		}()
		select {
		case status := <-done:
			if status < 0 || status > 2 || strings.Contains(out.String(), `"error":"internal"`) {
				t.Fatalf("%q: status %d, %.2000s", args, status, out.String())
			}
		case <-time.After(time.Minute):
			t.Fatalf("%q hangs", args)
		}
		if strings.Contains(out.String(), argvSecret) {
			t.Fatalf("%q reads what is outside: %.2000s", args, out.String())
		}
		if after := outsideOf(t, root); after != before {
			t.Fatalf("%q changes what is outside to\n%s\nfrom\n%s", args, after, before)
		}
	})
}

// argvSecret is the content of the file outside.
const argvSecret = "SECRET, outside the workspace"

func argvTree(t *testing.T) (root string) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	root = filepath.Join(base, "ws")
	for path, content := range map[string]string{"out/secret": argvSecret, "ws/f": "f", "ws/-f": "f", "ws/d/f": "text\n", "ws/d/e/g": "g"} {
		path = filepath.Join(base, path)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o777)
		}
		if err == nil {
			err = os.WriteFile(path, []byte(content), 0o666)
		}
	}
	for name, target := range map[string]string{"d/l": "../../out", "ls": "../out/secret", "in": "d/f"} {
		if err == nil {
			_ = os.Symlink(target, filepath.Join(root, name)) // where there are no links, other ways are tried without
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// outsideOf describes everything beside the root, without the state folder.
func outsideOf(t *testing.T, root string) string {
	var all strings.Builder
	base := filepath.Dir(root)
	err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == root || path == filepath.Join(base, "state") {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil || path == base { // its time changes with the state folder
			return err
		}
		fmt.Fprintln(&all, path, info.Mode(), info.Size(), info.ModTime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// namesHostPath reports an argument with which the operator names another root, or a file of the
// host, in any spelling.
func namesHostPath(arg string) bool {
	if strings.HasPrefix(arg, "-C") || arg == "approve" {
		return true
	}
	name := strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(arg))
	for _, flag := range []string{"root", "config", "statedir", "log", "approvalkey"} {
		if strings.HasPrefix(arg, "-") && strings.HasPrefix(name, flag) {
			return true
		}
	}
	return false
}
