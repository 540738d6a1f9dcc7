package session

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/attend"
	"fsbox/commands/command"
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/sandbox/plan"

	"github.com/go-json-experiment/json/jsontext"
)

// repair mends what killed calls left unfinished, before a call that changes files. A call that
// changes nothing only warns about unfinished changes that concern its paths.
func repair(ctx context.Context, e *command.Env, c *command.Call) error {
	if c.Changes() {
		told, err := plan.Recover(ctx, e.Workspace)
		e.Warnings = append(e.Warnings, told...)
		return err
	}
	for _, what := range plan.Unfinished(ctx, e.Workspace, c.Paths()) {
		e.Warn("%s: %s", plan.RecoveryPending, what)
	}
	return nil
}

// MaxAbandoned is how many calls of a stream may hang at the same time. Each holds a thread and
// some memory.
const MaxAbandoned = 32

// StuckDetails are the details of timeout and canceled where the call has not returned and its
// change had begun.
type StuckDetails struct {
	Committed any `json:"committed"` // "unknown", or true where only the answer is missing
}

// StuckFailure is the failure for a call that has not returned after ctx ended. Before the call
// changes files, it may have been computing or waiting for the system: both are answered alike.
func StuckFailure(err error, stage plan.Stage) *answer.Failure {
	f := command.FailureOf(err)
	f.Retryable = f.Retryable && stage != plan.Changing && stage != plan.Changed // it could be made twice
	switch stage {
	case plan.Changing:
		return f.WithDetails(&StuckDetails{Committed: "unknown"}).
			WithHint("a change was under way and has not returned, as on a dead mount: look at the files before you send it again")
	case plan.Changed:
		return f.WithDetails(&StuckDetails{Committed: true}).
			WithHint("the change is made, and only its answer took too long: look at the files before you send anything else")
	}
	if f.Code == answer.CodeTimeout {
		f.Hint += "; if a small request takes as long, a mount below the path is dead"
	}
	return f
}

// partialTime is how long a call works that answers what it has when its time is up: a little less
// than its timeout. On a machine where 24 such calls wait for a processor, what is left after the
// timeout wasn't always enough to put the answer together, and it was timeout, without results.
func partialTime(timeout time.Duration) time.Duration {
	const most = 250 * time.Millisecond
	return timeout - min(timeout/10, most)
}

// Do checks and runs a request. If the request hangs, late gets the answer in time, in another
// goroutine, and the current one never returns from here.
func (sess *Session) Do(ctx context.Context, id jsontext.Value, c *command.Call, late func(answer.Answer)) answer.Answer {
	if sess.Abandoned.Hanging.Load() >= MaxAbandoned {
		return sess.Refused(id, c.Command.Name, answer.Failf(answer.CodeBusy, "%d earlier calls of this stream have not returned", MaxAbandoned).
			WithHint("start a new process, and avoid the paths that did not answer"))
	}
	record := func(a answer.Answer) answer.Answer { return a }
	if sess.Log != nil {
		record = sess.Log.Begin(id, c).End
	}
	try := func() answer.Answer {
		ctx, cancel := context.WithTimeout(ctx, sess.Limits.Timeout)
		defer cancel()
		onset := new(plan.Onset)
		if c.Changes() {
			ctx = plan.WithOnset(ctx, onset)
		}
		work := ctx
		if c.Command.Partial {
			var end context.CancelFunc
			work, end = context.WithTimeout(ctx, partialTime(sess.Limits.Timeout))
			defer end()
		}
		return attend.Do(ctx, sess.Abandoned, func() answer.Answer { return sess.carryOut(work, id, c) }, func() {
			late(record(answer.Failed(id, StuckFailure(ctx.Err(), onset.Forbid()), sess.Settings.Warnings)))
		})
	}
	if sess.Desk == nil {
		return record(try())
	}
	return record(sess.Desk.Of(sess.Env).Asked(ctx, c, try))
}

// carryOut checks a request and runs it.
func (sess *Session) carryOut(ctx context.Context, id jsontext.Value, c *command.Call) (a answer.Answer) {
	defer func() {
		if reason := recover(); reason != nil {
			a = answer.Failed(id, crash(reason), nil)
		}
		sess.fit(&a, c.Command, c.Given)
	}()
	fail := cmp.Or(sess.LeftOut(c.Command), c.Check(&sess.Limits))
	deletes := c.Command.Deletes
	if r, ok := c.Request.(command.Deleter); ok {
		deletes = deletes || r.Deletes()
	}
	if fail = cmp.Or(fail, c.Command.Closed(&sess.Settings.Settings, deletes)); fail != nil {
		return answer.Failed(id, fail, nil)
	}
	env := sess.ForCall(id)
	err := ctx.Err()
	if !errors.Is(err, context.Canceled) { // on a timeout the request itself decides what to answer
		err = repair(ctx, env, c)
	}
	if err != nil {
		return answer.Failed(id, command.FailureOf(err), env.Warnings)
	}
	var consent any // why the call is allowed to change files
	if sess.Desk != nil && c.Changes() {
		asks, by, err := sess.Desk.Of(env).Admit(ctx, c)
		switch {
		case err != nil:
			return answer.Failed(id, env.Suggest(ctx, command.FailureOf(err), c), env.Warnings)
		case asks != nil: // an answer beside it would hold its diff for as long as the person thinks
			return answer.Answer{ID: id, Warnings: env.Warnings, Detail: asks}
		case by != "":
			consent = by
		}
	}
	a = run(ctx, env, c)
	a.ID, a.Detail = id, consent
	return a
}

