package commands

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox"
)

// operatorFile is a file that the operator names by a setting: no request may change it.
type operatorFile struct {
	named  string // as messages show it
	path   string // as the system reads it, absolute
	name   string // what messages call it
	remedy string // where it lies inside the workspace
	secret bool   // requests may not read it either
	unused bool   // this run doesn't use it, a later one may
}

const changeRemedy = "move it out: requests must not be able to change it"

// operatorFiles are those besides the config file.
func (s *Settings) operatorFiles(system environment) (files []operatorFile, fail *answer.Failure) {
	for _, f := range [...]operatorFile{{named: s.logFile(), name: logName}, {named: s.ApprovalKey, name: keyName, secret: true}} {
		if f.named == "" {
			continue
		}
		if f.named, fail = expandHome(f.named, system); fail == nil {
			fail = f.locate()
		}
		if fail != nil {
			return nil, fail
		}
		f.named, f.remedy = f.path, changeRemedy
		files = append(files, f)
	}
	return files, nil
}

// configFiles are where this run and later ones look for a config file. used is the one that this
// run took.
func (s *Settings) configFiles(system environment, used string) (files []operatorFile, fail *answer.Failure) {
	for _, place := range s.configPlaces(system) {
		f := operatorFile{named: place, name: "the config file", unused: place != used,
			remedy: "move it out: nothing inside the workspace may set the rules for it"}
		if fail := f.locate(); fail != nil {
			return nil, fail
		}
		files = append(files, f)
	}
	return files, nil
}

func (f *operatorFile) locate() *answer.Failure {
	path, err := hostPath(f.named)
	if err != nil {
		return answer.Failf(answer.CodeInvalidInput, "%s %q can't be found: %v", f.name, f.named, err)
	}
	f.path = path
	return nil
}

// operatorRules keep requests away from files that the operator names, which lie outside of the
// workspace unless the root is so wide that it holds them.
type operatorRules struct {
	root            string // absolute
	wide            bool
	deny, denyWrite []string
	guards          []sandbox.Guard
}

// addAll is add for every file, unless the files could not be found.
func (r *operatorRules) addAll(files []operatorFile, fail *answer.Failure) *answer.Failure {
	for _, f := range files {
		if fail == nil {
			fail = r.add(f)
		}
	}
	return fail
}

// add refuses a file that lies inside an ordinary workspace, or is reached through it: what lies
// there could be replaced by a link that leads elsewhere. In a wide root, and for files that only a
// later run would use, rules keep requests from writing the file. A guard keeps them from changing
// the links and folders that lead to it.
func (r *operatorRules) add(f operatorFile) *answer.Failure {
	inside, on := sandbox.OnTheWay(r.root, f.path)
	if on && !r.wide && !f.unused {
		return f.refuse(inside)
	}
	if on {
		r.guards = append(r.guards, sandbox.Guard{Path: f.path, Name: f.name, Hidden: f.secret})
	}
	rules := &r.denyWrite
	if f.secret {
		rules = &r.deny
	}
	for _, rel := range [...]string{relative(r.root, absolute(f.named)), inside} {
		if rule := "/" + globQuote(rel); rel != "" && rel != "." && !slices.Contains(*rules, rule) {
			*rules = append(*rules, rule)
		}
	}
	return nil
}

func (f operatorFile) refuse(inside string) *answer.Failure {
	where := "lies inside the workspace"
	if inside == "" {
		where = "is reached through the workspace"
	}
	return answer.Failf(answer.CodeInvalidInput, "%s %q %s", f.name, f.named, where).WithHint("%s", f.remedy)
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
// and the user's.
func (s *Settings) configPlaces(system environment) []string {
	places := userPlaces(system.config, system.home, ".config", userConfig("."))
	if s.Config != "" && !slices.Contains(places, s.Config) {
		places = append([]string{s.Config}, places...)
	}
	return places
}

// userPlaces returns the paths that a file or folder of the user's may have: name in the folder
// that the environment sets, and name in the default folder, inHome below the home folder. The
// second is there even if the environment sets a folder, since a run with another environment would
// use it.
func userPlaces(folder, home func() (string, error), inHome, name string) (places []string) {
	if base, err := folder(); err == nil && filepath.IsAbs(base) {
		places = append(places, filepath.Join(base, name))
	}
	if base, err := home(); err == nil && filepath.IsAbs(base) {
		if place := filepath.Join(base, inHome, name); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}

// userConfig is the config file in a user's config folder.
func userConfig(folder string) string { return filepath.Join(folder, "fsbox", "config.json") }

// keyName is what messages call the key file.
const keyName = "the approval key"

// logName is what messages call the log file.
const logName = "the log file"

// logFile is the file that the setting names, "" for none.
func (s *Settings) logFile() string {
	if s.Log == onStderr {
		return ""
	}
	return s.Log
}
