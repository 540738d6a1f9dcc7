package commands

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/session"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// effectOf are the requests of a line of effects, without the field and with it; "" if there is no
// such line.
func effectOf(t *testing.T, cmd, field string) (without, value string) {
	t.Helper()
	for line := range strings.Lines(effects) {
		if rest, ok := strings.CutPrefix(line, cmd+" "+field+" "); ok {
			without, value, ok = strings.Cut(strings.TrimSpace(rest), " => ")
			if !ok {
				t.Fatalf("no => in %s", line)
			}
			return without, value
		}
	}
	return "", ""
}

// lackEffects are the fields of a command that effects has no line for.
func lackEffects(t *testing.T, tool command.Command) (lacking []string) {
	for _, f := range command.NewCall(tool).Fields {
		without, _ := effectOf(t, tool.Name, f.Name)
		if without == "" && idle[f.Name] == "" && idle[tool.Name+" "+f.Name] == "" {
			lacking = append(lacking, f.Name)
		}
	}
	return lacking
}

// effectsEnv is the workspace of filledEnv, with more files in it.
func effectsEnv(t *testing.T) (*session.Session, string) {
	env, root := filledEnv(t)
	for name, content := range map[string]string{"words.go": "package words\n\nfunc texts() {\n\tText()\n}\n", ".hidden": "text\n",
		".ignore": "ignored\n", "dir/deep/ignored": "text\n", "dir/deep/other.go": "text\n\n\nmore\n", "latin": "caf\xe9\n",
		"crlf": "a\r\nb\r\n", "unended": "a"} {
		writeFile(t, filepath.Join(root, filepath.FromSlash(name)), content)
	}
	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(root, "crlf"), old, old); err != nil {
		t.Fatal(err)
	}
	return env, root
}

// outcome is the answer to a request in a workspace of its own, in both forms, and what is on the
// disk then.
func outcome(t *testing.T, tool command.Command, raw string) (all string, a answer.Answer) {
	t.Helper()
	env, root := effectsEnv(t)
	a = Program{Stdout: io.Discard, Commands: All()}.answerJSON(t.Context(), env, tool, []byte(raw))
	var text strings.Builder
	if err := a.WriteText(&text, nil); err != nil {
		t.Fatal(err)
	}
	varies := regexp.MustCompile(`"(etag|next_cursor|backup_id|id|modified|time|state_dir)":("[^"]*"|[0-9.]+)|backup [0-9a-z]+|(\w+ )?\d{4}-\d\d-\d\dT.*`)
	times := regexp.MustCompile(`(?m) \d{4}-\d\d-\d\d .*$`)
	all = varies.ReplaceAllString(lineOf(a)+text.String(), "-") + times.ReplaceAllString(snapshot(t, root), "")
	return strings.ReplaceAll(all, root, "ROOT"), a
}

// withoutEffect are the fields that change nothing of what comes of their request in effects: one
// whose use was forgotten would go unnoticed.
func withoutEffect(t *testing.T) (missing []string) {
	t.Helper()
	outcomes := map[string]string{} // of requests without the field
	for _, tool := range All() {
		for _, f := range command.NewCall(tool).Fields {
			without, value := effectOf(t, tool.Name, f.Name)
			if without == "" {
				continue
			}
			before, a := outcomes[tool.Name+without], answer.Answer{}
			if before == "" || value == "CURSOR" {
				before, a = outcome(t, tool, without)
				outcomes[tool.Name+without] = before
				if again, _ := outcome(t, tool, without); again != before {
					missing = append(missing, fmt.Sprintf("%s %s: two calls differ, so nothing is known of its fields, from line %d on:\n%s\n%s",
						tool.Name, without, firstDifference([]byte(before), []byte(again)), before, again))
				}
			}
			with := withField(t, without, f.Name, strings.NewReplacer("CURSOR", nextCursor(t, a), "ETAG", `"sha256:0"`).Replace(value))
			if after, _ := outcome(t, tool, with); after == before {
				missing = append(missing, fmt.Sprintf("%s: %s changes nothing: %s", tool.Name, f.Name, after))
			}
		}
	}
	return missing
}

// unmarked are the fields of a command that aren't in the fingerprint of its request: with them a
// cursor would be taken for a page of another list.
func unmarked(t *testing.T, tool command.Command) (fields []string) {
	t.Helper()
	fingerprint := func(raw string) string {
		c := command.NewCall(tool)
		o, fail := request.ParseObject([]byte(raw))
		if fail == nil {
			fail = c.Decode(o)
		}
		if fail == nil {
			fail = c.Check(testLimits())
		}
		if fail != nil {
			t.Fatalf("%s %s: %s", tool.Name, raw, fail.Message)
		}
		return c.Request.(fingerprinted).Fingerprint(".")
	}
	if _, ok := tool.New().(fingerprinted); !ok {
		return nil
	}
	for _, f := range command.NewCall(tool).Fields {
		without, value := effectOf(t, tool.Name, f.Name)
		if without != "" && samePage[f.Name] == "" && fingerprint(without) == fingerprint(withField(t, without, f.Name, value)) {
			fields = append(fields, f.Name)
		}
	}
	return fields
}

// fingerprinted is a request whose cursor has a fingerprint of it.
type fingerprinted interface{ Fingerprint(asked string) string }

// nextCursor is the next_cursor of an answer as JSON.
func nextCursor(t *testing.T, a answer.Answer) string {
	t.Helper()
	var got struct {
		Result struct {
			NextCursor jsontext.Value `json:"next_cursor"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(lineOf(a)), &got); a.Result != nil && err != nil {
		t.Fatal(err)
	}
	return string(got.Result.NextCursor)
}

// withField sets a member of a request.
func withField(t *testing.T, raw, name, value string) string {
	t.Helper()
	o, fail := request.ParseObject([]byte(raw))
	if fail != nil {
		t.Fatal(fail)
	}
	members := slices.DeleteFunc(o.Members, func(m request.Member) bool { return m.Name == name })
	var all []string
	for _, m := range append(members, request.Member{Name: name, Value: jsontext.Value(value)}) {
		all = append(all, fmt.Sprintf("%q:%s", m.Name, m.Value))
	}
	return "{" + strings.Join(all, ",") + "}"
}
