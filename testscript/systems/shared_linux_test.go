package systems

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fsbox/testscript"
)

// sharedMounts are ways to mount the folder real at mnt, for as many users as like. Each mount has
// a server, or a memory of its own.
var sharedMounts = []struct {
	name, needs, mount string
	always             bool   // also without -sweep
	second             string // another mount of the same folder, where it isn't made by the same command
}{
	{name: "bindfs", needs: "bindfs", mount: "bindfs real mnt", always: true},
	{name: "mergerfs", needs: "mergerfs", mount: "mergerfs real mnt"},
	{name: "sshfs", needs: "sshfs", mount: "sshfs -o ssh_command=" + sftpServer + " localhost:$PWD/real mnt"},
	{name: "gocryptfs", needs: "gocryptfs", mount: "gocryptfs -q -extpass 'echo x' real mnt"},
	{name: "NFS 3, two clients", needs: "mount.nfs", mount: client(1, "nfs -o vers=3", ":/exports/nfs"),
		second: client(2, "nfs -o vers=3", ":/exports/nfs")},
	{name: "NFS 4.0, two clients", needs: "mount.nfs", mount: client(1, "nfs -o vers=4.0", ":/nfs"),
		second: client(2, "nfs -o vers=4.0", ":/nfs")},
	{name: "NFS 4.2, two clients", needs: "mount.nfs", mount: client(1, "nfs -o vers=4.2", ":/nfs"),
		second: client(2, "nfs -o vers=4.2", ":/nfs")},
	{name: "NFS 4.2, twice", needs: "mount.nfs", mount: client(1, "nfs -o vers=4.2,nosharecache", ":/nfs"),
		second: client(1, "nfs -o vers=4.2,nosharecache,rsize=65536", ":/nfs")},
	{name: "SMB, two clients", needs: "mount.cifs", mount: client(1, smbMount, "/smb"), second: client(2, smbMount, "/smb")},
}

const smbMount = "cifs -o username=root,password=x,vers=3.1.1,nosharesock"

// client is a mount by one of the network namespaces of .ci/vm, which are clients of their own for
// the servers there.
func client(n int, kind, path string) string {
	slashes := map[bool]string{true: "//"}[strings.HasPrefix(kind, "cifs")]
	return inMachine(fmt.Sprintf("nsenter --net=/run/netns/c%d mount -t %s %s10.9.%d.1%s mnt", n, kind, slashes, n, path))
}

// sftpServer is called like ssh: it starts OpenSSH's server and ignores its arguments.
const sftpServer = "$PWD/sftp"

const sftpScript = "#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n"

// TestSharedMounts changes one folder through two mounts of it at once, and once through one mount
// and the folder itself. What was answered as a success is there afterwards.
func TestSharedMounts(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short")
	}
	if !testscript.Holds("can-mount") {
		t.Skip("can't mount")
	}
	edits := 25
	if testscript.Sweep() {
		edits = 150
	}
	for _, m := range sharedMounts {
		for _, direct := range []bool{false, true} {
			if direct && (m.name == "gocryptfs" || m.second != "") {
				continue // in its folder is something else, or the folder is the server's
			}
			t.Run(fmt.Sprintf("%s/direct=%v", m.name, direct), func(t *testing.T) {
				if _, err := exec.LookPath(m.needs); err != nil || !m.always && !testscript.Sweep() {
					t.Skipf("needs %s and -sweep", m.needs)
				}
				first := m.mount
				if direct {
					first = "mount --bind real mnt"
				}
				shareFolder(t, edits, first, cmp.Or(m.second, m.mount))
			})
		}
	}
}

// shareFolder runs one stream of requests for each mount, all at the same time.
func shareFolder(t *testing.T, edits int, mounts ...string) {
	base := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("sftp", sftpScript, 0o755)
	if err := os.Mkdir(filepath.Join(base, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	last := mounts[len(mounts)-1]
	if strings.HasPrefix(last, "gocryptfs") {
		inMount(t, base, "true", "gocryptfs -q -init -extpass 'echo x' real").Run()
	}
	if out, err := inMount(t, base, last, `printf 'end\n' >mnt/edited; : >mnt/appended; umount mnt`).CombinedOutput(); err != nil {
		t.Skipf("%s: %v: %s", last, err, out)
	}
	answered := make([][]string, len(mounts))
	var wait sync.WaitGroup
	for i, mount := range mounts {
		wait.Go(func() { answered[i] = addLines(t, base, mount, i, edits) })
	}
	wait.Wait()
	out, err := inMount(t, base, last, "cat mnt/edited mnt/appended; ls -A mnt; umount mnt").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	for _, line := range slices.Concat(answered...) {
		if !slices.Contains(lines, line) {
			t.Errorf("%q was answered as a success, and isn't there", line)
		}
	}
	all := len(slices.Concat(answered...))
	t.Logf("%d of %d requests succeeded", all, 2*edits*len(mounts))
	if all < edits*len(mounts) {
		t.Error("less than half of them")
	}
	if strings.Contains(string(out), ".fsbox-") {
		t.Errorf("left in the folder: %s", out)
	}
}

// inMount runs a shell command where mount is at mnt, in a mount namespace of its own. What it
// starts ends with it.
func inMount(t *testing.T, base, mount, command string) *exec.Cmd {
	script := fmt.Sprintf("mkdir -p mnt && %s && %s", mount, command)
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", script)
	cmd.Dir = base
	return cmd
}

// addLines adds lines to two files, one by edits and one by appends, and returns those that were
// answered as a success.
func addLines(t *testing.T, base, mount string, stream, edits int) (done []string) {
	cmd := inMount(t, base, mount, fmt.Sprintf("fsbox -C mnt --allow-write --state-dir %s/state%d batch", base, stream))
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return nil
	}
	answers := bufio.NewScanner(out)
	ask := func(tool string, input map[string]any) bool {
		request, _ := json.Marshal(map[string]any{"tool": tool, "input": input})
		fmt.Fprintf(in, "%s\n", request)
		if !answers.Scan() {
			t.Errorf("%s: no answer: %v", mount, answers.Err())
			return false
		}
		var answer struct {
			Success bool
			Error   string
		}
		if err := json.Unmarshal(answers.Bytes(), &answer); err != nil {
			t.Error(err)
		}
		return answer.Success
	}
	for i := range edits {
		edited, appended := fmt.Sprintf("edit %d of %d", i, stream), fmt.Sprintf("append %d of %d", i, stream)
		if ask("edit", map[string]any{"path": "edited", "expected_text": "end\n", "replacement_text": edited + "\nend\n"}) {
			done = append(done, edited)
		}
		if ask("append", map[string]any{"path": "appended", "content": appended + "\n"}) {
			done = append(done, appended)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Logf("%s: %v", mount, err) // some requests failed
	}
	return done
}
