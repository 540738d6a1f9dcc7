package commands

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
)

// suggest adds to a failure about a path what the caller can do, unless the command has said so
// already. It looks around in the workspace within a bound, and never changes the request.
func (e *Env) suggest(ctx context.Context, f *answer.Failure, c *call) *answer.Failure {
	d, ok := f.Details.(*PathDetails)
	if !ok {
		return f
	}
	switch f.Code {
	case answer.CodeOutsideWorkspace, answer.CodePathTraversal:
		return e.suggestInside(ctx, f, d, c)
	case answer.CodeInvalidPath:
		return e.suggestValid(f, d)
	}
	if f.Hint != "" {
		return f
	}
	switch f.Code {
	case answer.CodeNotFound:
		return e.suggestNames(ctx, f, d, c)
	case answer.CodeNotADirectory:
		return e.suggestFolder(f, d.Path, c)
	}
	return f.WithHint("%s", pathHint(f.Code, d.Type))
}

// pathHint is the hint for codes that have the same one for every path; "" for any other.
func pathHint(code answer.Code, kind string) string {
	switch code {
	case answer.CodeNotAFile:
		if kind == "directory" {
			return "name a file in it: ls lists them"
		}
		return "nothing but regular files is read or written"
	case answer.CodeSymlinkLoop:
		return "the links lead back to themselves and to no file: leave them alone; delete removes a link itself"
	case answer.CodePermissionDenied:
		return "fsbox runs as a user who may not do that: info shows the mode, and only the operator can change it"
	case answer.CodeIOError:
		return "the system refuses it or the disk is at fault: try another file, or tell the operator"
	}
	return ""
}

// suggestInside names what was probably meant by a path that leads out of the workspace.
func (e *Env) suggestInside(ctx context.Context, f *answer.Failure, d *PathDetails, c *call) *answer.Failure {
	if e.isRoot(d.Path) {
		return f.WithHint(`the root itself is "."; paths are relative to it`)
	}
	if strings.ContainsAny(d.Path, globSigns) {
		return f.WithHint("a pattern finds what lies below path, and path is relative to the root: leave out what leads out of it")
	}
	if meant, _ := e.spelled(d.Path); meant != "" {
		d.Similar = []string{meant}
		return f.WithHint("did you mean %q? paths are relative to the root", meant)
	}
	if c.creates(d.Path) {
		if p := e.newPath(d.Path); p != "" {
			return f.WithHint("give a path relative to the root, such as %q", p)
		}
	}
	d.Similar = answer.Fitting(answer.NewBudget(e.Limits.MaxOutputBytes), e.similar(ctx, strings.Join(components(d.Path), "/")))
	switch len(d.Similar) {
	case 0:
		return f.WithHint(`nothing of that name is in the workspace: ls of "." lists what is there; paths are relative to the root`)
	case 1:
		return f.WithHint("did you mean %q? paths are relative to the root", d.Similar[0])
	}
	return f.WithHint("did you mean one of details.similar? paths are relative to the root")
}

// isRoot reports whether a path has no name, such as ../.. or /, or one that ends with the root's
// own.
func (e *Env) isRoot(asked string) bool {
	names := components(asked)
	return len(names) == 0 || names[len(names)-1] == path.Base(filepath.ToSlash(e.Workspace.Root()))
}

// suggestValid names what was probably meant by a path that breaks a rule.
func (e *Env) suggestValid(f *answer.Failure, d *PathDetails) *answer.Failure {
	if clean := strings.ReplaceAll(d.Path, "\x00", ""); clean != d.Path && e.Workspace.Exists(clean) {
		d.Similar = []string{clean}
		return f.WithHint("did you mean %q?", clean)
	}
	return f
}

