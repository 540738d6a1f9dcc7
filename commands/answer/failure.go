package answer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"fsbox/commands/words"
)

// Code names a kind of failure. The list is closed: callers may switch on it.
type Code string

// Every code that an answer can carry in its "error" member.
const (
	CodeInvalidInput Code = "invalid_input"
	CodeInvalidPath  Code = "invalid_path"
	CodeUnknownTool  Code = "unknown_tool"
	CodeCallLimit    Code = "call_limit"

	CodePathTraversal    Code = "path_traversal_attempt"
	CodeOutsideWorkspace Code = "path_outside_workspace"
	CodeSymlinkOutside   Code = "symlink_outside_workspace"
	CodeSymlinkLoop      Code = "symlink_loop"
	CodePathBlocked      Code = "path_blocked"

	CodeWritesDisabled   Code = "writes_disabled"
	CodeDeletesDisabled  Code = "deletes_disabled"
	CodeApprovalRequired Code = "approval_required"
	CodeApprovalDenied   Code = "approval_denied"

	CodeNotFound         Code = "not_found"
	CodeNotAFile         Code = "not_a_file"
	CodeNotADirectory    Code = "not_a_directory"
	CodeNotEmpty         Code = "not_empty"
	CodeFileExists       Code = "file_exists"
	CodePermissionDenied Code = "permission_denied"
	CodeReadOnly         Code = "read_only"

	CodeIsBinary        Code = "is_binary"
	CodeInvalidEncoding Code = "invalid_encoding"
	CodeFileTooLarge    Code = "file_too_large"
	CodeWriteTooLarge   Code = "write_too_large"
	CodeLineOutOfRange  Code = "line_out_of_range"

	CodeMatchNotFound     Code = "match_not_found"
	CodeMultipleMatches   Code = "multiple_matches"
	CodeCountMismatch     Code = "count_mismatch"
	CodeEmptyExpectedText Code = "empty_expected_text"
	CodeNoChange          Code = "no_change"
	CodeInvalidPatch      Code = "invalid_patch"
	CodePatchConflict     Code = "patch_conflict"
	CodeAmbiguousPatch    Code = "ambiguous_patch"
	CodeStale             Code = "stale"
	CodeInvalidMode       Code = "invalid_mode"

	CodeInvalidRegex  Code = "invalid_regex"
	CodeInvalidGlob   Code = "invalid_glob"
	CodeInvalidCursor Code = "invalid_cursor"

	CodeTimeout           Code = "timeout"
	CodeCanceled          Code = "canceled"
	CodeBusy              Code = "busy"
	CodeNoSpace           Code = "no_space"
	CodeIOError           Code = "io_error"
	CodeDurabilityUnknown Code = "durability_unknown"
	CodeUnsupported       Code = "unsupported"
	CodeConfinementFailed Code = "confinement_failed"
	CodeBackupFailed      Code = "backup_failed"
	CodeInternal          Code = "internal"
)

// CodeGroup is a part of the list of codes, as help shows it.
type CodeGroup struct {
	Name  string
	OfAll bool // any command may answer with these; of the others, its declaration names those it answers with
	Codes []Code
}

// CodeGroups are all codes.
func CodeGroups() []CodeGroup {
	return []CodeGroup{
		{"Any request", true, []Code{CodeInvalidInput, CodeUnknownTool, CodeCallLimit, CodeTimeout, CodeCanceled, CodeBusy, CodeIOError,
			CodeUnsupported, CodeConfinementFailed, CodeInternal}},
		{"Any path", true, []Code{CodeInvalidPath, CodePathTraversal, CodeOutsideWorkspace, CodeSymlinkOutside, CodeSymlinkLoop, CodePathBlocked,
			CodeNotFound, CodeNotAFile, CodeNotADirectory, CodePermissionDenied}},
		{"Any change", true, []Code{CodeWritesDisabled, CodeDeletesDisabled, CodeApprovalRequired, CodeApprovalDenied, CodeReadOnly, CodeNoSpace,
			CodeDurabilityUnknown, CodeBackupFailed, CodeStale}},
		{"Content of files", false, []Code{CodeIsBinary, CodeInvalidEncoding, CodeFileTooLarge, CodeWriteTooLarge, CodeLineOutOfRange,
			CodeInvalidMode}},
		{"Existing names", false, []Code{CodeFileExists, CodeNotEmpty}},
		{"Edits and patches", false, []Code{CodeMatchNotFound, CodeMultipleMatches, CodeCountMismatch, CodeEmptyExpectedText, CodeNoChange,
			CodeInvalidPatch, CodePatchConflict, CodeAmbiguousPatch}},
		{"Searches and listings", false, []Code{CodeInvalidRegex, CodeInvalidGlob, CodeInvalidCursor}},
	}
}

