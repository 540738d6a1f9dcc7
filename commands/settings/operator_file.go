package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox"
)

// OperatorFile is a file that the operator names by a setting: no request may change it.
type OperatorFile struct {
	Named  string // as messages show it
	Path   string // as the system reads it, absolute
	Name   string // what messages call it
	remedy string // where it lies inside the workspace
	secret bool   // requests may not read it either
	unused bool   // this run doesn't use it, a later one may
}

const changeRemedy = "move it out: requests must not be able to change it"

// operatorFiles are those besides the config file.
func (s *Settings) operatorFiles(system Environment) (files []OperatorFile, fail *answer.Failure) {
	for _, f := range [...]OperatorFile{{Named: s.logFile(), Name: LogName}, {Named: s.ApprovalKey, Name: KeyName, secret: true}} {
		if f.Named == "" {
			continue
		}
		if f.Named, fail = ExpandHome(f.Named, system); fail == nil {
			fail = f.locate()
		}
		if fail != nil {
			return nil, fail
		}
		f.Named, f.remedy = f.Path, changeRemedy
		files = append(files, f)
	}
	return files, nil
}

// configFiles are where this run and later ones look for a config file. used is the one that this
// run took.
func (s *Settings) configFiles(system Environment, used string) (files []OperatorFile, fail *answer.Failure) {
	for _, place := range s.configPlaces(system) {
		f := OperatorFile{Named: place, Name: "the config file", unused: place != used,
			remedy: "move it out: nothing inside the workspace may set the rules for it"}
		if fail := f.locate(); fail != nil {
			return nil, fail
		}
		files = append(files, f)
	}
	return files, nil
}

func (f *OperatorFile) locate() *answer.Failure {
	path, err := hostPath(f.Named)
	if err != nil {
		return answer.Failf(answer.CodeInvalidInput, "%s %q can't be found: %v", f.Name, f.Named, err)
	}
	f.Path = path
	return nil
}

// OperatorRules keep requests away from files that the operator names, which lie outside of the
// workspace unless the root is so wide that it holds them.
type OperatorRules struct {
	Root            string // absolute
	Wide            bool
	deny, DenyWrite []string
	guards          []sandbox.Guard
}

// addAll is add for every file, unless the files could not be found.
func (r *OperatorRules) addAll(files []OperatorFile, fail *answer.Failure) *answer.Failure {
	for _, f := range files {
		if fail == nil {
			fail = r.Add(f)
		}
	}
	return fail
}

// Add refuses a file that lies inside an ordinary workspace, or is reached through it: what lies
// there could be replaced by a link that leads elsewhere. In a wide root, and for files that only a
// later run would use, rules keep requests from writing the file. A guard keeps them from changing
// the links and folders that lead to it.
func (r *OperatorRules) Add(f OperatorFile) *answer.Failure {
	inside, on := sandbox.OnTheWay(r.Root, f.Path)
	if on && !r.Wide && !f.unused {
		return f.refuse(inside)
	}
	if on {
		r.guards = append(r.guards, sandbox.Guard{Path: f.Path, Name: f.Name, Hidden: f.secret})
	}
	rules := &r.DenyWrite
	if f.secret {
		rules = &r.deny
	}
	for _, rel := range [...]string{relative(r.Root, Absolute(f.Named)), inside} {
		if rule := "/" + GlobQuote(rel); rel != "" && rel != "." && !slices.Contains(*rules, rule) {
			*rules = append(*rules, rule)
		}
	}
	return nil
}

func (f OperatorFile) refuse(inside string) *answer.Failure {
	where := "lies inside the workspace"
	if inside == "" {
		where = "is reached through the workspace"
	}
	return answer.Failf(answer.CodeInvalidInput, "%s %q %s", f.Name, f.Named, where).WithHint("%s", f.remedy)
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
func (s *Settings) configPlaces(system Environment) []string {
	places := userPlaces(system.Config, system.Home, ".config", userConfig("."))
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

// KeyName is what messages call the key file.
const KeyName = "the approval key"

// LogName is what messages call the log file.
const LogName = "the log file"

// logFile is the file that the setting names, "" for none.
func (s *Settings) logFile() string {
	if s.Log == onStderr {
		return ""
	}
	return s.Log
}

// onStderr is the name of standard error in the setting.
const onStderr = "-"
