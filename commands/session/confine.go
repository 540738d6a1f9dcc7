package session

import (
	"errors"
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/settings"
	"fsbox/commands/verb"
	"fsbox/sandbox/confine"
)

// Values of --confine.
const (
	confineRequire = "require"
	confineOff     = "off"
)

// needsState reports whether a request of this process could need the state folder: for what it
// replaces, for a record of several changes at once, or for the tokens that were used. only is the
// one call of the process, nil if there may be any.
func needsState(e *verb.Env, only *verb.Call) bool {
	return mayWrite(e, only) && (!e.Settings.NoBackup || e.Settings.Approval == settings.ApprovalToken || only == nil || only.Verb.Several)
}

// mayWrite reports whether a request of this process could change files.
func mayWrite(e *verb.Env, only *verb.Call) bool {
	writes := only != nil && only.Verb.Writes || only == nil && slices.ContainsFunc(e.Verbs, func(t verb.Verb) bool { return t.Writes })
	return e.Settings.AllowWrite && writes
}

// Confine has the kernel keep the process inside the root and the state folder, as far as
// the operator asks for it. Files elsewhere that the operator names, such as the log, are open by
// now. From here on, if no request of this process can write, even a bug can't make it write.
//
// The command approve isn't confined: it uses no path from a request, and it opens the key file
// only later.
func Confine(e *verb.Env, only *verb.Call) *answer.Failure {
	if e.Settings.Confine == confineOff || only != nil && only.Verb.Name == verb.ApproveName {
		return nil
	}
	confine.CloseInherited()
	level, err := e.Workspace.Confine(mayWrite(e, only), needsState(e, only))
	if err == nil {
		e.Level = level
		return nil
	}
	if e.Settings.Confine != confineRequire {
		return nil
	}
	f := answer.Failf(answer.CodeConfinementFailed, "the process can't be confined: %v", err)
	if errors.Is(err, confine.ErrUnsupported) {
		return f.WithHint("it takes Linux 5.19 with Landlock, or 5.13 to read only; --confine=auto goes on without it")
	}
	return f.WithHint("--confine=auto goes on without it")
}