// suggestFolder says which part of a path is a file.
func (e *Env) suggestFolder(f *answer.Failure, asked string, c *call) *answer.Failure {
	switch info, err := e.Workspace.Lstat(asked); {
	case err == nil && info.Mode.IsRegular() && c.tool.Name == "glob":
		return f.WithHint("there is a file of this name, and path is the folder in which glob looks: leave path out")
	case err == nil && info.Mode.IsRegular():
		return f.WithHint("there is a file of this name: read and grep take it, and a folder needs another one")
	case err == nil:
		return f.WithHint("something else has this name: info says what")
	}
	last, _, _ := e.firstMissing(asked)
	switch info, err := e.Workspace.Lstat(last); {
	case last == "." || err != nil:
		return f
	case info.Mode.IsRegular():
		return f.WithHint("%q is a file, and nothing lies in it", last)
	}
	return f.WithHint("%q is no folder, and nothing lies in it", last)
}

// hintFolder says how to list a folder, for a request to read one.
func hintFolder(err error) error {
	if p, ok := errors.AsType[*dir.PathError](err); ok && p.Type == "folder" {
		return failureOf(err).WithHint("list it with ls")
	}
	return err
}

// hintPresent gives the hint if the name exists in its folder although opening it found nothing. It
// reports whether it did.
func (e *Env) hintPresent(f *answer.Failure, path string) bool {
	switch info, err := e.Workspace.Lstat(path); {
	case err != nil:
		return false
	case info.Mode&fs.ModeSymlink != 0:
		f.WithHint("the name is there, but what the symbolic link leads to is not: see where with info")
	default:
		f.Retryable = true
		f.WithHint("it is there now: try again")
	}
	return true
}

// suggestNames names the paths that were probably meant instead of one that doesn't exist.
func (e *Env) suggestNames(ctx context.Context, f *answer.Failure, d *PathDetails, c *call) *answer.Failure {
	if e.hintPresent(f, d.Path) {
		return f
	}
	why, done := e.findMeant(ctx, f, d, c)
	if done {
		return f
	}
	d.ExactNames = words.ExactNames(d.Similar...)
	switch {
	case d.ExactNames != nil && e.hintExact(f, d, e.fieldOf(c, d.Path)):
	case len(d.Similar) == 0:
		e.hintNothing(f, d.Path, c)
	case len(d.Similar) > 1:
		f.WithHint("did you mean one of details.similar?")
	case why != "":
		f.WithHint("did you mean %q? %s", d.Similar[0], why)
	default:
		f.WithHint("did you mean %q?", d.Similar[0])
	}
	return f
}

// meantHint names what was probably meant by a path with nothing at it, in an answer that has no
// details.
func (e *Env) meantHint(ctx context.Context, asked string) string {
	f, d := &answer.Failure{}, &PathDetails{Path: asked}
	why, done := e.findMeant(ctx, f, d, &call{})
	if done || len(d.Similar) == 0 {
		return f.Hint
	}
	quoted := words.Mapped(d.Similar, func(path string) string { return words.Phrase("%q", words.Shown(path)) })
	return strings.TrimSpace("did you mean " + strings.Join(quoted, " or ") + "? " + why)
}

// findMeant fills Similar with what was probably meant, and tells what was wrong with the spelling.
// Where the path is something else, such as a list or a glob, it gives the hint itself.
func (e *Env) findMeant(ctx context.Context, f *answer.Failure, d *PathDetails, c *call) (why string, done bool) {
	if hint := e.listHint(d.Path, c); hint != "" {
		f.WithHint("%s", hint)
		return "", true
	}
	if meant, why := e.spelled(d.Path); meant != "" {
		d.Similar = []string{meant}
		return why, false
	}
	if strings.ContainsAny(d.Path, globSigns) {
		f.WithHint("%s", globHint(d.Path, c))
		return "", true
	}
	d.Similar = answer.Fitting(answer.NewBudget(e.Limits.MaxOutputBytes), e.similar(ctx, d.Path))
	return "", false
}

