package commands

// effects has a request for each field of each command, and a value of that field which changes the
// answer or the disk: "COMMAND FIELD REQUEST => VALUE". The workspace has the files file and
// dir/file with "text" in them; two of Go, words.go of them; .hidden; .ignore, which names
// dir/deep/ignored; latin, which isn't UTF-8; unended, without a last line end; and crlf, which was
// changed in 2001, the others just now. CURSOR is the next_cursor of the answer to the request,
// ETAG that of an older content.
const effects = `
info path {} => "file"
info hash {"path":"file"} => true
info absolute {} => true
ls path {} => "dir"
ls recursive {} => true
ls depth {"recursive":true} => 1
ls max_entries {} => 1
ls include_hidden {} => true
ls no_ignore {"recursive":true} => true
ls respect_git_ignore {"recursive":true} => false
ls pattern {} => "*.go"
ls sort {} => "size"
ls cursor {"max_entries":1} => CURSOR
glob pattern {"pattern":"*"} => "*.go"
glob path {"pattern":"*"} => "dir"
glob limit {"pattern":"**"} => 1
glob sort {"pattern":"**"} => "size"
glob type {"pattern":"*"} => "any"
glob include_hidden {"pattern":"*"} => true
glob no_ignore {"pattern":"**"} => true
glob respect_git_ignore {"pattern":"**"} => false
glob cursor {"pattern":"**","limit":1} => CURSOR
read path {"path":"file"} => "words.go"
read start_line {"path":"words.go"} => 2
read max_lines {"path":"words.go"} => 1
read view_range {"path":"words.go"} => [2,3]
read offset {"path":"words.go"} => 2
read end_line {"path":"words.go"} => 1
read max_bytes {"path":"words.go"} => 15
read max_line_chars {"path":"words.go"} => 5
read line_numbers {"path":"words.go"} => true
read anchors {"path":"words.go"} => true
read encoding {"path":"latin"} => "windows-1252"
read on_invalid {"path":"latin"} => "error"
read raw {"path":"crlf"} => true
read cursor {"path":"words.go","max_lines":1} => CURSOR
grep query {"query":"text"} => "package"
grep path {"query":"text"} => "dir"
grep glob {"query":"text"} => ["*.go"]
grep use_regex {"query":"te.t"} => true
grep case_sensitive {"query":"text"} => false
grep -i {"query":"text"} => true
grep ignoreCase {"query":"text"} => true
grep fixed_strings {"query":"te.t"} => false
grep respect_git_ignore {"query":"text"} => false
grep names_only {"query":"text"} => true
grep whole_word {"query":"text"} => true
grep multiline {"query":"text\\s+more","use_regex":true} => true
grep before {"query":"Text"} => 1
grep after {"query":"text"} => 1
grep context {"query":"text"} => 1
grep anchors {"query":"text"} => true
grep max_matches {"query":"text"} => 1
grep max_matches_per_file {"query":"t"} => 1
grep output_mode {"query":"text"} => "counts"
grep file_type {"query":"text"} => ["go"]
grep include_hidden {"query":"text"} => true
grep no_ignore {"query":"text"} => true
grep cursor {"query":"text","max_matches":1} => CURSOR
write path {"path":"new","content":"a\n"} => "newer"
write content {"path":"new","content":"a\n"} => "b\n"
write mode {"path":"file","content":"a\n"} => "overwrite"
write create_parents {"path":"a/b","content":"a\n"} => false
write encoding {"path":"new","content":"\u00e9\n"} => "windows-1252"
write eol {"path":"new","content":"a\nb\n"} => "crlf"
write file_mode {"path":"new","content":"a\n"} => "0600"
write if_match {"path":"file","content":"a\n","mode":"overwrite"} => ETAG
write diff {"path":"file","content":"a\n","mode":"overwrite"} => false
write dry_run {"path":"new","content":"a\n"} => true
append path {"path":"file","content":"a\n"} => "words.go"
append content {"path":"file","content":"a\n"} => "b\n"
append create_parents {"path":"a/b","content":"a\n"} => false
append ensure_newline {"path":"unended","content":"a\n"} => true
append encoding {"path":"latin","content":"\u00e9\n"} => "windows-1252"
append eol {"path":"crlf","content":"a\n"} => "verbatim"
append if_match {"path":"file","content":"a\n"} => ETAG
append diff {"path":"file","content":"a\n"} => false
append dry_run {"path":"file","content":"a\n"} => true
edit path {"path":"file","expected_text":"text","replacement_text":"a"} => "dir/file"
edit expected_text {"path":"file","expected_text":"text","replacement_text":"a"} => "ext"
edit replacement_text {"path":"file","expected_text":"text","replacement_text":"a"} => "b"
edit replace_all {"path":"words.go","expected_text":"t","replacement_text":"a"} => true
edit expected_count {"path":"file","expected_text":"text","replacement_text":"a"} => 2
edit whole_word {"path":"words.go","expected_text":"ext","replacement_text":"a"} => true
edit start_anchor {"path":"words.go","replacement_text":"a","end_anchor":"4#G6Q"} => "3#8XQ"
edit end_anchor {"path":"words.go","replacement_text":"a","start_anchor":"3#8XQ"} => "4#G6Q"
edit insert_after {"path":"words.go","replacement_text":"a"} => "0"
edit source_start {"path":"words.go","insert_after":"0","source_end":"4#G6Q"} => "3#8XQ"
edit source_end {"path":"words.go","insert_after":"0","source_start":"3#8XQ"} => "4#G6Q"
edit source_path {"path":"file","insert_after":"0","source_start":"3#8XQ"} => "words.go"
edit cut {"path":"words.go","insert_after":"0","source_start":"3#8XQ"} => true
edit edits {"path":"file"} => [{"expected_text":"text","replacement_text":"a"}]
edit glob {"expected_text":"text","replacement_text":"a"} => ["*.go"]
edit match {"path":"words.go","expected_text":"Text()   ","replacement_text":"Other()"} => "lenient"
edit if_match {"path":"file","expected_text":"text","replacement_text":"a"} => ETAG
edit diff {"path":"file","expected_text":"text","replacement_text":"a"} => false
edit dry_run {"path":"file","expected_text":"text","replacement_text":"a"} => true
patch continue_patch {"patch":"--- a/file\n+++ b/file\n@@ -1 +1 @@\n-text\n+a\n"} => "p1"
patch patch {"patch":"--- file\n+++ file\n@@ -1 +1 @@\n-text\n+other\n"} => "--- file\n+++ file\n@@ -1 +1 @@\n-text\n+more\n"
patch match {"patch":"--- words.go\n+++ words.go\n@@ -3,3 +3,3 @@\n func texts() {  \n-\tText()\n+\tOther()\n }\n"} => "lenient"
patch diff {"patch":"--- file\n+++ file\n@@ -1 +1 @@\n-text\n+other\n"} => false
patch dry_run {"patch":"--- file\n+++ file\n@@ -1 +1 @@\n-text\n+other\n"} => true
mkdir path {"path":"new"} => "newer"
mkdir parents {"path":"a/b"} => false
copy from {"from":"file","to":"new"} => "words.go"
copy to {"from":"file","to":"new"} => "newer"
copy overwrite {"from":"file","to":"words.go"} => true
copy create_parents {"from":"file","to":"a/b"} => false
copy dry_run {"from":"file","to":"new"} => true
move from {"from":"file","to":"new"} => "words.go"
move to {"from":"file","to":"new"} => "newer"
move overwrite {"from":"file","to":"words.go"} => true
move create_parents {"from":"file","to":"a/b"} => false
move dry_run {"from":"file","to":"new"} => true
delete path {"path":"file"} => "words.go"
delete recursive {"path":"dir"} => true
delete if_match {"path":"file"} => ETAG
delete dry_run {"path":"file"} => true
undo backup_id {} => "none"
undo since {} => "none"
undo list {} => true
undo cursor {"list":true} => "none"
undo path {} => "file"
undo diff {} => false
undo dry_run {} => true
schema tool {} => "read"
schema for {"tool":"read"} => "anthropic"
`

