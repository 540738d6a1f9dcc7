package commands

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// otherTools are names of tools of other programs that are no aliases, in lower case without signs.
var otherTools = [...]struct{ names, hint string }{
	{" bash sh shell cmd powershell terminal exec execute run runcommand executecommand runshellcommand runterminalcmd localshell " +
		"runinterminal ",
		"there is no shell: read, ls, glob and grep look at files, edit, patch and write change them"},
	{" strreplacebasededittool strreplaceeditor texteditor editor ",
		"there is a tool for each of its commands: view is read, create is write, str_replace is edit, insert is edit with the line before " +
			"it as well"},
	{" head tail less more open openfile nl readfiles readmanyfiles viewfile readlines getfile getfilecontents readtextfile " +
		"readmediafile ",
		`"read" reads a file, with start_line and max_lines a part of it`},
	{" sed awk perl ", `"edit" replaces text in a file; "read" shows lines of it`},
	{" version ver ", "fsbox --version"},
	{" createfile newfile create touch save savefile putfile writetofile tee ", `"write" makes a file`},
	{" replaceinfile searchreplace searchandreplace update updatefile modify modifyfile insert inserttext fileedit ",
		`"edit" replaces text in a file`},
	{" applydiff diff udiff gitapply ", `"patch" applies a diff`},
	{" list dir tree listfolder listdirectories directorytree directorylist listfilesrecursive ",
		`"ls" lists a folder, with recursive all below it`},
	{" filesearch findbyname findfile globsearch globfiles fd locate which ", `"glob" finds paths by name: **/name`},
	{" rg ripgrep ag ack searchfiles grepsearch searchfilecontent codebasesearch codesearch searchcode searchcodebase searchforpattern " +
		"findtext ",
		`"grep" searches in files; "glob" finds paths by name`},
	{" createdir makedir makedirectory createfolder newfolder ", `"mkdir" makes a folder`},
	{" mv renamefile ", `"move" gives a file another name`},
	{" cp ", `"copy" copies a file or a folder`},
	{" rm rmdir unlink del removefile deletedirectory deletefolder trash ", `"delete" removes a file or a folder`},
	{" stat wc file fileinfo exists pathexists fileexists test ", `"info" describes a path`},
	{" undoedit revert rollback restore ", `"undo" takes back what an earlier call changed`},
	{" listalloweddirectories pwd config settings getworkspace ", `"check" shows the root and the settings`},
}

// toolHabit gives our tool for a name from other programs that is no alias, as a hint; "" for any
// other name.
func toolHabit(name string) string {
	bare := name[strings.LastIndexAny(name, ".:/")+1:] // functions.read, server:read
	if i := strings.LastIndex(bare, "__"); i >= 0 {    // mcp__server__read
		bare = bare[i+2:]
	}
	if t, ok := findToolLoosely(Tools(), bare); ok {
		return phrase("it is called %q here", t.Name)
	}
	loose := looseName(bare)
	for _, h := range otherTools {
		if strings.Contains(h.names, " "+loose+" ") {
			return h.hint
		}
	}
	return ""
}

// syntaxHints say what is probably wrong where the parser's message has certain words.
var syntaxHints = [...]wordHint{
	{`'\'' at start`, "texts and names are in double quotes in JSON"},
	{"in literal", "names and texts are in double quotes in JSON, and true, false and null are written so"},
	{"escape sequence", `a backslash in a text is written twice: "C:\\dir"`},
	{"non-control", `line ends and tabs in a text are written \n and \t`},
	{"',' at start", "there is a comma too many: none comes after the last item"},
	{"']' at start", "there is a comma too many: none comes after the last item"},
	{"'}' at start", "there is a comma too many, or a value is missing"},
	{"'N' at start", "in JSON it is null, in small letters and without quotes"},
	{"'T' at start", "in JSON it is true, in small letters and without quotes"},
	{"'F' at start", "in JSON it is false, in small letters and without quotes"},
	{"after object name", "a name is followed by a colon and its value"},
	{"after object value", "values are separated by commas; a quote in a text is written \\\""},
	{"after array element", "values are separated by commas; a quote in a text is written \\\""},
	{"object member name", "names are in double quotes in JSON"},
	{"UTF-8", "send the text as UTF-8"},
}

// syntaxHint says what is probably wrong where text is no JSON, from the parser's message.
func syntaxHint(err *jsontext.SyntacticError) string {
	return hintFor(err.Err.Error(), syntaxHints[:], "send one JSON object, all names and texts in double quotes")
}

// wordHint is the hint for a message of a parser that has certain words.
type wordHint struct{ in, hint string }

// hintFor finds the first hint for a message, or else gives another one.
func hintFor(message string, hints []wordHint, otherwise string) string {
	for _, h := range hints {
		if strings.Contains(message, h.in) {
			return h.hint
		}
	}
	return otherwise
}
