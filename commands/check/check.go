package check

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/version"
	"fsbox/commands/words"
	"fsbox/sandbox/confine"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/disk/host"
	"fsbox/sandbox/disk/stat"
	"fsbox/search/match"
)

var Command = command.Command{
	Name: "check", Help: "Show the settings in effect.", OptIn: true, New: func() command.Request { return new(Request) },
	Title: "Show settings", Results: []answer.Result{(*Result)(nil)},
	Text:     "Show the settings in effect: the root, whether writes and deletes are allowed, the limits, and the rules for blocked paths.",
	Examples: []string{"fsbox check", "fsbox check --root ~/project --allow-write"},
}

// Request shows the settings in force.
type Request struct{}

// Result is everything that decides how requests are answered.
type Result struct {
	Version      string      `json:"version"`
	Commit       *string     `json:"commit"`        // of the source; null: not known
	CommitTime   *string     `json:"commit_time"`   // RFC 3339; null: not known
	Root         string      `json:"root"`          // absolute, as given
	ResolvedRoot string      `json:"resolved_root"` // absolute, symbolic links resolved
	ConfigFile   *string     `json:"config_file"`   // absolute; null: none
	AllowWrite   bool        `json:"allow_write"`
	AllowDelete  bool        `json:"allow_delete"`
	Tools        []string    `json:"tools,omitzero"` // the tools offered, if the setting tools limits them
	Limits       Limits      `json:"limits"`
	Deny         []string    `json:"deny"`       // in force, in order
	DenyWrite    []string    `json:"deny_write"` // in force, in order
	Fsync        bool        `json:"fsync"`
	Confinement  Confinement `json:"confinement"`
	StateDir     *string     `json:"state_dir"` // null: no backups are kept
	Approval     string      `json:"approval"`  // off, prompt or token
	ApproveAllow []string    `json:"approve_allow"`
	Log          *string     `json:"log"`        // absolute path of the file, or - for standard error; null: none
	FileSystem   *string     `json:"filesystem"` // of the root; null: not known
	Machines     string      `json:"machines"`   // whether several machines can use the root at once. local: no other machine can use it; holds: each change sees all earlier changes by other machines; doubt: see warnings; unknown
	Mount        *string     `json:"mount"`      // type and options of the root's mount; null: not known, or no other machine can use it
	Platform     string      `json:"platform"`
	RegexEngine  string      `json:"regex_engine"` // re2; or go: Go's own, which is slower, used if RE2 can't get 4 GiB of address space
	Warnings     []string    `json:"warnings"`
}

// Limits are the limits in force; sizes in bytes.
type Limits struct {
	request.Limits
	Timeout string `json:"timeout"`
}

// Confinement says what keeps requests inside the root.
type Confinement struct {
	Level       string `json:"level"`        // descriptors: every access is resolved beneath the root's descriptor; landlock: in addition, the kernel refuses any other access
	LandlockABI int    `json:"landlock_abi"` // version of the kernel's interface; 0: none
	SelfTest    string `json:"self_test"`    // refused: the kernel kept check from listing the root's parent directory; open: check could list it; untested: there is no parent
}

// weakFileSystem says what a write can't promise on a file system that Workspace.FileSystem reports
// as possibly incomplete.
const weakFileSystem = "two names may not be exchangeable at the root: then what somebody else writes to a file while it is replaced " +
	"is lost; " +
	"and it may lack hard links: then a kill can leave an empty new file"

// sharedFileSystem says what keeps others out on a file system that they may use through another
// mount.
const sharedFileSystem = "others may use the root's file system through another mount or from another machine: a file .fsbox-tmp-lock " +
	"in the directory " +
	"keeps them out while something in it is changed, unless their mount works on copies of its own, as rclone and object stores do"

// Run collects the settings in force.
func (*Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	made, s := version.Info(), env.Settings
	kind, mayLack := env.Workspace.FileSystem()
	mount := env.Workspace.Mount()
	r := &Result{
		Version: made.Version, Commit: words.OrNull(made.Commit), CommitTime: words.OrNull(made.Date),
		Root: env.Workspace.Root(), ResolvedRoot: env.Workspace.ResolvedRoot(), ConfigFile: words.OrNull(s.PathOf(settings.ConfigName)),
		AllowWrite: s.AllowWrite, AllowDelete: s.AllowDelete,
		Limits: Limits{Limits: env.Limits, Timeout: env.Limits.Timeout.String()},
		Deny:   append([]string{}, env.Settings.Rules...), DenyWrite: append([]string{}, env.Settings.WriteRules...),
		Fsync: !s.NoFsync, Confinement: confinement(env),
		Approval: s.Approval, ApproveAllow: append([]string{}, s.ApproveAllow...), Log: words.OrNull(cmp.Or(s.PathOf(settings.LogName), s.Log)),
		FileSystem: words.OrNull(kind), Machines: string(mount.Between), Mount: words.OrNull(mount.String()),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, RegexEngine: match.RegexEngine(),
		Warnings: append([]string{}, env.Settings.Warnings...),
	}
	if !s.NoBackup {
		r.StateDir = words.OrNull(env.Workspace.StateDir())
	}
	if s.Tools != "" {
		r.Tools = command.Names(command.ForModels(env.Commands))
	}
	r.warnAll(ctx, env, mayLack)
	return r, nil
}

