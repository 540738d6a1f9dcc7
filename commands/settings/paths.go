package settings

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox/dir"
)

// ExpandHome replaces a ~ at the beginning by the home folder.
func ExpandHome(root string, system Environment) (string, *answer.Failure) {
	if root != "~" && !strings.HasPrefix(root, "~/") {
		if strings.TrimSpace(root) == "" {
			return "", answer.Failf(answer.CodeInvalidInput, "%q is empty", "root").
				WithHint("name a folder, or for the current one leave --root and FSBOX_ROOT out")
		}
		return root, nil
	}
	home, err := system.Home()
	if err != nil {
		return "", answer.Failf(answer.CodeInvalidInput, "%q begins with ~, and there is no home folder", root)
	}
	return filepath.Join(home, root[1:]), nil
}

// isSystemRoot reports whether an absolute path leads to "/", or on Windows to the root of a
// volume.
func isSystemRoot(path string) bool {
	return sameFolder(path, filepath.VolumeName(path)+string(filepath.Separator))
}

// sameFolder reports whether two absolute paths lead to the same folder.
func sameFolder(a, b string) bool {
	if a == filepath.Clean(b) {
		return true
	}
	infoA, errA := dir.HostStat(a)
	infoB, errB := dir.HostStat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

func Absolute(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// RealPath resolves the links in the part of a path that exists.
func RealPath(path string) string {
	path = Absolute(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(RealPath(parent), filepath.Base(path))
}

// GlobQuote escapes the characters that have a meaning in a glob. It is called at every start: a
// strings.Replacer would take a third of all memory that a short call takes.
func GlobQuote(path string) string {
	quoted := make([]byte, 0, len(path))
	for i := range len(path) {
		if strings.IndexByte(`\*?[{}`, path[i]) >= 0 {
			quoted = append(quoted, '\\')
		}
		quoted = append(quoted, path[i])
	}
	return string(quoted)
}

// The user's folders. Services, cron jobs and containers often have no HOME: then there is no
// config file to look for, and no state folder unless the operator names one. A relative HOME would
// depend on the current folder, and might lie in the workspace, so it counts as none.

var errNoHome = errors.New("there is no home folder")

func userHome() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return "", errNoHome
	}
	return home, nil
}

// userConfigDir is where programs look for the user's settings: $XDG_CONFIG_HOME, ~/.config by
// default.
func userConfigDir() (string, error) {
	switch runtime.GOOS {
	case "windows", "darwin", "ios":
		dir, err := os.UserConfigDir()
		if err != nil || !filepath.IsAbs(dir) {
			return "", errNoHome
		}
		return dir, nil
	}
	return xdgFolder("XDG_CONFIG_HOME", ".config")
}

// userStateDir is the user's folder for what programs keep between runs: $XDG_STATE_HOME,
// ~/.local/state by default; on macOS and Windows where programs keep their data.
func userStateDir() (string, error) {
	switch runtime.GOOS {
	case "windows":
		return os.UserCacheDir()
	case "darwin", "ios":
		return userConfigDir()
	}
	return xdgFolder("XDG_STATE_HOME", ".local", "state")
}

// xdgFolder is the folder that a variable names, or else a folder below the home folder. The XDG
// specification says that a relative path in a variable is ignored.
func xdgFolder(variable string, inHome ...string) (string, error) {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := userHome()
	if err != nil {
		return "", err
	}
	return filepath.Join(append([]string{home}, inHome...)...), nil
}
