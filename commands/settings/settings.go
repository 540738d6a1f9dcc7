package settings

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/host"
	"fsbox/sandbox/disk/stat"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Settings are the operator's: given by flag, by environment (FSBOX_ and the name in capitals), or
// in the config file (the name as key), in this order of precedence. Lists from all three are
// joined, the file's first. No request can change them.
type Settings struct {
	Root          string        `json:"root" default:"." placeholder:"DIR" group:"Workspace" help:"The workspace directory; before the command, -C works too."`
	CreateRoot    bool          `json:"create_root" group:"Workspace" help:"Create the root if it is missing."`
	Config        string        `json:"config" placeholder:"FILE" group:"Workspace" help:"Config file (JSON). Default: fsbox/config.json in the user's config directory."`
	AllowWrite    bool          `json:"allow_write" group:"Policy" help:"Allow the commands that change files."`
	AllowDelete   bool          `json:"allow_delete" group:"Policy" help:"Also allow the commands that remove files."`
	Tools         string        `json:"tools" placeholder:"LIST" group:"Policy" help:"Tools to offer, such as read,grep,edit, or to exclude: --tools=-patch."`
	AllFields     bool          `json:"all_fields" group:"Answers" help:"Include rarely used fields in the tool definitions; requests may use them either way."`
	Deny          []string      `json:"deny" sep:"none" placeholder:"GLOB" group:"Policy" help:"Paths that can't be read or changed, besides those denied by default, in the config file and in the environment; !GLOB allows paths again."`
	NoDefaultDeny bool          `json:"no_default_deny" group:"Policy" help:"Drop the default deny rules."`
	DenyWrite     []string      `json:"deny_write" sep:"none" placeholder:"GLOB" group:"Policy" help:"Paths that may be read but not changed, besides **/.git/** and those set in the config file and in the environment."`
	Approval      string        `json:"approval" default:"off" oneof:"off,prompt,token" placeholder:"WORD" group:"Approval" help:"Who approves each change: off (nobody), prompt (the user at the terminal), token (the operator, with fsbox approve)."`
	ApprovalKey   string        `json:"approval_key" placeholder:"FILE" group:"Approval" help:"Key file for tokens, outside the workspace, mode 0600."`
	ApproveAllow  []string      `json:"approve_allow" sep:"none" placeholder:"GLOB" group:"Approval" help:"Paths that may be changed without approval."`
	MaxReadBytes  Size          `json:"max_read_bytes" default:"10MiB" placeholder:"SIZE" group:"Limits" help:"Largest file to edit, patch or copy, to search with a multiline grep, or to count the lines of (${default})."`
	MaxOutput     Size          `json:"max_output_bytes" name:"max-output-bytes" default:"256KiB" placeholder:"SIZE" group:"Limits" help:"Maximum text in one answer (${default})."`
	MaxAnswer     int           `json:"max_answer_chars" name:"max-answer-chars" default:"0" placeholder:"N" group:"Limits" help:"Maximum characters of one answer in the text form, including notes; at least 2000. Default: max_output_bytes; in mcp, less if the client passes on less to its model."`
	MaxWriteBytes Size          `json:"max_write_bytes" default:"1MiB" placeholder:"SIZE" group:"Limits" help:"Largest content one request may add (${default})."`
	MaxResults    int           `json:"max_results" default:"10000" placeholder:"N" group:"Limits" help:"Maximum results one request may ask for (${default})."`
	Timeout       time.Duration `json:"timeout" default:"10s" placeholder:"TIME" group:"Limits" help:"Maximum time for one operation (${default})."`
	StateDir      string        `json:"state_dir" placeholder:"DIR" group:"Workspace" help:"Directory for backups, outside the workspace. Default: fsbox in the user's state directory."`
	NoBackup      bool          `json:"no_backup" group:"Workspace" help:"Keep no backups: changes can't be undone."`
	NoProgress    bool          `json:"no_progress" group:"Answers" help:"At a terminal, don't show progress on standard error for calls that take more than two seconds."`
	Log           string        `json:"log" placeholder:"FILE" group:"Log" help:"Log each call as a JSON line to this file, outside the workspace; - means standard error."`
	Confine       string        `json:"confine" default:"auto" oneof:"auto,require,off" placeholder:"WORD" group:"Policy" help:"On Linux, have the kernel confine the process to the root and the state directory: auto (where possible), require (fail otherwise) or off."`
	NoFsync       bool          `json:"no_fsync" group:"Workspace" help:"Don't sync changes to disk, for trees that can be recreated."`
	Format        string        `json:"format" default:"json" oneof:"json,pretty,text" placeholder:"WORD" group:"Answers" help:"Output format: json (one line), text (for a model or a person to read) or pretty (for a person: tables, and colours at a terminal)."`
}