// warnAll adds what may surprise the operator.
func (r *Result) warnAll(ctx context.Context, env *command.Env, mayLack bool) {
	s := env.Settings
	environment := settings.SystemEnvironment()
	for _, name := range settings.UnknownVariables(environment) {
		r.Warnings = append(r.Warnings, "the environment variable "+name+" is no setting")
	}
	r.warn(s.AllowDelete && !s.AllowWrite, "allow_delete does nothing without allow_write")
	r.warn(s.AllowWrite && !s.NoBackup && env.Settings.StateFolder == "",
		"there is no home directory, so backups can't be kept and files can't be changed: name a state_dir, or set no_backup")
	file := s.HiddenConfig(environment)
	r.warn(file != "", words.Phrase("%q can't be reached: permission denied; if there is a config file, it is not used", file))
	if file = s.PathOf(settings.ConfigName); file != "" {
		info, err := stat.LookThrough(file)
		err = cmp.Or(err, info.Trust(words.Phrase("the config file %q", file)))
		r.warn(err != nil, words.Phrase("%v", err))
	}
	state := env.Settings.StateFolder
	r.warn(s.AllowWrite && !s.NoBackup && state != "" && !host.MayWrite(state),
		words.Phrase("the state directory %q can't be written, so backups can't be kept and files can't be changed: "+
			"name another state_dir, or set no_backup", state))
	system := filesystem.OfPath(state)
	r.warn(s.AllowWrite && !s.NoBackup && state != "" && system.Remote,
		words.Phrase("the state directory %q is on a file system (%s) that other machines may use as well: name a state_dir of its own for "+
			"each, or a root with the same path on two of them has one history", state, system.Kind))
	r.warn(os.Geteuid() == 0, "running as root: permission bits protect nothing")
	r.warn(mayLack, weakFileSystem)
	r.warn(env.Workspace.IsShared(), sharedFileSystem)
	mount := env.Workspace.Mount()
	for _, text := range slices.Concat(mount.Doubts, mount.Notes) {
		r.warn(true, text)
	}
	for _, rule := range slices.Concat(s.Deny, s.DenyWrite, s.ApproveAllow) {
		r.warn(strings.Contains(rule, ",") && !strings.ContainsAny(rule, "{["), words.Phrase("%q is one pattern with a comma in it; "+
			"give several as one per line in the environment, a list in the config file, or one flag each", rule))
	}
	r.warnUnmatched(ctx, env, s.GivenRules(settings.SystemEnvironment()))
	for _, rule := range s.NotHere() {
		r.warn(true, words.Phrase("the rule %q denies nothing here, though the root lies in what it names: it is relative to the root, "+
			"and one that begins with **/ isn't", rule))
	}
}

func (r *Result) warn(is bool, text string) {
	if is {
		r.Warnings = append(r.Warnings, text)
	}
}

// Summary says where the workspace is and what is allowed there.
func (r *Result) Summary() string {
	switch {
	case r.AllowWrite && r.AllowDelete:
		return fmt.Sprintf("root %q: reads, writes and deletes are allowed", r.Root)
	case r.AllowWrite:
		return fmt.Sprintf("root %q: reads and writes are allowed", r.Root)
	}
	return fmt.Sprintf("root %q: reads are allowed", r.Root)
}

// WriteText writes the settings. Warnings that the answer has anyway come once.
func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	all := *r
	all.Warnings = nil
	t.Facts(&all)
	for _, w := range r.Warnings {
		if !slices.Contains(a.Warnings, w) {
			t.Line("warning: ", w)
		}
	}
}

// confinement describes what keeps requests inside the root, and tests it by trying to list the
// folder above.
func confinement(e *command.Env) Confinement {
	c := Confinement{Level: "descriptors", LandlockABI: confine.ABI(), SelfTest: "untested"}
	if e.Level.ABI == 0 {
		return c
	}
	c.Level = "landlock"
	if escapes, tried := e.Workspace.Escapes(); tried {
		c.SelfTest = "refused"
		if escapes {
			c.SelfTest = "open"
		}
	}
	return c
}
