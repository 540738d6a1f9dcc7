package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"fsbox/commands/answer"
	"fsbox/sandbox"
	"fsbox/sandbox/dir"
)

// hintParents says that it is the folder that is missing.
func hintParents(err error, createParents bool) error {
	if createParents {
		return err
	}
	return hintIf(err, answer.CodeNotFound, "its folder doesn't exist; set create_parents, or make it with mkdir")
}

// hintTarget says what to do about a path that can't be written.
func (e *Env) hintTarget(err error, asked string) error {
	switch f := failureOf(err); f.Code {
	case answer.CodeNotAFile:
		return hintNoFile(f, err)
	case answer.CodePermissionDenied:
		return e.hintDenied(f, asked)
	case answer.CodeStale:
		return hintGone(f, err)
	}
	return err
}

// hintNoFile says what is wrong with a path that ends like a folder's, in a slash.
func hintNoFile(f *answer.Failure, err error) error {
	if p, ok := errors.AsType[*dir.PathError](err); ok && p.Type == "" {
		return f.WithHint("a path that ends in / is that of a folder: leave the slash out, or make the folder with mkdir")
	}
	return err
}

// hintGone says so if the file is missing: if_match fails then just as it does for a changed file.
func hintGone(f *answer.Failure, err error) *answer.Failure {
	stale, isStale := errors.AsType[*dir.StaleError](err)
	p, hasPath := errors.AsType[*dir.PathError](err)
	if !isStale || stale.Current != "" || !hasPath {
		return f
	}
	gone := *f
	gone.Message = fmt.Sprintf("there is no file at %q that could have this etag", p.Path)
	return gone.WithHint("to make it all the same, leave if_match out")
}

// hintDenied says what the permissions don't allow to be written: the file, or the folder in which
// its replacement must be made.
func (e *Env) hintDenied(f *answer.Failure, asked string) *answer.Failure {
	file, err := e.Workspace.Stat(asked)
	if err != nil {
		return f
	}
	if file.Target != nil {
		file = file.Target
	}
	folder, err := e.nearestFolder(file.Path)
	switch {
	case file.Exists && !file.Readable:
		return f
	case file.Exists && (!file.Writable || file.Mode.Perm()&0o222 == 0):
		return f.WithHint("%s; nothing was changed", whyNotWritable(file.Mode))
	case err != nil || folder.Writable:
		return f
	case file.Exists:
		return f.WithHint("the file may be written, but its folder may not, and a changed file takes the place of the old one there; append " +
			"works in place")
	}
	return f.WithHint("the folder %q may not be written", folder.Path)
}

// whyNotWritable says what keeps a file from being written, and who can change that.
func whyNotWritable(mode fs.FileMode) string {
	if mode.Perm()&0o222 == 0 {
		return fmt.Sprintf("the file is read-only: its mode is %04o, and only the operator can change that, with chmod", mode.Perm())
	}
	return fmt.Sprintf("the user that fsbox runs as may not write the file: its mode is %04o, and only the operator can change that",
		mode.Perm())
}

// nearestFolder describes the folder of a path, or if that is missing, the nearest one above that
// exists.
func (e *Env) nearestFolder(name string) (*sandbox.Stat, error) {
	for {
		name = path.Dir(name)
		folder, err := e.Workspace.Stat(name)
		if err != nil || folder.Exists || name == "." {
			return folder, err
		}
	}
}
