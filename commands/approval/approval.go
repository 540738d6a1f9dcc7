package approval

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/mcp"
	"fsbox/commands/settings"
	"fsbox/commands/terminal"
)

// Approval makes a person agree to each change before it is made. The operator chooses who is
// asked: with "prompt" the person at the controlling terminal, or whoever the MCP client asks; with
// "token" the holder of a key file, who may be elsewhere and answer later.
//
// Every change goes through Admit, however its request was sent. First the same request is carried
// out as a dry run. What it would do is the plan: paths, a diff, and the state of every file it
// touches. The digest of a plan covers
//
//   - the root: its path and its inode,
//   - the tool, and every field of the request after defaults and aliases, except approval, dry_run
//     and diff; a content or patch that came from a file or from stdin counts as text,
//   - of every path that would change or be read for the change: the path, where links on it lead,
//     and what is there: nothing, a file (its inode, mode and etag), a link, or a folder (its
//     inode, mode and owner) with all that is in it,
//   - of a folder that an undo brings back, the same where it is kept,
//   - what the dry run answered: the effect and the whole diff.
//
// So a consent is for one change of one state of the files. When it has come, Admit makes the plan
// once more: if the digest is another one by now, the consent is worth nothing, and the request
// needs a new one. The change itself is made in a view of the workspace that holds what the plan
// found (sandbox.Only): etags of files, and all that is in folders, are compared under the locks of
// the change, and where something differs it is stale. A dry run, and a call that would change
// nothing, needs no consent; the latter gets a view that changes nothing (sandbox.Still).
//
// A token is made by the command approve, from a digest: see token.go. It has the digest,
// the time at which it was made and a random number, and an HMAC of these under the key. The
// program that serves requests has the key too, and keeps it from them. A request that lacks a
// consent is answered with the digest of its plan, and the plan is put into the state folder, with
// an HMAC. approve takes the plan from there, never from its caller: so what it shows is the plan
// that the digest was made from. An agent can compute digests, but without the key it can make no
// token, and no plan that approve would take.
//
// The digest of a token also covers the folder in the state folder that remembers used tokens, by
// its inode and the time it was made: with another state folder, which doesn't know that the token
// was used, the request has another digest.
//
// A token is good for ten minutes by the clock of the machine that serves, and not before it was
// made, with a minute's tolerance for another machine's clock. It is good for one call: before the
// change is made, a file named after its random number is created in the state folder, and where
// that exists already the token is refused. It is used up even if the call then fails. These files
// are kept for a week, so that a clock that is set back by less brings no token back to life.
// Without a state folder there are no tokens: the program refuses to start.

// Approver asks somebody whether a change may be made.
type Approver interface {
	// Approve shows the plan and returns the decision, or an error that wraps errNobody if nobody
	// can be asked. It returns when ctx ends.
	Approve(ctx context.Context, plan *Plan) (yes bool, err error)
}

// Why a plan got no answer.
var (
	errNobody = errors.New("nobody could be asked")
	errClosed = errors.New("the question was closed without an answer")
)

// errLate is for approvalPatience.
var errLate error = late{}

type late struct{}

func (late) Error() string { return "nobody answered within " + approvalPatience.String() }

// approvalPatience is how long a person may think about a change. The timeout of the call doesn't
// run meanwhile.
const approvalPatience = 10 * time.Minute

// MaxAsks is how often one call asks. It asks again if the files changed while a person thought.
const MaxAsks = 3

// Desk is where a call that changes files is agreed to.
type Desk struct {
	env      *command.Env // of the call
	Approver Approver     // nil if nobody can be asked
	mute     string       // why not
	isMCP    bool
	key      []byte    // of the operator, for tokens
	closed   *closings // of all calls
}

