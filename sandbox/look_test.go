package sandbox_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/disktest"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/fixture"
)

// What Look and OpenStart give stays about the file that was opened, whatever gets its name.
func TestLook(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"d/f", "l => d/f", "ld => d", "o => ../out/secret"})
		disktest.Must(t, os.WriteFile(filepath.Join(root, "d", "f"), []byte("old"), 0o644))
		w := fixture.OpenWorkspace(t, root, o)
		s, f, err := w.Look("d/f")
		disktest.Must(t, err)
		defer f.Close()
		disktest.Must(t, os.WriteFile(filepath.Join(root, "new"), []byte("longer"), 0o644))
		disktest.Must(t, os.Rename(filepath.Join(root, "new"), filepath.Join(root, "d", "f")))
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

// exchanged is a folder in which a link has the name of a file whenever its rights are asked for, or
// it is opened.
type exchanged struct {
	dir.Folder
	path string // of the file; the link has the same path with an "l" at its end
}

func (e exchanged) May(string, rights.Right) bool { return false }

func (e exchanged) Open(name string, flag int) (f *openfile.File, err error) {
	err = errors.Join(os.Rename(e.path, e.path+"f"), os.Rename(e.path+"l", e.path))
	if err == nil {
		f, err = e.Folder.Open(name, flag)
	}
	return f, err
}

// A link that takes the name of a file, while its rights are looked at, is no loop of links, and no
// missing right.
func TestCheckWritableExchanged(t *testing.T) {
	fixture.ForBoth(t, func(t *testing.T, o sandbox.Options) {
		root := fixture.MakeTree(t, []string{"f", "fl => none"})
		w := fixture.OpenWorkspace(t, root, o)
		p, err := w.Locate("f", sandbox.Purpose{Write: true})
		disktest.Must(t, err)
		defer p.Close()
		p.Folder = exchanged{p.Folder, filepath.Join(root, "f")}
		if err := p.CheckWritable(p.Info); !fserr.IsAny(err, fserr.ErrBusy, fserr.ErrNotFile) {
			t.Error(err)
		}
	})
}
