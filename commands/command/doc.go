// Package command is what a command is, and what all commands share.
//
// A Command is one value in the package of its command: its name, what help says of it, and how to
// make a Request. A Request is a struct whose fields are filled, with a method Run. Run works in an
// Env, which has the workspace, the limits and what the operator decided, and returns an
// answer.Result or an error. FailureOf makes the failure of an error (errors.go); Env.Suggest adds
// what the caller can do about a path (suggest.go).
//
// A Call is one request with its command, as the session carries it out (call.go). The result of a
// command that changes something tells by its Change what changes (change.go): from it the plan of
// an approval is made. LogStats are the figures that the log takes from a result.
//
// A walk that may hang (walk.go) goes through a folder of the workspace (tree.go).
//
// # A new field
//
// It is a line in the struct of its request, whose tags request/fields.go explains, and its use in
// Run. That makes the flag, the JSON key, the check, the help and the schema. A field that changes
// what a page holds also goes into the request's Fingerprint; what a result says of it is a line in
// the struct of the result. request.Type has the types that a field can have. Then a line in
// commands/samples/samples.go says what the field changes.
//
// The definitions of all tools have a bound, mostDefined in commands/schema_test.go, and hardly any
// space is left: a field that a model hardly ever needs has the tag rare. mistakes.table in
// testscript/requests shows what else changes: a name that was a mistake before may be none now.
// -update doesn't write it.
//
// # A new command
//
// It is a package of its own, commands/NAME, as commands/mkdir, which is short: Command, its
// declaration; Request, the struct of its fields, with Run; and Result, with Summary and WriteText,
// its text form. One that changes files also has Change, and dry_run or Preview; one that reads
// files whole has MemoryEstimate. What walks a folder uses TimedWalk, and what lists things package
// listing; what changes them package change. Its line in commands/all.go makes it known. A new tool
// is OptIn, or the definitions of others get shorter, so that all stay within their bound. Help
// lists one that is OptIn under "Set up".
//
// # For both
//
//	go test ./commands -run TestCommands -v
//	go test ./commands ./examples ./testscript/... -update
//
// The first lists all that is missing, with the file where each thing belongs, and how many bytes
// are left for the definitions: run it until only pages are out of date. The second writes those:
// the reference, the schemas, a first draft of a row in README.md, the completions and the manual
// page. Nothing tells what is left:
//
//	docs/                    limits, undo and guide say what all commands that change files do, and
//	                         which don't
//	commands/hint/tools.txt  names that other programs have for it, besides Aliases
//	commands/hint/fields.txt hints for fields are chosen by a field that the tool has, such as
//	                         query: see that none misleads
//
// A change that undo can undo is a step of a plan: package sandbox says which there are. go doc
// ./testscript explains the commands that scripts have.
//
// The package knows no single command, and not how a request came in or how its answer goes out.
package command