// OpenDesk reads the key or opens the terminal, if approval needs one of them. It refuses settings
// under which no change could ever be approved.
func OpenDesk(l *settings.Loaded) (d *Desk, fail *answer.Failure) {
	d = &Desk{mute: "there is no terminal to ask at", closed: new(closings)}
	switch {
	case l.Approval == settings.ApprovalToken && l.ApprovalKey == "":
		fail = answer.Failf(answer.CodeInvalidInput, "%q is %s, and that needs %q", "approval", settings.ApprovalToken, "approval_key").
			WithHint("name the operator's key file with --approval-key: 32 random bytes or more, mode 0600")
	case l.Approval == settings.ApprovalToken && l.StateFolder == "":
		fail = answer.Failf(answer.CodeInvalidInput, "%q is %s, and that needs a state directory, which remembers the tokens that were used",
			"approval", settings.ApprovalToken).WithHint("name one with --state-dir, or set HOME")
	case l.Approval == settings.ApprovalToken:
		d.key, fail = readKey(l)
	case l.Approval == settings.ApprovalPrompt:
		if person, err := terminal.Open(); err == nil {
			d.Approver = &terminalApprover{terminal: person, root: settings.Absolute(l.Root),
				colours: !answer.WantsNoColour(os.LookupEnv) && person.TakesColours()}
		}
	}
	return d, fail
}

// Of is the desk for one call.
func (d Desk) Of(env *command.Env) Desk {
	d.env = env
	return d
}

// Admit lets a call that changes files pass, or returns the failure that says what it lacks. If
// asks isn't nil, a person has to be asked about that plan first. by says why the change is
// allowed.
func (d Desk) Admit(ctx context.Context, c *command.Call) (asks *Plan, by command.Consent, err error) {
	plan, err := d.plan(ctx, c)
	switch {
	case err != nil:
		return nil, "", err
	case !plan.changes:
		d.env.Workspace = d.env.Workspace.Still()
		return nil, "", nil
	case d.letsThrough(plan):
		by = command.ConsentPath
	case d.env.Settings.Approval == settings.ApprovalToken:
		if err := d.takeToken(c, plan); err != nil {
			return nil, "", err
		}
		by = command.ConsentToken
	case c.Agreed != plan.digest:
		return plan, "", nil
	default:
		by = command.ConsentPerson
	}
	d.env.Workspace = d.env.Workspace.Only(plan.agreed)
	// An undo of the newest call becomes one of the call that was the newest when the plan was
	// made.
	if r, ok := c.Request.(command.Pinner); ok {
		r.Pin(plan.Undoes)
	}
	return nil, by, nil
}

// Asked runs a call, and asks the approver if the call turns out to need it. run carries the call
// out under a timeout of its own each time.
func (d Desk) Asked(ctx context.Context, c *command.Call, run func() answer.Answer) answer.Answer {
	a := run()
	for again := 0; ; again++ {
		plan, asks := a.Detail.(*Plan)
		if !asks {
			return a
		}
		if fail := d.askAgain(ctx, plan, again); fail != nil {
			return answer.Failed(a.ID, fail, nil) // the warnings are about the change
		}
		c.Agreed = plan.digest
		if a = run(); a.Error == answer.CodeStale {
			a.Hint = hintAskAgain
		}
	}
}

// hintAskAgain is the hint for a change that somebody agreed to, when the files are no longer those
// that were shown.
const hintAskAgain = "ask again: the file changed since it was shown; nothing was changed, so read it and send the request for what is " +
	"there now"

// askAgain asks about a plan. again is how many earlier plans were agreed to and then not carried
// out: from MaxAsks on, askAgain fails.
func (d Desk) askAgain(ctx context.Context, plan *Plan, again int) *answer.Failure {
	if again < MaxAsks {
		return d.ask(ctx, plan)
	}
	return answer.Failf(answer.CodeApprovalRequired, "this %s needs a new approval: the files changed each time after they were shown",
		plan.Tool).WithHint(hintAskAgain)
}

// ask asks the approver about a plan; nil is a yes. The failure never shows the plan: the model
// that gets it has written the request.
func (d Desk) ask(ctx context.Context, plan *Plan) *answer.Failure {
	if d.Approver == nil {
		return d.notAsked(plan, errNobody)
	}
	thinking, cancel := context.WithTimeout(ctx, approvalPatience)
	defer cancel()
	yes, err := d.Approver.Approve(thinking, plan)
	switch {
	case ctx.Err() != nil:
		return command.FailureOf(ctx.Err())
	case err != nil && thinking.Err() != nil: // an answer counts, though the call may have waited for its turn since
		return d.notAsked(plan, errLate)
	case err != nil:
		return d.notAsked(plan, err)
	}
	d.closed.forget(plan.digest)
	if yes {
		return nil
	}
	why := "the answer at the terminal to this %s was no"
	if _, isClient := d.Approver.(clientApprover); isClient { // many answer by themselves
		why = "the client declined this %s"
	}
	return answer.Failf(answer.CodeApprovalDenied, why, plan.Tool).WithHint(hintDenied)
}

