package approve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/approval"
	"fsbox/commands/command"
)

// Request makes the token that lets one request pass. It is for the operator alone: only a command
// line can ask for it, never a request.
type Request struct {
	RequestDigest string `arg:"" optional:"" need:"" json:"request_digest" help:"The request_digest from an answer with approval_required."`
	DryRun        bool   `json:"dry_run" help:"Show what the request would do, without creating a token."`
}

// Result is the token, with what it allows.
type Result struct {
	Token   *string `json:"token"`   // null in a dry run
	Expires *int64  `json:"expires"` // seconds since 1970
	Root    string  `json:"root"`
	approval.Proposal
	expires time.Time
}

// Command is a command that only a command line has: no request of batch or MCP can name it.
var Command = command.Command{
	Name: command.ApproveName, Help: "Approve one request, with the operator's key.", HostOnly: true,
	New: func() command.Request { return new(Request) }, Results: []answer.Result{(*Result)(nil)},
	Text: "Approve one request that was refused with approval_required, given its request_digest. The command needs the operator's key file " +
		`(--approval-key) and prints a token. The caller then sends the request again with the token as "approval". ` +
		"With --dry-run, only show what the request would do.",
	Examples: []string{"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key --dry-run",
		"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key"},
}

// Run finds the plan with the digest, and signs it.
func (a *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	w, fail := approval.FindWaiting(ctx, env, a.RequestDigest)
	if fail != nil {
		return nil, fail
	}
	for _, text := range w.Warnings {
		env.Warn("%s", text)
	}
	r := &Result{Root: env.Workspace.Root(), Proposal: w.Proposal}
	if !a.DryRun {
		text, end := w.Token(env.Settings.Now())
		expires := end.Unix()
		r.Token, r.Expires, r.expires = &text, &expires, end
	}
	return r, nil
}

// Summary says what was approved, or what would be asked for if no token was made.
func (r *Result) Summary() string {
	if r.Token == nil {
		return fmt.Sprintf("%s would be asked for: %s", r.Tool, r.Effect)
	}
	return fmt.Sprintf("approved %s, once, until %s: %s", r.Tool, r.expires.UTC().Format(time.TimeOnly+" MST"), r.Effect)
}

// WriteText writes what is approved, then the token.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	text := r.Described(a.Message)
	if r.Token != nil {
		text += "token: " + *r.Token + "\n"
	}
	for line := range strings.Lines(text) {
		t.Line(strings.TrimSuffix(line, "\n"))
	}
}

// Decisive says that a person decides by it.
func (*Result) Decisive() {}
