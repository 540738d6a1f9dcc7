// Package samples has what tests of several packages need to know of each command: a new command
// adds lines here. TestCommands tells which are missing. What they need to know of each type of
// field is in kinds.go, and of each field in commands/effects_test.go. No program imports it.
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

// More has requests of other forms, which exclude each other, that succeed there, too.
var More = map[string][]string{
	"edit": {`{"path":"file","edits":[{"expected_text":"text","replacement_text":"other"}]}`},
	"undo": {`{"list":true}`, `{"path":"dir/file"}`},
	"read": {`{"path":"file","start_line":-1}`},
	"glob": {`{"pattern":"**","type":"any"}`},
	"grep": {`{"query":"t","output_mode":"counts","before":1}`},
	"info": {`{"path":"file","hash":true}`},
}

// Searched are the words that somebody would search for a tool by. The first 160 characters of its
// description have to have them, since hosts search there, and some show no more.
var Searched = map[string]string{
	"info": "path exists type size", "ls": "list folder directory tree", "glob": "find files pattern name", "read": "read lines file",
	"grep": "search text regex regular expression file", "write": "write file new overwrite", "append": "add text end file",
	"edit": "edit file replace text", "patch": "apply patch diff file", "mkdir": "create folder directory",
	"delete": "delete file directory", "move": "move rename file", "copy": "copy file directory", "undo": "undo change",
	"check": "show settings limits",
}
