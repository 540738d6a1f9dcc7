package command

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"syscall"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/search/match"
	"fsbox/search/walk"
	"fsbox/textio"
	"fsbox/textio/edit"
	"fsbox/wildcard"
)

// HintIf adds the next step to an error that becomes a failure with that code.
func HintIf(err error, code answer.Code, hint string) error {
	if f := FailureOf(err); f.Code == code {
		return f.WithHint("%s", hint)
	}
	return err
}

// codes maps the errors of the packages below to codes. The first match counts.
var codes = [...]struct {
	is   error
	code answer.Code
	hint string
}{
	{fserr.ErrInvalidPath, answer.CodeInvalidPath, "give a path relative to the root, such as src/main.go; \".\" is the root"},
	{fserr.ErrTraversal, answer.CodePathTraversal, "give a path below the root, without \"..\""},
	{fserr.ErrOutside, answer.CodeOutsideWorkspace, "give a path relative to the root"},
	{fserr.ErrLinkOutside, answer.CodeSymlinkOutside, "the symbolic link escapes the workspace, and can't be used"},
	{fserr.ErrLinkLoop, answer.CodeSymlinkLoop, ""},
	{fserr.ErrBlocked, answer.CodePathBlocked, "the operator's policy decides; no request can change it"},
	{fserr.ErrDurability, answer.CodeDurabilityUnknown, "the change is in place; read it back before relying on it"},
	{fserr.ErrOtherUser, answer.CodeBackupFailed,
		"nothing was changed; the operator should run fsbox as the user that the state directory belongs to"},
	{fserr.ErrStateClosed, answer.CodeBackupFailed,
		"nothing was changed; this user may not write the state directory, or make it: fsbox check names it. If it is another user's, the " +
			"operator should run fsbox as that user, else name another directory with --state-dir"},
	{history.ErrTooMuch, answer.CodeBackupFailed, "nothing was changed; the operator can have it done without a backup, by --no-backup"},
	{fserr.ErrBackup, answer.CodeBackupFailed,
		"nothing was changed; the operator can name another directory with --state-dir; a change of one file needs none with --no-backup"},
	{sandbox.ErrNotAsAgreed, answer.CodeStale,
		"ask again: the file changed since it was shown; nothing was changed, and the same request needs a " +
			"new approval"},
	{fserr.ErrStale, answer.CodeStale, "read the file again; to change it anyway, send details.etag as if_match"},
	{fserr.ErrTooLarge, answer.CodeFileTooLarge, ""},
	{fserr.ErrNotFound, answer.CodeNotFound, ""},
	{fserr.ErrNotEmpty, answer.CodeNotEmpty, ""},
	{fserr.ErrNoETag, answer.CodeInvalidInput, "omit if_match for directories and links"},
	{fserr.ErrSame, answer.CodeInvalidInput, ""},
	{fserr.ErrExists, answer.CodeFileExists, ""},
	{fserr.ErrNotFile, answer.CodeNotAFile, ""},
	{fserr.ErrNotFolder, answer.CodeNotADirectory, ""},
	{fserr.ErrPermission, answer.CodePermissionDenied, ""},
	{fserr.ErrReadOnly, answer.CodeReadOnly, "the file system is mounted read-only"},
	{fserr.ErrMounted, answer.CodeBusy, "a mount point can't be replaced, moved or removed; append can add to a " +
		"mounted file"},
	{fserr.ErrRunning, answer.CodeBusy, "try again when it has ended, or replace it: write with mode overwrite"},
	{fserr.ErrBusy, answer.CodeBusy, "try again"},
	{fserr.ErrNoSpace, answer.CodeNoSpace, "nothing was changed; free some space or inodes first, or raise the quota or ulimit -f"},
	{fserr.ErrUnsupported, answer.CodeUnsupported, ""},
	{fserr.ErrOpenFiles, answer.CodeUnsupported,
		"split the request; or have the operator raise the limit on open files (ulimit -n): a patch takes about two for each directory"},
	{context.Canceled, answer.CodeCanceled, "the call was interrupted; nothing was changed"},
	{context.DeadlineExceeded, answer.CodeTimeout, "nothing was changed; narrow the request, or raise --timeout"},
	{fserr.ErrInputOutput, answer.CodeIOError, ""},
	{walk.ErrIgnoreNotFile, answer.CodeNotAFile, ""},
	{walk.ErrIgnoreLink, answer.CodeNotAFile, ""},
	{walk.ErrIgnoreLarge, answer.CodeFileTooLarge, ""},
}

