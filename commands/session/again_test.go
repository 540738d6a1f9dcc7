package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/settings"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/fixture"
	"fsbox/sandbox/plan"
)

// replaced is a request that reads a file which is replaced meanwhile so many times.
type replaced struct {
	times, runs int
	missing     string // if set, the file that isn't found so many times
}

func (r *replaced) Run(_ context.Context, env *command.Env) (answer.Result, error) {
	r.runs++
	env.Warn("run %d", r.runs)
	switch {
	case r.runs <= r.times && r.missing != "":
		return nil, &fserr.PathError{Path: r.missing, Err: fserr.ErrNotFound}
	case r.runs <= r.times:
		return nil, &fserr.PathError{Path: "a", Err: fserr.ErrReplaced}
	}
	return done{}, nil
}

type done struct{}

func (done) Summary() string { return "done" }

// TestReplacedWhileRead: a call that reads starts again if its file was replaced meanwhile, and has
// only the warnings of the last run; one that changes files has its own way to start again.
func TestReplacedWhileRead(t *testing.T) {
	root := fixture.MakeTree(t, []string{"there"})
	_ = os.Symlink("nowhere", filepath.Join(root, "lost")) // where there are no links, it isn't found either
	w := fixture.OpenWorkspace(t, root, sandbox.Options{})
	for _, tt := range []struct {
		times   int
		missing string
		writes  bool
		runs    int
		code    answer.Code
	}{
		{0, "", false, 1, ""},
		{2, "", false, 3, ""},
		{plan.MaxCollisions, "", false, plan.MaxCollisions, answer.CodeBusy},
		{2, "", true, 1, answer.CodeBusy},
		{2, "there", false, 3, ""},
		{9, "there", false, plan.Looks, answer.CodeNotFound},
		{2, "nowhere", false, 1, answer.CodeNotFound},
		{2, "lost", false, 1, answer.CodeNotFound},
		{2, "there", true, 1, answer.CodeNotFound},
	} {
		r := &replaced{times: tt.times, missing: tt.missing}
		env := &command.Env{Settings: &settings.Loaded{}, Workspace: w}
		_, err := attempt(t.Context(), env, &command.Call{Command: command.Command{Writes: tt.writes}, Request: r})
		code := answer.Code("")
		if err != nil {
			code = command.FailureOf(err).Code
		}
		if r.runs != tt.runs || code != tt.code || !slices.Equal(env.Warnings, []string{fmt.Sprintf("run %d", tt.runs)}) {
			t.Errorf("%+v: %d runs, %q, %q", tt, r.runs, code, env.Warnings)
		}
	}
}
