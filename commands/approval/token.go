package approval

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

// Grant is a token: the operator's consent to one request, as approve makes it and a request brings
// it. On the wire it is a prefix and, in base64url, its fields and their HMAC under the operator's
// key.
type Grant struct {
	Issued time.Time // whole seconds
	Nonce  Nonce
	Digest Digest // of the plan that it is for
}

// Nonce tells tokens apart, so that each is good for one call.
type Nonce [16]byte

// Digest is the SHA-256 of a plan. In text it is hexadecimal.
type Digest [sha256.Size]byte

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// parseDigest reads a digest, in upper or lower case.
func parseDigest(text string) (d Digest, ok bool) {
	raw, err := hex.DecodeString(text)
	return d, err == nil && copy(d[:], raw) == len(d) && len(raw) == len(d)
}

const (
	TokenPrefix = "fsbox1-"
	tokenLength = 8 + len(Nonce{}) + 2*sha256.Size // issued, nonce, digest, HMAC; bytes

	TokenLife = 10 * time.Minute
	// ClockSkew is how far in the future a token may have been made: the clocks of two machines
	// that share a state folder differ a little.
	ClockSkew = time.Minute
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

// Sign gives the text of a token.
func (t Grant) Sign(key []byte) string {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, tokenLength), uint64(t.Issued.Unix()))
	b = append(append(b, t.Nonce[:]...), t.Digest[:]...)
	return TokenPrefix + base64.RawURLEncoding.EncodeToString(append(b, sum(key, tokenDomain, b)...))
}

// Reasons why a token doesn't let a request pass.
var (
	ErrTokenForm    = errors.New("it is not a token of fsbox approve")
	ErrTokenForged  = errors.New("it was not made with the operator's key")
	ErrTokenEarly   = errors.New("it was made in the future: the clocks differ")
	ErrTokenExpired = errors.New("it has expired")
	ErrTokenOther   = errors.New("it is for another request, or the files have changed since")
	ErrTokenUsed    = errors.New("it was used already")
)

// OpenToken reads a token and checks that it was made with the key. Nothing in it is believed
// before that.
func OpenToken(text string, key []byte) (t Grant, err error) {
	rest, found := strings.CutPrefix(text, TokenPrefix)
	b, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if !found || err != nil || len(b) != tokenLength || strings.ContainsAny(rest, "\r\n") {
		return t, ErrTokenForm
	}
	body, mac := b[:len(b)-sha256.Size], b[len(b)-sha256.Size:]
	if !hmac.Equal(mac, sum(key, tokenDomain, body)) {
		return t, ErrTokenForged
	}
	t.Issued = time.Unix(int64(binary.BigEndian.Uint64(body)), 0)
	copy(t.Nonce[:], body[8:])
	copy(t.Digest[:], body[8+len(t.Nonce):])
	return t, nil
}

// Admits checks that a token is for a plan, and that its time has come and isn't over.
func (t Grant) Admits(d Digest, now time.Time) error {
	switch age := now.Sub(t.Issued); {
	case age < -ClockSkew:
		return ErrTokenEarly
	case age >= TokenLife:
		return ErrTokenExpired
	case t.Digest != d:
		return ErrTokenOther
	}
	return nil
}
