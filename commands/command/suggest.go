package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/search/walk"
)

// Suggest adds to a failure about a path what the caller can do, unless the command has said so
// already. It looks around in the workspace within a bound, and never changes the request.
func (e *Env) Suggest(ctx context.Context, f *answer.Failure, c *Call) *answer.Failure {
	d, ok := f.Details.(*answer.PathDetails)
	if !ok {
		return f
	}
	switch f.Code {
	case answer.CodeNotFound, answer.CodeBusy:
		if root, err := e.Workspace.Lstat("."); err == nil && root.Links == 0 {
			f.Retryable = false
			return f.WithHint("the workspace directory has been removed: restart fsbox")
		}
	case answer.CodeOutsideWorkspace, answer.CodePathTraversal:
		return e.suggestInside(ctx, f, d, c)
	case answer.CodeInvalidPath:
		return e.suggestValid(f, d)
	case answer.CodeFileTooLarge:
		if f.Hint == hintPages && c.Changes() && d.Limit == e.Limits.MaxReadBytes {
			return f.WithHint("the operator can raise --max-read-bytes; " + hintPages)
		}
	}
	if f.Hint != "" {
		return f
	}
	switch f.Code {
	case answer.CodeNotFound:
		return e.suggestNames(ctx, f, d, c)
	case answer.CodeNotADirectory:
		return e.suggestFolder(f, d.Path, c)
	case answer.CodePermissionDenied:
		above, _, _ := e.Hints().FirstMissing(d.Path)
		if folder, err := e.Workspace.Stat(above); c.Changes() && err == nil && !folder.Writable {
			return f.WithHint("the directory %q may not be written", folder.Path)
		}
	case answer.CodeNotAFile:
		if strings.HasSuffix(d.Path, "/") {
			return f.WithHint("%s", noFolderHint(d.Path, c.Paths()))
		}
		if d.Type == "directory" {
			return f.WithHint("%s", cmp.Or(c.Command.AtFolder, "name a file in it: ls lists them"))
		}
	}
	return f.WithHint("%s", pathHint(f.Code))
}

// pathHint is the hint for codes that have the same one for every path; "" for any other.
func pathHint(code answer.Code) string {
	return map[answer.Code]string{
		answer.CodeNotAFile:         "only regular files can be read or written",
		answer.CodeSymlinkLoop:      "the links form a loop; delete removes a link itself",
		answer.CodePermissionDenied: "fsbox runs as a user who may not do that: info shows the mode, and only the operator can change it",
		answer.CodeIOError:          "the system refuses it, or the disk or its server is at fault: try once more, then tell the operator",
	}[code]
}

const patternInside = "a pattern finds what lies below path, and path is relative to the root: remove what escapes it"

// suggestInside names what was probably meant by a path that leads out of the workspace.
func (e *Env) suggestInside(ctx context.Context, f *answer.Failure, d *answer.PathDetails, c *Call) *answer.Failure {
	tree := e.Hints()
	if tree.IsRoot(d.Path) {
		return f.WithHint(`the root itself is "."; paths are relative to it`)
	}
	meant, _ := tree.Respelled(d.Path)
	if meant == "" && hint.HasWildcard(d.Path) {
		return f.WithHint(patternInside)
	}
	made, ok := c.Request.(Creator)
	if p := tree.NewPath(d.Path); p != "" && ok && made.Creates(d.Path) && (meant == "" || strings.HasSuffix(p, "/"+meant)) {
		return f.WithHint("give a path relative to the root, such as %q", p)
	}
	isGlob := false
	if d.Similar = []string{meant}; meant == "" {
		d.Similar, isGlob = e.similarNames(ctx, d.Path)
	}
	switch {
	case isGlob:
		return f.WithHint(patternInside)
	case len(d.Similar) == 0:
		return f.WithHint(`nothing in the workspace has that name: ls of "." lists the files; paths are relative to the root`)
	}
	return f.WithHint("%s paths are relative to the root", didYouMean(d.Similar, d.Path))
}

