package filesystem

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSteadyBirth: on exFAT, whose times of creation change, none is told. No other file system is
// asked what it is, except by chance.
func TestSteadyBirth(t *testing.T) {
	const whole, fine = 1_795_000_000_120_000_000, 1_795_000_000_123_456_789
	tests := []struct {
		kind       string
		born, want int64
		asks       bool
	}{
		{"exfat", whole, 0, true},
		{"ext4", fine, fine, false},
		{"ext4", whole, whole, true},
		{"vfat", whole, whole, true},
		{"nfs", 0, 0, false},
	}
	for _, test := range tests {
		asked := false
		got := SteadyBirth(test.born, func() System { asked = true; return System{Kind: test.kind} })
		if got != test.want || asked != test.asks {
			t.Errorf("%s, %d: %d, asked: %v", test.kind, test.born, got, asked)
		}
	}
}

// TestServed: the type of a mount tells what statfs would answer, for file systems that have a
// server.
func TestServed(t *testing.T) {
	for line, want := range map[string]string{
		nfs3Line: "nfs", nfs42Line: "nfs", cifsLine: "smb2", strings.Replace(cifsLine, "vers=3.1.1", "vers=1.0", 1): "cifs", p9Line: "9p",
		virtioLine: "", sshfsLine: "", ext4Line: "", mooseLine: "", cephLine: "",
	} {
		all := parseMounts(line + "\n")
		got, ok := all[0].served()
		if ok != (want != "") || ok && (got.Kind != want || !got.Remote || !got.Shared || !got.NoExchange) {
			t.Errorf("%s: %+v, %v, want %s", all[0].Type, got, ok, want)
		}
	}
}

// TestIsOfSystem: the list of mounts tells where the kernel shows processes and devices.
func TestIsOfSystem(t *testing.T) {
	all := parseMounts(nfs42Line + "\n" + `40 521 0:5 / /mnt/a\040b/proc rw - proc proc rw` + "\n" + `41 521 0:6 / /mnt/a/sys rw - sysfs sysfs rw` + "\n")
	for path, want := range map[string]bool{"/mnt/a b/proc": true, "/mnt/a/sys": true, "/mnt/a": false, "/mnt/a/proc": false} {
		if got := isOfSystem(all, path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if !IsOfSystem("/proc") || IsOfSystem("/proc/self/fd/none") || IsOfSystem("/") {
		t.Error("/proc isn't known")
	}
}

// TestBehind: a 9p mount is known as one although it says that it is what its server has. Others
// aren't looked for in the list of mounts.
func TestBehind(t *testing.T) {
	const local = unix.STATX_ATTR_IMMUTABLE | unix.STATX_ATTR_APPEND
	tests := []struct {
		magic, major uint32
		mask         uint64
		kind, want   string
		asks         bool
	}{
		{unix.EXT4_SUPER_MAGIC, 254, local, "", "ext4", false},
		{unix.EXFAT_SUPER_MAGIC, 7, 0, "", "exfat", false}, // it tells nothing of attributes
		{unix.BTRFS_SUPER_MAGIC, 0, local, "", "btrfs", false},
		{unix.BTRFS_SUPER_MAGIC, 0, 0, "btrfs", "btrfs", true}, // an old kernel
		{unix.EXT4_SUPER_MAGIC, 0, unix.STATX_ATTR_MOUNT_ROOT, "9p", "9p", true},
		{unix.TMPFS_MAGIC, 0, 0, "", "9p", true}, // the list can't be read
		{unix.V9FS_MAGIC, 0, 0, "9p", "9p", false},
		{unix.NFS_SUPER_MAGIC, 0, 0, "nfs4", "nfs", false},
	}
	for _, test := range tests {
		asked := false
		got := behind(systemByMagic(test.magic), test.major, test.mask, func() string { asked = true; return test.kind })
		if got.Kind != test.want || asked != test.asks || got.Alone != (test.want != "9p" && test.want != "nfs") {
			t.Errorf("%#x, mask %#x, %s: %+v, asked: %v", test.magic, test.mask, test.kind, got, asked)
		}
	}
}

// TestHasServerNumbers: the numbers on a mount of SMB are the server's as long as the list says so. It is
// opened once, and read again each time.
func TestHasServerNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mountinfo")
	long := strings.Repeat(ext4Line+"\n", 1000)
	must(t, os.WriteFile(path, []byte(long+cifsLine+"\n"), 0o600))
	m := OpenMounts(path)
	defer m.Close()
	var none *Mounts
	share, other := unix.Mkdev(0, 54), unix.Mkdev(254, 1)
	if !m.HasServerNumbers(share) || m.HasServerNumbers(other) || m.HasServerNumbers(unix.Mkdev(0, 5)) || none.HasServerNumbers(share) {
		t.Error("with serverino")
	}
	must(t, os.WriteFile(path, []byte(long+strings.Replace(cifsLine, ",serverino", "", 1)+"\n"), 0o600))
	must(t, os.Remove(path))
	if m.HasServerNumbers(share) {
		t.Error("without serverino")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
