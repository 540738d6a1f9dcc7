package approval

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
)

// approvals is a folder in the state folder of a root. It holds
//
//	plan-DIGEST       a plan that waits for approval: its HMAC, then JSON
//	used-TIME-NONCE   empty: the token made at TIME, in seconds since 1970, has been used
type approvals struct{ folder dir.Folder }

const (
	approvalsName = "approvals"
	planPrefix    = "plan-"
	usedPrefix    = "used-"

	planLife = 24 * time.Hour // how long a plan waits
	maxPlans = 100            // that wait; for one more the oldest is removed, if it waits for planSafe already
	planSafe = time.Hour      // so that an agent that tries on and on doesn't take away what the operator looks at
	usedLife = 7 * 24 * time.Hour

	// maxPlanFile is more than the JSON of any plan, in bytes: a control character takes six in
	// JSON.
	maxPlanFile = 8*planBytes + 1<<20
)

// waiting is a plan as it is kept.
type waiting struct {
	ApprovalDetails
	Warnings []string `json:"warnings"`
	Asked    int64    `json:"asked"` // seconds since 1970
}

// OpenApprovals opens the folder. Without create, a missing one is fs.ErrNotExist.
func (d Desk) OpenApprovals(create bool) (*approvals, error) {
	path := d.env.Workspace.StateDir()
	if path == "" {
		return nil, errors.New("there is no state directory")
	}
	state, err := dir.OpenState(path, create)
	if err != nil {
		return nil, err
	}
	defer state.Close()
	folder, err := dir.SubState(state, path, approvalsName, create)
	return &approvals{folder}, err
}

// bound is the digest of a plan for this folder alone: a token is used up in the folder that
// remembers it, so it must be good in no other.
func (a *approvals) bound(d Digest) (Digest, error) {
	info, _, err := a.folder.Examine(".")
	return sha256.Sum256(fmt.Appendf(nil, "%s %s %d", d, info.ID(), info.Born)), err
}

func (a *approvals) Close() { a.folder.Close() }

// put stores a plan under its digest, after it has removed what is old.
func (a *approvals) put(ctx context.Context, w *waiting, key []byte) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	name := planPrefix + w.RequestDigest
	content := hex.AppendEncode(nil, sum(key, planDomain, text))
	content = append(append(content, '\n'), text...)
	if err := a.clear(ctx, time.Unix(w.Asked, 0), name); err != nil {
		return err
	}
	fresh := "new-" + w.RequestDigest + "-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	f, err := dir.CreatePrivate(a.folder, fresh)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = a.folder.Move(fresh, a.folder, name, dir.Over)
	}
	if err != nil {
		return errors.Join(err, a.folder.Remove(fresh))
	}
	return nil
}

// get finds the plan with a digest, if it was put there by somebody who has the key.
func (a *approvals) get(ctx context.Context, d Digest, key []byte, now time.Time) (*waiting, error) {
	f, err := a.folder.Open(planPrefix+d.String(), 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := f.ReadAll(ctx, maxPlanFile)
	if err != nil {
		return nil, err
	}
	w, err := readWaiting(string(content), key)
	switch {
	case err != nil:
		return nil, err
	case w.RequestDigest != d.String():
		return nil, errNotKept
	case now.Sub(time.Unix(w.Asked, 0)) > planLife:
		return nil, fs.ErrNotExist
	}
	return w, nil
}

// readWaiting reads what put has written.
func readWaiting(content string, key []byte) (*waiting, error) {
	head, text, _ := strings.Cut(content, "\n")
	mac, err := hex.DecodeString(head)
	if err != nil || !hmac.Equal(mac, sum(key, planDomain, []byte(text))) {
		return nil, errNotKept
	}
	w := &waiting{}
	return w, json.Unmarshal([]byte(text), w)
}

// errNotKept is for a plan that was not kept with this key.
var errNotKept = errors.New("it was kept with another key, or changed since")

// Use marks a token as used. It fails with ErrTokenUsed if that was done before.
func (a *approvals) Use(t Grant, sync bool) error {
	f, err := dir.CreatePrivate(a.folder, fmt.Sprintf("%s%d-%x", usedPrefix, t.Issued.Unix(), t.Nonce[:]))
	if errors.Is(err, fs.ErrExist) {
		return ErrTokenUsed
	}
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil || !sync {
		return err
	}
	return a.folder.Sync()
}

// clear removes old plans and old marks of used tokens, and the oldest plans if there are too many
// besides the one that is to be put there.
func (a *approvals) clear(ctx context.Context, now time.Time, fresh string) error {
	names, err := dir.List(ctx, a.folder)
	if err != nil {
		return err
	}
	var plans []keptPlan
	for _, n := range names {
		made, isUsed := usedAt(n.Name)
		info, err := a.folder.Lstat(n.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist), n.Name == fresh: // another process was faster, or it is replaced
		case err != nil:
			return err
		case isUsed && now.Sub(made) < usedLife:
		case !isUsed && now.Sub(info.Modified) < planLife:
			plans = append(plans, keptPlan{n.Name, info.Modified})
		default:
			if err := a.remove(n.Name); err != nil {
				return err
			}
		}
	}
	return a.dropOldest(plans, now)
}

// keptPlan is the file of a plan, and when it was made.
type keptPlan struct {
	name string
	at   time.Time
}

// dropOldest removes the oldest plans, so that there is space for one more.
func (a *approvals) dropOldest(plans []keptPlan, now time.Time) error {
	slices.SortFunc(plans, func(x, y keptPlan) int { return x.at.Compare(y.at) })
	for ; len(plans) >= maxPlans; plans = plans[1:] {
		if now.Sub(plans[0].at) < planSafe {
			return fmt.Errorf("%d requests wait for approval already, all of them for less than an hour", maxPlans)
		}
		if err := a.remove(plans[0].name); err != nil {
			return err
		}
	}
	return nil
}

func (a *approvals) remove(name string) error { return fserr.IgnoreMissing(a.folder.Remove(name)) }

// usedAt reads from the name of a file used-... when its token was made.
func usedAt(name string) (made time.Time, ok bool) {
	rest, ok := strings.CutPrefix(name, usedPrefix)
	seconds, _, cut := strings.Cut(rest, "-")
	n, err := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0), ok && cut && err == nil
}
