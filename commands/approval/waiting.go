package approval

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
)

// Waiting is a plan that waits for the operator's token, with the key that makes one.
type Waiting struct {
	Proposal
	Warnings []string
	digest   Digest
	key      []byte
}

// FindWaiting reads the operator's key, and finds the plan that waits under a digest.
func FindWaiting(ctx context.Context, env *command.Env, digest string) (*Waiting, *answer.Failure) {
	d, ok := parseDigest(digest)
	if !ok {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is no digest of a request", digest).
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
	return &Waiting{Proposal: w.Proposal, Warnings: w.Warnings, digest: d, key: key}, nil
}

// Token makes a token for the plan, which holds until it expires.
func (w *Waiting) Token(now time.Time) (token string, expires time.Time) {
	t := Grant{Issued: now.Truncate(time.Second), Digest: w.digest, Nonce: newNonce()}
	return t.Sign(w.key), t.Issued.Add(TokenLife)
}

// newNonce makes a number that no other token has. It need not be a secret: the HMAC is what can't
// be guessed. crypto/rand imports math/big, which makes every start of the program slower.
func newNonce() (n Nonce) {
	binary.BigEndian.PutUint64(n[:8], rand.Uint64())
	binary.BigEndian.PutUint64(n[8:], rand.Uint64())
	return n
}

// Described is the proposal in lines, after a message.
func (p *Proposal) Described(message string) string {
	var b strings.Builder
	own := func(text string) { b.WriteString(text + "\n") }
	s := &sheet{rows: math.MaxInt, own: own, add: func(text string, _ bool, _ int) int {
		own(text)
		return 1
	}}
	s.foreign(message)
	for _, path := range p.Paths {
		s.foreign("path: " + words.VisibleName(path))
	}
	s.tellRest(0, p.PathsTruncated, "paths")
	for _, one := range p.Taken { // by the change
		s.foreign(one.line("taken"))
	}
	s.tellRest(0, p.TakenTruncated, "names go")
	s.writeDiff(p.Diff)
	s.endDiff(p.DiffTruncated)
	return b.String()
}
