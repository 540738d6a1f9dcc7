package settings

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
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
	Warnings          []string // for every answer
	Files             []OperatorFile
	Guards            []sandbox.Guard // of the operator's own files
	Now               func() time.Time
}

// Load completes the settings that flags and environment gave by those of the config file, and
// checks them. given are the names of those that are given so far.
func Load(s Settings, given map[string]bool, system Environment) (*Loaded, *answer.Failure) {
	configFile, fail := s.takeFile(maps.Clone(given), system)
	if fail != nil {
		return nil, fail
	}
	for _, f := range Fields() {
		v := reflect.ValueOf(&s).Elem().Field(f.Index)
		if fail := f.CheckWord(v); fail != nil {
			return nil, fail
		}
		if request.IsInteger(f.Kind) && v.Int() <= 0 {
			return nil, answer.Failf(answer.CodeInvalidInput, "%q must be greater than 0", f.Name)
		}
	}
	l := &Loaded{Settings: s, ConfigFile: configFile, Now: system.Now}
	if l.RootNamed, fail = ExpandHome(s.Root, system); fail != nil {
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
		l.Warnings = append(l.Warnings, "the root is the home folder")
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
