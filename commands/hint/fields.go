package hint

import "slices"

// OtherNames are names that other programs give to fields of ours, or that models make up.
var OtherNames = [...]struct {
	Has   string   // the hint is for tools with this field
	Names []string // of other tools, or mistaken
	Hint  string
}{
	{"start_line", []string{"offset", "start", "line", "line_start", "from_line", "view_range"},
		`the first line is "start_line", counted from 1`},
	{"start_line", []string{"end_line", "end", "line_end", "lines", "num_lines", "count"},
		`how many lines are read is "max_lines", from "start_line" on`},
	{"case_sensitive", []string{"case_insensitive", "ignore_case", "ignoreCase", "-i", "i"}, `set "case_sensitive" to false`},
	{"use_regex", []string{"regex", "is_regex", "regexp", "fixed_strings", "literal", "extended_regexp", "perl_regexp", "pcre2"},
		`the query is literal text; "use_regex" makes it a regular expression`},
	{"query", []string{"search", "text", "term", "search_term", "search_text", "keyword", "keywords", "needle", "q", "regex_pattern"},
		`what is searched for is "query"`},
	{"case_sensitive", []string{"flags"},
		`there are no flags: set "case_sensitive" to false for another case; (?s) and others go into the expression`},
	{"query", []string{"limit", "max_results", "max_count"}, `the most results are "max_matches"`},
	{"query", []string{"include", "include_pattern", "exclude", "exclude_pattern", "file_pattern"},
		`"glob" chooses files, relative to path; "!GLOB" leaves some out`},
	{"file_type", []string{"type"}, `file types are "file_type": go, py, js, ...`},
	{"query", []string{"-n", "n", "line_numbers", "line_number", "with_filename"}, "each match has its file and line anyway"},
	{"query", []string{"recursive", "-r", "r"}, "folders are searched with all below them anyway"},
	{"query", []string{"invert_match", "files_without_match"}, "lines and files without a match can't be asked for"},
	{"query", []string{"quiet"}, "no match is a success, too: see files_matched in the answer"},
	{"after", []string{"after_context", "lines_after"}, `it is called "after"`},
	{"before", []string{"before_context", "lines_before"}, `it is called "before"`},
	{"context", []string{"context_lines", "lines_context"}, `it is called "context"`},
	{"whole_word", []string{"word_regexp", "word", "-w", "w"}, `set "whole_word"`},
	{"output_mode", []string{"files_with_matches", "-l", "count", "-c"},
		`names of files or numbers of matches: set "output_mode" to files or counts`},
	{"depth", []string{"max_depth"}, `it is called "depth"`},
	{"include_hidden", []string{"all", "-a", "hidden"}, `it is called "include_hidden"`},
	{"overwrite", []string{"force", "replace", "-f", "f"}, `to replace what has the name set "overwrite"`},
	{"from", []string{"source", "src", "old_path", "oldPath", "path", "file_path", "source_path"}, `what is moved or copied is "from"`},
	{"to", []string{"destination", "dest", "dst", "target", "new_path", "newPath", "destination_path"}, `the new name is "to"`},
	{"mode", []string{"overwrite", "force"}, `to replace a file set "mode" to overwrite`},
	{"expected_text", []string{"search", "find", "old", "before", "original", "target", "old_code"},
		`the text to replace is "expected_text"`},
	{"expected_text", []string{"replace", "new", "after", "replacement", "updated", "new_code", "with"},
		`the new text is "replacement_text"`},
	{"expected_text", []string{"path", "file_path", "filePath", "filename"}, `one call edits one file: its path goes beside "edits"`},
	{"expected_text", []string{"use_regex", "regex", "is_regex", "regexp", "pattern", "query"},
		`the text is exact, no regular expression: "expected_text" is what is there`},
	{"expected_text", []string{"glob", "include", "files", "paths"}, `one call edits one file: find the files with grep, and edit each`},
	{"expected_text", []string{"occurrence", "global", "all", "max_replacements", "count", "expected_replacements"},
		`"replace_all" changes every place, "expected_count" so many`},
	{"start_line", []string{"tail", "last", "last_lines", "from_end"}, `a negative "start_line" reads the end of the file`},
	{"start_line", []string{"head", "first"}, `how many lines are read is "max_lines"`},
	{"path", []string{"directory", "dir", "folder", "file", "filepath", "uri", "target_file", "targetFile", "absolute_path", "relative_path",
		"relativePath", "root", "cwd",
		"directory_path", "target_directory", "folder_path", "location"}, `it is called "path", and is relative to the root`},
	{"pattern", []string{"name"}, `names are chosen by "pattern", a glob such as *.go`},
	{"path", []string{"name"}, `it is called "path", and is relative to the root`},
	{"path", []string{"paths", "files", "file_paths"}, `it is "path", one file or folder: send a request for each`},
	{"path", []string{"input", "arguments", "args", "params", "parameters", "tool_input", "request"},
		`its fields go into the object itself: {"path": "..."}`},
	{"expected_text", []string{"content", "contents", "text", "code_edit", "new_content"},
		`edit takes "expected_text" and "replacement_text"; to replace the whole file use write`},
	{"expected_text", []string{"insert_line", "start_line", "end_line", "line", "position"},
		`edit finds its place by text: "expected_text" has the lines that are there, "replacement_text" these and the new ones`},
	{"expected_text", []string{"patch", "udiff"}, `a diff is applied by the tool patch, as "patch"`},
	{"patch", []string{"content", "text", "changes", "unified_diff", "patch_content", "udiff", "diff_text"},
		`the text of the diff is "patch"`},
	{"patch", []string{"path", "file_path", "filename"}, `the patch itself names its files, in "--- a/PATH" and "+++ b/PATH"`},
	{"parents", []string{"recursive", "p", "-p", "exist_ok", "create_parents"}, `parents are made by default; it is called "parents"`},
	{"mode", []string{"append"}, `to add to a file set "mode" to "append"`},
	{"content", []string{"data", "body", "value", "new_content", "newContent", "file_content", "code", "code_edit", "lines"},
		`the text is "content"`},
	{"file_mode", []string{"permissions", "chmod", "executable"}, `permissions are "file_mode": "0755"`},
	{"create_parents", []string{"create_dirs", "make_dirs", "mkdir", "parents", "create_directories"}, `missing folders are made anyway`},
	{"pattern", []string{"query", "glob", "filename", "file_pattern", "search", "include", "glob_pattern"},
		`names are chosen by "pattern", a glob such as *.go`},
	{"limit", []string{"max_results", "max_count", "head_limit", "max_entries"}, `the most results are "limit"`},
	{"max_entries", []string{"max_results", "max_count"}, `the most entries are "max_entries"`},
	{"recursive", []string{"recurse", "-r", "-R", "r", "force", "rf", "all_files"}, `a folder with all below it: set "recursive"`},
	{"backup_id", []string{"steps", "count", "n"}, `"since" takes back a call and all after it; "list" shows them`},
	{"input", []string{"jsonrpc"}, "this is a message of MCP, which fsbox mcp serves; in batch " + BatchLine},
	{"input", []string{"name", "method", "command"}, BatchLine},
	{"input", []string{"arguments", "params", "args", "path"}, BatchLine},
}

// Field says what our name is for a field that other programs call differently, "" for any other
// name. Their names are not accepted, because the value often means something slightly different
// there, and nobody would notice a wrong guess.
func Field(name string, has func(field string) bool) string {
	for _, other := range OtherNames {
		if slices.Contains(other.Names, name) && has(other.Has) {
			return other.Hint
		}
	}
	return ""
}

// BatchLine shows a line of batch.
const BatchLine = `a line is {"id":1,"tool":"read","input":{"path":"go.mod"}}`
