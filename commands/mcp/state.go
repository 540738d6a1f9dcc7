package mcp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"time"
)

// states are the requestState texts of questions in the protocol without sessions. The client sends
// one back with the answers, as it is. Each has a random number and the time at which it was made,
// with an HMAC over both and the key of the question: so an answer counts for that question, once,
// and for stateLife. The key of the HMAC dies with the process, and all states with it: then the
// question is asked again.
type states struct {
	key  [sha256.Size]byte
	now  func() time.Duration // since the start, by a clock that is never set back
	lock sync.Mutex
	used map[[nonceBytes]byte]time.Duration // when the states that were used were made
}

const (
	// stateLife is how long a person may think about a question.
	stateLife = 10 * time.Minute
	// maxUsed is how many used states are remembered: far more than anybody answers in stateLife.
	maxUsed = 10_000

	nonceBytes = 16
	stateBytes = 8 + nonceBytes + sha256.Size
)

// errState is for a state that doesn't let an answer count.
const errState = constantError("the answer is to no open question")

// newStates makes the key from math/rand/v2, which draws from the system's random numbers. It need
// not be better: who could guess it is the client, which can answer any question anyway.
// crypto/rand imports math/big, which makes every start of the program slower.
func newStates() *states {
	start := time.Now()
	s := &states{now: func() time.Duration { return time.Since(start) }, used: map[[nonceBytes]byte]time.Duration{}}
	fillRandom(s.key[:])
	return s
}

func fillRandom(b []byte) {
	for at := 0; at < len(b); at += 8 {
		binary.BigEndian.PutUint64(b[at:], rand.Uint64())
	}
}

// issue makes the state of a question.
func (s *states) issue(question string) string {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, stateBytes), uint64(s.now()))
	var nonce [nonceBytes]byte
	fillRandom(nonce[:])
	b = append(b, nonce[:]...)
	return base64.RawURLEncoding.EncodeToString(append(b, s.sum(b, question)...))
}

func (s *states) sum(body []byte, question string) []byte {
	h := hmac.New(sha256.New, s.key[:])
	h.Write(body)
	h.Write([]byte(question))
	return h.Sum(nil)
}

// use uses a state up. It fails with errState if that was done before, if it is too old, and if it
// is of another question or server; and with ErrTooMany if no more can be remembered.
func (s *states) use(text, question string) error {
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != stateBytes {
		return errState
	}
	body, mac := b[:8+nonceBytes], b[8+nonceBytes:]
	if !hmac.Equal(mac, s.sum(body, question)) {
		return errState
	}
	made, nonce := time.Duration(binary.BigEndian.Uint64(body)), [nonceBytes]byte(body[8:])
	s.lock.Lock()
	defer s.lock.Unlock()
	if _, before := s.used[nonce]; before || s.now()-made >= stateLife {
		return errState
	}
	if len(s.used) >= maxUsed && !s.forget() {
		return ErrTooMany
	}
	s.used[nonce] = made
	return nil
}

// forget drops states that are too old to be used again. It reports whether there were any.
func (s *states) forget() (any bool) {
	for nonce, made := range s.used {
		if s.now()-made >= stateLife {
			delete(s.used, nonce)
			any = true
		}
	}
	return any
}