// Fields are those of Settings.
func Fields() []request.Field { return request.TagsOf(reflect.TypeFor[Settings]()).LineFields }

// The values of the setting approval.
const (
	ApprovalOff    = "off"
	ApprovalPrompt = "prompt"
	ApprovalToken  = "token"
)

// Size is a number of bytes. As text it may end in KiB, MiB or GiB.
type Size int64

// UnmarshalText reads "4096", "64KiB", "10 MiB".
func (s *Size) UnmarshalText(text []byte) error {
	number, unit := strings.TrimSpace(string(text)), int64(1)
	for i, suffix := range [...]string{"KiB", "MiB", "GiB"} {
		if rest, ok := strings.CutSuffix(number, suffix); ok {
			number, unit = strings.TrimSpace(rest), 1<<(10*(i+1))
			break
		}
	}
	n, ok := request.ParseInteger(reflect.TypeFor[int64](), number)
	if !ok || n < 0 || n > (1<<62)/unit {
		return errors.New("a number of bytes, such as 65536 or 64KiB")
	}
	*s = Size(n * unit)
	return nil
}

func (s *Settings) Limits() request.Limits {
	return request.Limits{MaxReadBytes: int64(s.MaxReadBytes), MaxOutputBytes: int64(s.MaxOutput), MaxWriteBytes: int64(s.MaxWriteBytes),
		MaxResults: int64(s.MaxResults), Timeout: s.Timeout, MaxAnswerChars: s.Bound(answer.Bound{}).Most}
}

// usualOutput is the default of max_output_bytes.
const usualOutput = 256 << 10

// LineBound is Bound for answers on the command line and of a batch. An operator who allows more
// bytes than by default and names no bound of a reader wants all lines.
func (s *Settings) LineBound() answer.Bound {
	b := s.Bound(answer.Bound{Unit: textio.Chars})
	b.Long = s.MaxAnswer == 0 && s.MaxOutput > usualOutput
	return b
}

// Bound is that of answers in the text form, for a reader who has one of its own, or none.
func (s *Settings) Bound(reader answer.Bound) answer.Bound {
	switch out := int64(s.MaxOutput); {
	case s.MaxAnswer > 0:
		reader.Most = int64(s.MaxAnswer)
	case reader.Most == 0 || out < reader.Most:
		reader.Most, reader.Name = max(out, answer.LeastBound), "max_output_bytes"
		if reader.Unit == textio.Chars {
			reader.Unit = textio.Bytes
		}
		return reader
	}
	reader.Name = "max_answer_chars"
	return reader
}

// ToolNames are the names that the setting tools has: those of the only tools, and those of tools
// that are left out.
func (s *Settings) ToolNames() (only, without []string) {
	for _, name := range strings.FieldsFunc(s.Tools, func(r rune) bool { return r == ',' || r == ' ' }) {
		if left, minus := strings.CutPrefix(name, "-"); minus {
			without = append(without, left)
		} else {
			only = append(only, name)
		}
	}
	return only, without
}

// Environment is what the process was started with, besides its arguments. Tests have their own.
type Environment struct {
	Lookup func(name string) (string, bool)
	All    func() []string
	Home   string    // the user's home, "" for none
	Config string    // where programs look for the user's settings, "" for nowhere
	State  string    // where they keep what they need between runs, "" for nowhere
	Stderr io.Writer // for --log -
	Now    func() time.Time
}

