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
	secret bool   // requests may not read it either
	unused bool   // this run doesn't use it, a later one may
}

// operatorFiles are where this run and later ones look for a config file, the log and the key.
func (l *Loaded) operatorFiles(system Environment) (files []OperatorFile, fail *answer.Failure) {
	if l.AllowWrite || l.ConfigFile != "" { // else no request can write a config file, and to look for one costs system calls
		places := userPlaces(system.Config, system.Home, ".config", userConfig)
		if l.Config != "" && !slices.Contains(places, l.Config) {
			places = append([]string{l.Config}, places...)
		}
		for _, place := range places {
			files = append(files, OperatorFile{Named: place, Name: ConfigName, unused: place != l.ConfigFile})
		}
	}
	for _, f := range [...]OperatorFile{{Named: l.Log, Name: LogName}, {Named: l.ApprovalKey, Name: KeyName, secret: true}} {
		if f.Named == "" || f.Name == LogName && f.Named == onStderr {
			continue
		}
		if f.Named, fail = ExpandHome(f.Named, system); fail != nil {
			return nil, fail
		}
		files = append(files, f)
	}
	return files, nil
}

// PathOf is the absolute path of the file that messages call name; "" if this run has none.
func (l *Loaded) PathOf(name string) string {
	for _, f := range l.Files {
		if f.Name == name && !f.unused {
			return f.Path
		}
	}
	return ""
}

// OperatorRules keep requests away from files that the operator names, which lie outside of the
// workspace unless the root is so wide that it holds them.
type OperatorRules struct {
	Root            string // absolute
	Wide            bool
	deny, DenyWrite []string
	guards          []sandbox.Guard
}

// Add finds a file, and refuses one that lies inside an ordinary workspace, or is reached through
// it: what lies there could be replaced by a link that leads elsewhere. In a wide root, and for
// files that only a later run would use, rules keep requests from writing the file. A guard keeps
// them from changing the links and folders that lead to it.
func (r *OperatorRules) Add(f *OperatorFile) (fail *answer.Failure) {
	f.Path = f.Named
	if !filepath.IsAbs(f.Named) {
		path, err := hostPath(f.Named)
		if err != nil {
			return answer.Failf(answer.CodeInvalidInput, "%s %q can't be found: %v", f.Name, f.Named, err)
		}
		if f.Path = path; f.Name != ConfigName {
			f.Named = path
		}
	}
	lies, on := r.keepOut(*f, "")
	if !on || r.Wide || f.unused {
		return nil
	}
	where := "lies inside the workspace"
	if lies[1] == "" {
		where = "is reached through the workspace"
	}
	fail = answer.Failf(answer.CodeInvalidInput, "%s %q %s", f.Name, f.Named, where)
	if f.Name == ConfigName {
		return fail.WithHint("move it out: nothing inside the workspace may set the rules for it")
	}
	return fail.WithHint("move it out: requests must not be able to change it")
}

// keepOut adds the rules and the guard for a file, or with below for all that is in a folder. It
// gives the places in the root where that lies, as text and as resolved, each "" for none, and
// tells whether the way to it leads through the root.
func (r *OperatorRules) keepOut(f OperatorFile, below string) (lies [2]string, on bool) {
	inside, on := sandbox.OnTheWay(r.Root, f.Path)
	if on {
		r.guards = append(r.guards, sandbox.Guard{Path: f.Path, Name: f.Name, Hidden: f.secret})
	}
	rules := &r.DenyWrite
	if f.secret {
		rules = &r.deny
	}
	lies = [...]string{relative(r.Root, Absolute(f.Named)), inside}
	for _, rel := range lies {
		if rel == "" || rel == "." {
			continue
		}
		if rule := "/" + GlobQuote(rel) + below; !slices.Contains(*rules, rule) {
			*rules = append(*rules, rule)
		}
	}
	return lies, on
}

// findState decides where backups are kept, "" for nowhere. Requests could write to a state folder
// inside the workspace, so a requested one is refused there. The user's default folder may lie in a
// wide root such as the home folder, or be reached through it, even if this run doesn't use it.
// Then a deny rule closes it to requests, and a guard protects it and the folders and links that
// lead to it, under all their names.
func (r *OperatorRules) findState(s *Settings, system Environment) (string, *answer.Failure) {
	places := userPlaces(system.State, system.Home, filepath.Join(".local", "state"), "fsbox")
	if s.StateDir != "" {
		named, fail := ExpandHome(s.StateDir, system)
		if fail != nil {
			return "", fail
		}
		places = append([]string{Absolute(named)}, places...)
	}
	if len(places) == 0 {
		return "", nil
	}
	for i, place := range places {
		lies, _ := r.keepOut(OperatorFile{Named: place, Path: place, Name: "the state folder", secret: true}, "/**")
		switch {
		case i > 0: // this run doesn't use it
		case slices.Contains(lies[:], ".") || relative(place, r.Root) != "":
			return "", answer.Failf(answer.CodeInvalidInput, "the root %q is the state folder, or lies in it", r.Root).
				WithHint("name another folder with --root or --state-dir: what the state folder keeps must be out of reach")
		case s.StateDir != "" && lies != [2]string{}:
			return "", answer.Failf(answer.CodeInvalidInput, "the state folder %q lies inside the workspace", s.StateDir).
				WithHint("move it out: what it keeps must be out of reach")
		}
	}
	return places[0], nil
}

// relative writes a path that lies in root relative to it, as text; "" for any other.
func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// hostPath makes a relative path absolute the way the system reads it: ".." after a link is the
// parent of the link's target, not of the link.
func hostPath(path string) (string, error) {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	for up := ".." + string(filepath.Separator); strings.HasPrefix(path, up); here = filepath.Dir(here) {
		path = strings.TrimLeft(path[len(up):], string(filepath.Separator))
	}
	return here + string(filepath.Separator) + path, err
}

// userPlaces returns the paths that a file or folder of the user's may have: name in the folder
// that the environment sets, and name in the default folder, inHome below the home folder. The
// second is there even if the environment sets a folder, since a run with another environment would
// use it.
func userPlaces(folder, home, inHome, name string) (places []string) {
	if folder != "" {
		places = append(places, filepath.Join(folder, name))
	}
	if home != "" {
		if place := filepath.Join(home, inHome, name); !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	return places
}

// userConfig is the config file in a user's config folder.
const userConfig = "fsbox/config.json"

// What messages call the files.
const (
	KeyName    = "the approval key"
	LogName    = "the log file"
	ConfigName = "the config file"
)

// onStderr is the name of standard error in the setting log.
const onStderr = "-"
