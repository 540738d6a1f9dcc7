package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/patch"
	"fsbox/commands/session"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/sandbox/plan"
	"fsbox/search/match"
	"fsbox/search/walk"
)

type kindTest struct {
	err       error
	code      answer.Code
	hint      string
	retryable bool
}

var kindTests = []kindTest{
	{fserr.ErrInvalidPath, answer.CodeInvalidPath, `give a path relative to the root, such as src/main.go; "." is the root`, false},
	{fserr.ErrTraversal, answer.CodePathTraversal, `give a path below the root, without ".."`, false},
	{fserr.ErrOutside, answer.CodeOutsideWorkspace, "give a path relative to the root", false},
	{fserr.ErrLinkOutside, answer.CodeSymlinkOutside, "the symbolic link escapes the workspace, and can't be used", false},
	{fserr.ErrLinkLoop, answer.CodeSymlinkLoop, "", false},
	{fserr.ErrBlocked, answer.CodePathBlocked, "the operator's policy decides; no request can change it", false},
	{fserr.ErrNotFound, answer.CodeNotFound, "", false},
	{fserr.ErrNotEmpty, answer.CodeNotEmpty, "", false},
	{fserr.ErrNoETag, answer.CodeInvalidInput, "omit if_match for directories and links", false},
	{fserr.ErrSame, answer.CodeInvalidInput, "", false},
	{fserr.ErrNotFile, answer.CodeNotAFile, "", false},
	{fserr.ErrNotFolder, answer.CodeNotADirectory, "", false},
	{fserr.ErrExists, answer.CodeFileExists, "", false},
	{fserr.ErrPermission, answer.CodePermissionDenied, "", false},
	{fserr.ErrReadOnly, answer.CodeReadOnly, "the file system is mounted read-only", false},
	{fserr.ErrTooLarge, answer.CodeFileTooLarge, "", false},
	{sandbox.ErrNotAsAgreed, answer.CodeStale,
		"ask again: the file changed since it was shown; nothing was changed, and the same request needs a " +
			"new approval", false},
	{fserr.ErrStale, answer.CodeStale, "read the file again; to change it anyway, send details.etag as if_match", false},
	{fserr.ErrBusy, answer.CodeBusy, "try again", true},
	{fserr.ErrNoSpace, answer.CodeNoSpace, "nothing was changed; free some space or inodes first, or raise the quota or ulimit -f", false},
	{fserr.ErrUnsupported, answer.CodeUnsupported, "", false},
	{fserr.ErrOpenFiles, answer.CodeUnsupported,
		"split the request; or have the operator raise the limit on open files (ulimit -n): a patch takes about two for each directory", false},
	{fserr.ErrMounted, answer.CodeBusy, "a mount point can't be replaced, moved or removed; append can add to a " +
		"mounted file", false},
	{fserr.ErrDurability, answer.CodeDurabilityUnknown, "the change is in place; read it back before relying on it", false},
	{fserr.ErrOtherUser, answer.CodeBackupFailed,
		"nothing was changed; the operator should run fsbox as the user that the state directory belongs to", false},
	{fserr.ErrStateClosed, answer.CodeBackupFailed,
		"nothing was changed; this user may not write the state directory, or make it: fsbox check names it. If it is another user's, the " +
			"operator should run fsbox as that user, else name another directory with --state-dir", false},
	{fserr.ErrBackup, answer.CodeBackupFailed,
		"nothing was changed; the operator can name another directory with --state-dir; a change of one file needs none with --no-backup", false},
	{fserr.ErrInputOutput, answer.CodeIOError, "", false},
	{history.ErrTooMuch, answer.CodeBackupFailed,
		"nothing was changed; the operator can have it done without a backup, by --no-backup", false},
	{fserr.ErrRunning, answer.CodeBusy, "try again when it has ended, or replace it: write with mode overwrite", true},
	{fserr.ErrReplaced, answer.CodeBusy, "try again", true},
	{fserr.ErrHeld, answer.CodeBusy, "try again", true},
	{dir.ErrStillFound, answer.CodeBusy, "try again", true},
	{fserr.ErrLocked, answer.CodeBusy, "try again", true},
}

