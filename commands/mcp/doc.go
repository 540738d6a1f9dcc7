// Package mcp is the server side of the Model Context Protocol over two streams: one JSON-RPC
// message a line, requests in, answers out. It knows the protocol and nothing of files: the tools
// are an interface that its caller fills. It must not read or write anything else than the two
// streams.
//
// It serves both eras of the protocol in one process, each request by itself. A request whose
// params._meta names a protocol version belongs to the era that began with 2026-07-28: it needs no
// session, and every result says resultType. The others belong to the session that initialize
// began, with one of the versions from 2024-11-05 to 2025-11-25.
//
//	messages   package stream cuts, message.go parses, server.go answers what is not a call of a tool
//	calls      calls.go: each has its turn in the order in which they came, one that changes something
//	           alone, others up to maxRunning at once. It has the goroutines that do all this
//	answers    output.go writes whole lines, from whichever goroutine has one
//	client     client.go: what a running call may ask of the client: progress, and questions for
//	           the person in front of it; state.go: in the era without sessions, an answer counts once
//
// Memory is bounded: by the longest line, by what waits to be run (see maxWaiting), and by what the
// tools say that their calls take (see maxWeight). While too much waits for its turn, nothing more
// is read. What waits for the client's answer never stops the reader, which alone can bring it.
//
// After the end of the input all calls that are there are carried out. When ctx ends, or nobody
// reads the answers any more, they are canceled. In either case Serve returns when none is in the
// middle of its work: one that hangs says so by its late answer.
package mcp

import (
	"context"
	"io"
)

// Tools are what a server offers.
type Tools interface {
	// List gives the definitions of all tools, a JSON array whose order never changes.
	List() []byte
	// Prepare gets a call ready to run. arguments is a JSON object, a string in its place, or nil
	// if there were none. It is called in the order in which calls come in. An error says that
	// there is no such tool; what is wrong with the arguments is for the call's Result to say, so
	// that a model sees it.
	Prepare(name string, arguments []byte) (Call, error)
}

// Call is a call of a tool, ready to run.
type Call struct {
	Changes bool // it may change something that later calls see: it runs after all earlier calls, and later ones after it
	Last    bool // the session ends with it: nothing is read after it
	Weight  int  // how many bytes of memory it takes for sure until it is answered; see Client.Grow
	// Run carries the call out. If it hangs in the system, another goroutine calls late soon after
	// ctx ends, and the one that hangs never returns from Run.
	Run func(ctx context.Context, client *Client, late func(Result)) Result
	// NoRoom is the result of a call that isn't run, since calls that wait for the client take the
	// memory that it would need.
	NoRoom func() Result
}

// Result is the outcome of a call: a text, or an image or a sound.
type Result struct {
	Text       string
	Media      []byte
	MediaType  string          // of Media, "" for a text; see IsMedia
	Structured func(io.Writer) // writes the same as JSON, an object; nil for none
	Failed     bool
}

// IsMedia tells whether something of a media type can be the Media of a Result: the types that the
// interfaces of models take. One refuses a whole request for an image of another type.
func IsMedia(mediaType string) bool {
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "audio/mpeg", "audio/wav":
		return true
	}
	return false
}

// About is what a server tells of itself.
type About struct {
	Name, Title, Version string
	Instructions         string // for the model, about all tools together
}
