package hint

import (
	"strings"

	"fsbox/commands/words"
)

// otherTools are names of tools of other programs, and words of shells, that are no aliases: in
// lower case without signs.
var otherTools = [...]struct{ names, hint string }{
	{" bash sh zsh fish shell cmd powershell pwsh terminal exec execute run runcommand executecommand execcommand runshellcommand " +
		"runterminalcmd runterminalcommand localshell runinterminal unifiedexec writestdin executebash bashoutput killshell killbash " +
		"process python python3 node deno bun npm npx yarn pnpm pip pip3 uv go cargo rustc make cmake gcc docker kubectl pytest build " +
		"install compile format lint readlints runtests ssh scp rsync sqlite3 sudo kill ps top env export source xargs date sleep dd watch " +
		"executeipythoncell repl codeinterpreter codeexecution ",
		"there is no shell, and no program is run; read, ls, glob and grep look at files; edit, patch and write change them"},
	{" git gitdiff gitstatus gitlog gitshow gitadd gitcommit commit gh ",
		`there is no git: "undo" with list and "undo" with dry_run show what was changed with these tools`},
	{" curl wget fetch webfetch websearch googlewebsearch http httpget httprequest download upload browser browseraction openurl ",
		"there is no network: read, ls, glob and grep look at the files of the workspace"},
	{" task agent skill todowrite todoread writetodos updateplan exitplanmode enterplanmode planmoderespond think finish submit " +
		"attemptcompletion askfollowupquestion askuserquestion newtask savememory fetchrules usemcptool accessmcpresource ",
		"this is a tool of another program: those here are for files only"},
	{" batch batchtool parallel invoke ", "each call is sent by itself"},
	{" chmod chown chgrp setpermissions ", `owners can't be changed; "write" sets the mode of a file, by file_mode`},
	{" ln link symlink createsymlink ", `links can't be made: "copy" copies what they would lead to`},
	{" cd chdir pushd ", `there is no current folder: paths are relative to the root; "ls" lists a folder`},
	{" echo printf ", `"write" makes a file, "append" adds to one`},
	{" outline symbols findsymbol documentsymbols listcodedefinitionnames getsymbolsoverview gotodefinition findreferences ",
		`"grep" with use_regex finds definitions by their first words`},
	{" notebookedit notebookread editnotebook ", `"read" and "edit" take a notebook as the JSON text that it is`},
	{" viewimage readimage readmediafile ", `"read" with encoding base64 gives an image or a sound`},
	{" strreplacebasededittool strreplaceeditor texteditor editor ",
		`there is a tool for each of its commands: view is "read", create is "write", str_replace is "edit", insert is "edit" with the line ` +
			"before it as well"},
	{" head tail less more open openfile nl readfiles readmanyfiles readmultiplefiles viewfile readlines getfile getfilecontents " +
		"readtextfile fsread ",
		`"read" reads a file, with start_line and max_lines a part of it; a negative start_line its end`},
	{" sed awk perl ", `"edit" replaces text in a file; "read" shows lines of it`},
	{" createfile newfile newcreate create touch save savefile putfile writetofile writefilecontent fswrite tee ", `"write" makes a file`},
	{" replaceinfile searchreplace searchandreplace update updatefile modify modifyfile insert inserttext insertcontent insertatline " +
		"insertline prepend replacelines deletelines replaceall fileedit replacefilecontent multireplacefilecontent proposecode reapply ",
		`"edit" replaces text in a file`},
	{" applydiff udiff gitapply ", `"patch" applies a diff`},
	{" diff cmp compare comparefiles ", `"read" shows files to compare; "patch" applies a diff`},
	{" list dir ll tree listfolder listdirectories listdirectorywithsizes directorytree directorylist listfilesrecursive ",
		`"ls" lists a folder, with recursive all below it`},
	{" filesearch findbyname findfile globsearch globfiles fd locate which whereis ", `"glob" finds paths by name: **/name`},
	{" rg ripgrep ag ack egrep fgrep zgrep gitgrep searchfiles searchfilecontent grepsearch grepfiles codebasesearch codesearch searchcode " +
		"searchcodebase searchforpattern findtext findinfiles ",
		`"grep" searches in files; "glob" finds paths by name`},
	{" createdir makedir makedirectory createfolder newfolder mkdirs ", `"mkdir" makes a folder`},
	{" mv ren renamefile ", `"move" gives a file another name`},
	{" cp copydirectory duplicate ", `"copy" copies a file or a folder`},
	{" rm rmdir unlink del removefile deletedirectory deletefolder trash ", `"delete" removes a file or a folder`},
	{" stat wc file fileinfo exists pathexists fileexists test countlines ", `"info" describes a path: type, size, lines, encoding`},
	{" undoedit revert rollback restore ", `"undo" takes back what an earlier call changed`},
	{" listalloweddirectories pwd config settings getworkspace whoami ",
		`paths are relative to the root, "."; "check" shows the root and the settings`},
	{" version ver ", `"check" shows the version, and so does fsbox --version`},
}

// Tool gives our tool for a name from other programs that is no alias, as a sentence; "" for any
// other name. ours finds a tool by a name or alias without case and signs.
func Tool(name string, ours func(loose string) (tool string, found bool)) string {
	bare := name[strings.LastIndexAny(name, ".:/")+1:] // functions.read, server:read
	if i := strings.LastIndex(bare, "__"); i >= 0 {    // mcp__server__read
		bare = bare[i+2:]
	}
	loose := words.Loose(bare)
	for _, server := range [...]string{"mcp", "fsbox", "filesystem"} { // fsbox_read
		loose = strings.TrimPrefix(loose, server)
	}
	if tool, found := ours(loose); found {
		return words.Phrase("it is called %q here", tool)
	}
	for _, h := range otherTools {
		if strings.Contains(h.names, " "+loose+" ") {
			return h.hint
		}
	}
	return ""
}

// clauseEnds are what comes between the parts of a hint.
var clauseEnds = [...]string{"; ", ", or ", ", and "}

// WithoutTools takes out of a hint the parts that send the reader to a tool that he doesn't have.
func WithoutTools(text string, leftOut func(name string) bool) string {
	var kept strings.Builder
	for rest, end := text, ""; rest != ""; {
		part, next, after := cutClause(rest)
		if !names(part, leftOut) {
			if kept.Len() > 0 {
				kept.WriteString(end)
			}
			kept.WriteString(part)
		}
		rest, end = after, next
	}
	return kept.String()
}

// cutClause cuts a hint at the first end of a part.
func cutClause(text string) (part, end, rest string) {
	at := len(text)
	for _, e := range clauseEnds {
		if i := strings.Index(text, e); i >= 0 && i < at {
			at, end = i, e
		}
	}
	return text[:at], end, text[min(at+len(end), len(text)):]
}

// names reports whether one of the words of a text is a tool for which leftOut is true. A longer
// text in quotes, such as a path, has no such word.
func names(text string, leftOut func(string) bool) bool {
	for i, quoted := range strings.Split(text, `"`) {
		all := strings.FieldsFunc(quoted, func(r rune) bool { return strings.ContainsRune(" ,:.()", r) })
		if i%2 == 1 && len(all) != 1 {
			continue
		}
		for _, word := range all {
			if leftOut(word) {
				return true
			}
		}
	}
	return false
}
