package settings

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

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
