package change

import (
	"errors"
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/sandbox/disk/fserr"
)

// HintParents says that it is the folder that is missing.
func HintParents(err error, createParents bool) error {
	if createParents {
		return err
	}
	return command.HintIf(err, answer.CodeNotFound, "its directory doesn't exist; set create_parents, or create it with mkdir")
}

// HintTarget says what to do about a path that can't be written.
func HintTarget(e *command.Env, err error, asked string) error {
	f := command.FailureOf(err)
	at, hasPath := errors.AsType[*fserr.PathError](err)
	stale, isStale := errors.AsType[*fserr.StaleError](err)
	switch {
	case f.Code == answer.CodePermissionDenied:
		return HintDenied(e, f, asked)
	case f.Code == answer.CodeNotAFile && hasPath && at.Type == "":
		return f.WithHint("a path that ends in / names a directory: omit the slash, or create the directory with mkdir")
	case hasPath && isStale && stale.Current == "": // if_match fails for a missing file as it does for a changed one
		gone := *f
		gone.Message = fmt.Sprintf("there is no file at %q that could have this etag", at.Path)
		return gone.WithHint("to create it anyway, omit if_match")
	}
	return err
}

// HintDenied says what the permissions don't allow to be written: the file, or the folder in which
// its replacement must be made.
func HintDenied(e *command.Env, f *answer.Failure, asked string) *answer.Failure {
	file, err := e.Workspace.Stat(asked)
	if err != nil {
		return f
	}
	if file.Target != nil {
		file = file.Target
	}
	above, _, _ := e.Hints().FirstMissing(file.Path)
	folder, err := e.Workspace.Stat(above)
	switch {
	case file.Exists && !file.Readable:
		return f
	case file.Exists && (!file.Writable || file.Mode.Perm()&0o222 == 0):
		return f.WithHint("the file may not be written: its mode is %04o, and only the operator can change that; nothing was changed",
			file.Mode.Perm())
	case file.Exists && err == nil && !folder.Writable:
		return f.WithHint("the file may be written, but its directory may not, and a change replaces the file there; append " +
			"works in place")
	}
	return f
}
