package patch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"fsbox/testscript"
)

// patchedHunk is where a hunk went.
type patchedHunk struct {
	Line   int64
	Offset int
	Match  string
}

// patchAnswer is what these tests look at.
type patchAnswer struct {
	Success        bool
	Error, Message string
	Result         struct {
		Files []struct{ Hunks []patchedHunk }
	}
	Details struct {
		Files []struct {
			Path       string
			PathBase64 string `json:"path_base64"`
			Hunks      []struct {
				Hunk       int
				Places     []int64
				OutOfOrder bool `json:"out_of_order"`
			}
		}
	}
}

// moved reports whether a hunk was found elsewhere than stated.
func (a *patchAnswer) moved() bool {
	for _, f := range a.Result.Files {
		if slices.ContainsFunc(f.Hunks, func(h patchedHunk) bool { return h.Offset != 0 }) {
			return true
		}
	}
	return false
}

// checkRefusal looks for a code that a caller can do something about.
func (a *patchAnswer) checkRefusal() error {
	if slices.Contains([]string{"patch_conflict", "ambiguous_patch", "not_found", "file_exists", "not_a_directory", "not_a_file"}, a.Error) {
		return nil
	}
	return fmt.Errorf("refused with %s: %s", a.Error, a.Message)
}

// patchWorkspace is a workspace for one patch, with a state folder beside it.
type patchWorkspace struct{ root, state string }

func newWorkspace(t *testing.T) patchWorkspace {
	dir := t.TempDir()
	return patchWorkspace{filepath.Join(dir, "root"), filepath.Join(dir, "state")}
}

func (w patchWorkspace) run(t *testing.T, stdin []byte, args ...string) *patchAnswer {
	t.Helper()
	var out, errs bytes.Buffer
	args = slices.Concat([]string{"--root", w.root, "--state-dir", w.state, "--no-fsync", "--allow-write", "--allow-delete", "--timeout",
		"60s"}, args)
	testscript.RunHere(args, bytes.NewReader(stdin), &out, &errs)
	a := &patchAnswer{}
	if err := json.Unmarshal(out.Bytes(), a); err != nil || errs.Len() > 0 {
		t.Fatalf("%q answers %s and %q on stderr: %v", args, out.Bytes(), errs.Bytes(), err)
	}
	return a
}

// undoTwice takes a patch back, and then that. Folders that were made stay.
func (w patchWorkspace) undoTwice(t *testing.T, before, after fileTree) error {
	for i, want := range []fileTree{before, after} {
		if a := w.run(t, nil, "undo"); !a.Success {
			return fmt.Errorf("undo %d: %s: %s", i+1, a.Error, a.Message)
		}
		if d := readTree(t, w.root).files().difference(want.files()); d != "" {
			return fmt.Errorf("after undo %d: %s", i+1, d)
		}
	}
	return nil
}