// SystemEnvironment is that of the process. Services, cron jobs and containers often have no HOME:
// then there is no config file to look for, and no state folder unless the operator names one. A
// relative path would depend on the current folder, and might lie in the workspace, so it counts as
// none.
func SystemEnvironment() Environment {
	e := Environment{Lookup: os.LookupEnv, All: os.Environ, Stderr: io.Discard, Now: time.Now}
	e.Home, _ = os.UserHomeDir() // "" with an error, as the others
	switch runtime.GOOS {
	case "windows":
		e.Config, _ = os.UserConfigDir()
		e.State, _ = os.UserCacheDir()
	case "darwin", "ios":
		e.Config, _ = os.UserConfigDir()
		e.State = e.Config
	default:
		e.Config, e.State = os.Getenv("XDG_CONFIG_HOME"), os.Getenv("XDG_STATE_HOME")
		if !filepath.IsAbs(e.Config) {
			e.Config = filepath.Join(e.Home, ".config")
		}
		if !filepath.IsAbs(e.State) {
			e.State = filepath.Join(e.Home, ".local", "state")
		}
	}
	for _, folder := range [...]*string{&e.Home, &e.Config, &e.State} {
		if !filepath.IsAbs(*folder) {
			*folder = ""
		}
	}
	return e
}

const envPrefix = "FSBOX_"

// takeFile takes settings from the config file, if there is one.
func (s *Settings) takeFile(given map[string]bool, env Environment) (file string, err *answer.Failure) {
	file, content, err := s.ReadConfig(env)
	if err != nil || content == nil {
		return file, err
	}
	object, err := parseConfig(content)
	if err == nil {
		err = s.takeObject(object, given)
	}
	if err != nil {
		err.Message = fmt.Sprintf("config file %q: %s", file, err.Message)
	}
	return file, err
}

// parseConfig reads the object that a config file holds.
func parseConfig(content []byte) (request.Object, *answer.Failure) {
	content = bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")) // some editors begin a file with this mark
	value := jsontext.Value(content)
	o, err := request.ParseObject(content)
	switch {
	case err == nil:
		return o, nil
	case len(bytes.TrimSpace(content)) == 0:
		err.Message = "it is empty"
	case value.IsValid() && value.Kind() != '{':
		err.Message = "it must hold a JSON object, not " + request.KindName(value.Kind())
	}
	if err.Hint != "" { // the hints are about requests
		err.WithHint(`write one JSON object, whose keys are the flags with "_" for "-": {"allow_write": true}`)
	}
	return o, err
}

// TakeEnvironment takes settings from environment variables, also from those beside one that is
// wrong, and adds their names to those that are given. A variable that a flag overrides isn't read.
// An empty one is as if it weren't set: that is how compose files pass on what may not be there.
func (s *Settings) TakeEnvironment(given map[string]bool, env Environment) (fail *answer.Failure) {
	var lower Settings
	v, gives := reflect.ValueOf(&lower).Elem(), map[string]bool{}
	for _, f := range Fields() {
		variable := envPrefix + strings.ToUpper(f.Name)
		text, _ := env.Lookup(variable)
		if text == "" || given[f.Name] && f.Kind != reflect.Slice {
			continue
		}
		word := f
		word.Name = variable
		err := cmp.Or(request.CoerceText(v.Field(f.Index), text, variable), word.CheckWord(v.Field(f.Index)))
		if err != nil {
			fail = cmp.Or(fail, err)
			continue
		}
		gives[f.Name] = true
	}
	if len(gives) > 0 {
		s.underlay(&lower, gives, given)
	}
	return fail
}