// Failure is an error as the caller sees it.
type Failure struct {
	Code      Code
	Message   string // one lower-case sentence
	Hint      string // the next step, "" for none
	Retryable bool   // the same request may succeed later
	Details   any    // typed per code, nil for none
	InPlace   bool   // the change is made, or a part of it
}

func (f *Failure) Error() string { return f.Message }

// AsError is f as an error: for a nil f, a nil interface.
func AsError(f *Failure) error {
	if f == nil {
		return nil
	}
	return f
}

// Failf makes a failure with a message.
func Failf(code Code, format string, args ...any) *Failure {
	return &Failure{Code: code, Message: words.Phrase(format, args...), Retryable: code.IsRetryable()}
}

// WithDetails adds details to a failure.
func (f *Failure) WithDetails(details any) *Failure {
	f.Details = details
	return f
}

// WithHint adds the next step to a failure, unless a part of the change is in place: what to do
// about that comes first.
func (f *Failure) WithHint(format string, args ...any) *Failure {
	if f.InPlace {
		return f
	}
	f.Hint = words.Phrase(format, args...)
	return f
}

// IsRetryable reports whether the same request may succeed later.
func (c Code) IsRetryable() bool { return c == CodeBusy || c == CodeTimeout || c == CodeCanceled }

// writeFailure writes the code, the message, the hint, and what of the details helps to do better.
func writeFailure(t *Text, a Answer) {
	if d, ok := a.Details.(interface{ Lacks() string }); ok {
		t.First(d.Lacks())
	}
	t.Paint(hueError, string(a.Error), ":")
	t.Line(" ", a.Message)
	hint := HintText(a.Hint)
	if hint != "" {
		t.Paint(hueHint, "hint:")
		t.Line(" ", unquoted(hint))
	}
	if d, ok := a.Details.(detailsWriter); ok {
		d.WriteDetails(t, hint)
	} else {
		t.Facts(a.Details)
	}
}

// detailsWriter is implemented by details whose text form isn't a line for each member. hint is
// what the text has said already.
type detailsWriter interface{ WriteDetails(t *Text, hint string) }

// HintText is a hint, whose references to members of details become references to what follows.
func HintText(hint string) string {
	if !strings.Contains(hint, "details.") {
		return hint
	}
	return strings.NewReplacer(
		"copy details.closest[0].text", "copy the text below",
		"see details.closest", "see below",
		"one of details.similar", "one of these",
		"details.exact_names has what to send", "what to send is below",
		"details.files lists", "below is",
		"details.", "",
	).Replace(hint)
}

// quotedField is a name in quotes that nothing else can be, and that begins no member of JSON.
var quotedField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([a-z]+(?:_[a-z]+)+)"([^:]|$)`) })

// unquoted is a hint without the quotes around such names: some hosts show a failure as JSON, with
// a backslash before each quote, or several.
func unquoted(hint string) string { return quotedField().ReplaceAllString(hint, "$1$2") }

// PathDetails are the details of every failure about one path. It is relative to the root:
// command.FailureOf has it from an error of the packages below; what fails in a command itself,
// such as in the function that makes a new content, takes words.PathOf of what
// env.Workspace.Clean makes of the request's path.
type PathDetails struct {
	words.PathName
	Type      string   `json:"type,omitzero"`      // not_a_file: what is there instead, as info calls it
	Pattern   string   `json:"pattern,omitzero"`   // path_blocked: the rule
	Etag      string   `json:"etag,omitzero"`      // stale: the current one
	Size      int64    `json:"size,omitzero"`      // file_too_large: bytes
	Limit     int64    `json:"limit,omitzero"`     // file_too_large: bytes
	Line      int64    `json:"line,omitzero"`      // invalid_encoding: the first line with invalid bytes
	Similar   []string `json:"similar,omitzero"`   // not_found: paths that exist
	Committed bool     `json:"committed,omitzero"` // the change is in place, or a part of it

	ExactNames []words.PathName `json:"exact_names,omitzero"` // of similar, those that aren't UTF-8
}

// WriteDetails writes what the hint doesn't say.
func (d *PathDetails) WriteDetails(t *Text, hint string) {
	for _, path := range d.Similar {
		inHint := fmt.Sprintf("%q", path)
		if escaped := strconv.QuoteToASCII(path); strings.Contains(hint, escaped) {
			inHint = escaped
		}
		if exact := words.Base64(path); exact != "" {
			inHint = exact
		}
		if len(d.Similar) > 1 || !strings.Contains(hint, inHint) {
			t.Line("similar: ", words.Exact(path))
		}
	}
	rest := *d
	rest.Path, rest.Type, rest.Pattern, rest.Similar, rest.ExactNames, rest.Line = "", "", "", nil, nil, 0
	t.Facts(&rest)
}
