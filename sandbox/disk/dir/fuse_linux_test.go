package dir

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"

	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
)

// inFUSE tells TestReadReplaced that it runs where a directory is mounted.
const inFUSE = "FSBOX_TEST_IN_FUSE"

// TestReadReplaced: a shorter file replaces one that is open through bindfs, and somebody asks for
// its size. A read of the old file fails, and doesn't end where the new one ends.
func TestReadReplaced(t *testing.T) {
	if base := os.Getenv(inFUSE); base != "" {
		readReplaced(t, base)
		return
	}
	_, err := exec.LookPath("bindfs")
	if err != nil || os.Getuid() != 0 || exec.Command("unshare", "--mount", "true").Run() != nil {
		t.Skip("needs bindfs, root, and the right to mount")
	}
	base := disktest.Grow(t, "real/a", "mnt/")
	cmd := exec.CommandContext(t.Context(), "unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c",
		`bindfs real mnt || exit 77; "$0" -test.run='^TestReadReplaced$' -test.v`, os.Args[0])
	cmd.Dir, cmd.Env = base, append(os.Environ(), inFUSE+"="+base)
	out, err := cmd.CombinedOutput()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok && failed.ExitCode() == 77 {
		t.Skipf("can't mount: %s", out)
	}
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func readReplaced(t *testing.T, base string) {
	write := func(name, text string) {
		disktest.Must(t, os.WriteFile(base+"/real/"+name, []byte(text), 0o644))
	}
	write("a", "the old text, which is long")
	in, err := Open(base+"/mnt", false)
	disktest.Must(t, err)
	defer in.Close()
	f, err := in.Open("a", os.O_RDONLY)
	disktest.Must(t, err)
	defer f.Close()
	write("new", "new")
	disktest.Must(t, os.Rename(base+"/real/new", base+"/real/a"))
	in.Renew("a") // another process asks
	if content, err := f.ReadAll(context.Background(), 100); !errors.Is(err, fserr.ErrReplaced) {
		t.Errorf("%q, %v", content, err)
	}
	again, err := in.Open("a", os.O_RDONLY)
	disktest.Must(t, err)
	defer again.Close()
	if content, err := again.ReadAll(context.Background(), 100); string(content) != "new" || err != nil {
		t.Errorf("opened again: %q, %v", content, err)
	}
}
