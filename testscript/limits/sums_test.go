//go:build linux

package limits

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fsbox/testscript"
)

// mostMemory is what a request may take, in KiB: 64 MiB.
const mostMemory = 64 << 10

// sum is a request on many files, or on a large one. A row starts from what the rows before it left.
type sum struct {
	row   string // what it is, for the table in docs/limits.md
	args  string // of fsbox
	stdin func(io.Writer)
	error string // the code it fails with, "" for none
	calls []string
}

var sums = []sum{
	{row: "`info --hash`: a file of 1 GiB", args: "info --hash big"},
	{row: "`read` of its end", args: "read big --start-line -5"},
	{row: "`grep`: a file of 1 GiB", args: "grep needle big"},
	{row: "`copy`: a file of 1 GiB", args: "copy big copied --max-read-bytes 2GiB"},
	{row: "`undo` of it", args: "undo", error: "backup_failed"},
	{row: "`append` to a file of 1 GiB", args: "append big --content x"},
	{row: "`undo` of it", args: "undo"},
	{row: "`write` over a file of 1 GiB", args: "write big --content x --mode overwrite", error: "backup_failed"},
	{row: "`delete` of a file of 200 MB", args: "delete mid"},
	{row: "`undo` of it", args: "undo"},
	{row: "`edit` of a file of 200 MB", args: "edit mid --expected-text a --replacement-text b", error: "file_too_large"},
	{row: "`patch`, dry run: 60 files of 1 MB", args: "patch --dry-run -", stdin: patched(60)},
	{row: "`patch`: 60 files of 1 MB", args: "patch -", stdin: patched(60)},
	{row: "`undo` of it", args: "undo"},
	{row: "`patch`, dry run without diff: 120 files of 1 MB", args: "patch --dry-run --no-diff -", stdin: patched(120)},
	{row: "`patch`: 300 files of 1 MB", args: "patch -", stdin: patched(300), error: "file_too_large"},
	{row: "`edit --glob`: 120 files of 1 MB", args: "edit . --glob f1??.txt --expected-text 0000100 --replacement-text x"},
	{row: "`undo` of it", args: "undo"},
	{row: "`patch`: 10,000 small files", args: "patch -", stdin: patchedSmall},
	{row: "`undo` of it", args: "undo"},
	{row: "`undo` of that", args: "undo"},
	{row: "`copy`: a directory of 9,900 files", args: "copy many/d0 copies"},
	{row: "`delete`: a directory of 100,000 files", args: "delete many --recursive"},
	{row: "`undo` of it", args: "undo"},
	{row: "`ls`: a directory of 100,000 names", args: "ls names"},
	{row: "`ls --recursive --sort modified`: 200,000 names", args: "ls --recursive --sort modified"},
	{row: "`glob --sort modified`: 200,000 names", args: "glob ** --sort modified"},
	{row: "`grep`: 200,000 files", args: "grep needle --glob !big --glob !mid"},
	{row: "24 `ls` in `mcp`: 100,000 names", calls: []string{`"ls","arguments":{"path":"names"}`}},
	{row: "24 recursive `ls`, sorted by time, in `mcp`: 200,000 names", calls: []string{`"ls","arguments":{"recursive":true,"sort":"modified"}`}},
	{row: "24 `glob`, sorted by time, in `mcp`: 200,000 names", calls: []string{`"glob","arguments":{"pattern":"**","sort":"modified"}`}},
	{row: "24 `grep` whose glob excludes all files, in `mcp`: 200,000 names", calls: []string{`"grep","arguments":{"query":"x","glob":["*.none"]}`}},
	{row: "24 calls of seven kinds in `mcp`: 200,000 names", calls: []string{`"ls","arguments":{"path":"names"}`, `"glob","arguments":{"pattern":"*7","path":"names"}`,
		`"grep","arguments":{"query":"x","path":"names"}`, `"ls","arguments":{"recursive":true}`, `"read","arguments":{"path":"f100.txt"}`,
		`"info","arguments":{"path":"f101.txt","hash":true}`, `"edit","arguments":{"path":"f102.txt","expected_text":"0000100","replacement_text":"x","dry_run":true}`}},
}

