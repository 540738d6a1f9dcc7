package sandbox

import (
	"context"
	"strings"
	"testing"
)

// anyCase is a folder on a file system that finds a name in any case.
type anyCase struct{ fdFolder }

func (f anyCase) real(name string) string {
	entries, err := f.fdFolder.list(context.Background())
	for _, e := range entries {
		if err == nil && strings.EqualFold(e.Name, name) {
			return e.Name
		}
	}
	return name
}

func (f anyCase) descend(string) (folder, error)         { return nil, ErrUnsupported }
func (f anyCase) lstat(name string) (Info, error)        { return f.fdFolder.lstat(f.real(name)) }
func (f anyCase) remove(name string) error               { return f.fdFolder.remove(f.real(name)) }
func (f anyCase) open(name string, n int) (*File, error) { return f.fdFolder.open(f.real(name), n) }

func (f anyCase) sub(name string) (folder, error) {
	dir, err := f.fdFolder.sub(f.real(name))
	if err != nil {
		return nil, err
	}
	return anyCase{dir.(fdFolder)}, nil
}

// A name in another case is no way around the policy where the file system finds it all the same.
func TestPolicyAnyCase(t *testing.T) {
	root := makefs(t, []string{".env", "d/KEY.pem", ".git/hooks/x", "Credentials/a", "l => .env"})
	w := open(t, root, Options{NoSync: true, Whole: 1 << 20, Policy: policy(t, DefaultDeny(), DefaultDenyWrite())})
	for _, path := range []string{".ENV", "d/KEY.PEM", "Credentials/a"} { // they are other names here
		if _, err := w.Stat(path); err != nil {
			t.Errorf("%q, where case counts: %v", path, err)
		}
	}
	w.root = anyCase{w.root.(fdFolder)}
	ctx := context.Background()
	for _, path := range []string{".ENV", ".Env", "D/key.PEM", "l"} {
		_, err := w.OpenFile(path)
		fails(t, err, path, ErrBlocked)
	}
	for _, path := range []string{".Git/hooks/new", "d/Key.Pem"} {
		_, err := w.Commit(ctx, []Change{put(path, "1", MayCreate)})
		fails(t, err, path, ErrBlocked)
	}
	_, err := w.Delete(ctx, Removal{Path: ".GIT", Recursive: true})
	fails(t, err, ".GIT", ErrBlocked)
	if _, err := w.OpenFile("Credentials/a"); err != nil { // spelled so, and the rule is in lower case
		t.Error(err)
	}
	if _, err := w.Stat("d/new"); err != nil {
		t.Error(err)
	}
}