// run runs a request that has passed all checks.
func run(ctx context.Context, env *command.Env, c *command.Call) answer.Answer {
	odd := ""
	if r, ok := c.Request.(command.Creator); ok && c.Changes() {
		odd = c.OddPath(r, env.Workspace.Exists) // before there is something
	}
	result, err := attempt(ctx, env, c)
	env.Warnings = append(env.Warnings, plan.Told(ctx)...)
	if c.Changes() {
		for _, doubt := range env.Workspace.Doubts() {
			env.Warn("%s", doubt)
		}
	}
	env.WarnIf(c.Changes() && env.Workspace.LocksAlone(), "a directory could not be locked for those who use it through another mount or "+
		"from another machine: no file can be made in it; if_match tells of their changes")
	if err != nil {
		return answer.Failed(nil, env.Suggest(ctx, command.FailureOf(err), c), env.Warnings)
	}
	env.WarnIf(odd != "", "%s", odd)
	a := answer.Succeeded(nil, result, env.Warnings)
	a.ShowDiff = c.Given["diff"]
	return a
}

// attempt runs a request. One that only reads starts again if another machine replaced a file that
// it was reading or looking for; one that changes files does so by itself.
func attempt(ctx context.Context, env *command.Env, c *command.Call) (answer.Result, error) {
	if c.Changes() {
		return c.Request.Run(ctx, env)
	}
	warned := len(env.Warnings)
	return plan.RetryOnCollision(ctx, "", func() (result answer.Result, err error) {
		for looks := 1; ; looks++ {
			env.Warnings = env.Warnings[:warned]
			result, err = c.Request.Run(ctx, env)
			if looks == plan.Looks || !env.IsBack(err) {
				return result, err
			}
			time.Sleep(plan.LookPause)
		}
	})
}

// fit takes out of an answer what the caller can't do: hints that send him to tools that the
// operator has left out, and hints and warnings about fields that he isn't told of. given are the
// fields that the request had: those he knows.
func (sess *Session) fit(a *answer.Answer, t command.Command, given map[string]bool) {
	if sess.OnlyDefined || sess.known != nil { // without allocating, for each call: fitTo keeps its parameters
		sess.fitTo(a, t, given)
	}
}

func (sess *Session) fitTo(a *answer.Answer, t command.Command, given map[string]bool) {
	defined := func(text string) string {
		return hint.WithoutFields(text, func(name string) bool { return !given[name] && sess.hides(t, name) })
	}
	a.Useful = func(text string) string { return defined(sess.useful(text)) }
	a.Warnings = words.Mapped(a.Warnings, defined)
	a.Hint = a.Useful(a.Hint)
}

func (sess *Session) hides(t command.Command, field string) bool {
	return command.Hides(t, sess.Commands, sess.all, field, sess.OnlyDefined)
}

// Unknown refuses a tool that there isn't, as command.Unknown does, without fields that the caller
// isn't told of.
func (sess *Session) Unknown(name string, offered, all []command.Command) *answer.Failure {
	f := command.Unknown(name, offered, all)
	if sess.OnlyDefined || sess.known != nil {
		f.Hint = hint.WithoutFields(f.Hint, func(field string) bool { return sess.hides(command.Command{}, field) })
	}
	return f
}

// useful is a hint without what only tools could do that the operator has left out.
func (sess *Session) useful(text string) string {
	if sess.known == nil {
		return text
	}
	return hint.WithoutTools(text, func(name string, quoted bool) bool {
		_, there := command.Find(sess.Commands, name)
		return !there && command.IsNamed(sess.all, name, quoted)
	})
}

// LeftOut refuses a tool that the operator's setting tools leaves out.
func (sess *Session) LeftOut(t command.Command) *answer.Failure {
	if sess.known == nil || t.HostOnly {
		return nil
	}
	if _, ok := command.Find(sess.Commands, t.Name); ok {
		return nil
	}
	offered := command.ForModels(sess.Commands)
	if sess.OnlyDefined {
		offered = command.Defined(sess.Env)
	}
	return answer.Failf(answer.CodeUnknownTool, "the tool %q is not available: the operator excluded it", t.Name).
		WithHint("known tools: %s", strings.Join(command.Names(offered), ", "))
}
