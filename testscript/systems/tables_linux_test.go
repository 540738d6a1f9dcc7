package systems

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fsbox/commands"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/samples"
	"fsbox/testscript"

	"golang.org/x/sys/unix"
)

// system is a row of the tables in docs/systems.md: a file system, or system calls that are
// missing.
type system struct {
	name    string
	mount   string // a shell command that mounts it at mnt
	without string // see TestScriptsWithout
	sample  bool   // also without -sweep
	partly  bool   // its answers depend on the moment: the page tells
	vm      bool   // its row is from the virtual machine of .ci/vm
	cluster *cluster
}

// onImage mounts a file system of the kernel from a file.
func onImage(mkfs string) string {
	return "truncate -s 400M img && " + mkfs + " img >/dev/null && mount -o loop img mnt"
}

// inMachine is a mount of what the virtual machine of .ci/vm has: it runs a server, and its host
// shares a folder with it.
func inMachine(mount string) string { return `[ "$FSBOX_VM" = inside ] && ` + mount }

var fileSystems = []system{
	{name: "ext4", mount: onImage("mkfs.ext4 -q") + " && rmdir mnt/lost+found"},
	{name: "xfs", mount: onImage("mkfs.xfs -q")},
	{name: "btrfs", mount: onImage("mkfs.btrfs -q")},
	{name: "tmpfs", mount: "mount -t tmpfs none mnt", sample: true},
	{name: "overlayfs",
		mount: "mount -t tmpfs none real && mkdir real/l real/u real/w && " +
			"mount -t overlay none -o lowerdir=real/l,upperdir=real/u,workdir=real/w mnt", sample: true},
	{name: "bind mount", mount: "mount --bind real mnt"},
	{name: "vfat", mount: onImage("mkfs.vfat"), vm: true},
	{name: "exfat", mount: onImage("mkfs.exfat"), vm: true},
	{name: "f2fs", mount: onImage("mkfs.f2fs"), vm: true},
	{name: "ext4 with casefold", mount: onImage("mkfs.ext4 -q -O casefold -E encoding=utf8") + " && rmdir mnt/lost+found", vm: true},
	{name: "NFS 3", mount: inMachine("mount -t nfs -o vers=3 127.0.0.1:/exports/nfs mnt && rm -rf mnt/*"), vm: true},
	{name: "NFS 4.0", mount: inMachine("mount -t nfs -o vers=4.0 127.0.0.1:/nfs mnt && rm -rf mnt/*"), vm: true},
	{name: "NFS 4.2", mount: inMachine("mount -t nfs -o vers=4.2 127.0.0.1:/nfs mnt && rm -rf mnt/*"), vm: true},
	{name: "SMB 3.1.1", mount: inMachine("mount -t cifs -o username=root,password=x,vers=3.1.1 //127.0.0.1/smb mnt && rm -rf mnt/*"), vm: true},
	{name: "9p", mount: inMachine("mount -t 9p -o trans=virtio,version=9p2000.L host9p mnt && rm -rf mnt/*"), vm: true},
	{name: "9p with cache=loose",
		mount: inMachine("mount -t 9p -o trans=virtio,version=9p2000.L,cache=loose host9p mnt && rm -rf mnt/*"), vm: true},
	{name: "virtiofs", mount: inMachine("mount -t virtiofs hostvfs1 mnt && rm -rf mnt/*"), vm: true},
	{name: "bindfs", mount: "bindfs real mnt", sample: true},
	{name: "mergerfs", mount: "mergerfs real mnt"},
	{name: "sshfs", mount: "sshfs -o ssh_command=$PWD/sftp localhost:$PWD/real mnt"},
	{name: "gocryptfs", mount: "gocryptfs -q -init -extpass 'echo x' real && gocryptfs -q -extpass 'echo x' real mnt"},
	{name: "fuse-overlayfs", mount: "mkdir l u w && fuse-overlayfs -o lowerdir=l,upperdir=u,workdir=w mnt"},
	{name: "ntfs-3g", mount: "truncate -s 64M img && mkntfs -qFf img >/dev/null 2>&1 && ntfs-3g img mnt"},
	{name: "exfat-fuse",
		mount: "truncate -s 64M img && mkfs.exfat img >/dev/null && " +
			"l=$(losetup -f --show img) && mount.exfat-fuse $l mnt 2>/dev/null && losetup -d $l"},
	{name: "rclone", mount: "rclone mount --config none --vfs-cache-mode writes --daemon $PWD/real mnt", partly: true},
	mooseFS.row(), glusterFS.row(), cephFS.row(),
}

