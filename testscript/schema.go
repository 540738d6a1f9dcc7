package testscript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/commands"
	"fsbox/commands/command"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/term"
)

var schemas = flag.Bool("schemas", false, "hold every answer of every script against the schema that is published for it")

// misfitsVariable names the file in which the program of the scripts notes answers that don't fit
// their schema.
const misfitsVariable = "TESTSCRIPT_MISFITS"

// checkSchemas makes the scripts do that, and fails if there are any.
func checkSchemas(t *testing.T, p *testscript.Params) {
	file := filepath.Join(t.TempDir(), "misfits")
	setup := p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv(misfitsVariable, file)
		return setup(env)
	}
	t.Cleanup(func() {
		note, err := os.ReadFile(file)
		if err != nil {
			t.Error(err) // nothing was checked
		}
		checked := bytes.Count(note, []byte("fits\n"))
		if note = bytes.ReplaceAll(note, []byte("fits\n"), nil); len(note) > 0 || checked == 0 && !testing.Short() {
			t.Errorf("%d answers fit, others don't:\n%s", checked, note)
		}
	})
}

// runProgram is the program of the scripts.
func runProgram(args []string) int {
	misfits := os.Getenv(misfitsVariable)
	if misfits == "" || term.IsTerminal(int(os.Stdout.Fd())) { // a person gets no JSON
		return commands.Main(context.Background(), args, os.Stdin, os.Stdout, os.Stderr)
	}
	// Both come before the call: the process confines itself.
	schema := schemaOf(args)
	file, err := os.OpenFile(misfits, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil && !errors.Is(err, fs.ErrPermission) { // that is a call as another user
		panic(err)
	}
	var out bytes.Buffer
	code := commands.Main(context.Background(), args, os.Stdin, io.MultiWriter(os.Stdout, &out), os.Stderr)
	if file != nil && schema != nil {
		fmt.Fprint(file, misfitsOf(args, schema, &out))
		file.Close()
	}
	return code
}

// schemaOf is the schema of the answers of a call of one tool, nil for any other call.
func schemaOf(args []string) *jsonschema.Resolved {
	isTool := func(name string) bool {
		return slices.ContainsFunc(commands.All(), func(t command.Command) bool { return t.Name == name && !t.HostOnly })
	}
	if len(args) == 0 || !isTool(args[0]) {
		return nil
	}
	return closedSchema(args[0])
}

// misfitsOf has a line for every answer of a call of one tool.
func misfitsOf(args []string, schema *jsonschema.Resolved, out io.Reader) string {
	var note strings.Builder
	for lines := json.NewDecoder(out); ; {
		var answer map[string]any
		if lines.Decode(&answer) != nil || answer["message"] == nil { // text, or help
			return note.String()
		}
		delete(answer, "id")
		code, _ := answer["error"].(string)
		if code != "" && !commands.KnownCode(args[0], code) {
			fmt.Fprintf(&note, "%q: help says nothing of %s\n", args, code)
		} else if err := schema.Validate(answer); err != nil {
			fmt.Fprintf(&note, "%q: %v: %v\n", args, err, answer)
		} else {
			note.WriteString("fits\n")
		}
	}
}

// closedSchema is the schema of a tool's answers, with no members but those it names.
func closedSchema(tool string) *jsonschema.Resolved {
	before := os.Environ()
	for _, variable := range before { // what a script sets may be wrong on purpose
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "FSBOX_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("XDG_CONFIG_HOME", "/nowhere")
	var out bytes.Buffer
	args := []string{"schema", tool, "--root", os.TempDir(), "--allow-write", "--allow-delete", "--no-backup"}
	RunHere(args, strings.NewReader(""), &out, io.Discard)
	os.Clearenv()
	for _, variable := range before {
		name, value, _ := strings.Cut(variable, "=")
		os.Setenv(name, value)
	}
	var answer struct {
		Result struct{ Tools []struct{ OutputSchema any } }
	}
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		panic(err)
	}
	closeObjects(answer.Result.Tools[0].OutputSchema)
	var schema jsonschema.Schema
	if err := json.Unmarshal(must(json.Marshal(answer.Result.Tools[0].OutputSchema)), &schema); err != nil {
		panic(err)
	}
	return must(schema.Resolve(nil))
}

func closeObjects(schema any) {
	switch s := schema.(type) {
	case map[string]any:
		for _, inner := range s {
			closeObjects(inner)
		}
		if _, isSchema := s["properties"].(map[string]any); isSchema {
			s["additionalProperties"] = false
		}
	case []any:
		for _, inner := range s {
			closeObjects(inner)
		}
	}
}
