package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// All are the changes. Their projects and patches are those of tasks, the folder bench/tasks.
func All(tasks string) []Change {
	return []Change{
		{"zod 4.1.13", filepath.Join(tasks, "zod-snowflake"), zod},
		{"cobra 1.10.1", filepath.Join(tasks, "cobra-usage-hint"), cobra},
	}
}

// recorded is the patch of the task.
func (c Change) recorded() (string, error) {
	content, err := os.ReadFile(filepath.Join(c.task, "fsbox.yaml"))
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(content)) {
		if call, is := strings.CutPrefix(line, "- patch: "); is {
			var a struct{ Patch string }
			err := json.Unmarshal([]byte(call), &a)
			return a.Patch, err
		}
	}
	return "", fmt.Errorf("%s has no patch", c.task)
}

// without leaves a file out of a patch.
func without(patch, path string) string {
	const head = "*** Update File: "
	isOf := func(part string) bool { return strings.HasPrefix(part, path+"\n") }
	return strings.Join(slices.DeleteFunc(strings.Split(patch, head), isOf), head)
}

// zod adds a string format in seven files, and fixes a function by anchors.
func zod(s *Script, patch string) {
	const schemas, locale, classic = "src/v4/core/schemas.ts", "src/v4/locales/en.ts", "src/v4/classic/schemas.ts"
	sources := func(path string) bool {
		return strings.HasPrefix(path, "src/v4/") && strings.HasSuffix(path, ".ts") && !strings.Contains(path, "/tests/") &&
			!strings.Contains(path, "/locales/")
	}
	only := func(name string) func(string) bool { return func(path string) bool { return path == name } }
	has := func(word string) func(string) bool {
		return func(line string) bool { return strings.Contains(strings.ToLower(line), word) }
	}
	find := func(word string) arguments {
		return arguments{"query": word, "path": "src/v4", "case_sensitive": false, "context": 4,
			"glob": []string{"*.ts", "!**/tests/**", "!**/locales/**"}}
	}
	s.look("ls", arguments{"path": "src/v4", "recursive": true, "max_entries": 1000}, "src/v4/core/:", "schemas.ts", "zh-TW.ts")
	s.grep(find("ksuid"), sources, has("ksuid"))
	s.read(schemas)
	token := arguments{"query": "isValidJWT(token", "path": schemas, "after": 14, "anchors": true}
	lines := s.grep(token, only(schemas), has("isvalidjwt(token"))

	// A line as it is remembered, and then as the refusal shows it.
	edit := func(line string) arguments {
		return arguments{"path": locale, "expected_text": line + "\n", "replacement_text": line + "\n    snowflake: \"snowflake ID\",\n"}
	}
	shown := s.refused("match_not_found", "edit", edit(`    ksuid: "ksuid",`), "line 56", `ksuid: "KSUID",`)
	line := s.pick(shown, `^(    ksuid: "KSUID",)$`)
	s.make("edit", edit(line), replace(locale, line+"\n", line+"\n    snowflake: \"snowflake ID\",\n", 1), "1 replacement", "line 56")

	// A change of more than was meant, undone.
	before := s.now[classic]
	s.make("edit", arguments{"path": classic, "expected_text": "ksuid", "replacement_text": "snowflake", "replace_all": true},
		replace(classic, "ksuid", "snowflake", strings.Count(before, "ksuid")), "replacements in", "+  snowflake(params?")
	s.make("undo", arguments{}, func(t tree) error { t[classic] = before; return nil },
		"undid edit of", "-  snowflake(params?", "+  ksuid(params?")

	rest := without(patch, locale)
	s.make("patch", arguments{"patch": rest}, func(t tree) error { return t.apply(rest) }, "patched 6 files", schemas+" (+18 -0)")

	// Anchors from before the patch, whose lines have moved.
	const header = `    const parsedHeader = JSON.parse(atob(header));`
	const kind = `    if ("typ" in parsedHeader && parsedHeader?.typ !== "JWT") return false;`
	const fixed = "    const parsedHeader = JSON.parse(atob(header.replace(/-/g, \"+\").replace(/_/g, \"/\")));\n" +
		"    if (\"typ\" in parsedHeader && String(parsedHeader.typ).toUpperCase() !== \"JWT\") return false;"
	anchors := func(shown string) arguments {
		return arguments{"path": schemas, "replacement_text": fixed,
			"start_anchor": s.pick(shown, `(\d+#\w{3})\W    const parsedHeader =`),
			"end_anchor":   s.pick(shown, `(\d+#\w{3})\W    if \("typ" in`)}
	}
	s.refused("stale", "edit", anchors(lines), "read them again with anchors")
	lines = s.grep(token, only(schemas), has("isvalidjwt(token"))
	s.make("edit", anchors(lines), replace(schemas, header+"\n"+kind+"\n", fixed+"\n", 1), "1 replacement")

	s.grep(find("snowflake"), sources, has("snowflake"))
	s.read(locale)
}

