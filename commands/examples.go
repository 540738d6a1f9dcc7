package commands

import "github.com/alecthomas/kong"

// examples are command lines for the help of a command. A test parses them.
func examples(command string) []string {
	switch command {
	case "info":
		return []string{"fsbox info src/main.go", "fsbox info --hash dist/app.tar.gz"}
	case "ls":
		return []string{"fsbox ls src", "fsbox ls --recursive --depth 2 --pattern '*.go'", "fsbox ls --sort modified --max-entries 20"}
	case "glob":
		return []string{"fsbox glob '**/*.{ts,tsx}'", "fsbox glob '*_test.go' --path sandbox --sort modified"}
	case "read":
		return []string{"fsbox read go.mod", "fsbox read src/main.go --start-line 120 --max-lines 40 --line-numbers",
			"fsbox read server.log --start-line -100"}
	case "grep":
		return []string{"fsbox grep TODO", `fsbox grep --use-regex 'func \w+\(ctx' --glob '*.go' -A 2`,
			"fsbox grep -i -w error logs --output-mode counts"}
	case "write":
		return []string{"fsbox write notes.txt --content 'one line' --allow-write", "fsbox write src/new.go --content-file - --allow-write <new.go",
			"fsbox write config.json --mode overwrite --content '{}' --allow-write"}
	case "append":
		return []string{"fsbox append CHANGES.md --content '- a fix' --ensure-newline --allow-write",
			"date | fsbox append log.txt --content-file - --allow-write"}
	case "edit":
		return []string{"fsbox edit main.go --expected-text 'v1.2' --replacement-text 'v1.3' --allow-write",
			`fsbox edit main.go --edits '[{"expected_text":"a","replacement_text":"b"}]' --dry-run --allow-write`}
	case "patch":
		return []string{"git diff | fsbox patch --allow-write", "fsbox patch --patch-file fix.diff --dry-run --allow-write"}
	case "mkdir":
		return []string{"fsbox mkdir src/new/deep --allow-write", "fsbox mkdir src/new --no-parents --allow-write"}
	case "copy":
		return []string{"fsbox copy config.sample config.json --allow-write", "fsbox copy templates site --dry-run --allow-write"}
	case "move":
		return []string{"fsbox move old.go src/new.go --allow-write --allow-delete",
			"fsbox move draft.md README.md --overwrite --allow-write --allow-delete"}
	case "delete":
		return []string{"fsbox delete old.go --allow-write --allow-delete", "fsbox delete build --recursive --allow-write --allow-delete"}
	case "undo":
		return []string{"fsbox undo --list --allow-write", "fsbox undo --allow-write"}
	case "check":
		return []string{"fsbox check", "fsbox check --root ~/project --allow-write"}
	case "schema":
		return []string{"fsbox schema", "fsbox schema edit --for openai"}
	case approveName:
		return []string{"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key --dry-run",
			"fsbox approve 5c1f...e09b --approval-key ~/.config/fsbox/key"}
	case batchName:
		return []string{`echo '{"id":1,"tool":"read","input":{"path":"go.mod"}}' | fsbox batch`, "fsbox batch --format text <requests.jsonl"}
	case completionName:
		return []string{"fsbox completion bash >~/.local/share/bash-completion/completions/fsbox", "fsbox completion fish | source",
			"fsbox completion powershell | Out-String | Invoke-Expression"}
	case manName:
		return []string{"fsbox man >fsbox.1", "fsbox man | man -l -"}
	case mcpName:
		return []string{"fsbox mcp --root ~/project", "fsbox mcp --root ~/project --allow-write --structured"}
	}
	return nil
}

// withDefault adds the default to the help of a flag, unless the help names it already.
func withDefault(value *kong.Value) string {
	switch {
	case !value.HasDefault, value.Default == "", value.Default == "0", kong.HasInterpolatedVar(value.OrigHelp, "default"):
		return value.Help
	case value.Default == "." && value.Name == "root":
		return value.Help + " Default: the current folder."
	case value.Default == ".":
		return value.Help + " Default: the root."
	}
	return value.Help + " Default: " + value.Default + "."
}
