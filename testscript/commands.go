package testscript

import (
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// takes is a command of scripts that isn't negated, and whose arguments its usage names.
func takes(usage string, do func(ts *testscript.TestScript, args []string)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != strings.Count(usage, " ") {
			ts.Fatalf("usage: %s", usage)
		}
		do(ts, args)
	}
}

// status checks how the last program ended. testscript keeps only whether it failed, so the answer
// has to tell: see exit codes in docs/codes.md. The text of stdout decides for both.
func status(ts *testscript.TestScript, args []string) {
	got := 0
	for _, a := range answers(ts) {
		code, _ := a["error"].(string)
		switch {
		case code == "invalid_input" || code == "unknown_tool":
			got = 2
		case code != "":
			got = max(got, 1)
		}
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("status %d, want %s", got, args[0])
	}
}

// answers parses standard output: JSON objects, one a line, and nothing else.
func answers(ts *testscript.TestScript) []map[string]any {
	var all []map[string]any
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var a map[string]any
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			ts.Fatalf("not a JSON line: %v: %s", err, line)
		}
		all = append(all, a)
	}
	return all
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	all := answers(ts)
	n := len(all)
	if len(args) > 1 && args[0] == "-line" {
		n, _ = strconv.Atoi(args[1])
		args = args[2:]
	}
	if n < 1 || n > len(all) {
		ts.Fatalf("there is no answer %d, there are %d", n, len(all))
	}
	if len(args) == 0 || (!neg && len(args) != 2) {
		ts.Fatalf("usage: json [-line N] PATH VALUE, or ! json [-line N] PATH [VALUE]")
	}
	got, found := member(all[n-1], args[0])
	if neg && len(args) == 1 {
		if found {
			ts.Fatalf("%s is there: %v", args[0], got)
		}
		return
	}
	if !found {
		ts.Fatalf("there is no %s in %v", args[0], all[n-1])
	}
	if equal := reflect.DeepEqual(got, parseValue(args[1])); equal == neg {
		text, _ := json.Marshal(got)
		ts.Fatalf("%s is %s, want %s%s", args[0], text, map[bool]string{true: "anything but "}[neg], args[1])
	}
}

// keep sets a variable to a member of the last answer: a cursor, an etag.
func keep(ts *testscript.TestScript, args []string) {
	all := answers(ts)
	if len(all) == 0 {
		ts.Fatalf("there is no answer")
	}
	value, found := member(all[len(all)-1], args[1])
	if !found {
		ts.Fatalf("there is no %s in %v", args[1], all[len(all)-1])
	}
	text, isText := value.(string)
	if !isText {
		raw, err := json.Marshal(value)
		ts.Check(err)
		text = string(raw)
	}
	ts.Setenv(args[0], text)
}

// member follows a path such as .result.entries.0.name; "#" is the length of a list, and a word
// is the element of a list that has this name, or that is this word.
func member(v any, path string) (any, bool) {
	for name := range strings.SplitSeq(strings.Trim(path, "."), ".") {
		switch x := v.(type) {
		case map[string]any:
			next, ok := x[name]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			if name == "#" {
				return float64(len(x)), true
			}
			i, err := strconv.Atoi(name)
			if err != nil {
				i = slices.IndexFunc(x, func(element any) bool { return nameOf(element) == name })
			}
			if i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// nameOf is the name of an element of a list: a definition of a tool has it as its member name.
func nameOf(element any) any {
	if object, ok := element.(map[string]any); ok {
		return object["name"]
	}
	return element
}

// parseValue reads a JSON value; what is none is a string.
func parseValue(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}

func unquote(ts *testscript.TestScript, text string) []byte {
	s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	if err != nil {
		ts.Fatalf("bad escapes in %q: %v", text, err)
	}
	return []byte(s)
}

func makeFile(ts *testscript.TestScript, args []string) {
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o777))
	ts.Check(os.WriteFile(file, unquote(ts, args[1]), 0o666))
}

func holds(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: holds FILE TEXT")
	}
	got, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	if want := unquote(ts, args[1]); bytes.Equal(got, want) == neg {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

func socket(ts *testscript.TestScript, args []string) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: ts.MkAbs(args[0]), Net: "unix"})
	ts.Check(err)
	l.SetUnlinkOnClose(false)
	ts.Check(l.Close())
}

func sparse(ts *testscript.TestScript, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	ts.Check(errors.Join(f.Truncate(size), f.Close()))
}

func fifo(ts *testscript.TestScript, args []string) {
	ts.Check(exec.Command("mkfifo", ts.MkAbs(args[0])).Run())
}
