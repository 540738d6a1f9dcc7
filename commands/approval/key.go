package approval

import (
	"context"
	"errors"
	"io/fs"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/settings"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/host"
)

// minKey and maxKey are how long the content of a key file may be, in bytes.
const (
	minKey = 32
	maxKey = 64 << 10
)

// readKey reads the operator's key.
func readKey(l *settings.Loaded) ([]byte, *answer.Failure) {
	path := l.PathOf(settings.KeyName)
	if path == "" {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is missing", "approval_key").
			WithHint("name the operator's key file with --approval-key")
	}
	key, err := host.ReadSecret(path, maxKey)
	switch {
	case errors.Is(err, fserr.ErrTooLarge):
		err = errors.New("it is too large")
	case err == nil && len(key) < minKey:
		err = errors.New("it has less than 32 bytes")
	case err == nil:
		return key, nil
	}
	f := answer.Failf(answer.CodeInvalidInput, "the key file %q can't be used: %v", path, fserr.Bare(err))
	if isOtherUsers(err) {
		return nil, f.WithHint("run fsbox as the user that the key belongs to")
	}
	return nil, f.WithHint("it must be a file of 32 bytes or more that only its owner may read: " +
		"head -c 32 /dev/urandom >FILE; chmod 600 FILE")
}

// takeToken lets a request pass that brings a token for its plan, and uses the token up. Any other
// request fails with the digest that the operator has to approve, and its plan is kept so that the
// command approve can show it.
func (d Desk) takeToken(c *command.Call, plan *Plan) error {
	a, err := d.OpenApprovals(true)
	if err == nil {
		defer a.Close()
		plan.digest, err = a.bound(plan.digest)
	}
	f := answer.Failf(answer.CodeApprovalRequired, "this %s needs the operator's approval", plan.Tool)
	if text := c.Text("approval"); text != "" {
		why := err
		if err == nil {
			why = d.useToken(a, text, plan)
		}
		if why == nil {
			return nil
		}
		f = answer.Failf(answer.CodeApprovalRequired, "this %s needs a new approval; the one that came with it doesn't count: %v", plan.Tool,
			fserr.Bare(why))
	}
	details := &ApprovalDetails{Proposal: plan.fitting(d.env.Limits.MaxOutputBytes)}
	if err == nil {
		err = d.keepPlan(a, plan)
	}
	if err != nil {
		f.WithDetails(details).
			WithHint("nothing was changed, and nobody can approve it now: the plan can't be kept in the state directory: %v", fserr.Bare(err))
		if isOtherUsers(err) {
			f.Hint += "; " + asStateOwner
		}
		return f
	}
	details.RequestDigest = plan.digest.String()
	return f.WithDetails(details).
		WithHint("nothing was changed; ask the operator to run: fsbox approve %s. Then send the same request once more, with approval "+
			"set to the token", plan.digest)
}

// useToken checks a token and uses it up.
func (d Desk) useToken(a *approvals, text string, plan *Plan) error {
	t, err := OpenToken(text, d.key)
	if err == nil {
		err = t.Admits(plan.digest, d.env.Settings.Now())
	}
	if err != nil {
		return err
	}
	if err := a.Use(t, !d.env.Settings.NoFsync); err != nil {
		return err
	}
	_ = a.remove(planPrefix + plan.digest.String()) // it waits no longer; if it can't be removed, it goes with the old ones
	return nil
}

// keepPlan puts a plan into the state folder, where the command approve finds it.
func (d Desk) keepPlan(a *approvals, plan *Plan) error {
	details := ApprovalDetails{RequestDigest: plan.digest.String(), Proposal: plan.fitting(planBytes)}
	return a.put(context.Background(), &waiting{ApprovalDetails: details, Warnings: plan.Warnings, Asked: d.env.Settings.Now().Unix()}, d.key)
}

// findPlan finds the plan that waits under a digest.
func (d Desk) findPlan(ctx context.Context, of Digest) (*waiting, *answer.Failure) {
	a, err := d.OpenApprovals(false)
	var w *waiting
	if err == nil {
		defer a.Close()
		w, err = a.get(ctx, of, d.key, d.env.Settings.Now())
	}
	switch {
	case err == nil:
		return w, nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fserr.ErrNotFound):
		return nil, answer.Failf(answer.CodeNotFound, "no request with the digest %s waits for approval under the root %q", of,
			d.env.Workspace.Root()).
			WithHint("root and state directory must be those of the program that answered approval_required; a request waits for a day")
	}
	fail := answer.Failf(answer.CodeNotFound, "the request with the digest %s can't be approved: %v", of, fserr.Bare(err))
	if isOtherUsers(err) {
		return nil, fail.WithHint(asStateOwner)
	}
	return nil, fail.WithHint("use the key file of the program that answered approval_required")
}

const asStateOwner = "run fsbox as the user that the state directory belongs to"

// isOtherUsers reports whether a file or folder can't be used since it is another user's, as far as
// the system tells.
func isOtherUsers(err error) bool { return fserr.IsAny(err, fserr.ErrOtherUser, fs.ErrPermission) }
