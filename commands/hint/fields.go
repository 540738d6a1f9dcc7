package hint

import (
	"slices"
	"strings"
)

// OtherNames are names that other programs give to fields of ours, or that models make up.
var OtherNames = [...]struct {
	Has   string // the hint is for tools with this field
	Names string // of other tools, or mistaken, with blanks between them
	Hint  string
}{
	{"start_line", "start line line_start from_line", `the first line is "start_line", counted from 1`},
	{"start_line", "end_line end line_end lines num_lines count", `how many lines are read is "max_lines", from "start_line" on`},
	{"case_sensitive", "case_insensitive ignore_case ignoreCase i", `set "case_sensitive" to false`},
	{"use_regex", "regex is_regex regexp fixed_strings literal extended_regexp perl_regexp pcre2",
		`the query is literal text; "use_regex" makes it a regular expression`},
	{"query", "search text term search_term search_text keyword keywords needle q regex_pattern", `what is searched for is "query"`},
	{"case_sensitive", "flags", `there are no flags: set "case_sensitive" to false for another case; (?s) and others go into the expression`},
	{"query", "limit max_results max_count", `the most results are "max_matches"`},
	{"query", "include include_pattern exclude exclude_pattern file_pattern",
		`"glob" chooses files, relative to path; "!GLOB" leaves some out`},
	{"file_type", "type", `file types are "file_type": go, py, js, ...`},
	{"query", "n line_numbers line_number with_filename", "each match has its file and line anyway"},
	{"query", "recursive -r r", "folders are searched with all below them anyway"},
	{"query", "invert_match files_without_match", "lines and files without a match can't be asked for"},
	{"query", "quiet", "no match is a success, too: see files_matched in the answer"},
	{"after", "after_context lines_after", `it is called "after"`},
	{"before", "before_context lines_before", `it is called "before"`},
	{"context", "context_lines lines_context", `it is called "context"`},
	{"whole_word", "word_regexp word -w w", `set "whole_word"`},
	{"output_mode", "files_with_matches -l count -c", `names of files or numbers of matches: set "output_mode" to files or counts`},
	{"depth", "max_depth", `it is called "depth"`},
	{"include_hidden", "all -a hidden show_hidden", `it is called "include_hidden"`},
	{"overwrite", "force replace -f f", `to replace what has the name set "overwrite"`},
	{"from", "source src old_path oldPath path file_path source_path", `what is moved or copied is "from"`},
	{"to", "destination dest dst target new_path newPath destination_path", `the new name is "to"`},
	{"mode", "overwrite force", `to replace a file set "mode" to overwrite`},
	{"expected_text", "search find old before original target old_code", `the text to replace is "expected_text"`},
	{"expected_text", "replace new after replacement updated new_code with replace_with new_lines lines", `the new text is "replacement_text"`},
	{"expected_text", "path file_path filePath filename", `one call edits one file: its path goes beside "edits"`},
	{"expected_text", "use_regex regex is_regex regexp pattern query",
		`the text is exact, no regular expression: "expected_text" is what is there`},
	{"expected_text", "include files paths file_pattern", `one "path", or all files that match "glob", a pattern or a list of them`},
	{"expected_text", "occurrence global all max_replacements count expected_replacements",
		`"replace_all" changes every place, "expected_count" so many`},
	{"start_line", "tail last last_lines from_end", `a negative "start_line" reads the end of the file`},
	{"start_line", "head first", `how many lines are read is "max_lines"`},
	{"path", "directory dir folder file filepath uri target_file targetFile absolute_path relative_path relativePath root cwd " +
		"directory_path target_directory folder_path location",
		`it is called "path", and is relative to the root`},
	{"pattern", "name", `names are chosen by "pattern", a glob such as *.go`},
	{"path", "name", `it is called "path", and is relative to the root`},
	{"path", "paths files file_paths", `it is "path", one file or folder: send a request for each`},
	{"path", "input arguments args params parameters tool_input request", `its fields go into the object itself: {"path": "..."}`},
	{"expected_text", "content contents text code_edit new_content",
		`edit takes "expected_text" and "replacement_text"; to replace the whole file use write`},
	{"expected_text", "insert_line start_line end_line line position range",
		`edit finds its place by text: "expected_text" has the lines that are there, "replacement_text" these and the new ones; ` +
			`or by "start_anchor" and "insert_after", which read gives if anchors is set`},
	{"start_anchor", "anchor line_anchor hash", `the first line is "start_anchor", the last one "end_anchor"; read gives them if anchors is set`},
	{"insert_after", "insert_before", `name the line before it as "insert_after"; "0" is the top`},
	{"start_anchor", "anchors with_anchors", `the field anchors is for read and grep, which give them; the lines to replace are "start_anchor" and "end_anchor"`},
	{"anchors", "hashline hashlines line_hashes", `it is called "anchors"`},
	{"expected_text", "patch udiff", `a diff is applied by the tool patch, as "patch"`},
	{"patch", "content text changes unified_diff patch_content udiff diff_text", `the text of the diff is "patch"`},
	{"patch", "old new old_string new_string old_text new_text expected_text replacement_text",
		`a diff is "patch"; to replace a text use edit`},
	{"patch", "path file_path filename file", `the patch itself names its files, in "--- a/PATH" and "+++ b/PATH"`},
	{"parents", "recursive p -p exist_ok create_parents", `parents are made by default; it is called "parents"`},
	{"mode", "append", `to add to a file set "mode" to "append"`},
	{"content", "data body value new_content newContent file_content code code_edit lines", `the text is "content"`},
	{"file_mode", "permissions chmod executable", `permissions are "file_mode": "0755"`},
	{"create_parents", "create_dirs make_dirs mkdir parents create_directories", `missing folders are made anyway`},
	{"pattern", "query glob filename file_pattern search include glob_pattern", `names are chosen by "pattern", a glob such as *.go`},
	{"limit", "max_results max_count head_limit max_entries", `the most results are "limit"`},
	{"max_entries", "max_results max_count", `the most entries are "max_entries"`},
	{"recursive", "recurse -r -R r force rf all_files", `a folder with all below it: set "recursive"`},
	{"backup_id", "id", `the call to take back is "backup_id"`},
	{"backup_id", "steps count n", `"since" takes back a call and all after it; "list" shows them`},
	{"input", "jsonrpc", "this is a message of MCP, which fsbox mcp serves; in batch " + BatchLine},
	{"input", "name method command function type", BatchLine},
	{"input", "arguments params args path", BatchLine},
}

// Field says what our name is for a field that other programs call differently, "" for any other
// name. Their names are not accepted, because the value often means something slightly different
// there, and nobody would notice a wrong guess.
func Field(name string, has func(field string) bool) string {
	for _, other := range OtherNames {
		if slices.Contains(strings.Fields(other.Names), name) && has(other.Has) {
			return other.Hint
		}
	}
	return ""
}

// BatchLine shows a line of batch.
const BatchLine = `a line is {"id":1,"tool":"read","input":{"path":"go.mod"}}`
