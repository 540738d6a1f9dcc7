package commands

import "strings"

// about is what help, schemas and hints say about one command, besides what the tags of its struct
// say.
type about struct {
	name  string
	title string // for the user of an MCP client; "" if models are not offered the command

	// text is for people, and for a model that chooses among tools it has never seen: one sentence
	// on what the tool does, then when to use it or another tool, and what else matters for the
	// choice.
	text     string
	results  []Result // nil pointers of its result types, from which schemas are made
	examples []string // command lines; a test parses them
	codes    []Code   // that it can answer with, besides the first three of codeGroups
	extra    string   // hint for an argument too many, "" for none

	// habits are hints about short flags of programs such as ls, grep, sed and cp: letters, a
	// blank, and what to do instead. The flags aren't accepted: some mean another thing there than
	// they would here, and nobody would notice.
	habits []string
}

// aboutOf finds the entry of a command in abouts. For an unknown command it makes one from the
// name.
func aboutOf(command string) about {
	for i := range abouts {
		if abouts[i].name == command {
			return abouts[i]
		}
	}
	return about{name: command, title: command}
}

// habit is the hint about a short flag that other programs have, "" if a.habits has none for it.
func (a about) habit(flag string) string {
	for _, h := range a.habits {
		letters, hint, _ := strings.Cut(h, " ")
		if len(flag) == 2 && flag[0] == '-' && strings.IndexByte(letters, flag[1]) >= 0 {
			return hint
		}
	}
	return ""
}

