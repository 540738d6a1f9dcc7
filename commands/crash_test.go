package commands

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"fsbox/search"
	"fsbox/search/match"
	"fsbox/search/walk"

	"github.com/go-json-experiment/json/jsontext"
)

// faulty is a tool that does what it is told, to fail in ways that real ones should not.
func faulty(run func(ctx context.Context) error) command.Command {
	return command.Command{Name: "faulty", Help: "Fail.", New: func() command.Request { return &faultyRequest{run: run} }}
}

type faultyRequest struct {
	run func(ctx context.Context) error
}

func (f *faultyRequest) Run(ctx context.Context, _ *command.Env) (answer.Result, error) {
	return sentence("done"), f.run(ctx)
}

// A panic is answered with its place and never with a text that could be a file's.
func TestPanic(t *testing.T) {
	line := 0
	here := func() { _, _, line, _ = runtime.Caller(1) }
	for _, tt := range []struct {
		name, message string
		run           func(context.Context) error
	}{
		{"text", "internal error", func(context.Context) error { here(); panic("secret text") }},
		{"error", "internal error", func(context.Context) error { here(); panic(errors.New("secret text")) }},
		{"runtime error", "internal error: runtime error: integer divide by zero",
			func(context.Context) error { here(); none := len(""); return fmt.Errorf("%d", 1/none) }},
		{"wrapped runtime error", "internal error: runtime error: index out of range [3] with length 0", func(context.Context) error {
			defer func() { here(); panic(fmt.Errorf("secret text: %w", recover().(error))) }()
			return fmt.Errorf("%d", []int(nil)[3])
		}},
	} {
		a := performed(t.Context(), testEnv(t, settings.Settings{}), jsontext.Value("1"), command.NewCall(faulty(tt.run)))
		want := answer.Failed(jsontext.Value("1"), &answer.Failure{Code: answer.CodeInternal, Message: tt.message,
			Hint: "this is a bug in fsbox: please report it with the details"}, nil)
		d, _ := a.Details.(*session.CrashDetails)
		a.Details = nil
		if !reflect.DeepEqual(a, want) || a.ExitStatus() != 1 {
			t.Errorf("%s: %+v", tt.name, a)
		}
		if where := fmt.Sprintf("commands/crash_test.go:%d", line); d == nil || d.Where != where {
			t.Errorf("%s: details %+v, want %s", tt.name, d, where)
		}
	}
}

// A panic in one of grep's workers, which have stacks of their own, is answered as well.
func TestPanicInWorker(t *testing.T) {
	a := performed(t.Context(), testEnv(t, settings.Settings{}), nil, command.NewCall(faulty(func(ctx context.Context) error {
		m, err := match.Compile(match.Query{Text: "x"})
		if err != nil {
			return err
		}
		_, err = search.Grep(ctx, oneFile{}, m, search.GrepOptions{Walk: walk.Options{Path: ".", Recursive: true}, Workers: 2,
			Take: func(search.GrepFile) bool { return true }})
		return err
	})))
	d, ok := a.Details.(*session.CrashDetails)
	if a.Error != answer.CodeInternal || a.Message != "internal error" || !ok || !strings.HasPrefix(d.Where, "commands/crash_test.go:") {
		t.Errorf("%+v, details %+v", a, a.Details)
	}
}

// oneFile is a folder that holds one file, which can't be opened.
type oneFile struct{}

func (oneFile) List(context.Context, string) ([]walk.Dirent, string, error) {
	return []walk.Dirent{{Name: "file"}}, "", nil
}

func (oneFile) Folder(string) (walk.Folder, error) { return nil, fs.ErrNotExist }

func (oneFile) File(string) (walk.File, error) { panic("secret text") }

func (oneFile) Lstat(string) (walk.Info, error) { return walk.Info{}, nil }

func (oneFile) Close() error { return nil }
