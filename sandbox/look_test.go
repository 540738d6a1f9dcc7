package sandbox_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
)

// What Look and OpenStart give stays about the file that was opened, whatever gets its name.
func TestLook(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/f", "l => d/f", "ld => d", "o => ../out/secret"})
		fixture.Check(t, os.WriteFile(filepath.Join(root, "d", "f"), []byte("old"), 0o644))
		w := fixture.OpenWorkspace(t, root, o)
		s, f, err := w.Look("d/f")
		fixture.Check(t, err)
		defer f.Close()
		fixture.Check(t, os.WriteFile(filepath.Join(root, "new"), []byte("longer"), 0o644))
		fixture.Check(t, os.Rename(filepath.Join(root, "new"), filepath.Join(root, "d", "f")))
		content := make([]byte, 3)
		if n, err := f.ReadAt(content, 0); n != 3 || err != nil || string(content) != "old" || s.Size != 3 || s.Changed != f.Info.Changed ||
			!s.Readable || !s.Writable {
			t.Errorf("%q, %v, %+v", content[:n], err, s)
		}
		for path, kind := range map[string]string{"d": "directory", "l": "symlink", "none": ""} {
			s, f, err := w.Look(path)
			if err != nil || f != nil || s.Exists != (kind != "") || s.Exists && s.Type() != kind {
				t.Errorf("%s: %+v, %v", path, s, err)
			}
		}
		for path, want := range map[string]error{"d": nil, "ld": nil, "l": nil, "none": fserr.ErrNotFound, "o": fserr.ErrLinkOutside,
			"d/f/": fserr.ErrNotFolder} {
			folder, file, err := w.OpenStart(path)
			if !errors.Is(err, want) || err == nil && (folder == nil) == (file == nil) || (folder != nil) != (want == nil && path != "l") {
				t.Errorf("%s: %v, %v, %v", path, folder, file, err)
			}
			if folder != nil {
				folder.Close()
			}
			if file != nil {
				file.Close()
			}
		}
	})
}
