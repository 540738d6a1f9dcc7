package sandbox_test

import (
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"fsbox/sandbox"
	"fsbox/sandbox/confine"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
)

// The self-test tells that a process which isn't confined gets out, and that there is nothing to
// try at the top.
func TestSelfTestWithoutConfinement(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no self-test on this system")
	}
	w := fixture.OpenWorkspace(t, fixture.MakeTree(t, []string{"f"}), sandbox.Options{})
	if escapes, tried := w.Escapes(); !escapes || !tried {
		t.Errorf("escapes %v, tried %v", escapes, tried)
	}
	top := fixture.OpenWorkspace(t, string(filepath.Separator), sandbox.Options{})
	if escapes, tried := top.Escapes(); escapes || tried {
		t.Errorf("at the top: escapes %v, tried %v", escapes, tried)
	}
}

// Errors of the last resort say what happened.
func TestErrorTexts(t *testing.T) {
	for _, c := range []struct {
		err  error
		is   error
		want string
	}{
		{&confine.Error{Step: "Landlock", Err: confine.ErrUnsupported}, confine.ErrUnsupported, "Landlock: " + confine.ErrUnsupported.Error()},
		{&fserr.RollbackError{Err: fserr.ErrNoSpace}, fserr.ErrNoSpace, fserr.ErrNoSpace.Error() + "; not all of the change could be undone"},
		{&fserr.RollbackError{Bytes: 3, Err: fserr.ErrNoSpace}, fserr.ErrNoSpace, fserr.ErrNoSpace.Error() +
			"; 3 bytes were added and could not be undone"},
		{&fserr.RollbackError{Made: true, Err: fserr.ErrPermission}, fserr.ErrPermission,
			fserr.ErrPermission.Error() + "; the change is made, but not all of the old content could be removed"},
	} {
		if c.err.Error() != c.want || !errors.Is(c.err, c.is) {
			t.Errorf("%q, want %q", c.err, c.want)
		}
	}
}