func didYouMean(paths []string, asked string) string {
	switch first := hint.Quoted(paths[0], asked); {
	case hint.IsAlike(paths[0], asked) && first != strconv.Quote(paths[0]): // else the quotes show what is odd
		return "did you mean " + first + "? It looks like the requested path, but has other characters."
	case hint.IsAlike(paths[0], asked), len(paths) == 1:
		return "did you mean " + first + "?"
	}
	return "did you mean one of details.similar?"
}

// suggestValid names what was probably meant by a path that breaks a rule.
func (e *Env) suggestValid(f *answer.Failure, d *answer.PathDetails) *answer.Failure {
	if clean := strings.ReplaceAll(d.Path, "\x00", ""); clean != d.Path && e.Workspace.Exists(clean) {
		d.Similar = []string{clean}
		return f.WithHint("did you mean %q?", clean)
	}
	return f
}

// slashHint is for the path of a file that is asked for with a slash at its end.
func slashHint(path string, asked []string) string {
	if !slices.ContainsFunc(asked, func(p string) bool { return strings.HasSuffix(strings.TrimSuffix(p, "."), "/") }) {
		return ""
	}
	return words.Phrase("%q is a file, and a path that ends in / names a directory: omit the slash", path)
}

// noFolderHint is for a new path with a slash at its end, where nothing is yet.
func noFolderHint(path string, asked []string) string {
	const make = "or create the directory with mkdir"
	if len(asked) != 2 {
		return "a path that ends in / names a directory: omit the slash, " + make
	}
	name := asked[0][strings.LastIndexByte(strings.TrimRight(asked[0], "/"), '/')+1:]
	name = path + strings.TrimRight(name, "/")
	return words.Phrase("there is no directory %q: give the new path, %q, ", strings.TrimRight(path, "/"), name) + make
}

// suggestFolder says which part of a path is a file.
func (e *Env) suggestFolder(f *answer.Failure, asked string, c *Call) *answer.Failure {
	switch info, err := e.Workspace.Lstat(asked); {
	case err == nil && info.Mode.IsRegular():
		return f.WithHint("%s", cmp.Or(c.Command.AtFile, slashHint(asked, c.Paths()), "there is a file of this name: read and grep take it"))
	case err == nil:
		return f.WithHint("something else has this name: info says what")
	}
	last, _, _ := e.Hints().FirstMissing(asked)
	switch info, err := e.Workspace.Lstat(last); {
	case last == "." || err != nil:
		return f
	case info.Mode.IsRegular():
		return f.WithHint("%q is a file, not a directory", last)
	}
	return f.WithHint("%q is not a directory", last)
}

// IsBack reports whether what a call didn't find is there now, and no link. On SMB a file that is
// replaced has no name for a moment.
func (e *Env) IsBack(err error) bool {
	at, ok := errors.AsType[*fserr.PathError](err)
	if !ok || !errors.Is(err, fserr.ErrNotFound) {
		return false
	}
	info, err := e.Workspace.Lstat(at.Path)
	return err == nil && info.Mode&fs.ModeSymlink == 0
}

// HintPresent gives the hint if the name exists in its folder although opening it found nothing. It
// reports whether it did.
func (e *Env) HintPresent(f *answer.Failure, path string) bool {
	switch info, err := e.Workspace.Lstat(path); {
	case err != nil:
		return false
	case info.Mode&fs.ModeSymlink != 0:
		f.WithHint("the symbolic link exists, but its target doesn't: info shows the target")
	default:
		f.Retryable = true
		f.WithHint("it exists now: try again")
	}
	return true
}

