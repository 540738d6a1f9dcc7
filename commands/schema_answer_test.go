package commands

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fsbox/commands/command"
	"fsbox/commands/schema"
	"fsbox/commands/session"
	"fsbox/commands/settings"

	"github.com/google/jsonschema-go/jsonschema"
)

// closedAnswers is the schema of a tool's answers, with no members but those it names: so a member
// that it lacks is found.
func closedAnswers(t *testing.T, tool command.Command) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema.AnswerSchema(tool), &s); err != nil {
		t.Fatal(err)
	}
	forEachSchema(&s, func(s *jsonschema.Schema) {
		if s.Properties != nil {
			s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	})
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// answeredCalls are requests whose answers differ in form: "TOOL REQUEST", in the workspace of
// variedEnv. Later ones see what the earlier ones changed.
const answeredCalls = `
info {"path":"absent"}
info {"path":"code.go","hash":true,"absolute":true}
info {"path":"link"}
info {"path":"dangling"}
info {"path":"picture.png"}
info {}
info {"path":"../x"}
ls {"recursive":true,"include_hidden":true}
ls {"max_entries":2}
ls {"path":"code.go"}
glob {"pattern":"**","type":"any"}
glob {"pattern":"**/*","limit":1,"sort":"modified"}
glob {"pattern":"{"}
read {"path":"code.go","max_lines":1}
read {"path":"code.go","max_line_chars":5}
read {"path":"empty"}
read {"path":"long","start_line":-2}
read {"path":"picture.png"}
read {"path":"code.go","start_line":99}
read {"path":"code.og"}
grep {"query":"o","max_matches":2,"context":1}
grep {"query":"a.*\n.*o","use_regex":true,"multiline":true,"before":1}
grep {"query":"o","output_mode":"files"}
grep {"query":"o","output_mode":"counts","max_matches_per_file":1}
grep {"query":"nothing like it"}
grep {"query":"(","use_regex":true}
grep {"query":"wide","path":"long"}
write {"path":"made/by/write","content":"a\nb\n"}
write {"path":"code.go","content":"x\n"}
write {"path":"code.go","content":"package main\n\nvar oo = 1\n","mode":"overwrite","dry_run":true}
write {"path":"code.go","content":"more\n","mode":"append"}
write {"path":"new","content":"x","mode":"other"}
append {"path":"code.go","content":"end"}
append {"path":"code.go","content":"end","ensure_newline":true,"dry_run":true}
edit {"path":"code.go","expected_text":"package main","replacement_text":"package other"}
edit {"path":"code.go","edits":[{"expected_text":"other","replacement_text":"main"},{"expected_text":"n","replacement_text":"m","replace_all":true}]}
edit {"path":"code.go","expected_text":"nowhere","replacement_text":"x"}
edit {"path":"code.go","expected_text":"m","replacement_text":"x"}
patch {"patch":"--- a/made/by/write\n+++ b/made/by/write\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n"}
patch {"patch":"*** Begin Patch\n*** Delete File: empty\n*** Add File: added\n+text\n*** Update File: made/by/write\n*** Move to: moved\n@@\n-A\n+a\n*** End Patch\n"}
patch {"patch":"--- a/code.go\n+++ b/code.go\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n"}
patch {"patch":"nonsense"}
mkdir {"path":"deep/er"}
mkdir {"path":"deep/er"}
copy {"from":"code.go","to":"copied/code.go"}
copy {"from":"made","to":"copied/made"}
move {"from":"copied","to":"elsewhere","dry_run":true}
move {"from":"copied","to":"elsewhere"}
delete {"path":"elsewhere"}
delete {"path":"elsewhere","recursive":true}
delete {"path":"link"}
undo {"list":true}
undo {"dry_run":true}
undo {}
undo {}
undo {"backup_id":"none"}
check {}
`

// variedEnv is a workspace with something of everything.
func variedEnv(t *testing.T) *session.Session {
	t.Helper()
	root := t.TempDir()
	writeFile(t, filepath.Join(root, "code.go"), "package main\n\nvar foo = \"o\"\nfunc main() {}\n")
	writeFile(t, filepath.Join(root, "empty"), "")
	writeFile(t, filepath.Join(root, "long"), strings.Repeat("x", 500)+"wide"+strings.Repeat("wide ", 500)+"\nlast\r\n")
	writeFile(t, filepath.Join(root, "picture.png"), "\x89PNG\r\n\x1a\n\x00\x00")
	writeFile(t, filepath.Join(root, ".env"), "secret")
	writeFile(t, filepath.Join(root, ".hidden"), "o\n")
	writeFile(t, filepath.Join(root, ".gitignore"), "*.log\n")
	writeFile(t, filepath.Join(root, "some.log"), "o\n")
	if runtime.GOOS == "linux" {
		writeFile(t, filepath.Join(root, "no\xffname.go"), "foo\n")
	}
	for name, target := range map[string]string{"link": "code.go", "dangling": "absent"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	return testEnv(t, settings.Settings{Root: root, AllowWrite: true, AllowDelete: true})
}

// What a tool answers is what its schema says, to the last member.
func TestAnswersFitTheirSchema(t *testing.T) {
	env := variedEnv(t)
	schemas, succeeded := map[string]*jsonschema.Resolved{}, map[string]int{}
	for line := range strings.Lines(strings.TrimSpace(answeredCalls)) {
		name, request, _ := strings.Cut(strings.TrimSpace(line), " ")
		tool, ok := command.Find(All(), name)
		if !ok {
			t.Fatalf("there is no tool %q", name)
		}
		if schemas[name] == nil {
			schemas[name] = closedAnswers(t, tool)
		}
		a := Program{Stdout: io.Discard, Commands: All()}.answerJSON(t.Context(), env, tool, []byte(request))
		if a.Success {
			succeeded[name]++
		}
		if err := schemas[name].Validate(parsed(t, lineOf(a))); err != nil {
			t.Errorf("%s %s: %v\n%s", name, request, err, lineOf(a))
		}
	}
	for _, tool := range command.ForModels(sampled()) {
		if succeeded[tool.Name] > 0 {
			continue
		}
		own, _ := filledEnv(t)
		a := performed(t.Context(), own, nil, sampleCall(t, tool))
		if err := closedAnswers(t, tool).Validate(parsed(t, lineOf(a))); err != nil || !a.Success {
			t.Errorf("%s: %v\n%s", tool.Name, err, lineOf(a))
		}
	}
}
