// Package samples has what tests of several packages need to know of each command: a new command
// adds lines here. TestCommands tells which are missing. What they need to know of each type of
// field is in kinds.go. commands/effects_test.go has what only package commands needs. No program
// imports it.
package samples

// Requests has a request of each command, as JSON, that succeeds in a workspace with the files
// "file" and "dir/file", and a change that can be undone.
var Requests = map[string]string{
	"info": `{"path":"dir"}`, "ls": `{}`, "glob": `{"pattern":"*"}`, "read": `{"path":"file"}`, "grep": `{"query":"text"}`, "check": `{}`,
	"mkdir": `{"path":"new/dir"}`,
	"write": `{"path":"file","content":"other","mode":"overwrite"}`, "append": `{"path":"file","content":"more"}`,
	"edit": `{"path":"file","expected_text":"text","replacement_text":"other"}`,
	"copy": `{"from":"file","to":"new/copy"}`, "move": `{"from":"dir","to":"moved"}`, "delete": `{"path":"dir","recursive":true}`,
	"undo": `{}`, "patch": `{"patch":"--- file\n+++ file\n@@ -1 +1 @@\n-text\n+other\n"}`,
	"schema": `{"tool":"read"}`,
}
