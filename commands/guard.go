package commands

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox"
)

// guardConfig keeps requests from changing the config files that limit them. places are where a run
// looks for a config file; used is the one that this run took. A used file inside an ordinary
// workspace, or reached through it, is refused. If the root is so wide that it must contain the
// file, and for places where a later run would find a new file, a deny rule keeps requests from
// writing the file. A guard keeps them from changing the links and folders that lead to it.
func guardConfig(places []string, used, root string, wide bool) (denyWrite []string, guards []sandbox.Guard, fail *Failure) {
	for _, place := range places {
		file, err := hostPath(place)
		if err != nil {
			return nil, nil, failf(CodeInvalidInput, "the config file %q can't be found: %v", place, err)
		}
		inside, on := sandbox.OnTheWay(root, file)
		if on && place == used && !wide {
			return nil, nil, refuseConfig(place, inside)
		}
		if on {
			guards = append(guards, sandbox.Guard{Path: file, Name: "the config file"})
		}
		for _, rel := range [...]string{relative(root, absolute(place)), inside} {
			if rule := "/" + globQuote(rel); rel != "" && rel != "." && !slices.Contains(denyWrite, rule) {
				denyWrite = append(denyWrite, rule)
			}
		}
	}
	return denyWrite, guards, nil
}

func refuseConfig(file, inside string) *Failure {
	where := "lies inside the workspace"
	if inside == "" {
		where = "is reached through the workspace"
	}
	return failf(CodeInvalidInput, "the config file %q %s", file, where).
		hint("move it out: nothing inside the workspace may set the rules for it")
}

// hostPath makes a path absolute the way the system reads it: ".." after a link is the parent of
// the link's target, not of the link.
func hostPath(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	for up := ".." + string(filepath.Separator); strings.HasPrefix(path, up); here = filepath.Dir(here) {
		path = strings.TrimLeft(path[len(up):], string(filepath.Separator))
	}
	return here + string(filepath.Separator) + path, err
}

// configPlaces are where this run and later ones look for a config file: the file that was named,
// and the user's, including the default for when the variable for the config folder isn't set.
func (s *Settings) configPlaces(system environment) []string {
	var places []string
	if s.Config != "" {
		places = append(places, s.Config)
	}
	if folder, err := system.config(); err == nil {
		places = append(places, userConfig(folder))
	}
	if home, err := system.home(); err == nil {
		if place := userConfig(filepath.Join(home, ".config")); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}

// userConfig is the config file in a user's config folder.
func userConfig(folder string) string { return filepath.Join(folder, "fsbox", "config.json") }
