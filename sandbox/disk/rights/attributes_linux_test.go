package rights

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox/disk/disktest"

	"golang.org/x/sys/unix"
)

// The user's attributes are carried to another file, however many there are, and those that give
// rights are not.
func TestAttributesAreCarried(t *testing.T) {
	from, err := os.Create(filepath.Join(t.TempDir(), "from"))
	disktest.Must(t, err)
	defer from.Close()
	to, err := os.Create(filepath.Join(t.TempDir(), "to"))
	disktest.Must(t, err)
	defer to.Close()
	if a, err := ReadAttributes(int(from.Fd())); err != nil || len(a) != 0 {
		t.Errorf("a new file has %v, %v", a, err)
	}
	want := map[string]string{}
	for n := range 12 { // their names are longer than what is asked for at first
		name := fmt.Sprintf("user.a name of some length, number %d", n)
		want[name] = fmt.Sprint("value\x00", n)
		if err := unix.Fsetxattr(int(from.Fd()), name, []byte(want[name]), 0); errors.Is(err, unix.EOPNOTSUPP) {
			t.Skip("the file system has no attributes")
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		disktest.Must(t, unix.Fsetxattr(int(from.Fd()), "trusted.note", []byte("x"), 0))
	}
	a, err := ReadAttributes(int(from.Fd()))
	disktest.Must(t, err)
	lost, err := WriteAttributes(int(to.Fd()), a)
	disktest.Must(t, err)
	if _, isLost := lost["trusted.note"]; isLost != (os.Geteuid() == 0) {
		t.Errorf("lost are %v", lost)
	}
	delete(a, "trusted.note")
	for _, file := range []*os.File{from, to} {
		found, err := ReadAttributes(int(file.Fd()))
		disktest.Must(t, err)
		delete(found, "trusted.note")
		got := map[string]string{}
		for name, value := range found {
			got[name] = string(value)
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s has %q, want %q", filepath.Base(file.Name()), got, want)
		}
	}
	if _, err := WriteAttributes(-1, a); !errors.Is(err, unix.EBADF) {
		t.Errorf("attributes of no file: %v", err)
	}
}
