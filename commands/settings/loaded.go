package settings

import (
	"cmp"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/sandbox"
)

// Loaded is all that the operator decided, from wherever it can be said, and what follows from it.
type Loaded struct {
	Settings
	RootPath          string   // absolute
	RootNamed         string   // the root as it was given, without a ~
	ConfigFile        string   // "" for none
	StateFolder       string   // "" for none
	Rules, WriteRules []string // rules in force, in order
	AllowRules        []string // approve_allow, relative to the root
	Warnings          []string // for every answer
	Files             []OperatorFile
	Guards            []sandbox.Guard // of the operator's own files
	Home              string          // the user's home, "" for none
	Now               func() time.Time
}

// Load completes the settings that flags and environment gave by those of the config file, and
// checks them. given are the names of those that are given so far.
func Load(s Settings, given map[string]bool, system Environment) (*Loaded, *answer.Failure) {
	known := maps.Clone(given)
	configFile, fail := s.takeFile(known, system)
	if fail != nil {
		return nil, fail
	}
	for _, f := range Fields() {
		v := reflect.ValueOf(&s).Elem().Field(f.Index)
		if fail := cmp.Or(f.CheckWord(v), f.CheckNumber(v, known[f.Name], nil)); fail != nil {
			return nil, fail
		}
	}
	if s.MaxAnswer < answer.LeastBound && (s.MaxAnswer != 0 || known["max_answer_chars"]) {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q must be at least %d", "max_answer_chars", answer.LeastBound).
			WithHint("less can't hold what every answer says")
	}
	l := &Loaded{Settings: s, ConfigFile: configFile, Home: system.Home, Now: system.Now}
	if l.RootNamed, fail = ExpandHome("root", s.Root, system); fail != nil {
		return nil, fail
	}
	root, err := filepath.Abs(l.RootNamed) // called once, since it asks the system for the current folder
	if err != nil {
		return nil, answer.Failf(answer.CodeIOError, "the root %q can't be used: %v", l.RootNamed, err)
	}
	l.RootPath = root
	return l, l.protect(system)
}

// protect finds the rules in force, and what else keeps requests from the operator's own files: the
// config file, the state folder, the log and the key.
func (l *Loaded) protect(system Environment) (fail *answer.Failure) {
	own := OperatorRules{Root: l.RootPath, Wide: l.WarnWideRoot(system)}
	if l.Rules, l.WriteRules, fail = l.DenyRules(l.RootPath, system); fail != nil {
		return fail
	}
	if l.AllowRules, fail = l.allowRules(l.RootPath, system); fail != nil {
		return fail
	}
	if slices.Contains(slices.Concat(l.Rules, l.WriteRules), closesAll) {
		l.warnClosedRoot()
	}
	if l.StateFolder, fail = own.findState(&l.Settings, system); fail != nil {
		return fail
	}
	if l.Files, fail = l.operatorFiles(system); fail != nil {
		return fail
	}
	for i := range l.Files {
		if fail = own.Add(&l.Files[i]); fail != nil {
			return fail
		}
	}
	l.Rules, l.WriteRules, l.Guards = append(l.Rules, own.deny...), append(l.WriteRules, own.DenyWrite...), own.guards
	return nil
}

// WarnWideRoot warns of a root that holds far more than one project.
func (l *Loaded) WarnWideRoot(system Environment) (wide bool) {
	switch {
	case isSystemRoot(l.RootPath):
		l.Warnings = append(l.Warnings, "the root is the whole file system")
	case system.Home != "" && sameFolder(l.RootPath, system.Home):
		l.Warnings = append(l.Warnings, "the root is the home directory")
	default:
		return false
	}
	return true
}

// FormatOf is the format for a failure that comes before the settings are complete. The config file
// is asked for what flags and environment have not said.
func FormatOf(s Settings, given map[string]bool, system Environment) string {
	if !given["format"] {
		_, _ = s.takeFile(given, system) // what is wrong with it is told before, or will be next time
	}
	return answer.KnownFormat(s.Format)
}

// OperatorFile is a file that the operator names by a setting: no request may change it.
type OperatorFile struct {
	Named   string // as messages show it
	Path    string // as the system reads it, absolute
	Name    string // what messages call it
	setting string // that names it, if that is its only place
	secret  bool   // requests may not read it either
	unused  bool   // this run doesn't use it, a later one may
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
	for _, f := range [...]OperatorFile{
		{Named: l.Log, Name: LogName, setting: "log"},
		{Named: l.ApprovalKey, Name: KeyName, setting: "approval_key", secret: true},
	} {
		if f.Named == "" || f.Named == onStderr && f.Name == LogName {
			continue
		}
		if f.Named, fail = ExpandHome(f.setting, f.Named, system); fail != nil {
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
		named, fail := ExpandHome("state_dir", s.StateDir, system)
		if fail != nil {
			return "", fail
		}
		places = append([]string{Absolute(named)}, places...)
	}
	if len(places) == 0 {
		return "", nil
	}
	for i, place := range places {
		lies, _ := r.keepOut(OperatorFile{Named: place, Path: place, Name: "the state directory", secret: true}, "/**")
		switch {
		case i > 0: // this run doesn't use it
		case slices.Contains(lies[:], ".") || relative(place, r.Root) != "":
			return "", answer.Failf(answer.CodeInvalidInput, "the root %q is the state directory, or lies in it", r.Root).
				WithHint("name another directory with --root or --state-dir: what the state directory keeps must be out of reach")
		case s.StateDir != "" && lies != [2]string{}:
			return "", answer.Failf(answer.CodeInvalidInput, "the state directory %q lies inside the workspace", s.StateDir).
				WithHint("move it out: what it keeps must be out of reach")
		}
	}
	return places[0], nil
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

// UnknownVariables lists environment variables that begin like a setting but name none.
func UnknownVariables(env Environment) []string {
	var unknown []string
	for _, entry := range env.All() {
		name, _, _ := strings.Cut(entry, "=")
		if key, ok := strings.CutPrefix(name, envPrefix); ok {
			if _, _, known := request.FindField(Fields(), strings.ToLower(key)); !known {
				unknown = append(unknown, name)
			}
		}
	}
	return unknown
}