// hintExact says how to send a name that isn't UTF-8, where it is such a name that was meant.
func (e *Env) hintExact(f *answer.Failure, d *PathDetails, field string) bool {
	var meant []words.ExactName // names that answers show exactly as the requested one
	for _, path := range d.Similar {
		if words.Shown(path) == words.Shown(d.Path) {
			meant = append(meant, words.ExactNames(path)...)
		}
	}
	switch {
	case len(meant) > 0 && field == "":
		f.WithHint("the name isn't UTF-8, and U+FFFD only replaces what can't be shown: details.exact_names has it")
	case len(meant) == 1:
		f.WithHint("the name isn't UTF-8, and U+FFFD only replaces what can't be shown: send %q: %q instead of %q",
			field+words.Base64Suffix, meant[0].PathBase64, field)
	case field != "" && (len(meant) > 1 || len(d.ExactNames) == len(d.Similar)):
		f.WithHint("did you mean one of details.exact_names? send its path_base64 as %q instead of %q", field+words.Base64Suffix, field)
	default:
		return false
	}
	return true
}

// hintNothing says what to do where no name is like the missing one.
func (e *Env) hintNothing(f *answer.Failure, asked string, c *call) {
	folder, _, _ := e.firstMissing(asked)
	switch empty, isEdit := c.request.(*Edit); {
	case isEdit && empty.expectsNothing():
		f.WithHint("create it with write")
	case isEdit:
		f.WithHint("list what is there with ls; a new file is made with write")
	case folder != ".":
		f.WithHint("list what is there with ls of %q", folder)
	default:
		f.WithHint("list what is there with ls")
	}
}

// expectsNothing reports whether the first expected text of an edit is empty, as other programs ask
// for a new file.
func (e *Edit) expectsNothing() bool {
	if len(e.Edits) > 0 {
		return !hasText(e.Edits[0].ExpectedText)
	}
	return !hasText(e.ExpectedText)
}

// fieldOf gives the field of a request that holds a path, "" if none does: the path came from a
// patch, or from a flag that JSON doesn't have.
func (e *Env) fieldOf(c *call, path string) string {
	for _, f := range c.fields {
		if !f.isPath() {
			continue
		}
		if asked, err := e.Workspace.Clean(c.value.Field(f.index).String()); err == nil && asked == path {
			return f.name
		}
	}
	return ""
}

// globSigns are what a glob has and few names have.
const globSigns = "*?[{"

// onePath is what a request with several paths is told.
const onePath = "path is one file or folder: send a request for each"

// listHint says how to name several files, if a path is a list of paths; else "".
func (e *Env) listHint(asked string, c *call) string {
	parts := strings.FieldsFunc(asked, func(r rune) bool { return strings.ContainsRune(", ;:\n\t[]\"'", r) })
	if len(parts) < 2 || slices.ContainsFunc(parts, func(p string) bool { return !e.Workspace.Exists(p) }) {
		return ""
	}
	if c.tool.Name == "grep" {
		return onePath + `, or leave path out and list them in "glob"`
	}
	return onePath
}

// globHint says where the glob goes that was given as a path.
func globHint(asked string, c *call) string {
	folder, pattern := ".", asked
	for {
		first, rest, more := strings.Cut(pattern, "/")
		if !more || strings.ContainsAny(first, globSigns) {
			break
		}
		folder, pattern = path.Join(folder, first), rest
	}
	switch {
	case c.tool.Name == "grep" && folder == ".":
		return words.Phrase(`path is one file or folder, and a glob goes into "glob": leave path out and set glob to %q`, pattern)
	case c.tool.Name == "glob":
		return "path is the folder to look in: leave it out, or name one without wildcards; several globs are one pattern, such as *.{go,md}"
	case c.tool.Name == "grep":
		return words.Phrase(`path is one file or folder, and a glob goes into "glob": set path to %q and glob to %q`, folder, pattern)
	}
	return words.Phrase("path is one file or folder, and no glob: find the files with glob %q first", asked)
}
