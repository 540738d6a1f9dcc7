package dir

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestReplacedDuringMove: somebody replaces a file while os.Root moves it. It isn't mistaken for a
// file in a wrong folder, and the new file is not removed.
func TestReplacedDuringMove(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before bool // before the move; else between its two steps
		move   func(m *rootMove) error
		want   string
	}{
		{"by a link", true, (*rootMove).link, "a/, a/f, b/, b/g"},
		{"by a rename", true, func(m *rootMove) error { return m.rename(true) }, "a/, b/, b/g"},
		{"old name", false, func(m *rootMove) error {
			if err := m.removeOld(); !errors.Is(err, ErrCollision) {
				return errors.Join(errors.New("not refused"), err)
			}
			return nil
		}, "a/, a/f, b/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := grow(t, "a/f", "b/")
			top := opened(t, root, true)
			a, err := top.Sub("a")
			must(t, err)
			defer a.Close()
			b, err := top.Sub("b")
			must(t, err)
			defer b.Close()
			m, err := a.(rootFolder).between("f", b.(rootFolder), "g")
			must(t, err)
			if !tt.before {
				must(t, m.link())
			}
			must(t, os.WriteFile(filepath.Join(root, "theirs"), []byte("theirs"), 0o666))
			must(t, os.Rename(filepath.Join(root, "theirs"), filepath.Join(root, "a", "f")))
			must(t, tt.move(&m))
			if got := grown(t, root); got != tt.want {
				t.Errorf("left %s, want %s", got, tt.want)
			}
		})
	}
}
