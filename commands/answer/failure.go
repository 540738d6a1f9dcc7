package answer

import "fsbox/commands/words"

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

// Failure is an error as the caller sees it.
type Failure struct {
	Code      Code
	Message   string // one lower-case sentence
	Hint      string // the next step, "" for none
	Retryable bool   // the same request may succeed later
	Details   any    // typed per code, nil for none
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

// WithHint adds the next step to a failure.
func (f *Failure) WithHint(format string, args ...any) *Failure {
	f.Hint = words.Phrase(format, args...)
	return f
}

// IsRetryable reports whether the same request may succeed later.
func (c Code) IsRetryable() bool { return c == CodeBusy || c == CodeTimeout || c == CodeCanceled }
