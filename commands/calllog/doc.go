// Package calllog writes one line of JSON for each call. Log.Begin takes from a call what its line
// says before the call may change its request, Entry.End adds what came of it and hands the line to
// a writer that holds up no call (writer.go). It has no contents of files, ever.
package calllog