// missingCalls has a row for each list of TestScriptsWithout, and one where all is missing at once.
func missingCalls() (all []system) {
	for i, list := range ways {
		all = append(all, system{name: list, without: list, sample: i%5 == 0})
	}
	every := "openat2=ENOSYS,statx=ENOSYS,renameat2=ENOSYS,linkat=EPERM,o_tmpfile=EOPNOTSUPP"
	return append(all, system{name: every, without: every, sample: true})
}

// systemRequests use every command that looks at or changes files: each that isn't listed has its
// request in package samples.
func systemRequests() string {
	lines := listedRequests
	names := strings.NewReplacer(`"file"`, `"a.txt"`, `"dir"`, `"d"`)
	for _, tool := range commands.All() {
		isPath := func(f request.Field) bool { return f.IsPath() }
		if !strings.Contains(listedRequests, fmt.Sprintf(`"tool":%q`, tool.Name)) && slices.ContainsFunc(command.NewCall(tool).Fields, isPath) {
			lines += fmt.Sprintf("{\"tool\":%q,\"input\":%s}\n", tool.Name, names.Replace(samples.Requests[tool.Name]))
		}
	}
	return lines
}

const listedRequests = `{"tool":"write","input":{"path":"a.txt","content":"one\ntwo\n"}}
{"tool":"write","input":{"path":"a.txt","content":"other"}}
{"tool":"write","input":{"path":"a.txt","content":"one\ntwo\nthree\n","mode":"overwrite"}}
{"tool":"edit","input":{"path":"a.txt","expected_text":"two","replacement_text":"2"}}
{"tool":"append","input":{"path":"a.txt","content":"four\n"}}
{"tool":"append","input":{"path":"new.txt","content":"first\n"}}
{"tool":"mkdir","input":{"path":"d/e"}}
{"tool":"copy","input":{"from":"a.txt","to":"d/b.txt"}}
{"tool":"copy","input":{"from":"new.txt","to":"d/b.txt","overwrite":true}}
{"tool":"copy","input":{"from":"d","to":"f"}}
{"tool":"patch","input":{"patch":"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n--- /dev/null\n+++ b/g/new\n@@ -0,0 +1 @@\n+x\n--- a/f/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-first\n"}}
{"tool":"undo","input":{}}
{"tool":"move","input":{"from":"new.txt","to":"d/moved.txt"}}
{"tool":"move","input":{"from":"f","to":"d/f"}}
{"tool":"move","input":{"from":"d/moved.txt","to":"d/b.txt"}}
{"tool":"move","input":{"from":"d/moved.txt","to":"d/b.txt","overwrite":true}}
{"tool":"undo","input":{}}
{"tool":"delete","input":{"path":"d/b.txt"}}
{"tool":"undo","input":{}}
{"tool":"delete","input":{"path":"d/f","recursive":true}}
{"tool":"undo","input":{}}
{"tool":"info","input":{"path":"a.txt"}}
{"tool":"read","input":{"path":"a.txt"}}
{"tool":"read","input":{"path":"d/b.txt"}}
{"tool":"ls","input":{"recursive":true,"include_hidden":true}}
{"tool":"glob","input":{"pattern":"**/*.txt"}}
{"tool":"grep","input":{"query":"first"}}
`