// suggestNames names the paths that were probably meant instead of one that doesn't exist.
func (e *Env) suggestNames(ctx context.Context, f *answer.Failure, d *answer.PathDetails, c *Call) *answer.Failure {
	if e.HintPresent(f, d.Path) {
		return f
	}
	meant, why, advice := e.meant(ctx, d.Path, c)
	d.Similar, d.ExactNames = meant, words.ExactNames(meant...)
	switch {
	case advice != "":
		f.WithHint("%s", advice)
	case len(meant) == 0:
		f.WithHint("%s", cmp.Or(c.Command.AtNothing, e.nothingHint(d.Path)))
	case words.Base64(meant[0]) != "":
		f.WithHint("the name isn't UTF-8, and only a field such as path_base64 takes it: details.exact_names has what to send")
	default:
		f.WithHint("%s", strings.TrimSpace(didYouMean(meant, d.Path)+" "+why))
	}
	return f
}

// MeantHint names what was probably meant by a path with nothing at it, in an answer that has no
// details.
func (e *Env) MeantHint(ctx context.Context, asked string) string {
	meant, why, advice := e.meant(ctx, asked, &Call{})
	if len(meant) == 0 {
		return advice
	}
	quoted := words.Mapped(meant, func(path string) string { return hint.Quoted(words.Shown(path), asked) })
	return strings.TrimSpace("did you mean " + strings.Join(quoted, " or ") + "? " + why)
}

// meant finds what was probably meant by a path with nothing at it, and what was wrong with the
// spelling. Where the path is something else, such as a list or a glob, it gives the whole hint.
func (e *Env) meant(ctx context.Context, asked string, c *Call) (paths []string, why, advice string) {
	tree := e.Hints()
	if tree.IsList(asked) {
		return nil, "", cmp.Or(c.Command.ForList, request.OnePath)
	}
	if meant, why := tree.Respelled(asked); meant != "" {
		return []string{meant}, why, ""
	}
	names, isGlob := e.similarNames(ctx, asked)
	if !isGlob {
		return names, "", ""
	}
	folder, glob := hint.SplitGlob(asked)
	format := cmp.Or(c.Command.ForGlob, "path is one file or directory, not a glob: find the files with glob {asked} first")
	set := "omit path and set"
	if folder != "." {
		set = fmt.Sprintf("set path to %q and", folder)
	}
	quoted := strings.NewReplacer("{asked}", strconv.Quote(asked), "{path}", set, "{glob}", strconv.Quote(glob))
	return nil, "", quoted.Replace(format)
}

// similarNames are the paths like one that is missing, or none if it is a glob.
func (e *Env) similarNames(ctx context.Context, asked string) (names []string, isGlob bool) {
	names, isGlob = e.Hints().SimilarNames(ctx, asked, func(ctx context.Context) bool { return e.finds(ctx, asked) })
	return answer.Fitting(FailureBudget(e.Limits), names), isGlob
}

// finds reports whether a path, read as a glob, finds something, as far as it may be looked for.
func (e *Env) finds(ctx context.Context, asked string) bool {
	asked = strings.TrimLeft(asked, "/")
	folder, _ := hint.SplitGlob(asked)
	glob, _, err := e.Glob(".", asked, false)
	if err != nil || !e.Workspace.Exists(folder) {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, e.Limits.Timeout/ProbeShare)
	defer cancel()
	o := walk.Options{Path: folder, IncludeHidden: true, Blocked: e.Workspace.DeniesEntry}
	n, _, isAll := e.Hints().Count(ctx, o, func(entry walk.Entry) bool { return glob.Match(entry.Path, entry.Type.IsDir()) })
	return n > 0 || !isAll
}

// nothingHint says what to do where no name is like the missing one.
func (e *Env) nothingHint(asked string) string {
	if folder, _, _ := e.Hints().FirstMissing(asked); folder != "." {
		return words.Phrase("list the files with ls of %q", folder)
	}
	return "list the files with ls"
}

// Hints is the workspace as hints see it.
func (e *Env) Hints() hint.Tree {
	return hint.Tree{Workspace: e.Workspace, Time: e.Limits.Timeout / ProbeShare,
		Open: func(path string) (walk.Folder, error) { return e.tree(path) }}
}

// ProbeShare is the part of the timeout that looking around may take when nothing was found.
const ProbeShare = 20