// idle are the fields that change nothing in the workspace of effectsEnv, with the reason.
var idle = map[string]string{
	"grep -n":  "other programs number lines by it, and lines are always numbered",
	"approval": "it counts only where changes need a token: approval_token_test.go",
}

// samePage are the fields that don't change which results there are, so that a cursor is good for a
// request with another value: they aren't in the request's Fingerprint.
var samePage = map[string]string{
	"cursor": "it is where the page begins", "path": "the directory itself is in the fingerprint, by whichever name",
	"limit": "how much of the list a page has", "max_entries": "the same", "max_matches": "the same",
	"before": "how much is shown around a match", "after": "the same", "context": "the same", "anchors": "how a line is shown",
}

// more has requests of other forms, which exclude each other, that succeed there, too.
var more = map[string][]string{
	"edit": {`{"path":"file","edits":[{"expected_text":"text","replacement_text":"other"}]}`},
	"undo": {`{"list":true}`, `{"path":"dir/file"}`},
	"read": {`{"path":"file","start_line":-1}`},
	"glob": {`{"pattern":"**","type":"any"}`},
	"grep": {`{"query":"t","output_mode":"counts","before":1}`},
	"info": {`{"path":"file","hash":true}`},
}

// searched are the words that somebody would search for a tool by. The first 160 characters of its
// description have to have them, since hosts search there, and some show no more.
var searched = map[string]string{
	"info": "path exists type size", "ls": "list folder directory tree", "glob": "find files pattern name", "read": "read lines file",
	"grep": "search text regex regular expression file", "write": "write file new overwrite", "append": "add text end file",
	"edit": "edit file replace text", "patch": "apply patch diff file", "mkdir": "create folder directory",
	"delete": "delete file directory", "move": "move rename file", "copy": "copy file directory", "undo": "undo change",
	"check": "show settings limits",
}
