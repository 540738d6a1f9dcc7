package systems

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"fsbox/testscript"
)

var (
	sharedChanges = flag.Int("shared-changes", 0, "changes through all mounts of one directory together; by default 300 for each mount with -sweep, else 50")
	sharedFaults  = flag.Int("shared-faults", 0, "in TestSharedFaults, how often processes are killed, and stopped, networks cut, and servers restarted; by default 2 each")
)

// sharedMounts are ways to mount the folder real at mnt, for as many users as like. Each mount has
// a server, or a memory of its own.
var sharedMounts = []sharedMount{
	{name: "bindfs", needs: "bindfs", mounts: twice("bindfs real mnt"), always: true},
	{name: "mergerfs", needs: "mergerfs", mounts: twice("mergerfs real mnt")},
	{name: "sshfs", needs: "sshfs", mounts: twice("sshfs -o ssh_command=" + sftpServer + " localhost:$PWD/real mnt")},
	{name: "gocryptfs", needs: "gocryptfs", mounts: twice("gocryptfs -q -nosyslog -extpass 'echo x' real mnt 2>/dev/null")},
	{name: "NFS 3, two clients", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=3", ":/exports/nfs"), restart: restartNFS},
	{name: "NFS 4.0, two clients", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.0", ":/nfs"), restart: restartNFS},
	{name: "NFS 4.2, two clients", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.2", ":/nfs"), restart: restartNFS},
	{name: "NFS 4.2, twice", needs: "mount.nfs", mounts: []string{client(1, "nfs -o vers=4.2,nosharecache", ":/nfs"),
		client(1, "nfs -o vers=4.2,nosharecache,rsize=65536", ":/nfs")}, restart: restartNFS, doubt: true},
	{name: "SMB, two clients", needs: "mount.cifs", mounts: clients(2, smbMount, "/smb"), restart: restartSMB},
	{name: "9p, two mounts", needs: "mount", mounts: []string{mount9P("host9p"), mount9P("host9p2")}},
	{name: "virtiofs, two mounts", needs: "mount", mounts: []string{mountVirtiofs(1), mountVirtiofs(2)}},
	{name: "virtiofs with cache=always", needs: "mount", mounts: []string{mountVirtiofs(3), mountVirtiofs(4)}, doubt: true},
	{name: "NFS 3, four clients", needs: "mount.nfs", mounts: clients(4, "nfs -o vers=3", ":/exports/nfs"), restart: restartNFS},
	{name: "NFS 4.2, four clients", needs: "mount.nfs", mounts: clients(4, "nfs -o vers=4.2", ":/nfs"), restart: restartNFS},
	{name: "SMB, four clients", needs: "mount.cifs", mounts: clients(4, smbMount, "/smb"), restart: restartSMB},
	{name: "9p over TCP, two clients", needs: "mount", mounts: clients(2, mount9PTCP, ""), restart: restart9P},
	{name: "9p over TCP, four clients", needs: "mount", mounts: clients(4, mount9PTCP, ""), restart: restart9P, crashes: "6.12."},
	{name: "NFS 3 with nolock", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=3,nolock", ":/exports/nfs"), restart: restartNFS},
	{name: "NFS 3 with actimeo=600", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=3,actimeo=600", ":/exports/nfs"), restart: restartNFS},
	{name: "NFS 4.2 with actimeo=600", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.2,actimeo=600", ":/nfs"), restart: restartNFS},
	{name: "NFS 4.2 with noac", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.2,noac", ":/nfs"), restart: restartNFS},
	{name: "NFS 4.2 with lookupcache=none", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.2,lookupcache=none", ":/nfs"), restart: restartNFS},
	{name: "NFS 4.2 with local_lock=all", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.2,local_lock=all", ":/nfs"), restart: restartNFS},
	{name: "NFS 4.2 without delegations", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.2", ":/nfs"), restart: restartNFS, leases: "0"},
	{name: "NFS 4.2 with nocto", needs: "mount.nfs", mounts: clients(2, "nfs -o vers=4.2,nocto", ":/nfs"), restart: restartNFS, doubt: true},
	{name: "SMB with cache=none", needs: "mount.cifs", mounts: clients(2, smbMount+",cache=none", "/smb"), restart: restartSMB},
	{name: "SMB with cache=loose", needs: "mount.cifs", mounts: clients(2, smbMount+",cache=loose", "/smb"), restart: restartSMB, doubt: true},
	{name: "SMB with actimeo=600", needs: "mount.cifs", mounts: clients(2, smbMount+",actimeo=600", "/smb"), restart: restartSMB},
	{name: "SMB with noserverino", needs: "mount.cifs", mounts: clients(2, smbMount+",noserverino", "/smb"), restart: restartSMB},
	{name: "SMB with mfsymlinks", needs: "mount.cifs", mounts: clients(2, smbMount+",mfsymlinks", "/smb"), restart: restartSMB},
	{name: "SMB without oplocks", needs: "mount.cifs", mounts: clients(2, smbMount, "/plain"), restart: restartSMB},
	{name: "9p over TCP with cache=mmap", needs: "mount", mounts: clients(2, mount9PTCP+",cache=mmap", ""), restart: restart9P},
	{name: "9p over TCP with cache=loose", needs: "mount", mounts: clients(2, mount9PTCP+",cache=loose", ""), restart: restart9P, doubt: true},
	mooseFS.shared(2), mooseFS.shared(4), glusterFS.shared(2), glusterFS.shared(4), cephFS.shared(2), cephFS.shared(4),
	glusterFS.ahead(),
}

// sharedMount is a folder that several mounts show.
type sharedMount struct {
	name, needs string
	mounts      []string // a shell command for each
	always      bool     // also without -sweep
	restart     string   // stops the server, waits for $1 seconds, and starts it
	leases      string   // "0" for an NFS server that delegates nothing
	doubt       bool     // check warns of this mount: what is lost is counted, and fails nothing
	cluster     *cluster // has the server, unless that is elsewhere
	crashes     string   // begins the version of a kernel that crashes if it mounts this in user mode
}

// isServed reports whether the folder is that of a server.
func (m *sharedMount) isServed() bool { return m.restart != "" || m.needs == "mount" }

func twice(mount string) []string { return []string{mount, mount} }

const (
	smbMount   = "cifs -o username=root,password=x,vers=3.1.1,nosharesock"
	mount9PTCP = "9p -o trans=tcp,version=9p2000.L,aname=/exports/9p,uname=root,access=user"
)

func mount9P(tag string) string {
	return inMachine("mount -t 9p -o trans=virtio,version=9p2000.L " + tag + " mnt")
}

// mountVirtiofs is a mount of a folder of the host, which caches as it likes.
func mountVirtiofs(n int) string { return inMachine(fmt.Sprintf("mount -t virtiofs hostvfs%d mnt", n)) }

// client is a mount by one of the network namespaces of .ci/vm, which are clients of their own for
// the servers there.
func client(n int, kind, path string) string {
	slashes := map[bool]string{true: "//"}[strings.HasPrefix(kind, "cifs")]
	return inMachine(fmt.Sprintf("nsenter --net=/run/netns/c%d mount -t %s %s10.9.%d.1%s mnt", n, kind, slashes, n, path))
}

func clients(n int, kind, path string) (all []string) {
	for i := range n {
		all = append(all, client(i+1, kind, path))
	}
	return all
}

// What goes wrong between the clients and servers of .ci/vm. A server that is killed says no
// farewell, and one of NFS gives no new locks for a while after its start. Linux 6.12 in user mode
// may panic if a process is killed while it forks: so that of SMB is stopped first.
const (
	restartNFS = "rpc.nfsd 0; sleep $1; rpc.nfsd 8"
	restartSMB = "kill -STOP $(pidof smbd); sleep 0.1; kill -9 $(pidof smbd); sleep $1; smbd -D"
	restart9P  = "kill -9 $(pidof diod); sleep $1; diod -n -e /exports/9p -l 0.0.0.0:564"
	cutNetwork = "ip link set v$2 down; sleep $1; ip link set v$2 up"
)

// sftpServer is called like ssh: it starts OpenSSH's server and ignores its arguments.
const sftpServer = "$PWD/sftp"

const sftpScript = "#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n"

// TestSharedMounts changes one folder through several mounts of it at once, and once through one
// mount and the folder itself. What was answered as a success is there afterwards, once.
func TestSharedMounts(t *testing.T) {
	for _, m := range sharedMounts {
		t.Run(m.name, func(t *testing.T) {
			m.need(t)
			m.share(t).run()
		})
		if m.isServed() || m.name == "gocryptfs" {
			continue // in its folder is something else, or the folder is the server's
		}
		t.Run(m.name+" and directly", func(t *testing.T) {
			m.need(t)
			m.mounts = []string{"mount --bind real mnt", m.mounts[1]}
			m.share(t).run()
		})
	}
}

// TestSharedFaults does so while processes are killed and stopped, networks cut and servers
// restarted. What isn't answered may have been done, what is refused must not.
func TestSharedFaults(t *testing.T) {
	for _, m := range sharedMounts {
		t.Run(m.name, func(t *testing.T) {
			if m.need(t); !testscript.Sweep() {
				t.Skip("needs -sweep")
			}
			s := m.share(t)
			if s.restart == restart9P { // a mount by 9p ends with its connection: no cuts, and no restarts
				own := *s.sharedMount
				own.restart, s.sharedMount = "", &own
			}
			s.faults = max(*sharedFaults, 2)
			s.servers.connect(t, len(s.mounts))
			s.run()
		})
	}
}

// sharedReads sends changes through one mount, or what reads through another, and prints the
// answers that aren't a success, or skip a file.
const (
	sharedFile  = `seq 3000 >mnt/a.txt; echo end >>mnt/a.txt; umount mnt`
	sharedEdits = `for i in $(seq %d); do printf '%%s\n' '{"tool":"edit","input":{"path":"a.txt","expected_text":"end\n","replacement_text":"more\nend\n"}}'; done |
		fsbox -C mnt --allow-write --state-dir $PWD/state batch | grep -v '"success":true'; umount mnt`
	sharedReads = `for i in $(seq %d); do printf '%%s\n' '{"tool":"read","input":{"path":"a.txt","max_lines":10000}}' \
			'{"tool":"grep","input":{"path":"a.txt","query":"end"}}' '{"tool":"grep","input":{"query":"end"}}' \
			'{"tool":"info","input":{"path":"a.txt","hash":true}}'; done |
		fsbox -C mnt batch >answers; grep -v '"success":true' answers; grep '"skipped_count":[1-9]' answers
		grep '"content"' answers | grep -v 'more.nend.n"\|3000.nend.n"'; grep '"matches":\[\]' answers; umount mnt`
)

// TestSharedReads reads a file again and again that another client replaces meanwhile: what is read
// is always one of its states.
func TestSharedReads(t *testing.T) {
	besideEachOther(t, func(s *shared) (writer, reader string) {
		return fmt.Sprintf(sharedEdits, s.changes), fmt.Sprintf(sharedReads, s.changes)
	}, func(*shared) {})
}

// besideEachOther runs two scripts at once through two mounts that share a file. What one of them
// prints is a failure.
func besideEachOther(t *testing.T, scripts func(*shared) (first, second string), then func(*shared)) {
	for _, m := range sharedMounts {
		t.Run(m.name, func(t *testing.T) {
			if m.need(t); m.doubt {
				t.Skip("its reads may be out of date")
			}
			s := m.share(t)
			run := func(mount int, script string) {
				out, err := s.inMount(m.mounts[mount], script).CombinedOutput()
				if err != nil || len(out) > 0 {
					t.Errorf("mount %d: %v: %.2000s ... %s", mount, err, out, out[max(0, len(out)-300):])
				}
			}
			run(0, sharedFile)
			first, second := scripts(s)
			var wait sync.WaitGroup
			wait.Go(func() { run(0, first) })
			wait.Go(func() { run(1, second) })
			wait.Wait()
			then(s)
		})
	}
}

// sharedReplaces replaces a file again and again as other programs do, until sharedTries has made
// its calls through another mount, and printed the other answers than success and those that ask to
// try again.
const (
	sharedReplaces = `until [ -e done ]; do seq 3000 >mnt/new; echo end >>mnt/new; mv mnt/new mnt/a.txt 2>/dev/null; done; umount mnt`
	sharedTries    = `for i in $(seq %d); do printf '%%s\n' '{"tool":"read","input":{"path":"a.txt","max_lines":10000}}' \
			'{"tool":"edit","input":{"path":"a.txt","expected_text":"end\n","replacement_text":"more\nend\n"}}' \
			'{"tool":"append","input":{"path":"a.txt","content":"added\n"}}' '{"tool":"info","input":{"path":"a.txt","hash":true}}'; done |
		fsbox -C mnt --allow-write --state-dir $PWD/state batch >answers
		touch done; sleep 3 # then the next call removes old files that have come back
		echo more | fsbox -C mnt --allow-write --state-dir $PWD/state append b.txt --content-file - >/dev/null
		grep -c '"success":true' answers >succeeded; grep -v '"success":true\|"error":"busy"\|"error":"timeout"\|it exists now: try again' answers
		ls -A mnt | grep '^[.]fsbox-'; umount mnt`
)

// TestSharedReplaces changes and reads a file that a program on another machine replaces all the
// time, which takes no lock: a call is made, or it is refused and may be repeated.
func TestSharedReplaces(t *testing.T) {
	besideEachOther(t, func(s *shared) (replaces, tries string) {
		return sharedReplaces, fmt.Sprintf(sharedTries, s.changes/4)
	}, func(s *shared) {
		succeeded, _ := os.ReadFile(s.base + "/succeeded")
		s.Logf("succeeded: %s of %d", bytes.TrimSpace(succeeded), s.changes/4*4)
	})
}

// renamedByOther renames a file, or one of the two directories above it, whose names another client
// remembers, and in half of the cases makes another one in its place. useRenamed then patches the file
// and another one in its directory by their old paths, and prints what became of that. They take turns.
const (
	takeTurns = `again() { until "$@" 2>/dev/null; do sleep 0.1; done; } # Linux 6.12 fails to rename what another client of SMB has just read
turn() { until [ "$(cat turn 2>/dev/null)" = $1 ]; do sleep 0.05; done; }
call() { fsbox -C mnt --allow-write --state-dir $PWD/$who "$@" | grep -o '"success":true\|"error":"[a-z_]*"\|"content":"[^"]*"'; }
`
	renamedByOther = takeTurns + `who=first; for i in $(seq %d); do
		mkdir -p mnt/$i/d; echo one >mnt/$i/d/a; echo bee >mnt/$i/d/0; echo known.$i >turn; turn rename.$i
		case $((i %% 3)) in 0) again mv mnt/$i mnt/new$i;; 1) again mv mnt/$i/d mnt/$i/new;; *) again mv mnt/$i/d/a mnt/$i/d/new;; esac
		case $((i %% 2)) in 0) mkdir -p mnt/$i/d; echo two >mnt/$i/d/a; echo bee >mnt/$i/d/0;; esac; echo change.$i >turn; turn changed.$i
	done; sleep 2 # Linux may still have a replaced file open, and cat then fails
	cat mnt/new*/d/* mnt/[0-9]*/new/* mnt/[0-9]*/d/* | sort | uniq -c >texts; umount mnt`
	useRenamed = takeTurns + `who=second; patch='*** Begin Patch
*** Update File: %%s/d/0
@@
-bee
+b33
*** Update File: %%s/d/a
@@
-two
+tw0
*** End Patch
'
	for i in $(seq %d); do turn known.$i; call read $i/d/a >/dev/null; echo rename.$i >turn
		turn change.$i; call read $i/d/a >>read; printf "$patch" $i $i | call patch | tail -n 1 >>changed; echo changed.$i >turn; done; umount mnt`
)

// TestSharedRenames: a path leads where it leads on the server, also if this machine remembers what had
// its names before another machine has renamed that.
func TestSharedRenames(t *testing.T) {
	const of = 12
	besideEachOther(t, func(s *shared) (renames, uses string) {
		return fmt.Sprintf(renamedByOther, of), fmt.Sprintf(useRenamed, of)
	}, func(s *shared) {
		const missing, there = "\"error\":\"not_found\"\n", "\"success\":true\n"
		for file, want := range map[string]string{
			"read":    strings.Repeat(missing+there+"\"content\":\"two\\n\"\n", of/2),
			"changed": strings.Repeat(missing+there, of/2),
			"texts":   fmt.Sprintf("%7d b33\n%7d bee\n%7d one\n%7d tw0\n", of/2, of/2+of/3, of, of/2),
		} {
			if got, err := os.ReadFile(s.base + "/" + file); err != nil || string(got) != want {
				s.Errorf("%s: %v: %s", file, err, got)
			}
		}
	})
}

// TestCaseOnSMB: the case of a name can be changed in two moves.
func TestCaseOnSMB(t *testing.T) {
	if os.Getenv("FSBOX_VM") == "" {
		t.Skip("needs the virtual machine of .ci/vm")
	}
	const moves = `rm -rf mnt/*; echo one >mnt/Case; for to in "Case case" "Case other" "other case"; do
		fsbox -C mnt --allow-write --allow-delete --state-dir $PWD/state move $to | grep -o '"success":true\|"error":"[a-z]*"'; done; ls mnt; umount mnt`
	base := t.TempDir()
	out, err := inMount(t, base, client(1, smbMount, "/smb"), moves).CombinedOutput()
	if want := "\"error\":\"unsupported\"\n\"success\":true\n\"success\":true\ncase\n"; err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

// withOther begins a script that has a second client's mount at other. edit edits a file through one of
// the two, and prints what became of it.
const withOther = `mkdir other && %s && rm -rf mnt/* || exit 1
edit() { fsbox -C $1 --allow-write --state-dir $PWD/$1.state edit $2 --expected-text "$3" --replacement-text "$4" |
	grep -o '"success":true\|"error":"[a-z_]*"\|this machine may still have the old file open'; }
`

// clientsOf runs such a script and compares its output.
func clientsOf(t *testing.T, kind, path, script, want string) {
	if os.Getenv("FSBOX_VM") == "" {
		t.Skip("needs the virtual machine of .ci/vm")
	}
	other := strings.TrimSuffix(client(2, kind, path), "mnt") + "other"
	script = fmt.Sprintf(withOther, other) + script + "\numount mnt other"
	if out, err := inMount(t, t.TempDir(), client(1, kind, path), script).CombinedOutput(); err != nil || string(out) != want {
		t.Errorf("%v: %s", err, out)
	}
}

// TestHeldOnSMB: what another machine has replaced is neither read nor replaced once more as long as a
// program on this one holds the old file open, by cat's flags or by those of fsbox: Linux takes it for
// the new one. Without numbers of the server, it may be read.
func TestHeldOnSMB(t *testing.T) {
	const held = `for flags in 0 O_DIRECT+O_NOFOLLOW+O_NONBLOCK+O_NOCTTY; do
	echo end >mnt/$flags; sleep 2
	python3 -c "from os import *; import time; open('other/$flags', $flags); time.sleep(600)" & sleep 1
	edit mnt $flags end 'one end'
	%s; edit other $flags end 'two end'; kill $!; wait $! 2>/dev/null; sleep 2
	edit other $flags end 'three end'; cat mnt/$flags
done 2>/dev/null`
	const (
		read   = `fsbox -C other read $flags | grep -o '"success":true\|"error":"[a-z_]*"'`
		edited = "\"success\":true\n"
		isHeld = "\"error\":\"busy\"\nthis machine may still have the old file open\n\"success\":true\none three end\n"
	)
	t.Run("serverino", func(t *testing.T) {
		once := edited + "\"error\":\"busy\"\n" + isHeld
		clientsOf(t, smbMount, "/smb", fmt.Sprintf(held, read), once+once)
	})
	t.Run("noserverino", func(t *testing.T) {
		clientsOf(t, smbMount+",noserverino", "/smb", fmt.Sprintf(held, "true"), edited+isHeld+edited+isHeld)
	})
}

// TestLostLeaseOnSMB: a cut ends the process of Samba that serves a client, which leaves its records of
// leases. A file that was open, and has another name by now, can't be opened any more on that client
// until fsbox changes it.
func TestLostLeaseOnSMB(t *testing.T) {
	const cut = `echo shared >mnt/asked; sleep 2; exec 3>mnt/new 4<>mnt/asked; echo one >&3; sync -f mnt/new
	ip link set v1 down; cat other/asked; exec 3>&- 4>&-; ip link set v1 up; until mv mnt/new mnt/named; do sleep 1; done
	cat mnt/named >/dev/null; edit mnt named one two; cat mnt/named; edit mnt named one two; cat other/named; ls -A mnt; stat -c %h mnt/named`
	clientsOf(t, smbMount, "/smb", "{ "+cut+"\n} 2>/dev/null",
		"shared\n\"success\":true\ntwo\n\"error\":\"match_not_found\"\ntwo\nasked\nnamed\n1\n")
}

// TestHeldOnNFS: a read gives, and an edit keeps, what another machine has written into a file that a
// program on this one has open for writing.
func TestHeldOnNFS(t *testing.T) {
	const held = `printf 'one\nport = 80\n' >mnt/a; fsbox -C other read a >/dev/null; exec 3<>other/a
	printf 90 | dd of=mnt/a bs=1 seek=11 conv=notrunc 2>/dev/null
	fsbox -C other read a | grep -c 'port = 90'; fsbox -C other info a --hash | grep -c $(sha256sum </exports/nfs/a | cut -c-64)
	edit other a one two; cat /exports/nfs/a; exec 3>&-`
	for kind, path := range map[string]string{"nfs -o vers=3": ":/exports/nfs", "nfs -o vers=4.2": ":/nfs"} {
		t.Run(kind, func(t *testing.T) { clientsOf(t, kind, path, held, "1\n1\n\"success\":true\ntwo\nport = 90\n") })
	}
}

// TestTickOnNFS: an edit is of the file that has the name, also if another machine has given that to
// another file within the same tick of the server's clock, and the old one lives on.
func TestTickOnNFS(t *testing.T) {
	const swapped = `mkdir mnt/d; for i in $(seq 20); do
		echo old >mnt/d/$i; fsbox -C other read d/$i >/dev/null; mv mnt/d/$i mnt/d/old$i; echo new >mnt/d/$i; edit other d/$i new newer
	done | sort | uniq -c`
	clientsOf(t, "nfs -o vers=3", ":/seconds", swapped, "     20 \"success\":true\n")
}

func (m *sharedMount) need(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	if !testscript.Holds("can-mount") {
		t.Skip("can't mount")
	}
	if _, err := exec.LookPath(m.needs); err != nil || !m.always && !testscript.Sweep() {
		t.Skipf("needs %s and -sweep", m.needs)
	}
	if kernel := linux(t); m.crashes != "" && strings.HasPrefix(kernel, m.crashes) && strings.HasSuffix(kernel, inUserMode) {
		t.Skipf("Linux %s crashes with these mounts", kernel)
	}
}

// share prepares the folder.
func (m *sharedMount) share(t *testing.T) *shared {
	s := &shared{T: t, sharedMount: m, base: t.TempDir(), changes: *sharedChanges}
	if s.changes == 0 {
		s.changes = map[bool]int{false: 50, true: 300}[testscript.Sweep() && !m.doubt] * len(m.mounts) // in doubt, most take long
	}
	if err := cmp.Or(os.WriteFile(s.base+"/sftp", []byte(sftpScript), 0o755), os.Mkdir(s.base+"/real", 0o755)); err != nil {
		t.Fatal(err)
	}
	s.servers = m.cluster.start(t, s.base)
	if m.leases != "" {
		const file = "/proc/sys/fs/leases-enable"
		if err := os.WriteFile(file, []byte(m.leases), 0); err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { _ = os.WriteFile(file, []byte("1"), 0) })
	}
	if strings.HasPrefix(m.mounts[0], "gocryptfs") {
		inMount(t, s.base, "true", "gocryptfs -q -init -extpass 'echo x' real").Run()
	}
	files := fmt.Sprintf("rm -rf mnt/* mnt/.fsbox-* && for i in $(seq 0 %d); do printf 'end\n' >mnt/edited$i; : >mnt/appended$i; done; umount mnt",
		s.changes/changesOfFile)
	last := m.mounts[len(m.mounts)-1]
	if out, err := s.inMount(last, files).CombinedOutput(); err != nil {
		t.Skipf("%s: %v: %s", last, err, out)
	}
	return s
}

// inMount runs a shell command where mount is at mnt, in a mount namespace of its own. What it
// starts ends with it.
func inMount(t *testing.T, base, mount, command string) *exec.Cmd {
	return unshared(t, base, fmt.Sprintf("mkdir -p mnt && %s && %s", mount, command))
}

// unshared runs a shell command in namespaces of its own, for mounts, processes, and what more is
// asked for. They end when this process is killed, also in a mount that hangs.
func unshared(t *testing.T, dir, script string, more ...string) *exec.Cmd {
	args := slices.Concat([]string{"--mount", "--pid", "--fork", "--kill-child", "--mount-proc"}, more, []string{"sh", "-c", script})
	cmd := exec.CommandContext(t.Context(), "unshare", args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}