// FailureOf turns any Go error into the failure that the caller sees.
func FailureOf(err error) *answer.Failure {
	if f, ok := errors.AsType[*answer.Failure](err); ok || err == nil {
		return f
	}
	if at, ok := errors.AsType[*fserr.PathError](err); ok {
		at.Path = words.ShortName(at.Path) // before anything quotes it
	}
	for _, known := range [...]func(error) *answer.Failure{sizeFailure, searchFailure, encodingFailure} {
		if f := known(err); f != nil {
			return f
		}
	}
	if entry, ok := errors.AsType[*history.EntrySizeError](err); ok {
		return answer.Failf(answer.CodeBackupFailed, "%v; nothing was changed", entry).WithHint("change fewer files at a time")
	}
	if f := codedFailure(err); f != nil {
		return withRollback(WithPathDetails(f, err), err)
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok { // not about a path of the workspace: stdin, the state folder
		return answer.Failf(answer.CodeIOError, "the system reports: %v", number)
	}
	return answer.Failf(answer.CodeInternal, "%v", err)
}

// codedFailure maps errors that codes has; nil for others.
func codedFailure(err error) *answer.Failure {
	for _, c := range codes {
		if errors.Is(err, c.is) {
			return &answer.Failure{Code: c.code, Message: message(c.code, err), Hint: cmp.Or(ruleHint(err), c.hint),
				Retryable: c.code.IsRetryable() && c.is != fserr.ErrMounted}
		}
	}
	return nil
}

// ruleHint says what to do about a path that breaks a rule, "" for any other error.
func ruleHint(err error) string {
	rule, _ := errors.AsType[fserr.BrokenRule](err)
	return map[fserr.BrokenRule]string{
		fserr.PathNUL:      "remove the NUL byte: no name can contain one",
		fserr.PathTooLong:  "such a long text belongs in another field",
		fserr.NameTooLong:  "shorten the name: most file systems allow 255 bytes",
		fserr.NameReserved: "choose another name; * and ? are for glob",
		fserr.NameUnfit:    "choose another name",
		fserr.NameOwn:      "choose another name",
		fserr.PathDevice:   "give a path relative to the root",
		fserr.PathRoot:     "name something inside the root, or a new name inside it",
		fserr.PathInItself: "choose a path outside the directory",
	}[rule]
}

// message is the text of err, except for errors whose text comes from Go itself.
func message(code answer.Code, err error) string {
	switch code {
	case answer.CodeCanceled:
		return "the call was canceled"
	case answer.CodeTimeout:
		return "the call took longer than its timeout"
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ") // of several errors that are joined
}

func WithPathDetails(f *answer.Failure, err error) *answer.Failure {
	p, ok := errors.AsType[*fserr.PathError](err)
	if !ok {
		return f
	}
	d := &answer.PathDetails{PathName: words.PathOf(words.ShortName(p.Path)), Type: words.Type(p.Type),
		Committed: f.Code == answer.CodeDurabilityUnknown}
	if blocked, ok := errors.AsType[*sandbox.BlockedError](err); ok {
		d.Pattern = blocked.Pattern
	}
	if stale, ok := errors.AsType[*fserr.StaleError](err); ok {
		d.Etag = stale.Current
	}
	if size, ok := errors.AsType[*fserr.SizeError](err); ok {
		d.Size, d.Limit = size.Size, size.Limit
		f.Hint = hintPages
	}
	f.Details = d
	return f
}

const hintPages = "read it in pages, or search it with grep"

// withRollback adds what to do when a change failed and could not be undone completely, or was
// made but left some old content.
func withRollback(f *answer.Failure, err error) *answer.Failure {
	left, ok := errors.AsType[*fserr.RollbackError](err)
	if !ok {
		return f
	}
	if d, ok := f.Details.(*answer.PathDetails); ok {
		d.Committed = true
	}
	f.Retryable = false // it would be made twice
	switch {
	case left.Made:
		f.Hint = "don't repeat the call; the rest has a temporary name, and the next call that writes in that directory tries to remove it"
	case left.Moved:
		f.Hint = "don't repeat the call: the text is in the old file, which may have another name by now, as a log that is rotated"
	case left.Bytes == 0:
		f.Hint = "look at the files that the message names, then at undo with list: some of the change is in place"
	default:
		f.Hint = "read the end of the file: some or all of the text was added"
	}
	f.InPlace = true
	return f
}

// RegexDetails are the details of invalid_regex.
type RegexDetails struct {
	Position int `json:"position"` // offset in the query in code points, -1 if unknown
}

// WriteDetails names the position, if it is known.
func (d *RegexDetails) WriteDetails(t *answer.Text, _ string) {
	if d.Position >= 0 {
		t.Line("position: " + words.Int(int64(d.Position)))
	}
}

// searchFailure maps bad patterns.
func searchFailure(err error) *answer.Failure {
	if pattern, ok := errors.AsType[*match.PatternError](err); ok {
		return answer.Failf(answer.CodeInvalidRegex, "bad regular expression: %s", pattern.Message).
			WithDetails(&RegexDetails{pattern.Position}).
			WithHint("%s", hint.Regex(pattern.Message))
	}
	if glob, ok := errors.AsType[*walk.GlobError](err); ok {
		for _, bound := range [...]error{wildcard.ErrLong, wildcard.ErrBraces} {
			if errors.Is(err, bound) {
				return answer.Failf(answer.CodeInvalidGlob, "bad glob %q: %v", glob.Pattern, bound).
					WithHint("use a shorter or simpler pattern")
			}
		}
		return answer.Failf(answer.CodeInvalidGlob, "bad glob %q", glob.Pattern).
			WithHint("globs support * ? [abc] {a,b} and **; escape a literal one with a backslash")
	}
	if large, ok := errors.AsType[*match.TooLargeForMultilineError](err); ok {
		return MultilineFailure("", large)
	}
	return nil
}

func MultilineFailure(path string, err *match.TooLargeForMultilineError) *answer.Failure {
	return answer.Failf(answer.CodeFileTooLarge, "%q has %d bytes: too many for a multiline search", path, err.Size).
		WithDetails(&answer.PathDetails{PathName: words.PathOf(path), Size: err.Size, Limit: err.Limit}).
		WithHint("search without multiline")
}

// LineDetails are the details of line_out_of_range.
type LineDetails struct {
	words.PathName
	StartLine  int64 `json:"start_line"`
	TotalLines int64 `json:"total_lines"`
}

func LineFailure(path string, err *textio.LineRangeError) *answer.Failure {
	f := answer.Failf(answer.CodeLineOutOfRange, "%q has %s, so there is no line %d", path, words.Plural(err.TotalLines, "line"),
		err.StartLine).
		WithDetails(&LineDetails{PathName: words.PathOf(path), StartLine: err.StartLine, TotalLines: err.TotalLines})
	if err.TotalLines == 0 {
		return f.WithHint("the file is empty")
	}
	return f.WithHint("start_line may be 1 to %d, or negative to count from the end", err.TotalLines)
}

func (*LineDetails) WriteDetails(*answer.Text, string) {}

// WriteSizeDetails are the details of write_too_large, in bytes.
type WriteSizeDetails struct {
	Size  int64 `json:"size,omitzero"` // omitted if it isn't known: of stdin no more is read
	Limit int64 `json:"limit"`
}

// sizeFailure maps texts that would be too long.
func sizeFailure(err error) *answer.Failure {
	if long, ok := errors.AsType[*textio.TextSizeError](err); ok {
		return answer.Failf(answer.CodeFileTooLarge, "%v", long).WithDetails(&WriteSizeDetails{Size: long.Size, Limit: long.Limit})
	}
	if large, ok := errors.AsType[*edit.TooLargeError](err); ok {
		return answer.Failf(answer.CodeWriteTooLarge, "%v", large).WithDetails(&WriteSizeDetails{Size: large.Size, Limit: large.Limit})
	}
	return nil
}
