// Package verb is what a verb is, and what all verbs share.
//
// A Verb is one value in the file of its verb: its name, what help says of it, and how to make a
// Request. A Request is a struct whose fields are filled, with a method Run. Run works in an Env,
// which has the workspace, the limits and what the operator decided, and returns an answer.Result
// or an error. FailureOf makes the failure of an error (errors.go); Env.Suggest adds what the
// caller can do about a path (suggest.go).
//
// A Call is one request with its verb, as the session carries it out (call.go). The result of a
// verb that changes something tells by its Change what changes (change.go): from it the plan of an
// approval is made. Measures are the figures that the log takes from a result.
//
// Listings share pages with cursors (page.go, page_state.go, cursor.go), filled by a walk that may
// hang (walk.go) through a folder of the workspace (tree.go, filter.go).
//
// The package knows no single verb, and not how a request came in or how its answer goes out.
package verb