// cobra adds a field with its test, moves a file, and undoes a rename in five files.
func cobra(s *Script, patch string) {
	code := func(path string) bool { return strings.HasSuffix(path, ".go") && !strings.HasPrefix(path, ".") }
	s.look("ls", arguments{}, "command.go", "zsh_completions_test.go")
	s.grep(arguments{"query": "SilenceUsage|help. for usage", "use_regex": true, "context": 3, "glob": []string{"*.go"}}, code,
		func(line string) bool {
			return strings.Contains(line, "SilenceUsage") || strings.Contains(line, "help' for usage")
		})
	s.read("command.go")

	// A line as it is remembered: the hunks that fit are kept, and only the other one is sent again.
	const removed = "-\t\t\tc.PrintErrf(\"Run '%v --help' for usage"
	remembered := strings.Replace(patch, removed+".", removed, 1)
	shown := s.refused("patch_conflict", "patch", arguments{"patch": remembered}, "line 1132", "continue_patch")
	kept := s.pick(shown, `"continue_patch": "(\w+)"`)
	line := s.pick(shown, `^(\t+c\.PrintErrf\("Run .*)$`)
	_, hunk, _ := strings.Cut(patch, "@@\n-")
	_, hunk, _ = strings.Cut(hunk, "\n")
	hunk, _, _ = strings.Cut(hunk, "*** Update File")
	again := "*** Begin Patch\n*** Update File: command.go\n@@\n-" + line + "\n" + hunk + "*** End Patch"
	whole := func(t tree) error { return t.apply(patch) }
	if s.isLost("patch", arguments{"continue_patch": kept, "patch": again}, "no patch is kept as") {
		s.make("patch", arguments{"patch": patch}, whole, "patched 2 files", "command.go (+8 -1): lines 239, 1132")
	} else {
		s.made(whole, "patched 2 files", "command.go (+8 -1): lines 239, 1135")
	}

	s.make("move", arguments{"from": "args.go", "to": "arguments.go"}, func(t tree) error {
		t["arguments.go"] = t["args.go"]
		delete(t, "args.go")
		return nil
	}, `"args.go"`, `"arguments.go"`)

	// A rename, looked at, made, and undone.
	rename := arguments{"path": ".", "glob": []string{"*.go"}, "expected_text": "compCmd", "replacement_text": "completionCmd",
		"whole_word": true}
	try := maps.Clone(rename)
	try["dry_run"] = true
	s.look("edit", try, "24 replacements in 5 files", "dry run", "+\tcompletionCmd := ShellCompRequestCmd")
	before := s.now
	s.make("edit", rename, func(t tree) error {
		for path := range before {
			if code(path) && !strings.Contains(path, "/") {
				t[path] = regexp.MustCompile(`\bcompCmd\b`).ReplaceAllString(t[path], "completionCmd")
			}
		}
		return nil
	}, "24 replacements in 5 files", "completions_test.go:12")
	s.make("undo", arguments{}, func(t tree) error {
		maps.Copy(t, before)
		return nil
	}, "undid edit of 5 paths", "+\tcompCmd := ShellCompRequestCmd")

	s.look("undo", arguments{"list": true}, "undo bash_completionsV2.go", "move arguments.go", "patch command.go, command_test.go")
	s.read("command.go")
	s.look("info", arguments{"path": "arguments.go"}, "type: file", "text.lines: 131")
}
