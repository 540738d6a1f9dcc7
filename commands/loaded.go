package commands

import (
	"path/filepath"
	"slices"
	"time"

	"fsbox/commands/answer"
	"fsbox/sandbox"
)

// Loaded is all that the operator decided, from wherever it can be said, and what follows from it.
type Loaded struct {
	Settings
	root            string   // absolute
	named           string   // the root as it was given, without a ~
	configFile      string   // "" for none
	stateDir        string   // "" for none
	deny, denyWrite []string // rules in force, in order
	warnings        []string // for every answer
	files           []operatorFile
	guards          []sandbox.Guard // of the operator's own files
	now             func() time.Time
}

// load completes the settings that flags gave by those of the environment and the config file, and
// checks them. given are the names of those that flags gave.
func load(s Settings, given map[string]bool, system environment) (*Loaded, *answer.Failure) {
	configFile, fail := s.complete(given, system)
	if fail == nil {
		fail = s.check()
	}
	if fail != nil {
		return nil, fail
	}
	l := &Loaded{Settings: s, configFile: configFile, now: system.now}
	if l.named, fail = expandHome(s.Root, system); fail != nil {
		return nil, fail
	}
	root, err := filepath.Abs(l.named) // called once, since it asks the system for the current folder
	if err != nil {
		return nil, answer.Failf(answer.CodeIOError, "the root %q can't be used: %v", l.named, err)
	}
	l.root = root
	return l, l.protect(system)
}

// protect finds the rules in force, and what else keeps requests from the operator's own files: the
// config file, the state folder, the log and the key.
func (l *Loaded) protect(system environment) (fail *answer.Failure) {
	own := operatorRules{root: l.root, wide: l.warnWideRoot(system)}
	if l.deny, l.denyWrite, fail = l.denyRules(l.root, system); fail != nil {
		return fail
	}
	if l.AllowWrite || l.configFile != "" { // else no request can write a config file, and to look for one costs system calls
		if fail := own.addAll(l.configFiles(system, l.configFile)); fail != nil {
			return fail
		}
	}
	stateDir, stateRules, stateGuards, fail := l.findState(system, l.root)
	if fail != nil {
		return fail
	}
	l.files, fail = l.operatorFiles(system)
	if fail = own.addAll(l.files, fail); fail != nil {
		return fail
	}
	l.stateDir, l.deny, l.denyWrite = stateDir, slices.Concat(l.deny, stateRules, own.deny), append(l.denyWrite, own.denyWrite...)
	l.guards = append(own.guards, stateGuards...)
	return nil
}

// warnWideRoot warns of a root that holds far more than one project.
func (l *Loaded) warnWideRoot(system environment) (wide bool) {
	home, err := system.home()
	switch {
	case isSystemRoot(l.root):
		l.warnings = append(l.warnings, "the root is the whole file system")
	case err == nil && sameFolder(l.root, home):
		l.warnings = append(l.warnings, "the root is the home folder")
	default:
		return false
	}
	return true
}
