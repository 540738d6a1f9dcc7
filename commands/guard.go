package commands

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox"
)

// guardConfig keeps config files from being set by those they bind. places are where a run looks for one, used is the one that
// this run took. One inside an ordinary workspace, or reached through it, is refused. Where the root is so wide that it can't but
// hold it, and where the file could be made that a later run would take, a rule keeps requests from writing it, and shows that, and
// a guard keeps them from changing what leads to it.
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

// hostPath makes a path absolute the way the system reads it: after a link, ".." isn't the folder that the link lies in.
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

// configPlaces are where this run and later ones look for a config file: the file that was named, and the user's, also where the
// variable for the config folder isn't set.
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
