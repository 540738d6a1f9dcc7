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
// Listings share pages with cursors (page.go, cursor.go), filled by a walk that may hang (walk.go)
// through a folder of the workspace (tree.go).
//
// # A new field, a new verb
//
// A field is a line in the struct of its request, with tags (request/fields.go has them all), and
// its use. A field that changes what a page holds also goes into the cursor's fingerprint. A verb
// is a file in a room of verbs, and a line in the table (commands/cli.go). Tests then say what they
// lack: run
//
//	go test ./layout ./commands/...
//	go run ./packaging fresh
//	go test ./testscript -run 'TestScripts$/NAME'
//
// where testscript/script_test.go begins with the commands that scripts have. Besides: a script; a
// row in README's table; other programs' names for it in hint/tools.go; and Weigh, if it reads
// files whole.
//
// The package knows no single verb, and not how a request came in or how its answer goes out.
package verb
