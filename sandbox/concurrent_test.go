package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/fixture"
)

// TestListTogether lists one folder from eight goroutines: each sees every name once.
func TestListTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	files := fixture.Few(3000)
	root := fixture.MakeTree(t, []string{"d/"})
	for i := range files {
		disktest.Must(t, os.WriteFile(filepath.Join(root, fmt.Sprintf("file with a name of some length %d", i)), nil, 0o666))
	}
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		w := fixture.OpenWorkspace(t, root, o)
		fixture.Together(8, func(int) {
			dir, err := w.OpenFolder(".")
			if err != nil {
				t.Error(err)
				return
			}
			defer dir.Close()
			entries, _, err := dir.List(context.Background(), "", 1)
			seen := map[string]bool{}
			for _, e := range entries {
				seen[e.Name] = true
			}
			if err != nil || len(entries) != files+1 || len(seen) != files+1 {
				t.Errorf("%d entries, %d different ones, want %d, error %v", len(entries), len(seen), files+1, err)
			}
		})
	})
}