// takeObject takes what the config file gives. All of its members are checked, also those that a
// flag or a variable overrides.
func (s *Settings) takeObject(o request.Object, given map[string]bool) *answer.Failure {
	var lower Settings
	fields := slices.DeleteFunc(slices.Clone(Fields()), func(f request.Field) bool { return f.Name == "config" })
	if o.ID != nil {
		return request.UnknownField("id", fields)
	}
	if slices.ContainsFunc(o.Members, func(m request.Member) bool { return m.Name == "config" }) {
		return answer.Failf(answer.CodeInvalidInput, "%q can't name another config file", "config")
	}
	for _, m := range o.Members {
		if _, _, known := request.FindField(fields, m.Name); !known && m.Value.Kind() == 'n' {
			return request.UnknownField(m.Name, fields)
		}
	}
	gives, err := request.Fill(reflect.ValueOf(&lower).Elem(), fields, o.Members)
	if err != nil {
		return err
	}
	s.underlay(&lower, gives, given)
	return nil
}

// underlay adds the settings of a source with lower precedence. What is set already stays, but
// lists are joined, so that no source removes the rules of another. The rules of the lower source
// come first, since the last rule that matches decides.
func (s *Settings) underlay(lower *Settings, gives, given map[string]bool) {
	from, into := reflect.ValueOf(lower).Elem(), reflect.ValueOf(s).Elem()
	for _, f := range Fields() {
		switch {
		case !gives[f.Name]:
		case f.Kind == reflect.Slice:
			into.Field(f.Index).Set(reflect.AppendSlice(from.Field(f.Index), into.Field(f.Index)))
		case !given[f.Name]:
			into.Field(f.Index).Set(from.Field(f.Index))
		}
		given[f.Name] = given[f.Name] || gives[f.Name]
	}
}

// MaxConfigBytes is far larger than any real config file. It keeps a wrong path from filling the
// memory.
const MaxConfigBytes = 1 << 20

// ReadConfig finds and reads the config file. The user's own file may be missing; a file that was
// named may not.
func (s *Settings) ReadConfig(env Environment) (file string, content []byte, fail *answer.Failure) {
	if file = s.Config; file == "" {
		if env.Config == "" {
			return "", nil, nil // no home, no config file
		}
		file = filepath.Join(env.Config, userConfig)
	}
	info, err := host.Stat(file)
	switch {
	case s.Config == "" && fserr.IsAny(err, fs.ErrNotExist, fs.ErrPermission, syscall.ENOTDIR) && !isHeld(file, err):
		return "", nil, nil // none, or a home that isn't this process's, as in containers
	case err == nil && !info.Mode().IsRegular():
		err = errors.New("it is not a regular file")
	case err == nil && info.Size() > MaxConfigBytes:
		err = errors.New("it is too large")
	}
	if err == nil {
		content, err = host.ReadFile(file)
	}
	if err != nil {
		if p, ok := errors.AsType[*fs.PathError](err); ok {
			err = p.Err
		}
		fail = answer.Failf(answer.CodeInvalidInput, "config file %q can't be read: %v", file, err)
		if s.Config == "" {
			fail.WithHint("its rules may be meant for this process: make it readable, or name another file with --config or FSBOX_CONFIG; " +
				"one that holds {} sets nothing")
		}
		return file, nil, fail
	}
	return file, content, nil
}

// isHeld reports whether there is a user's config file as far as can be seen, though looking at it
// fails with err: a link, or a folder of fsbox's that is closed or leads nowhere.
func isHeld(file string, err error) bool {
	if _, missing := stat.Look(file); missing == nil {
		return true
	}
	folder := filepath.Dir(file)
	_, missing := stat.Look(folder)
	_, dead := stat.LookThrough(folder)
	return missing == nil && (dead != nil || errors.Is(err, fs.ErrPermission))
}

// HiddenConfig is the user's own config file if it isn't used because this process may not see
// whether there is one; else "".
func (s *Settings) HiddenConfig(env Environment) string {
	if s.Config != "" || env.Config == "" {
		return ""
	}
	file := filepath.Join(env.Config, userConfig)
	if _, err := host.Stat(file); errors.Is(err, fs.ErrPermission) {
		return file
	}
	return ""
}
