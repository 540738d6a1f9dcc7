package commands

import (
	"errors"
	"fmt"
	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// fakeSystem is an environment made of variables, with folders for the home and for the user's
// config.
func fakeSystem(vars map[string]string, home, config string) settings.Environment {
	return settings.Environment{
		Lookup: func(name string) (string, bool) { text, ok := vars[name]; return text, ok },
		All: func() []string {
			var all []string
			for name, text := range vars {
				all = append(all, name+"="+text)
			}
			return all
		},
		Home: home, Config: config, Stderr: io.Discard, Now: time.Now,
	}
}

func defaultSettings(t *testing.T) settings.Settings {
	t.Helper()
	var s settings.Settings
	v := reflect.ValueOf(&s).Elem()
	request.SetDefaults(v, request.Fields(v.Type()))
	return s
}

func writeFile(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// openWith opens a session as the program does.
func openWith(s settings.Settings, given map[string]bool, system settings.Environment) (*session.Session, *answer.Failure) {
	if fail := s.TakeEnvironment(given, system); fail != nil {
		return nil, fail
	}
	return session.Open(s, given, system, All())
}

// layers are three values of a setting: as JSON in the file, as text in the environment, as text of
// a flag.
func layers(t *testing.T, f request.Field, of reflect.Type) (file, env, flag string) {
	if f.Name == "tools" {
		return `"read"`, "grep", "-ls"
	}
	switch {
	case f.Name == "max_answer_chars":
		return "2001", "2002", "2003"
	case len(f.OneOf) > 0:
		return strconv.Quote(f.OneOf[0]), f.OneOf[1], f.OneOf[len(f.OneOf)-1]
	case f.Name == "log":
		logs, _ := os.MkdirTemp("", "fsbox-logs")
		t.Cleanup(func() { os.RemoveAll(logs) }) // fails on Windows: a log stays open as long as its process
		return `"-"`, filepath.Join(logs, "env"), filepath.Join(logs, "flag")
	case f.Kind == reflect.String:
		return strconv.Quote(filepath.ToSlash(t.TempDir())), t.TempDir(), t.TempDir()
	case f.Kind == reflect.Bool:
		return "true", "false", "true"
	case f.Kind == reflect.Slice:
		return `["file"]`, "env\n*.env", "flag"
	case of == request.DurationType:
		return `"1s"`, "2s", "3s"
	case of == reflect.TypeFor[settings.Size]():
		return `"1KiB"`, "2KiB", "3KiB"
	}
	return "1001", "1002", "1003"
}

// For every setting: a flag goes before the environment, that before the config file, that before
// the default. Lists add up the other way round: the last rule that matches decides.
func TestPrecedence(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	for _, f := range settings.Fields() {
		if f.Name == "config" {
			continue
		}
		of := reflect.TypeFor[settings.Settings]().Field(f.Index).Type
		file, env, flag := layers(t, f, of)
		parse := func(text string) any {
			v := reflect.New(of).Elem()
			if fail := request.CoerceText(v, text, f.Name); fail != nil {
				t.Fatal(fail)
			}
			return v.Interface()
		}
		unquoted := strings.Trim(file, `"`)
		both := func(lower, higher string) any {
			if f.Kind != reflect.Slice {
				return parse(higher)
			}
			return reflect.AppendSlice(reflect.ValueOf(parse(lower)), reflect.ValueOf(parse(higher))).Interface()
		}
		all := both(env, flag)
		if f.Kind == reflect.Slice {
			all = reflect.AppendSlice(reflect.ValueOf(parse(unquoted)), reflect.ValueOf(all)).Interface()
		}
		for _, tt := range []struct {
			layers string
			want   any
		}{
			{"", reflect.ValueOf(defaultSettings(t)).Field(f.Index).Interface()},
			{"file", parse(unquoted)},
			{"env", parse(env)},
			{"flag", parse(flag)},
			{"file env", both(unquoted, env)},
			{"file flag", both(unquoted, flag)},
			{"env flag", both(env, flag)},
			{"file env flag", all},
		} {
			config, vars, given := t.TempDir(), map[string]string{}, map[string]bool{}
			s := defaultSettings(t)
			if strings.Contains(tt.layers, "file") {
				writeFile(t, filepath.Join(config, "fsbox", "config.json"), `{"`+f.Name+`":`+file+`}`)
			}
			if strings.Contains(tt.layers, "env") {
				vars["FSBOX_"+strings.ToUpper(f.Name)] = env
			}
			if strings.Contains(tt.layers, "flag") {
				given[f.Name] = true
				reflect.ValueOf(&s).Elem().Field(f.Index).Set(reflect.ValueOf(parse(flag)))
			}
			if f.Name != "root" {
				given["root"], s.Root = true, t.TempDir()
			}
			got, fail := openWith(s, given, fakeSystem(vars, "", config))
			if fail != nil {
				t.Errorf("%s by %q: %s", f.Name, tt.layers, fail.Message)
				continue
			}
			got.Close(t.Context())
			if value := reflect.ValueOf(got.Settings.Settings).Field(f.Index).Interface(); !reflect.DeepEqual(value, tt.want) {
				t.Errorf("%s by %q: %v, want %v", f.Name, tt.layers, value, tt.want)
			}
			if strings.Contains(tt.layers, "file") != (got.Settings.ConfigFile != "") {
				t.Errorf("%s by %q: config file %q", f.Name, tt.layers, got.Settings.ConfigFile)
			}
		}
	}
}

// The config file that a flag names goes before that of the environment, and that before the user's
// own.
func TestWhichConfigFile(t *testing.T) {
	config := t.TempDir()
	own := writeFile(t, filepath.Join(config, "fsbox", "config.json"), `{"max_results":1}`)
	byEnv := writeFile(t, filepath.Join(t.TempDir(), "env.json"), `{"max_results":2}`)
	byFlag := writeFile(t, filepath.Join(t.TempDir(), "flag.json"), `{"max_results":3}`)
	for _, tt := range []struct {
		env, flag, file string
		want            int64
	}{{"", "", own, 1}, {byEnv, "", byEnv, 2}, {"", byFlag, byFlag, 3}, {byEnv, byFlag, byFlag, 3}} {
		s := defaultSettings(t)
		s.Root, s.Config = t.TempDir(), tt.flag
		vars := map[string]string{}
		if tt.env != "" {
			vars["FSBOX_CONFIG"] = tt.env
		}
		env, fail := openWith(s, map[string]bool{"root": true, "config": tt.flag != ""}, fakeSystem(vars, "", config))
		if fail != nil {
			t.Fatal(fail)
		}
		env.Workspace.Close()
		if env.Limits.MaxResults != tt.want || env.Settings.ConfigFile != tt.file {
			t.Errorf("%+v: max_results %d from %q", tt, env.Limits.MaxResults, env.Settings.ConfigFile)
		}
	}
}

// What is wrong with a setting ends the program before anything is opened, and names the place.
func TestBadSettings(t *testing.T) {
	const omit = "omit it to use the default"
	const holdsObject = `write one JSON object, whose keys are the flags with "_" for "-": {"allow_write": true}`
	known := "known fields: " + strings.Replace(strings.Join(request.Names(settings.Fields()), ", "), "config, ", "", 1)
	for _, tt := range []struct {
		name, file    string
		vars          map[string]string
		change        func(s *settings.Settings)
		message, hint string // FILE stands for the config file
	}{
		{name: "key", file: `{"max_result":5}`, message: `config file "FILE": unknown field "max_result"`, hint: `did you mean "max_results"?`},
		{name: "strange key", file: `{"something_else":5}`, message: `config file "FILE": unknown field "something_else"`, hint: known},
		{name: "flag spelling", file: `{"max-results":5}`, message: `config file "FILE": unknown field "max-results"`,
			hint: `did you mean "max_results"?`},
		{name: "id", file: `{"id":5}`, message: `config file "FILE": unknown field "id"`, hint: known},
		{name: "twice", file: `{"deny":[],"deny":[]}`, message: `config file "FILE": key "deny" appears twice`, hint: holdsObject},
		{name: "type", file: `{"allow_write":1}`, message: `config file "FILE": "allow_write" must be true or false, not a number`,
			hint: `it is written {"allow_write": true}`},
		{name: "another file", file: `{"config":"x"}`, message: `config file "FILE": "config" can't name another config file`},
		{name: "array", file: `[]`, message: `config file "FILE": it must hold a JSON object, not an array`, hint: holdsObject},
		{name: "blanks", file: " \n", message: `config file "FILE": it is empty`, hint: holdsObject},
		{name: "limit in the file", file: `{"timeout":"0s"}`, message: `"timeout" must be greater than 0, not 0s`, hint: omit},
		{name: "variable", vars: map[string]string{"FSBOX_ALLOW_WRITE": "maybe"}, message: `"FSBOX_ALLOW_WRITE" must be true or false`},
		{name: "list in a variable", vars: map[string]string{"FSBOX_DENY": "[7]"}, message: `"FSBOX_DENY[0]" must be a string, not a number`},
		{name: "results", change: func(s *settings.Settings) { s.MaxResults = 0 }, message: `"max_results" must be greater than 0, not 0`, hint: omit},
		{name: "negative results", change: func(s *settings.Settings) { s.MaxResults = -1 }, message: `"max_results" must be greater than 0, not -1`, hint: omit},
		{name: "read", change: func(s *settings.Settings) { s.MaxReadBytes = 0 }, message: `"max_read_bytes" must be greater than 0, not 0`, hint: omit},
		{name: "output", change: func(s *settings.Settings) { s.MaxOutput = 0 }, message: `"max_output_bytes" must be greater than 0, not 0`, hint: omit},
		{name: "write", change: func(s *settings.Settings) { s.MaxWriteBytes = 0 }, message: `"max_write_bytes" must be greater than 0, not 0`, hint: omit},
		{name: "timeout", change: func(s *settings.Settings) { s.Timeout = -time.Second }, message: `"timeout" must be greater than 0, not -1s`, hint: omit},
		{name: "no root", change: func(s *settings.Settings) { s.Root = " " }, message: `"root" is empty`,
			hint: "give a path, or omit --root and FSBOX_ROOT"},
		{name: "no home", change: func(s *settings.Settings) { s.Root = "~/x" }, message: `"~/x" begins with ~, and there is no home directory`},
	} {
		config := t.TempDir()
		path := filepath.Join(config, "fsbox", "config.json")
		if tt.file != "" {
			writeFile(t, path, tt.file)
		}
		s := defaultSettings(t)
		s.Root = t.TempDir()
		if tt.change != nil {
			tt.change(&s)
		}
		_, fail := openWith(s, map[string]bool{"root": true}, fakeSystem(tt.vars, "", config))
		checkFailure(t, tt.name, fail, strings.ReplaceAll(tt.message, `"FILE"`, strconv.Quote(path)), tt.hint)
	}
}

// A config file that was named must be there and be an ordinary file of a sensible size; the user's
// own may be missing.
func TestReadConfig(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing.json")
	large := writeFile(t, filepath.Join(folder, "large.json"), strings.Repeat(" ", settings.MaxConfigBytes+1))
	largest := writeFile(t, filepath.Join(folder, "largest.json"), "{}"+strings.Repeat(" ", settings.MaxConfigBytes-2))
	_, err := os.Stat(missing)
	for _, tt := range []struct{ file, reason string }{
		{"", ""},
		{largest, ""},
		{missing, errors.Unwrap(err).Error()},
		{folder, "it is not a regular file"},
		{large, "it is too large"},
	} {
		s := settings.Settings{Config: tt.file}
		_, _, fail := s.ReadConfig(fakeSystem(nil, "", folder))
		message := ""
		if tt.reason != "" {
			message = fmt.Sprintf("config file %q can't be read: %s", tt.file, tt.reason)
		}
		checkFailure(t, tt.file, fail, message, "")
	}
	if file, content, fail := new(settings.Settings).ReadConfig(fakeSystem(nil, "", "")); file != "" || content != nil || fail != nil {
		t.Errorf("without a config directory: %q %q %v", file, content, fail)
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]settings.Size{"0": 0, "1": 1, "4096": 4096, "64KiB": 64 << 10, "10 MiB": 10 << 20, " 1GiB ": 1 << 30,
		"007":           7,
		"1e6":           1_000_000,
		"4294967296GiB": 1 << 62, "4611686018427387904": 1 << 62} {
		var s settings.Size
		if err := s.UnmarshalText([]byte(text)); err != nil || s != want {
			t.Errorf("%q: %d, %v", text, s, err)
		}
	}
	for _, text := range []string{"", " ", "-1", "1.5", "1KB", "1kib", "KiB", "1 KiB KiB", "1MiBKiB", "0x10", "1e-3", "1e30",
		"4294967297GiB", "4611686018427387905", "99999999999999999999"} {
		s := settings.Size(7)
		if err := s.UnmarshalText([]byte(text)); err == nil || s != 7 || err.Error() != "a number of bytes, such as 65536 or 64KiB" {
			t.Errorf("%q: %d, %v", text, s, err)
		}
	}
}

// The rules in force are the defaults and after them, so that it can take them back, what the
// operator adds.
func TestDenyRules(t *testing.T) {
	s := settings.Settings{Deny: []string{"a", "!b"}, DenyWrite: []string{"c"}}
	deny, denyWrite, fail := s.DenyRules("/ws", fakeSystem(nil, "", ""))
	if fail != nil {
		t.Fatal(fail)
	}
	if n := len(deny); n < 10 || deny[0] != "**/.env" || !slices.Equal(deny[n-2:], []string{"a", "!b"}) {
		t.Errorf("deny %q", deny)
	}
	if !slices.Equal(denyWrite, []string{"**/.git/**", "c"}) {
		t.Errorf("deny_write %q", denyWrite)
	}
	s.NoDefaultDeny = true
	if deny, denyWrite, _ = s.DenyRules("/ws", fakeSystem(nil, "", "")); !slices.Equal(deny, []string{"a", "!b"}) || len(denyWrite) != 2 {
		t.Errorf("without defaults: deny %q, deny_write %q", deny, denyWrite)
	}
}

// A rule that is an absolute path means that path, if it lies under the root; written as a glob, it
// lies there just as well.
func TestAbsoluteDenyRules(t *testing.T) {
	home := filepath.ToSlash(t.TempDir())
	root := home + "/w {x}[y]"
	system := fakeSystem(nil, home, "")
	for pattern, want := range map[string]string{
		root + "/a": "./a", "!" + root + "/a/*": "!./a/*", root: "./**", root + "/": "./**", root + "/**": "./**", root + "//a/./b": "./a/b",
		settings.GlobQuote(root) + "/{a,b}": "./{a,b}", root + "/{a,b}/c": "./{a,b}/c", "~/w {x}[y]/a": "./a", "~/w \\{x\\}\\[y]/a*": "./a*",
		"~/w \\{x\\}\\[y\\]/a": "./a", "{~/w \\{x\\}\\[y]/a,b}": "./a b", "!~/w \\{x\\}\\[y]": "",
		"{" + settings.GlobQuote(root) + "/a,./b,c}": "./a ./b c",
		`\/a`: "", `{\/a,b}`: "",
		"{" + root[:len(root)-9] + "/{w \\{x\\}\\[y],z}/a}":   "",
		"{" + settings.GlobQuote(root) + "/app,lib}/{slug}/x": "./app/{slug}/x lib/{slug}/x",
		"!{" + settings.GlobQuote(root) + "/s/,x}/{p,}":       "!./s/{p,} !./x/{p,}", "!{" + settings.GlobQuote(root) + "/s/,x}": "!./x",
		root + "/../a": "./../a",
		"a":            "a", "./a": "./a", "a/~/b": "a/~/b", "~": "~", "~a/b": "~a/b", "{a,b/c}": "{a,b/c}", "[": "[", "": "", "!": "!",
		"/": "", "/a": "", home: "", home + "/w": "", home + "/*/a": "", "~/": "", "~/a": "", "!/a": "", "{a,/b}": "", root + "a/b": "",
	} {
		if runtime.GOOS == "windows" && strings.HasPrefix(pattern, "{~") {
			continue // a backslash is a slash there, and quotes nothing in such a path
		}
		s := settings.Settings{DenyWrite: []string{pattern}, NoDefaultDeny: true}
		_, got, fail := s.DenyRules(root, system)
		refused := want == "" && pattern != ""
		if (fail != nil) != refused || fail == nil && strings.Join(got[1:], " ") != want {
			t.Errorf("%s: %q, failure %v", pattern, got, fail)
		}
		if fail != nil && (fail.Code != answer.CodeInvalidInput || fail.Hint == "" || !strings.Contains(fail.Message, "deny_write")) {
			t.Errorf("%s: %+v", pattern, fail)
		}
	}
	s := settings.Settings{Deny: []string{"~/a"}}
	if _, _, fail := s.DenyRules(root, fakeSystem(nil, "", "")); fail == nil {
		t.Error("without a home directory ~ means something")
	}
}

// The root as resolved is as good as the root as given.
func TestAbsoluteDenyRulesThroughLinks(t *testing.T) {
	folder := t.TempDir()
	real, link := filepath.Join(folder, "real"), filepath.Join(folder, "link")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip(err)
	}
	s := settings.Settings{Deny: []string{settings.RealPath(real) + "/a", link + "/b"}, NoDefaultDeny: true}
	if got, _, fail := s.DenyRules(link, fakeSystem(nil, "", "")); fail != nil || !slices.Equal(got, []string{"./a", "./b"}) {
		t.Errorf("%q, failure %v", got, fail)
	}
}

func TestUnknownVariables(t *testing.T) {
	system := fakeSystem(map[string]string{"FSBOX_ROOT": "x", "FSBOX_ROOTS": "x", "FSBOX_": "", "fsbox_root": "", "PATH": "x"}, "", "")
	got := settings.UnknownVariables(system)
	slices.Sort(got)
	if !slices.Equal(got, []string{"FSBOX_", "FSBOX_ROOTS"}) {
		t.Errorf("%q", got)
	}
}

func TestExpandHome(t *testing.T) {
	system := fakeSystem(nil, "/home/me", "")
	for root, want := range map[string]string{"~": "/home/me", "~/": "/home/me", "~/a b": "/home/me/a b", "a": "a", "/a": "/a",
		"~other": "~other",
		"a/~":    "a/~", "./~": "./~"} {
		if got, fail := settings.ExpandHome("root", root, system); fail != nil || got != filepath.FromSlash(want) && got != want {
			t.Errorf("%q: %q, %v", root, got, fail)
		}
	}
}

// checkFailure wants invalid_input with this message and hint, or no failure at all.
func checkFailure(t *testing.T, in string, fail *answer.Failure, message, hint string) {
	t.Helper()
	switch {
	case fail == nil && message == "":
	case fail == nil:
		t.Errorf("%s: no failure, want %q", in, message)
	case fail.Code != answer.CodeInvalidInput || fail.Message != message || fail.Hint != hint:
		t.Errorf("%s: %s %q, hint %q", in, fail.Code, fail.Message, fail.Hint)
	}
}