// TestSums holds the memory of requests whose parts are small and whose sum is large. With -v it
// prints the rows of the table in docs/limits.md.
func TestSums(t *testing.T) {
	if !testscript.Sweep() {
		t.Skip("takes minutes and 3 GB of disk: -sweep")
	}
	base := t.TempDir()
	program := filepath.Join(base, "fsbox")
	if out, err := exec.Command("go", "build", "-o", program, "fsbox").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	root := filepath.Join(base, "ws")
	makeSums(t, root)
	for _, s := range sums {
		t.Run(s.row, func(t *testing.T) {
			c := exec.Command(program, append(strings.Fields(s.args), "--timeout", "10m")...)
			if s.calls != nil {
				c = exec.Command(program, "mcp", "--timeout", "10m")
			}
			c.Dir = root
			c.Env = []string{"HOME=" + base, "FSBOX_ALLOW_WRITE=1", "FSBOX_ALLOW_DELETE=1"}
			var failed string
			if s.calls != nil {
				failed = serve24(t, c, s.calls)
			} else {
				failed = answer(t, c, s.stdin)
			}
			peak := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			if failed != s.error {
				t.Errorf("%s: error %q, want %q", s.args, failed, s.error)
			}
			if peak > mostMemory {
				t.Errorf("%s took %d KiB", s.args, peak)
			}
			t.Logf("| %s | %d | %s |", s.row, peak, s.error)
		})
	}
}

// answer runs a call and returns its code, "" for a success.
func answer(t *testing.T, c *exec.Cmd, stdin func(io.Writer)) string {
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if stdin != nil {
		w := bufio.NewWriter(in)
		stdin(w)
		w.Flush()
	}
	in.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(out, head)
	io.Copy(io.Discard, out)
	c.Wait()
	_, code, failed := strings.Cut(string(head[:n]), `"error":"`)
	if code, _, _ = strings.Cut(code, `"`); failed {
		return code
	}
	if !bytes.HasPrefix(head, []byte(`{"success":true`)) {
		t.Errorf("answered %.300s", head[:n])
	}
	return ""
}

// serve24 has mcp answer 24 calls at once, and returns the text of the first that failed.
func serve24(t *testing.T, c *exec.Cmd, calls []string) (failed string) {
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"sums","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	for i := range 24 {
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%s}}`+"\n", i+1, calls[i%len(calls)])
	}
	lines := bufio.NewReader(out)
	for answers := 0; answers < 25; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("%d answers, then %v", answers, err)
		}
		if !strings.Contains(line, `"id":`) {
			continue
		}
		if answers++; failed == "" && (strings.Contains(line, `"isError":true`) || strings.Contains(line, `"error":{`)) {
			failed = line[:min(len(line), 300)]
		}
	}
	in.Close()
	io.Copy(io.Discard, out)
	c.Wait()
	return failed
}

// makeSums makes a file of 1 GiB and one of 200 MB, 300 files of 1 MB, 10,000 small files, and two
// directories of 100,000 names in all.
func makeSums(t *testing.T, root string) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	fill := func(name string, size int) {
		f, err := os.Create(filepath.Join(root, name))
		must(err)
		w := bufio.NewWriterSize(f, 1<<20)
		for n := 0; n < size; n += 64 {
			fmt.Fprintf(w, "line %07d of a file with words in it, 64 bytes of them at all\n", n/64)
		}
		must(w.Flush())
		must(f.Close())
	}
	must(os.MkdirAll(filepath.Join(root, "names"), 0o755))
	fill("big", 1<<30)
	fill("mid", 200_000_000)
	for i := range 300 {
		fill(fmt.Sprintf("f%03d.txt", i), 1<<20)
	}
	for i := range 100_000 {
		dir := filepath.Join(root, "many", fmt.Sprintf("d%d", i/9900))
		if i%9900 == 0 {
			must(os.MkdirAll(dir, 0o755))
		}
		must(os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%05d", i)), []byte("one\ntwo\nthree\n"), 0o644))
		must(os.WriteFile(filepath.Join(root, "names", fmt.Sprintf("a name of some length %d", i)), nil, 0o644))
	}
}

func patched(files int) func(io.Writer) {
	return func(w io.Writer) {
		for i := range files {
			fmt.Fprintf(w, "--- f%03d.txt\n+++ f%03[1]d.txt\n@@ -101 +101 @@\n-line 0000100 of a file with words in it, 64 bytes of them at all\n+line 100\n", i)
		}
	}
}

func patchedSmall(w io.Writer) {
	for i := range 10_000 {
		fmt.Fprintf(w, "--- many/d%d/s%05[2]d\n+++ many/d%[1]d/s%05[2]d\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n", i/9900, i)
	}
}
