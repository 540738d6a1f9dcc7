package commands

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// userStateDir is the user's folder for what programs keep between runs: $XDG_STATE_HOME, ~/.local/state by default; on
// macOS and Windows where programs keep their data.
func userStateDir() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir()
	case "darwin", "ios":
		return os.UserConfigDir()
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state"), err
}

// findState settles where backups are kept, "" for nowhere. A folder inside the workspace could be written by those whose
// changes it keeps: one that was asked for is refused there, and the user's own, in a root that holds it, is closed to them.
func (s *Settings) findState(system environment, root string) (dir string, deny []string, fail *Failure) {
	dir = s.StateDir
	if dir == "" {
		base, err := system.state()
		if err != nil || !filepath.IsAbs(base) {
			return "", nil, nil
		}
		dir = filepath.Join(base, "fsbox")
	} else if dir, fail = expandHome(dir, system); fail != nil {
		return "", nil, fail
	}
	dir = absolute(dir)
	inside := within(root, dir)
	if s.AllowWrite && len(inside) == 0 { // the links on the way cost system calls
		inside = within(realPath(root), realPath(dir))
	}
	switch {
	case len(inside) == 0:
		return dir, nil, nil
	case s.StateDir != "":
		return "", nil, failf(CodeInvalidInput, "the state folder %q lies inside the workspace", s.StateDir).
			hint("move it out: what it keeps must be out of reach")
	}
	return dir, inside, nil
}

// within gives the deny rule for a path that lies in root, or none.
func within(root, path string) []string {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return nil
	}
	return []string{"/" + globQuote(filepath.ToSlash(rel)) + "/**"}
}

// backupID is how answers name a backup: null where none is kept.
func backupID(id string) *string {
	if id == "" {
		return nil
	}
	return &id
}
