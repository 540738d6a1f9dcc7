package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/attend"
	"fsbox/commands/calllog"
	"fsbox/commands/command"
	"fsbox/commands/settings"
	"fsbox/sandbox"
	"fsbox/sandbox/confine"
	"fsbox/sandbox/policy"

	"github.com/go-json-experiment/json/jsontext"
)

// Session is what the calls of one process share. Each call has an Env of its own, from ForCall.
type Session struct {
	*command.Env
	Desk        *approval.Desk    // nil if nobody has to agree to changes
	Log         *calllog.Log      // nil for none
	OnlyDefined bool              // the caller knows no other fields than those that are defined
	all         []command.Command // that fsbox has
	known       []string          // their names, if some are left out
}

// Open completes the settings that flags gave and opens the workspace.
func Open(s settings.Settings, given map[string]bool, system settings.Environment, tools []command.Command) (*Session, *answer.Failure) {
	loaded, fail := settings.Load(s, given, system)
	if fail != nil {
		return nil, fail
	}
	own := &Session{all: tools}
	own.Env = &command.Env{Limits: loaded.Limits(), Settings: loaded,
		Abandoned: new(attend.Abandoned), Slow: new(attend.Abandoned)}
	if own.Commands = tools; loaded.Tools != "" {
		own.known = command.Names(tools)
		if own.Commands, fail = command.Chosen(tools, &loaded.Settings); fail != nil {
			return nil, fail
		}
	}
	if loaded.Log != "" {
		if own.Log, fail = calllog.Open(loaded, system); fail != nil {
			return nil, fail
		}
	}
	if loaded.AllowWrite && loaded.Approval != settings.ApprovalOff {
		if own.Desk, fail = approval.OpenDesk(loaded); fail != nil {
			return nil, fail
		}
	}
	if own.Workspace, fail = openWorkspace(loaded); fail != nil {
		return nil, fail
	}
	return own, nil
}

// badRule adds to a failure about a rule what is wrong with it.
func badRule(f *answer.Failure, err error) *answer.Failure {
	if rule, ok := errors.AsType[*policy.PatternError](err); ok && rule.IsSyntax() {
		return f.WithHint(`escape a special character in a name with a backslash: \[id`)
	}
	return f
}

// openWorkspace opens the root under the rules in force.
func openWorkspace(l *settings.Loaded) (*sandbox.Workspace, *answer.Failure) {
	rules, err := policy.New(l.Rules, l.WriteRules)
	if err != nil {
		return nil, badRule(answer.Failf(answer.CodeInvalidInput, "a deny rule is not a valid glob: %v", err), err)
	}
	if _, err := policy.NewAllowance(l.AllowRules); err != nil {
		return nil, badRule(answer.Failf(answer.CodeInvalidInput, "\"approve_allow\" has an invalid glob: %v", err), err)
	}
	w, err := sandbox.Open(l.RootPath, sandbox.Options{Create: l.CreateRoot, Policy: rules, NoSync: l.NoFsync,
		Whole: int64(l.MaxReadBytes), State: l.StateFolder, Backups: !l.NoBackup, Guards: l.Guards})
	if err != nil {
		return nil, rootFailure(l.RootNamed, err)
	}
	return w, nil
}

func rootFailure(root string, err error) *answer.Failure {
	f := command.FailureOf(err)
	f.Message = fmt.Sprintf("the root %q can't be used: %s", root, f.Message)
	if f.Code == answer.CodeNotFound {
		return f.WithHint("name an existing directory with --root, or create it with --create-root")
	}
	return f.WithHint("name a directory with --root")
}

// Close waits for the log and closes the workspace, unless a call that hangs still uses it: the
// system could give the numbers of closed descriptors to other files while that call runs. The
// process is about to end anyway.
func (s *Session) Close(ctx context.Context) {
	if s.Log != nil {
		s.Log.Flush(ctx)
	}
	if s.Abandoned.Hanging.Load() == 0 {
		s.Workspace.Close()
	}
}

// ForCall gives the Env of one call.
func (s *Session) ForCall(id jsontext.Value) *command.Env {
	own := *s.Env
	own.ID = id
	own.Warnings = slices.Clone(s.Settings.Warnings)
	return &own
}

// Refused is the answer to a request that never became a call, with its line in the log.
func (s *Session) Refused(id jsontext.Value, tool string, f *answer.Failure) answer.Answer {
	return s.RefusedWith(id, tool, nil, f)
}

// RefusedWith is Refused for a request that had these fields.
func (s *Session) RefusedWith(id jsontext.Value, tool string, given map[string]bool, f *answer.Failure) answer.Answer {
	a := answer.Failed(id, f, nil)
	of, _ := command.Find(s.Commands, tool)
	s.fit(&a, of, given)
	if s.Log == nil {
		return a
	}
	return s.Log.Entry(id, tool).End(a)
}

// Instructions tell a model what it can't learn from the tools.
func (sess *Session) Instructions() string {
	text := "Files of one workspace directory. Paths are relative to its root, with / between names. Lines are numbered from 1."
	switch {
	case !sess.Settings.AllowWrite:
		return text + " The workspace is read-only: tools that change files are disabled."
	case !sess.Settings.AllowDelete:
		return text + " Deleting and moving are disabled."
	}
	return text
}

// Values of --confine.
const (
	confineRequire = "require"
	confineOff     = "off"
)

// needsState reports whether a request of this process could need the state folder: for what it
// replaces, for a record of several changes at once, or for the tokens that were used. only is the
// one call of the process, nil if there may be any.
func needsState(e *command.Env, only *command.Call) bool {
	if only == nil {
		return mayWrite(e, only)
	}
	keeps := !e.Settings.NoBackup || e.Settings.Approval == settings.ApprovalToken || only.Command.Several
	return mayWrite(e, only) && only.Changes() && keeps
}

// mayWrite reports whether a request of this process could change files, or opens one as if it
// would: a dry run of append does.
func mayWrite(e *command.Env, only *command.Call) bool {
	writes := only != nil && only.Command.Writes || only == nil && slices.ContainsFunc(e.Commands,
		func(t command.Command) bool { return t.Writes })
	return e.Settings.AllowWrite && writes
}

// Confine has the kernel keep the process inside the root and the state folder, as far as
// the operator asks for it. Files elsewhere that the operator names, such as the log, are open by
// now. From here on, if no request of this process can write, even a bug can't make it write.
//
// The command approve isn't confined: it uses no path from a request, and it opens the key file
// only later.
func Confine(e *command.Env, only *command.Call) *answer.Failure {
	if e.Settings.Confine == confineOff || only != nil && only.Command.Name == command.ApproveName {
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
		return f.WithHint("it takes Linux 5.19 with Landlock, or 5.13 to read only; --confine=auto continues without it")
	}
	return f.WithHint("--confine=auto continues without it")
}
