package commands

import (
	"strings"
	"testing"

	"fsbox/commands/answer"
	"fsbox/commands/edit"
	"fsbox/commands/grep"
	"fsbox/commands/listing"
	"fsbox/commands/ls"
	"fsbox/commands/patch"
	"fsbox/commands/read"
	"fsbox/commands/session"
	"fsbox/commands/undo"
	"fsbox/commands/words"
	textpatch "fsbox/textio/patch"
)

// What scripts can't bring about easily: time that ran out, long lists of what could not be read,
// lists that were cut.
func TestTextOfRareAnswers(t *testing.T) {
	var unread []answer.SkippedPath
	for _, name := range []string{"a", "b\n", "caf\xe9", "d", "e", "f"} {
		unread = append(unread, answer.SkippedPath{PathName: words.PathOf(name), Error: answer.CodePermissionDenied})
	}
	for _, tt := range []struct {
		result answer.Result
		want   string
	}{
		{&grep.Result{PageEnd: listing.PageEnd{Truncated: true, TruncatedBy: "timeout", Next: "narrow path"}},
			"[narrow path]\n"},
		{&grep.Result{OutputMode: "counts", Counts: []grep.Count{{File: "a:b", Count: 7}}, FilesMatched: 1, FilesCapped: 1,
			LeftOut: answer.LeftOut{Binary: 2, Hidden: 3}},
			"a:b:7\n[1 file with more lines than max_matches_per_file]\n"},
		{&ls.Result{PathName: words.PathOf("."), Unread: listing.Unread{Skipped: unread, SkippedCount: 60}},
			"[nothing to list in .; could not be read: a (permission_denied), \"b\\n\" (permission_denied), caf\ufffd (path_base64 Y2Fm6Q==) " +
				"(permission_denied), " +
				"d (permission_denied), e (permission_denied), 55 more]\n"},
		{&undo.ListResult{Backups: []undo.BackupEntry{{BackupID: "b", Time: 1, Tool: "patch", Paths: []string{"x"}, MorePaths: 4}},
			PageEnd: listing.PageEnd{Truncated: true, TruncatedBy: "max_output_bytes", NextCursor: "c3"}},
			"[1 call, and there are more; continue with cursor c3]\nb 1970-01-01T00:00:01Z patch x, 4 more\n"},
		{&read.Result{StartLine: 1, EndLine: 1, Truncated: true, Content: "x"}, "[line 1, and the rest can't be read: the line is too long]\nx"},
		{&undo.ListResult{}, "[there is nothing to undo]\n"},
	} {
		if got := answer.Succeeded(nil, tt.result, nil).Text(); got != tt.want {
			t.Errorf("%T:\n%s\nwant\n%s", tt.result, got, tt.want)
		}
	}
}

// Failures that are cut, and details that no renderer of their own is for.
func TestTextOfRareFailures(t *testing.T) {
	for _, tt := range []struct {
		fail answer.Failure
		want string
	}{
		{answer.Failure{Code: answer.CodePatchConflict, Message: "m",
			Details: &patch.FailureDetails{Files: []patch.FailedFile{{PathName: words.PathOf("a"), Error: answer.CodePatchConflict,
				Message: "n",
				Hunks:   []textpatch.HunkConflict{{Line: 4, Anchor: "x", Places: []int64{3}}}}}, Truncated: true, HunksFailed: 9, FilesFailed: 2}},
			"[9 hunks of 2 files fail, and not all of them are shown whole]\npatch_conflict: m\na: patch_conflict: n\n" +
				"hunk in line 4 of the patch: the text after @@ isn't in the file; it fits at line 3\n"},
		{answer.Failure{Code: answer.CodeTimeout, Message: "m", Hint: "h", Details: &session.StuckDetails{Committed: "unknown"}},
			"timeout: m\nhint: h\ncommitted: unknown\n"},
		{answer.Failure{Code: answer.CodeStale, Message: "m", Details: &struct {
			Digest string `json:"digest"`
			Diff   string `json:"diff"`
			None   string `json:"none"`
		}{"d", "-a\n+b\n", ""}}, "stale: m\ndigest: d\ndiff:\n-a\n+b\n"},
		{answer.Failure{Code: answer.CodeMultipleMatches, Message: "m",
			Details: &edit.PlacesDetails{Count: 3, CountApart: 2, Lines: []int64{1, 5},
				Snippets: []string{"a\nb"}}},
			"multiple_matches: m\nlines: 1, 5\n1:a\n2-b\n[1 more place; 2 that don't overlap]\n"},
		{answer.Failure{Code: answer.CodeInvalidInput, Message: strings.Repeat("x", 2000)}, "invalid_input: " +
			words.ShortTo(answer.LongestSentence, strings.Repeat("x", 2000)) + "\n"},
	} {
		if got := answer.Failed(nil, &tt.fail, nil).Text(); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
}