// The hints of what isn't approved. None has a model send the same request again and again.
const (
	hintDenied = "nothing was changed; don't send it again: ask what is wanted instead"
	hintClosed = "nothing was changed; ask whether the change is wanted before you send it again"
	hintFull   = "nothing was changed; send it again when the other questions are answered"
	hintNobody = "nothing was changed, and sending it again doesn't help: the operator can "
)

// notAsked is the failure for a plan that nobody decided about. A plan that gets no answer twice is
// denied: a client that closes every question would else be asked for ever.
func (d Desk) notAsked(plan *Plan, err error) *answer.Failure {
	f := answer.Failf(answer.CodeApprovalRequired, "this %s needs a person's approval: %v", plan.Tool, err)
	switch {
	case errors.Is(err, mcp.ErrTooMany):
		return f.WithHint(hintFull)
	case !errors.Is(err, errClosed) && !errors.Is(err, errLate):
		f = answer.Failf(answer.CodeApprovalRequired, "this %s needs a person's approval: %s", plan.Tool, d.mute)
		if d.isMCP {
			return f.WithHint(hintNobody + "choose --approval token, or a client with elicitation")
		}
		return f.WithHint(hintNobody + "run fsbox at a terminal, or choose --approval token")
	case d.closed.add(plan.digest):
		return answer.Failf(answer.CodeApprovalDenied, "the question about this %s got no answer twice", plan.Tool).WithHint(hintDenied)
	}
	return f.WithHint(hintClosed)
}

// closings are the plans whose question was closed without an answer, the newest last.
type closings struct {
	lock  sync.Mutex
	plans []Digest
}

// maxClosings is how many plans are remembered, of 32 bytes each.
const maxClosings = 1000

// add remembers a plan, and reports whether it was known.
func (c *closings) add(d Digest) (known bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if slices.Contains(c.plans, d) {
		return true
	}
	c.plans = append(c.plans, d)
	if len(c.plans) > maxClosings {
		c.plans = slices.Delete(c.plans, 0, 1)
	}
	return false
}

// forget is for a plan that got an answer.
func (c *closings) forget(d Digest) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.plans = slices.DeleteFunc(c.plans, func(known Digest) bool { return known == d })
}

// ApprovalDetails are the details of approval_required, with approval "token": what the request
// would do.
type ApprovalDetails struct {
	RequestDigest string `json:"request_digest,omitzero"` // argument of the command approve; missing if the plan can't be kept
	Proposal
}

// Proposal is what a request would do.
type Proposal struct {
	Tool           string      `json:"tool"`
	Effect         string      `json:"effect"`                   // what the request would do, in one sentence
	Paths          []string    `json:"paths"`                    // those that would change, relative to the root
	PathsTruncated bool        `json:"paths_truncated,omitzero"` // there are more
	Taken          []TakenPath `json:"taken,omitzero"`           // what is removed or replaced
	TakenTruncated bool        `json:"taken_truncated,omitzero"`
	Diff           string      `json:"diff"`
	DiffTruncated  bool        `json:"diff_truncated"`
}

// WriteDetails writes what the hint doesn't say.
func (d *ApprovalDetails) WriteDetails(t *answer.Text, hint string) {
	if !strings.Contains(hint, d.RequestDigest) {
		t.Line("request_digest: ", d.RequestDigest)
	}
	t.Facts(&struct {
		Effect string   `json:"effect"`
		Paths  []string `json:"paths"`
		Diff   string   `json:"diff"`
	}{d.Effect, d.Paths, d.Diff})
	if d.PathsTruncated || d.TakenTruncated || d.DiffTruncated {
		t.Note("not all of it is shown")
	}
}

// Decisive says that a person decides by it.
func (*ApprovalDetails) Decisive() {}
