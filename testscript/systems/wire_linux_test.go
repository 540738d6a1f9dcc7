package systems

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// wireMounts are mounts whose kernel counts what it asks the server, and a command that prints the
// count. folder is what the server shares.
var wireMounts = []struct{ name, mount, folder, count string }{
	{"NFS 3", client(1, "nfs -o vers=3", ":/exports/nfs"), "/exports/nfs", countNFS},
	{"NFS 4.0", client(1, "nfs -o vers=4.0", ":/nfs"), "/exports/nfs", countNFS},
	{"NFS 4.2", client(1, "nfs -o vers=4.2", ":/nfs"), "/exports/nfs", countNFS},
	{"SMB 3.1.1", client(1, smbMount, "/smb"), "/exports/smb", countSMB},
}

const (
	countNFS = `awk '/per-op/ { on = 1; next } on && /^\t/ { n += $2 } END { print n + 0 }' /proc/self/mountstats`
	countSMB = `awk '/^SMBs:/ { print $2; exit }' /proc/fs/cifs/Stats`
)

// wireCalls are what is measured, each with a new mount of its own: by fsbox, by a program that does
// no more than it has to, and by vi, if that can do it.
var wireCalls = []struct{ name, fsbox, vi, bare string }{
	{"read a file", "read d/a.txt", "vim.tiny -e -s -c q mnt/d/a.txt", "cat mnt/d/a.txt"},
	{"edit a file", "edit d/a.txt --expected-text one --replacement-text two", "vim.tiny -e -s -c s/one/two/ -c wq mnt/d/a.txt", `python3 -c '
import os
text = open("mnt/d/a.txt").read()
f = open("mnt/d/.a.txt.new", "x")
f.write(text.replace("one", "two")); f.flush(); os.fsync(f.fileno()); f.close()
os.rename("mnt/d/.a.txt.new", "mnt/d/a.txt")'`},
	{"append to a file", "append d/a.txt --content more", "", "sh -c 'echo more >>mnt/d/a.txt'"},
	{"grep in 1,000 files", "grep absent many; true", "", "grep -r absent mnt/many; true"},
}

// TestWireCalls counts the calls that commands make over the wire. With -update it writes them into
// the page.
func TestWireCalls(t *testing.T) {
	if os.Getenv("FSBOX_VM") == "" {
		t.Skip("needs the virtual machine of .ci/vm")
	}
	base := t.TempDir()
	for _, m := range wireMounts {
		t.Run(m.name, func(t *testing.T) {
			const files = "cd $0 && rm -rf ./* && mkdir d many && echo one >d/a.txt && for i in $(seq 1000); do echo one >many/$i; done"
			if out, err := exec.Command("sh", "-c", files, m.folder).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, call := range wireCalls {
				row := fmt.Sprintf("| %s: %s |", m.name, call.name)
				for _, command := range [...]string{call.bare, call.vi, "fsbox -C mnt --allow-write --state-dir $PWD/state " + call.fsbox} {
					if command == "" {
						row += " |"
						continue
					}
					row += fmt.Sprintf(" %d |", wireCount(t, base, m.mount, m.count, "echo one >"+m.folder+"/d/a.txt", command))
				}
				setRow(t, "| | bare | vi | fsbox |", 1, row)
			}
		})
	}
}

// wireCount is how many calls a command makes. before is run on the server.
func wireCount(t *testing.T, base, mount, count, before, command string) int {
	if out, err := exec.Command("sh", "-c", before).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := inMount(t, base, mount, count+"\n{ "+command+"\n} >out || { cat out; exit 9; }\n"+count+"\numount mnt").CombinedOutput()
	counts := strings.Fields(string(out))
	if err != nil || len(counts) != 2 {
		t.Fatalf("%s: %v: %s", command, err, out)
	}
	at, _ := strconv.Atoi(counts[0])
	after, err := strconv.Atoi(counts[1])
	if err != nil || after <= at {
		t.Fatalf("%s: %s", command, out)
	}
	return after - at
}
