// Package commands is the program: it reads command lines and JSON, runs one command, and writes
// the answer. It is the only package that prints, reads standard input, or knows an exit status.
//
// # Wire format
//
// A request is a JSON object with the fields of one command's struct, or the same as flags. These
// four are the same request:
//
//	fsbox read go.mod --max-lines 1
//	fsbox read --json '{"path":"go.mod","max_lines":1}'
//	echo '{"path":"go.mod","max_lines":1}' | fsbox read -
//	echo '{"tool":"read","input":{"path":"go.mod","max_lines":1}}' | fsbox batch
//
// With MCP, the object is the arguments of a call of the tool read (mcp.go).
//
// The answer is one JSON object on one line, whatever happens:
//
//	{"success":true,"result":{...},"message":"read 1 line of 13 of \"go.mod\""}
//	{"success":false,"error":"not_found","message":"\"go.mdo\" does not exist",
//	 "hint":"did you mean \"go.mod\"?","details":{"path":"go.mdo","similar":["go.mod"]}}
//
// Its members, always in this order:
//
//	id         the request's "id", if it had one: any JSON value
//	success    true or false
//	result     what was asked for; the Result of the command's package
//	error      one of the Code constants, instead of a result
//	message    one lower-case sentence
//	hint       the next step; absent if there is none to name
//	retryable  true if the same request may succeed later; else absent
//	details    typed per code: PathDetails, MissDetails, PlacesDetails, ...
//	warnings   list of sentences; absent if there are none
//
// Lists are never null. Times are seconds since 1970 with a fraction, sizes are bytes, lines count
// from 1, columns and offsets in lines are code points. Paths are relative to the root, "/"
// separated, "." for the root itself; a name that isn't UTF-8 shows U+FFFD, and path_base64 beside
// it has its bytes. Every path field of a request has such a raw bytes field too.
//
// What stops at a limit says so: truncated is true only if there is at least one thing more,
// truncated_by names the limit, next_cursor continues after it. What could not be read is listed
// under skipped as {path, error}, and what a filter left out is counted: hidden, ignored, blocked,
// binary.
//
// The exit status is 0 for success, 2 for a request that could not be understood, 1 for one that
// failed; for a stream, the worst of its answers.
//
// That is --format json. With text an answer is what a model or a person reads, rendered from the
// same structs by answer/text.go; in a stream it is one line,
// {"id":...,"success":...,"text":"..."}. At a terminal text has colours and tables. With pretty it
// has tables wherever it goes, except in a stream.
//
// # How a request runs
//
// A command line is read by cmdline.Parse, a JSON object by request.ParseObject and request.Fill.
// Both end in a command.Call with the same filled struct. From there on the session does the same
// for both: the values are checked against the struct's tags, then the permissions, Run does the
// work, and command.FailureOf finds the code of an error. The tags on a command's struct are the
// only declaration of a flag, a field, a default and a help sentence.
package commands
