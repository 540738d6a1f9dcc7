package approval

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
)

// Approve makes the token that lets one request pass. It is for the operator alone: only a command
// line can ask for it, never a request.
type Approve struct {
	RequestDigest string `arg:"" optional:"" need:"" json:"request_digest" help:"The request_digest of an answer with approval_required."`
	DryRun        bool   `json:"dry_run" help:"Show what the request would do, and make no token."`
}

// ApproveResult is the token, with what it allows.
type ApproveResult struct {
	Token   *string `json:"token"`   // null in a dry run
	Expires *int64  `json:"expires"` // seconds since 1970
	Root    string  `json:"root"`
	Proposal
	expires time.Time
}

// ApproveVerb is a command that only a command line has: no request of batch or MCP can name it.
var ApproveCommand = command.Command{
	Name: command.ApproveName, Help: "Approve one request, with the operator's key.", HostOnly: true,
	New: func() command.Request { return new(Approve) }, Results: []answer.Result{(*ApproveResult)(nil)},
	Text: "Let one request pass that was refused with approval_required, by its request_digest. It needs the operator's key file " +
		`(--approval-key), and prints the token that the same request sends as "approval". With --dry-run it shows what would be ` +
		"done.",
	Examples: []string{"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key --dry-run",
		"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key"},
}

// Run finds the plan with the digest, and signs it.
func (a *Approve) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	d, ok := parseDigest(a.RequestDigest)
	if !ok {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is no digest of a request", a.RequestDigest).
			WithHint("it is the request_digest in details of an answer with approval_required")
	}
	key, fail := readKey(env.Settings)
	if fail != nil {
		return nil, fail
	}
	w, fail := Desk{env: env, key: key}.findPlan(ctx, d)
	if fail != nil {
		return nil, fail
	}
	for _, text := range w.Warnings {
		env.Warn("%s", text)
	}
	r := &ApproveResult{Root: env.Workspace.Root(), Proposal: w.Proposal}
	if !a.DryRun {
		t := Grant{Issued: env.Settings.Now().Truncate(time.Second), Digest: d, Nonce: newNonce()}
		r.expires = t.Issued.Add(TokenLife)
		text, expires := t.Sign(key), r.expires.Unix()
		r.Token, r.Expires = &text, &expires
	}
	return r, nil
}

// newNonce makes a number that no other token has. It need not be a secret: the HMAC is what can't
// be guessed. crypto/rand imports math/big, which makes every start of the program slower.
func newNonce() (n Nonce) {
	binary.BigEndian.PutUint64(n[:8], rand.Uint64())
	binary.BigEndian.PutUint64(n[8:], rand.Uint64())
	return n
}

// Summary says what was approved, or what would be asked for if no token was made.
func (r *ApproveResult) Summary() string {
	if r.Token == nil {
		return fmt.Sprintf("%s would be asked for: %s", r.Tool, r.Effect)
	}
	return fmt.Sprintf("approved %s, once, until %s: %s", r.Tool, r.expires.UTC().Format(time.TimeOnly+" MST"), r.Effect)
}

// WriteText writes what is approved, then the token.
func (r *ApproveResult) WriteText(t *answer.Text, a answer.Answer) {
	var b strings.Builder
	own := func(text string) { b.WriteString(text + "\n") }
	s := &sheet{names: math.MaxInt, rows: math.MaxInt, own: own, add: func(text string, _ bool, _ int) int {
		own(text)
		return 1
	}}
	s.foreign(a.Message)
	r.writePaths(s)
	r.writeTaken(s)
	s.writeDiff(r.Diff)
	s.endDiff(r.DiffTruncated)
	if r.Token != nil {
		own("token: " + *r.Token)
	}
	for line := range strings.Lines(b.String()) {
		t.Line(strings.TrimSuffix(line, "\n"))
	}
}

// Decisive says that a person decides by it.
func (*ApproveResult) Decisive() {}
