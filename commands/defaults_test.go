package commands

import (
	"fmt"
	"io"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
)

// absentValues are the ways to send a field so that it says nothing.
func absentValues(f request.Field, t reflect.Type) []string {
	switch {
	case f.Need:
		return nil
	case t.Kind() == reflect.Slice:
		return []string{"null", "[]"}
	case t.Kind() == reflect.Pointer, request.IsInteger(f.Kind) && !f.HasDef:
		return []string{"null"}
	case f.Type == request.DurationType:
		return []string{"null", fmt.Sprintf("%q", f.Def)}
	case f.Kind == reflect.Bool && !f.HasDef:
		return []string{"null", "false"}
	case f.Kind == reflect.String:
		return []string{"null", fmt.Sprintf("%q", f.Def)}
	}
	return []string{"null", f.Def}
}

// answerTo carries out a request in a workspace of its own, and leaves out of the answer what no
// two calls share.
func answerTo(t *testing.T, tool command.Command, request string) string {
	t.Helper()
	env, root := filledEnv(t)
	env.Limits.MaxResults, env.Limits.MaxOutputBytes = 5, 1000 // less than some defaults
	a := Program{Stdout: io.Discard, Commands: All()}.answerJSON(t.Context(), env, tool, []byte(request))
	varies := regexp.MustCompile(`"(etag|backup_id|id|modified|time|state_dir|config_file)":("[^"]*"|[0-9.]+)|backup [0-9a-z]+`)
	escaped := strings.ReplaceAll(root, `\`, `\\`) // on Windows
	quoted := strings.ReplaceAll(escaped, `\`, `\\`)
	return strings.NewReplacer(quoted, "ROOT", escaped, "ROOT").Replace(varies.ReplaceAllString(lineOf(a), "-"))
}

// A field that is sent with its default is as if it were not sent: alone, and beside all others
// that say nothing. With -short it is all together.
func TestDefaultsSayNothing(t *testing.T) {
	t.Parallel()
	for _, tool := range sampled() {
		for _, base := range append(more[tool.Name], sampleRequest(t, tool.Name)) {
			want := answerTo(t, tool, base)
			if !strings.HasPrefix(want, `{"success":true`) {
				t.Errorf("%s %s: %s", tool.Name, base, want)
			}
			all := silentFields(t, tool, base)
			if testing.Short() || runtime.GOOS == "windows" { // each answer takes 0.1 s under Wine
				all = all[max(len(all)-1, 0):]
			}
			for _, added := range all {
				request := strings.TrimPrefix(strings.TrimSuffix(base, "}")+","+added+"}", "{,")
				if !strings.HasPrefix(request, "{") {
					request = "{" + request
				}
				if got := answerTo(t, tool, request); got != want {
					t.Errorf("%s %s:\n%swant\n%s", tool.Name, request, got, want)
				}
			}
		}
	}
}

// silentFields gives, as JSON members, every field that base lacks with each value that says
// nothing, and last all of them.
func silentFields(t *testing.T, tool command.Command, base string) []string {
	t.Helper()
	var all, last []string
	c := command.NewCall(tool)
	o, fail := request.ParseObject([]byte(base))
	if fail != nil {
		t.Fatal(fail)
	}
	has := map[string]bool{}
	for _, m := range o.Members {
		has[m.Name] = true
	}
	for _, f := range c.Fields {
		var values []string
		if !has[f.Name] {
			values = absentValues(f, c.Value.Field(f.Index).Type())
		}
		for _, value := range values {
			all = append(all, fmt.Sprintf("%q:%s", f.Name, value))
		}
		if len(values) > 0 {
			last = append(last, all[len(all)-1])
		}
		if f.IsPath() {
			all = append(all, fmt.Sprintf(`%q:""`, f.Name+words.Base64Suffix))
			last = append(last, all[len(all)-1])
		}
	}
	if len(last) > 0 {
		all = append(all, strings.Join(last, ","))
	}
	return all
}
