package commands

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"time"
)

// grant is a token: the operator's consent to one request, as approve makes it and a request brings
// it. On the wire it is a prefix and, in base64url, its fields and their HMAC under the operator's
// key.
type grant struct {
	issued time.Time // whole seconds
	nonce  nonce
	digest digest // of the plan that it is for
}

// nonce tells tokens apart, so that each is good for one call.
type nonce [16]byte

// digest is the SHA-256 of a plan. In text it is hexadecimal.
type digest [sha256.Size]byte

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// parseDigest reads a digest, in upper or lower case.
func parseDigest(text string) (d digest, ok bool) {
	raw, err := hex.DecodeString(text)
	return d, err == nil && copy(d[:], raw) == len(d) && len(raw) == len(d)
}

const (
	tokenPrefix = "fsbox1-"
	tokenLength = 8 + len(nonce{}) + 2*sha256.Size // issued, nonce, digest, HMAC; bytes

	tokenLife = 10 * time.Minute
	// clockSkew is how far in the future a token may have been made: the clocks of two machines
	// that share a state folder differ a little.
	clockSkew = time.Minute
)

// Domains begin the signed texts: so the HMAC of a plan is never valid for a token.
const (
	tokenDomain = "fsbox approval token 1\x00"
	planDomain  = "fsbox approval plan 1\x00"
)

// sum is the HMAC of a text under the operator's key.
func sum(key []byte, domain string, text []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(domain))
	h.Write(text)
	return h.Sum(nil)
}

// sign gives the text of a token.
func (t grant) sign(key []byte) string {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, tokenLength), uint64(t.issued.Unix()))
	b = append(append(b, t.nonce[:]...), t.digest[:]...)
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(append(b, sum(key, tokenDomain, b)...))
}

// Reasons why a token doesn't let a request pass.
var (
	errTokenForm    = errors.New("it is not a token of fsbox approve")
	errTokenForged  = errors.New("it was not made with the operator's key")
	errTokenEarly   = errors.New("it was made in the future: the clocks differ")
	errTokenExpired = errors.New("it has expired")
	errTokenOther   = errors.New("it is for another request, or the files have changed since")
	errTokenUsed    = errors.New("it was used already")
)

// openToken reads a token and checks that it was made with the key. Nothing in it is believed
// before that.
func openToken(text string, key []byte) (t grant, err error) {
	rest, found := strings.CutPrefix(text, tokenPrefix)
	b, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if !found || err != nil || len(b) != tokenLength || strings.ContainsAny(rest, "\r\n") {
		return t, errTokenForm
	}
	body, mac := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if !hmac.Equal(mac, sum(key, tokenDomain, body)) {
		return t, errTokenForged
	}
	t.issued = time.Unix(int64(binary.BigEndian.Uint64(body)), 0)
	copy(t.nonce[:], body[8:])
	copy(t.digest[:], body[8+len(t.nonce):])
	return t, nil
}

// admits checks that a token is for a plan, and that its time has come and isn't over.
func (t grant) admits(d digest, now time.Time) error {
	switch age := now.Sub(t.issued); {
	case age < -clockSkew:
		return errTokenEarly
	case age >= tokenLife:
		return errTokenExpired
	case t.digest != d:
		return errTokenOther
	}
	return nil
}