var abouts = [...]about{
	{
		name: "info", title: "Describe a path", results: []Result{(*InfoResult)(nil)},
		text: "Tell whether a path exists, and its type, size, time and etag; for text also encoding, line ends, number of lines and " +
			"indentation.",
		examples: []string{"fsbox info src/main.go", "fsbox info --hash dist/app.tar.gz"},
		extra:    onePath,
	},
	{
		name: "ls", title: "List a folder", results: []Result{(*LsResult)(nil)},
		text: "List what is in a folder, with type, size and time; with recursive the whole tree below it, without what .gitignore " +
			"names. To find files by name use glob.",
		examples: []string{"fsbox ls src", "fsbox ls --recursive --depth 2 --pattern '*.go'",
			"fsbox ls --sort modified --max-entries 20"},
		codes: []Code{CodeInvalidGlob, CodeInvalidCursor},
		extra: onePath,
		habits: []string{"l every entry has its type, size and time anyway; as a table: --format pretty; names that begin with a dot: " +
			"--include-hidden",
			"t the newest first: --sort modified", "S the largest first: --sort size", "R all below the folder: --recursive",
			"aA names that begin with a dot: --include-hidden", "r the order can't be turned round; --sort is path, modified or size",
			"1 one path a line: --format text", "d to describe the folder itself: fsbox info",
			"niF ls has no such flag: it says type, size and time of each entry"},
	},
	{
		name: "glob", title: "Find files by name", results: []Result{(*GlobResult)(nil)},
		text:     "Find files, or folders, by a pattern such as **/*.go. Gives paths only; to find text in files use grep.",
		examples: []string{"fsbox glob '**/*.{ts,tsx}'", "fsbox glob '*_test.go' --path sandbox --sort modified"},
		codes:    []Code{CodeInvalidGlob, CodeInvalidCursor},
		extra:    "a pattern goes in quotes, so that the shell leaves it as it is",
		habits: []string{"t files, folders or both: --type file|directory|any", "aH names that begin with a dot: --include-hidden",
			"Iu ignored names, too: --no-ignore", "i case counts in patterns: [aA] is either",
			"n the name is the argument: fsbox glob '**/*.go'", "l fsbox ls gives sizes and times",
			"r folders at any depth are **/ in the pattern"},
	},
	{
		name: "read", title: "Read a file", results: []Result{(*ReadResult)(nil), (*ReadBytesResult)(nil)},
		text: "Read lines of a text file. Long files come in pages; the answer says how to go on. A negative start_line reads the end.",
		examples: []string{"fsbox read go.mod", "fsbox read src/main.go --start-line 120 --max-lines 40 --line-numbers",
			"fsbox read server.log --start-line -100"},
		codes: []Code{CodeIsBinary, CodeInvalidEncoding, CodeFileTooLarge, CodeLineOutOfRange, CodeInvalidCursor, CodeStale},
		extra: onePath + "; which lines it shows is said with --start-line and --max-lines",
		habits: []string{"n line numbers: --line-numbers; how many lines: --max-lines", "N line numbers: --line-numbers",
			"c so many bytes: --max-bytes", "l so many lines: --max-lines", "arbe as bytes: --encoding base64; with their line ends: --raw"},
	},
	{
		name: "grep", title: "Search in files", results: []Result{(*GrepResult)(nil)},
		text: "Find lines that hold a text, or match a regular expression, in all files below a folder or in one file. Leaves out " +
			"binary, hidden and ignored files, and says how many. To find files by their name use glob.",
		examples: []string{"fsbox grep TODO", `fsbox grep --use-regex 'func \w+\(ctx' --glob '*.go' -A 2`,
			"fsbox grep -i -w error logs --output-mode counts"},
		codes: []Code{CodeInvalidRegex, CodeInvalidGlob, CodeInvalidCursor, CodeFileTooLarge, CodeIsBinary},
		extra: "path is one file or folder: leave it out and choose files with --glob, or send a request for each; a query with blanks goes " +
			"in quotes",
		habits: []string{"l only the names of files: --output-mode files", "c numbers of matches: --output-mode counts",
			"rR folders are searched with all below them anyway", "nH each match has its file and line anyway",
			"a binary files are counted, not searched", "t files of one type: --file-type go", "g files by name: --glob '*.go'",
			"eEP a regular expression, in RE2 syntax: --use-regex", "F the query is literal text anyway, without --use-regex",
			"m at most so many matches: --max-matches, or --max-matches-per-file", "U across lines: --multiline --use-regex",
			"u ignored files, too: --no-ignore, and --include-hidden", "S any case: -i",
			"o the answer says where in the line the match is: match_start, match_end and submatches",
			"vL lines and files without a match can't be asked for", "q no match is a success, too: see files_matched in the answer",
			"s what can't be read is listed under skipped anyway"},
	},
	{
		name: "write", title: "Write a file", results: []Result{(*WriteResult)(nil)},
		text: "Create a file with the given content, or with mode overwrite replace all of it. To change a part of a file use edit or " +
			"patch.",
		examples: []string{"fsbox write notes.txt --content 'one line' --allow-write",
			"fsbox write src/new.go --content-file - --allow-write <new.go",
			"fsbox write config.json --mode overwrite --content '{}' --allow-write"},
		codes: []Code{CodeFileExists, CodeWriteTooLarge, CodeFileTooLarge, CodeInvalidEncoding, CodeInvalidMode, CodeIsBinary},
		extra: "the text goes into --content, or with --content-file - on standard input",
	},
	{
		name: "append", title: "Append to a file", results: []Result{(*AppendResult)(nil)},
		text: "Add text to the end of a file; creates it if it is missing.",
		examples: []string{"fsbox append CHANGES.md --content '- a fix' --ensure-newline --allow-write",
			"date | fsbox append log.txt --content-file - --allow-write"},
		codes: []Code{CodeWriteTooLarge, CodeInvalidEncoding, CodeIsBinary},
		extra: "the text goes into --content, or with --content-file - on standard input",
	},
	{
		name: "edit", title: "Edit a file", results: []Result{(*EditResult)(nil)},
		text: "Replace text in a file. Give expected_text, copied exactly from the file and long enough to be there only once, and " +
			"replacement_text; or several of these in edits, applied in order, all or none. Answers with a diff.",
		examples: []string{"fsbox edit main.go --expected-text 'v1.2' --replacement-text 'v1.3' --allow-write",
			`fsbox edit main.go --edits '[{"expected_text":"a","replacement_text":"b"}]' --dry-run --allow-write`,
			"fsbox edit - --allow-write <requests.jsonl"},
		codes: []Code{CodeMatchNotFound, CodeMultipleMatches, CodeCountMismatch, CodeEmptyExpectedText, CodeNoChange, CodeIsBinary,
			CodeInvalidEncoding, CodeFileTooLarge, CodeWriteTooLarge},
		extra: "the texts go into --expected-text and --replacement-text",
		habits: []string{"i the file itself is changed anyway; to see the change first: --dry-run", "g every place: --replace-all",
			"n to see the change first: --dry-run", "erE the text is exact, no regular expression: --expected-text and --replacement-text"},
	},
	{
		name: "patch", title: "Apply a patch", results: []Result{(*PatchResult)(nil)},
		text: "Apply a diff to one file or many, all of it or nothing: unified, git, or the *** Begin Patch form. Line numbers in it " +
			"may be off, context lines must be exact. Deleting and renaming in it need the right to delete.",
		examples: []string{"git diff | fsbox patch --allow-write", "fsbox patch --patch-file fix.diff --dry-run --allow-write"},
		codes: []Code{CodeInvalidPatch, CodePatchConflict, CodeAmbiguousPatch, CodeFileExists, CodeIsBinary, CodeInvalidEncoding,
			CodeFileTooLarge, CodeWriteTooLarge, CodeNoChange},
	},
	{
		name: "mkdir", title: "Make a folder", results: []Result{(*MkdirResult)(nil)},
		text:     "Make a folder, with the missing ones above it. write makes the folders of its file by itself.",
		examples: []string{"fsbox mkdir src/new/deep --allow-write", "fsbox mkdir src/new --no-parents --allow-write"},
		extra:    onePath,
		habits:   []string{"p missing parents are made anyway"},
	},
	{
		name: "copy", title: "Copy a file or folder", results: []Result{(*CopyResult)(nil)},
		text:     "Copy a file, or a folder with all in it.",
		examples: []string{"fsbox copy config.sample config.json --allow-write", "fsbox copy templates site --dry-run --allow-write"},
		codes:    []Code{CodeFileExists, CodeNotEmpty, CodeFileTooLarge},
		habits: []string{"rRa a folder goes with all in it anyway", "f to replace what has the name: --overwrite",
			"n nothing is replaced without --overwrite", "iv to see what would happen: --dry-run",
			"p parents are made, and mode and times kept, anyway"},
	},
	{
		name: "move", title: "Move or rename", results: []Result{(*MoveResult)(nil)},
		text: "Give a file, link or folder another path. Replaces nothing unless overwrite is set.",
		examples: []string{"fsbox move old.go src/new.go --allow-write --allow-delete",
			"fsbox move draft.md README.md --overwrite --allow-write --allow-delete"},
		codes: []Code{CodeFileExists, CodeNotEmpty, CodeFileTooLarge},
		habits: []string{"rRa a folder goes with all in it anyway", "f to replace what has the name: --overwrite",
			"n nothing is replaced without --overwrite", "iv to see what would happen: --dry-run",
			"p parents are made, and mode and times kept, anyway"},
	},
	{
		name: "delete", title: "Delete a file or folder", results: []Result{(*DeleteResult)(nil)},
		text: "Remove a file, a link or a folder. undo can bring it back.",
		examples: []string{"fsbox delete old.go --allow-write --allow-delete",
			"fsbox delete build --recursive --allow-write --allow-delete"},
		codes: []Code{CodeNotEmpty},
		extra: onePath,
		habits: []string{"rR a folder with all in it: --recursive", "f delete never asks, and a missing path is not_found",
			"iv to see what would go: --dry-run"},
	},
	{
		name: "undo", title: "Undo a change", results: []Result{(*UndoResult)(nil), (*UndoListResult)(nil)},
		text: "Take back the newest change made with these tools, or an earlier one by its backup_id; refuses if somebody changed the " +
			"files since. With list: show what can be taken back.",
		examples: []string{"fsbox undo --list --allow-write", "fsbox undo --allow-write"},
		codes:    []Code{CodeFileExists, CodeNotEmpty, CodeInvalidCursor},
	},
	{
		name: "check", title: "Show settings", results: []Result{(*CheckResult)(nil)},
		text:     "Show what is in force: the root, whether writes and deletes are allowed, limits, and the rules for blocked paths.",
		examples: []string{"fsbox check", "fsbox check --root ~/project --allow-write"},
	},
	{
		name: "schema",
		text: "Print the definitions of the tools, for a program that offers them to a model: names, descriptions, schemas of requests " +
			"and answers.",
		examples: []string{"fsbox schema", "fsbox schema edit --for openai"},
	},
	{
		name: approveName,
		text: "Let one request pass that was refused with approval_required, by its request_digest. It needs the operator's key file " +
			`(--approval-key), and prints the token that the same request sends as "approval". With --dry-run it shows what would be ` +
			"done.",
		examples: []string{"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key --dry-run",
			"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key"},
	},
	{
		name: batchName,
		text: "Read requests from standard input, one JSON object a line, each with a tool and its input, and answer each with one " +
			"line, in order. An id comes back with the answer.",
		examples: []string{`echo '{"id":1,"tool":"read","input":{"path":"go.mod"}}' | fsbox batch`,
			"fsbox batch --format text <requests.jsonl"},
	},
	{
		name: mcpName,
		text: "Serve the tools on standard input and output to a program that speaks the Model Context Protocol. It is started by that " +
			"program: put the command line into its list of servers.",
		examples: []string{"fsbox mcp --root ~/project", "fsbox mcp --root ~/project --allow-write --structured"},
	},
	{
		name:     completionName,
		text:     "Print the script that completes commands, flags and their values. Packages of fsbox bring it along.",
		examples: []string{"fsbox completion bash >~/.local/share/bash-completion/completions/fsbox", "fsbox completion fish | source"},
	},
	{
		name:     manName,
		text:     "Print the manual page in the format of man(7). Packages of fsbox bring it along.",
		examples: []string{"fsbox man >fsbox.1", "fsbox man | man -l -"},
	},
}
