package commands

import (
	"context"
	"fsbox/commands/answer"
	"fsbox/commands/cmdline"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// No text makes reading a request panic. What is taken is refused with a key that is unknown or
// appears twice, and what is refused is invalid_input.
func FuzzDecode(f *testing.F) {
	for _, seed := range requestSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		o, fail := request.ParseObject(raw)
		for _, tool := range All() {
			c := command.NewCall(tool)
			refused := fail
			if refused == nil {
				refused = c.Decode(o)
			}
			if refused == nil {
				refused = request.CheckFields(c.Value, c.Fields, c.Given, &request.Limits{MaxResults: 10, MaxOutputBytes: 10})
			}
			if refused != nil {
				if refused.Code != answer.CodeInvalidInput || refused.Message == "" {
					t.Fatalf("%s %q: %s %q", tool.Name, raw, refused.Code, refused.Message)
				}
				continue
			}
			for name := range c.Given {
				if !slices.Contains(request.Names(c.Fields), name) {
					t.Fatalf("%s %q: given %q", tool.Name, raw, name)
				}
			}
			mustRefuse(t, tool, o, request.Member{Name: "no_such_field", Value: jsontext.Value("1")})
			for _, m := range o.Members {
				if m.Value.Kind() != 'n' {
					mustRefuse(t, tool, o, m)
				}
			}
		}
	})
}

// mustRefuse adds a member to a request that was taken.
func mustRefuse(t *testing.T, tool command.Command, o request.Object, m request.Member) {
	t.Helper()
	more := request.Object{Members: append(slices.Clone(o.Members), m)}
	if fail := command.NewCall(tool).Decode(more); fail == nil || fail.Code != answer.CodeInvalidInput {
		t.Fatalf("%s takes %q=%s after %v", tool.Name, m.Name, m.Value, o.Members)
	}
}

// Whatever a stream holds, each answer is one line with a known code or success, and the program
// goes on to the end.
func FuzzBatch(f *testing.F) {
	for _, seed := range requestSeeds {
		f.Add("ls", []byte(seed))
		f.Add("grep", []byte(seed))
		f.Add("write_file", []byte(seed))
	}
	for _, seed := range streamSeeds {
		f.Add("read", []byte(seed))
	}
	known := map[answer.Code]bool{}
	for _, g := range answer.CodeGroups() {
		for _, code := range g.Codes {
			known[code] = true
		}
	}
	f.Fuzz(func(t *testing.T, tool string, input []byte) {
		line, err := jsontext.AppendQuote([]byte(`{"id":"first","tool":`), tool)
		if err != nil {
			return
		}
		line = append(append(append(line, `,"input":`...), input...), "}\n"...)
		line = append(line, `{"id":"last","tool":"ls"}`...)
		env := testEnv(t, settings.Settings{})
		var out strings.Builder
		p := Program{Stdin: strings.NewReader(string(line)), Stdout: &out, Stderr: io.Discard, Commands: All()}
		p.serveBatch(context.Background(), env, cmdline.Batch{})
		all := answersIn(t, out.String())
		for _, a := range all {
			if a.Success == (a.Error != "") || a.Error != "" && !known[a.Error] || a.Message == "" {
				t.Fatalf("%q is answered by %+v", line, a)
			}
		}
		if last := all[len(all)-1]; string(last.ID) != `"last"` || !last.Success {
			t.Fatalf("%q ends with %+v", line, last)
		}
	})
}