// systemAnswers reduces answers to what doesn't depend on the system: success or code, and what
// reading commands found.
func systemAnswers(t *testing.T, out []byte) (all []string) {
	requests := strings.Split(systemRequests(), "\n")
	for line := range strings.Lines(string(out)) {
		var answer struct {
			Success bool
			Text    string
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil || len(all) >= len(requests) {
			t.Errorf("not an answer: %v: %s", err, line)
			return nil
		}
		command := strings.Split(requests[len(all)], `"`)[3]
		switch found := slices.Contains([]string{"read", "ls", "glob", "grep"}, command); {
		case !answer.Success:
			answer.Text, _, _ = strings.Cut(answer.Text, ":") // the code
		case !found:
			answer.Text = "done"
		}
		all = append(all, command+": "+answer.Text)
	}
	return all
}

// probes are the programs that the tests run besides those of scripts.
func probes() map[string]func() { return map[string]func(){"fsbox-probe": probe} }

// probe is a program that tells what the system has of what fsbox would like to use in the folder
// it is called with.
func probe() {
	testscript.Lack()
	dir, err := unix.Open(os.Args[1], unix.O_DIRECTORY, 0)
	if err == nil {
		err = errors.Join(unix.Mknodat(dir, "x", unix.S_IFREG|0o600, 0), unix.Mknodat(dir, "y", unix.S_IFREG|0o600, 0))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	unnamed, errUnnamed := unix.Openat(dir, ".", unix.O_WRONLY|unix.O_TMPFILE, 0o600)
	unix.Close(unnamed)
	has := []error{unix.Renameat2(dir, "x", dir, "y", unix.RENAME_EXCHANGE), unix.Renameat2(dir, "x", dir, "z", unix.RENAME_NOREPLACE),
		unix.Linkat(dir, "y", dir, "l", 0), errUnnamed}
	for _, name := range []string{"x", "y", "z", "l"} {
		_ = unix.Unlinkat(dir, name, 0)
	}
	for _, err := range has {
		fmt.Print(map[bool]string{true: "yes ", false: "no "}[err == nil])
	}
}

// run uses every command on a system, and gives its row; "" if it can't be had here.
func (s system) run(t *testing.T, want []string) (row string, answers []string) {
	base := t.TempDir()
	for name, text := range map[string]string{"sftp": sftpScript, "requests": systemRequests()} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	mount := s.mount
	if mount == "" {
		mount = "true"
	}
	const use = "fsbox-probe mnt || exit 9; echo; fsbox -C mnt --format text --allow-write --allow-delete " +
		"--state-dir $PWD/state batch <requests; umount mnt 2>/dev/null; true"
	servers := s.cluster.start(t, base)
	cmd := servers.enter(inMount(t, base, "mkdir -p real && "+mount, "export "+testscript.LackVariable+"="+s.without+" && "+use), network)
	var told bytes.Buffer
	cmd.Stderr = &told
	out, err := cmd.Output()
	has, batch, found := bytes.Cut(out, []byte("\n"))
	if err != nil || !found {
		t.Skipf("%s: can't be had here: %v: %s", s.name, err, told.Bytes())
	}
	answers = systemAnswers(t, batch)
	verdict := "yes"
	for i, answer := range answers {
		if want != nil && answer != want[i] {
			verdict = "no"
			t.Errorf("%s: request %d: %s, want %s", s.name, i+1, answer, want[i])
		}
	}
	return fmt.Sprintf("| %s | %s | %s |", s.name, verdict, strings.Join(strings.Fields(string(has)), " | ")), answers
}

// systemsPage has the tables that TestSystems checks; with -update it writes the rows that can be
// had here.
const systemsPage = "../../docs/systems.md"

// TestSystems uses every command on every file system, and without system calls, as far as they can
// be had here. The answers are those of a plain folder. The rows are those of docs/systems.md.
func TestSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if !testscript.Holds("can-mount") {
		t.Skip("can't mount")
	}
	page, err := os.ReadFile(systemsPage)
	if err != nil {
		t.Fatal(err)
	}
	_, want := system{name: "plain"}.run(t, nil)
	if len(want) != strings.Count(systemRequests(), "\n") {
		t.Fatalf("%d answers", len(want))
	}
	lines := strings.Split(string(page), "\n")
	for _, s := range slices.Concat(fileSystems, missingCalls()) {
		t.Run(s.name, func(t *testing.T) {
			at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "| "+s.name+" |") })
			if at < 0 {
				t.Fatalf("%s has no row for %s", systemsPage, s.name)
			}
			if !s.sample && !testscript.Sweep() && !testscript.Update() {
				t.Skip("needs -sweep")
			}
			if s.partly {
				_, answers := s.run(t, nil)
				t.Logf("answers: %q", answers)
				return
			}
			row, _ := s.run(t, want)
			switch {
			case !s.vm && os.Getenv("FSBOX_VM") != "": // what its older kernel has differs
			case testscript.Update():
				lines[at] = row
			case row != lines[at]:
				t.Errorf("%s has\n%s\nand here it is\n%s", systemsPage, lines[at], row)
			}
		})
	}
	if testscript.Update() {
		if err := os.WriteFile(systemsPage, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// patchLevel is what tells two versions of one line of kernels apart.
var patchLevel = regexp.MustCompile(`(\d+\.\d+)\.\d+`)

// setRow writes a row into the table of the page with a header, with -update: in place of the one
// whose first cells are the same, except for the patch level of a kernel, or else at the end.
func setRow(t *testing.T, header string, keys int, row string) {
	t.Log(row)
	page, err := os.ReadFile(systemsPage)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(page), "\n")
	at := slices.Index(lines, header)
	if at < 0 {
		t.Fatalf("%s has no table %s", systemsPage, header)
	}
	key := func(line string) string {
		cells := strings.SplitN(patchLevel.ReplaceAllString(line, "$1"), "|", keys+2)
		return strings.Join(cells[:min(len(cells), keys+1)], "|")
	}
	for at += 2; strings.HasPrefix(lines[at], "|") && key(lines[at]) != key(row); at++ {
	}
	if !testscript.Update() {
		return
	}
	if strings.HasPrefix(lines[at], "|") {
		lines[at] = row
	} else {
		lines = slices.Insert(lines, at, row)
	}
	if err := os.WriteFile(systemsPage, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}
