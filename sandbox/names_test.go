package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"
)

// A folder with very many names is known for it, however large the file system says that it is.
func TestNameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	entries := []string{"few/a", "many/", "file"}
	testNameBytes(t, fixture.MakeTree(t, entries))
	inMemory, err := os.MkdirTemp("/dev/shm", "fsbox-test-") // a tmpfs on Linux, whose sizes tell the least
	if err != nil {
		return
	}
	t.Cleanup(func() { disktest.Must(t, os.RemoveAll(inMemory)) })
	for _, entry := range entries {
		disktest.MakeEntry(t, inMemory, entry)
	}
	testNameBytes(t, inMemory)
}

func testNameBytes(t *testing.T, host string) {
	const names, length = 3000, 100
	for i := range names {
		path := filepath.Join(host, "many", fmt.Sprintf("%04d", i)+strings.Repeat("x", length-4))
		disktest.Must(t, os.WriteFile(path, nil, 0o666))
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		w := fixture.OpenWorkspace(t, host, o)
		for path, most := range map[string]int{"few": 1000, "file": 0} {
			if n, err := w.NameBytes(t.Context(), path); err != nil || n > most {
				t.Errorf("%s: %d bytes, %v", path, n, err)
			}
		}
		if n, err := w.NameBytes(t.Context(), "many"); err != nil || n < names*length || n > 2*names*length {
			t.Errorf("%d names of %d bytes take %d bytes, %v", names, length, n, err)
		}
		if _, err := w.NameBytes(t.Context(), "missing"); err != nil {
			t.Error(err)
		}
		over, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		if n, err := w.NameBytes(over, "many"); err != nil || n != dir.MaxNameBytes {
			t.Errorf("names that can't be counted in time take %d bytes, %v", n, err)
		}
	})
}