// ruleTests are the ways in which a path is invalid.
var ruleTests = []kindTest{
	{fserr.PathEmpty, answer.CodeInvalidPath, `give a path relative to the root, such as src/main.go; "." is the root`, false},
	{fserr.PathNUL, answer.CodeInvalidPath, "remove the NUL byte: no name can contain one", false},
	{fserr.PathTooLong, answer.CodeInvalidPath, "such a long text belongs in another field", false},
	{fserr.NameTooLong, answer.CodeInvalidPath, "shorten the name: most file systems allow 255 bytes", false},
	{fserr.NameUnfit, answer.CodeInvalidPath, "choose another name", false},
	{fserr.NameReserved, answer.CodeInvalidPath, "choose another name; * and ? are for glob", false},
	{fserr.PathDevice, answer.CodeInvalidPath, "give a path relative to the root", false},
	{fserr.NameOwn, answer.CodeInvalidPath, "choose another name", false},
	{fserr.PathRoot, answer.CodeInvalidPath, "name something inside the root, or a new name inside it", false},
	{fserr.PathInItself, answer.CodeInvalidPath, "choose a path outside the directory", false},
}

// Who sends a change again that is made, or may be, makes it twice: no such answer is retryable.
func TestMadeIsNotRetryable(t *testing.T) {
	moved := command.FailureOf(&fserr.PathError{Path: "a", Err: &fserr.RollbackError{Bytes: 3, Moved: true, Err: fserr.ErrBusy}})
	if moved.Code != answer.CodeBusy || moved.Message != `"a": busy: 3 bytes were added, but to a file that was renamed or replaced meanwhile` ||
		!strings.HasPrefix(moved.Hint, "don't repeat the call") || !moved.Details.(*answer.PathDetails).Committed {
		t.Errorf("%+v", moved)
	}
	for _, f := range []*answer.Failure{moved, command.FailureOf(&fserr.PathError{Path: "a", Err: &fserr.RollbackError{Err: fserr.ErrBusy}}),
		session.StuckFailure(context.DeadlineExceeded, plan.Changing), session.StuckFailure(context.Canceled, plan.Changed)} {
		if f.Retryable {
			t.Errorf("%+v", f)
		}
	}
}

// Every kind of error of the sandbox has its code, alone, wrapped, and about a path.
func TestFailureOfSandboxKinds(t *testing.T) {
	for _, tt := range slices.Concat(kindTests, ruleTests) {
		about := &fserr.PathError{Path: "a/b", Type: "fifo", Err: fmt.Errorf("open: %w", tt.err)}
		for _, err := range []error{tt.err, fmt.Errorf("read: %w", tt.err), about, fmt.Errorf("read: %w", about)} {
			f := command.FailureOf(err)
			if f.Code != tt.code || f.Hint != tt.hint || f.Retryable != tt.retryable || f.Message != err.Error() {
				t.Errorf("%v: %+v", err, f)
			}
			d, ok := f.Details.(*answer.PathDetails)
			if errors.As(err, &about) != ok {
				t.Errorf("%v: details %+v", err, f.Details)
			}
			if want := (answer.PathDetails{PathName: words.PathOf("a/b"), Type: "other", Committed: tt.code == answer.CodeDurabilityUnknown}); ok &&
				!reflect.DeepEqual(*d, want) {
				t.Errorf("%v: details %+v", err, *d)
			}
		}
	}
	tested := map[error]bool{}
	for _, tt := range kindTests {
		tested[tt.err] = true
	}
	kinds := 0
	for name := range declared(t, "../sandbox") {
		// A collision is answered by another try, a file with two names by a rewrite, and a visitor
		// says ErrSkipped to the walk.
		if strings.HasPrefix(name, "Err") && !slices.Contains([]string{"Error", "ErrCollision", "ErrLinked", "ErrSkipped"}, name) {
			kinds++
		}
	}
	if kinds != len(tested) {
		t.Errorf("sandbox declares %d errors, %d are tested", kinds, len(tested))
	}
}

