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
// It is a line in the struct Request of its command, whose tags request.Field explains, and its use
// in Run. That makes the flag, the JSON key, the check, the help and the schema. request.Type has
// the types that a field can have. What a result says of it is a line in the struct Result. A line
// of commands/effects_test.go says what the field changes. Help names other fields as JSON does.
//
// A field that decides which things a list has goes into the Fingerprint beside the struct as well.
// Package listing says where lists leave out things: by name, by size or by time.
//
// The definitions of all tools have a bound, and TestCommands says how many bytes are left: a field
// that a model hardly ever needs has the tag rare. A name that was a mistake before may be none
// now: then a row of testscript/requests/mistakes.table fails, and is changed by hand.
//
// # A new command
//
//	go run ./layout/newcommand NAME
//
// adds one that works. What it does and says is in commands/NAME/NAME.go: change that file, and its
// script testscript/read/NAME.txtar. In commands/all.go, where its place is that in help, and in
// samples.Requests and commands/effects_test.go it has its lines. NAME.go has
//
//	Command      the declaration: its fields are those of the type Command here
//	Request      the fields, with their tags, and Run
//	Result       what Run returns: its json tags are the answer's members, its comments the
//	             reference's; a list is a slice, never nil. It has Summary, which makes the message,
//	             and WriteText, the text form: answer.Text has what that can say
//
// Run goes through a directory as package listing says, opens a path by Env.Workspace (OpenFile,
// OpenStart, Stat: package sandbox), and reads an openfile.File by CopyTo, by ReadUpTo, or as text
// by OpenText here; textio.NewLineTally(nil) counts the lines of what is written to it. It returns
// an answer.Failure, made by answer.Failf, or the error of what it called. Env.Warn adds a warning.
// Besides, a Request or a Result may have, each of them declared here as an interface:
//
//	MemoryEstimate    of a request that holds files whole
//	Creates           of one whose path need not exist
//	AddLogStats       of a result: its numbers in the log
//	Change            of a result that changes files, which also has a field dry_run, or Preview
//
// One that changes files sets Writes, and calls what packages transaction and change have, as
// commands/mkdir/mkdir.go does in 90 lines. If undo is to undo it, its change is a step of a plan:
// package sandbox says which there are. undo.md and limits.md in docs say which commands can't be
// undone.
//
// A new tool is OptIn, or the definitions of others get shorter, so that all stay within their
// bound. Help lists one that is OptIn under "Set up", and hints name it in quotes.
//
// # A new error code
//
// It is a constant in commands/answer/failure.go, with a comment beside it that says what it means,
// and its place in CodeGroups there. The command returns
//
//	answer.Failf(answer.CodeTooPlain, "%q is too plain", name).WithHint("add something")
//
// at the place where it finds out, and has the code in Codes of its declaration. An error of the
// packages below gets its code in errors.go here instead. A script expects it: the lines
// "! fsbox write ...", "status 1", "json .error too_plain" and "json .hint ...".
//
// A command that changes files finds out in Run what the request alone tells, before anything else,
// and what the file on disk tells in the function that makes new content: its error ends the
// change, and nothing is written, not even a missing directory. In write that function is passed to
// Rewrite, whose old is the content so far and existed false for a new file; with mode append, the
// method append in write.go comes to the one in Add of commands/append/append.go, where it is
// Existed of the Edges. Workspace.Glance and Exists tell
// what was there a moment ago: another program may change it until the write.
//
// # For all
//
//	go test ./commands -run TestCommands -v
//	go test ./commands ./examples ./testscript/... -update
//
// The first lists all that is missing: the file where each thing belongs, and what to write. Run it
// until only pages are out of date. The second writes those: the reference, the schemas, a row in
// README.md and one in docs/codes.md, lists of commands in docs, the completions, the manual page,
// and texts that scripts compare. Read what git diff shows then. By hand, and only if they matter:
//
//	commands/hint/tools.txt  names that other programs have for a command, besides Aliases: a row
//	                         is a hint. Names and Aliases of commands come first, so no row is in
//	                         the way, such as that of wc, which leads to info
//	commands/hint/fields.txt hints for fields are chosen by a field that the tool has, such as
//	                         query: see that none misleads
//
// The package knows no single command, and not how a request came in or how its answer goes out.
package command