func TestFailureOfOthers(t *testing.T) {
	size := &fserr.PathError{Path: "f", Err: &fserr.SizeError{Size: 9, Limit: 5}}
	stale := &fserr.PathError{Path: "f", Err: &fserr.StaleError{Current: "c1"}}
	blocked := &fserr.PathError{Path: "f", Err: fmt.Errorf("%w: %w", fserr.ErrBlocked, &sandbox.BlockedError{Pattern: "**/f"})}
	for _, tt := range []struct {
		err  error
		want answer.Failure
	}{
		{size, answer.Failure{Code: answer.CodeFileTooLarge, Message: `"f": 9 bytes, and the limit is 5`,
			Hint:    "read it in pages, or search it with grep",
			Details: &answer.PathDetails{PathName: words.PathOf("f"), Size: 9, Limit: 5}}},
		{stale, answer.Failure{Code: answer.CodeStale, Message: `"f": the file changed since it was read`,
			Hint:    "read the file again; to change it anyway, send details.etag as if_match",
			Details: &answer.PathDetails{PathName: words.PathOf("f"), Etag: "c1"}}},
		{blocked, answer.Failure{Code: answer.CodePathBlocked, Message: blocked.Error(),
			Hint:    "the operator's policy decides; no request can change it",
			Details: &answer.PathDetails{PathName: words.PathOf("f"), Pattern: "**/f"}}},
		{&history.EntrySizeError{Size: 5 << 20}, answer.Failure{Code: answer.CodeBackupFailed,
			Message: "the paths of this call take 5242880 bytes in the journal, and the limit is 4194304; nothing was changed",
			Hint:    "change fewer files at a time"}}, // by a patch, an edit of many files, undo of several calls
		{fmt.Errorf("walk: %w", context.Canceled), answer.Failure{Code: answer.CodeCanceled, Message: "the call was canceled",
			Hint: "the call was interrupted; nothing was changed", Retryable: true}},
		{fmt.Errorf("walk: %w", context.DeadlineExceeded),
			answer.Failure{Code: answer.CodeTimeout, Message: "the call took longer than its timeout",
				Hint: "nothing was changed; narrow the request, or raise --timeout", Retryable: true}},
		{fmt.Errorf("wrapped: %w", &answer.Failure{Code: answer.CodeInvalidMode, Message: "m", Hint: "h"}),
			answer.Failure{Code: answer.CodeInvalidMode, Message: "m", Hint: "h"}},
		{io.ErrUnexpectedEOF, answer.Failure{Code: answer.CodeInternal, Message: "unexpected EOF"}},
		{&walk.GlobError{Pattern: "[", Err: io.EOF}, answer.Failure{Code: answer.CodeInvalidGlob, Message: `bad glob "["`,
			Hint: "globs support * ? [abc] {a,b} and **; escape a literal one with a backslash"}},
		{command.MultilineFailure("f", &match.TooLargeForMultilineError{Size: 9, Limit: 5}), answer.Failure{Code: answer.CodeFileTooLarge,
			Message: `"f" has 9 bytes: too many for a multiline search`, Hint: "search without multiline",
			Details: &answer.PathDetails{PathName: words.PathOf("f"), Size: 9, Limit: 5}}},
	} {
		if got := command.FailureOf(tt.err); !reflect.DeepEqual(*got, tt.want) {
			t.Errorf("%v:\n%+v %+v\nwant\n%+v %+v", tt.err, *got, got.Details, tt.want, tt.want.Details)
		}
	}
	if f := command.FailureOf(nil); f != nil {
		t.Errorf("no error is %+v", f)
	}
}

// A bad expression tells where it is bad.
// TestFoundAgain: a name that was missing and is there by the time of the answer, as on FUSE while
// somebody replaces the file, makes the request one to repeat.
func TestFoundAgain(t *testing.T) {
	root := t.TempDir()
	env := testEnv(t, settings.Settings{Root: root})
	if err := os.WriteFile(filepath.Join(root, "a.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	missing := &fserr.PathError{Path: "a.txt", Err: fserr.ErrNotFound}
	single := env.Suggest(t.Context(), command.FailureOf(missing), &command.Call{Command: command.Command{Name: "read"}})
	patched := command.FailureOf(missing)
	patch.HintPatch(env.Env, patched, patch.FailedFile{PathName: words.PathOf("a.txt")}, nil, nil)
	for _, f := range []*answer.Failure{single, patched} {
		if f.Code != answer.CodeNotFound || !f.Retryable || f.Hint != "it exists now: try again" {
			t.Errorf("%+v", f)
		}
	}
}

// TestRootRemoved: once the workspace folder itself is removed nothing comes back.
func TestRootRemoved(t *testing.T) {
	root := filepath.Join(t.TempDir(), "ws")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	env := testEnv(t, settings.Settings{Root: root})
	if err := os.Remove(root); err != nil {
		t.Skip("a directory that is open can't be removed here:", err)
	}
	for _, kind := range []error{fserr.ErrNotFound, fserr.ErrBusy} {
		f := env.Suggest(t.Context(), command.FailureOf(&fserr.PathError{Path: ".", Err: kind}),
			&command.Call{Command: command.Command{Name: "ls"}})
		if f.Retryable || f.Hint != "the workspace directory has been removed: restart fsbox" {
			t.Errorf("%+v", f)
		}
	}
}

func TestFailureOfPattern(t *testing.T) {
	f := command.FailureOf(&match.PatternError{Message: "missing argument", Position: 3})
	if f.Code != answer.CodeInvalidRegex || f.Message != "bad regular expression: missing argument" {
		t.Errorf("%+v", f)
	}
	if got := asJSON(t, f.Details); got != `{"position":3}` {
		t.Errorf("details %s", got)
	}
}
