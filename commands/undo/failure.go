package undo

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/history"
	"fsbox/sandbox/undo"
)

// check refuses fields that exclude each other.
func (u *Request) check(ctx context.Context, env *command.Env) error {
	switch {
	case len(u.BackupID) > words.LongestName, len(u.Since) > words.LongestName:
		return answer.Failf(answer.CodeNotFound, "there is no backup %q", cmp.Or(u.Since, u.BackupID)).
			WithHint("undo with list shows what can be undone")
	case u.Since != "" && (u.BackupID != "" || u.Path != "" || u.List):
		return answer.Failf(answer.CodeInvalidInput, "%q excludes %q, %q and %q", "since", "backup_id", "path", "list")
	case u.List && (u.BackupID != "" || u.DryRun):
		return answer.Failf(answer.CodeInvalidInput, "%q excludes %q and %q", "list", "backup_id", "dry_run")
	case u.List:
		return nil
	case u.Cursor != "":
		return answer.Failf(answer.CodeInvalidInput, "%q needs %q", "cursor", "list")
	}
	return u.refuseID(ctx, env)
}

// refuseID refuses a request that names a backup by "id". That field is the request's own id, so
// the newest call would be undone instead.
func (u *Request) refuseID(ctx context.Context, env *command.Env) error {
	if u.BackupID != "" || u.Since != "" || u.Path != "" || env.ID.Kind() != '"' {
		return nil
	}
	all, err := undo.Backups(ctx, env.Workspace, "", false)
	if err != nil {
		return err
	}
	id := request.Unquoted(env.ID)
	if !slices.ContainsFunc(all, func(b *history.Entry) bool { return b.ID == id }) {
		return nil
	}
	return answer.Failf(answer.CodeInvalidInput, "%q is the id of the request, and the request names no backup", "id").
		WithHint("to undo this call, send it as backup_id; to undo the newest, send another id")
}

// failure says which backups exist, if the requested one doesn't.
func (u *Request) failure(err error) error {
	if errors.Is(err, fserr.ErrStale) && u.Since != "" {
		return command.FailureOf(err).
			WithHint("nothing was changed: a file changed since, or between two of the calls; look at it before you decide " +
				"what to keep, or undo the calls one at a time, newest first")
	}
	if errors.Is(err, fserr.ErrStale) {
		return command.FailureOf(err).
			WithHint("a file changed since; look at it before you decide what to keep, or name the backup_id of an earlier " +
				"call: undo with list shows them")
	}
	if kept, ok := errors.AsType[*history.KeptError](err); ok {
		return command.FailureOf(err).WithDetails(&answer.PathDetails{PathName: words.PathOf(kept.Path)}).
			WithHint("nothing was changed; this call can no longer be undone, undo with list shows the others")
	}
	if _, ok := errors.AsType[*history.LostError](err); ok {
		return command.FailureOf(err).
			WithHint("nothing was changed; a power cut may have taken it. Look at the files; to undo an earlier call, " +
				"name its backup_id: undo with list shows them")
	}
	apart, isApart := errors.AsType[*undo.UnmergeableError](err)
	_, hasGap := errors.AsType[*history.GapError](err)
	if isApart && apart.ID != "" {
		return answer.Failf(answer.CodeUnsupported, "%s", err).
			WithHint("nothing was changed; undo the calls from the newest down to backup_id %q one at a time, as undo with list "+
				"shows them, then send this again", apart.ID)
	}
	if isApart || hasGap {
		return answer.Failf(answer.CodeUnsupported, "%s", err).
			WithHint("nothing was changed; undo the calls one at a time, newest first: undo with list shows their backup_id")
	}
	if none, ok := errors.AsType[*undo.NoBackupError](err); ok {
		return u.missing(none)
	}
	return err
}

// unlisted is the failure of a list that can't be read, which changes nothing anyway.
func unlisted(err error) error {
	if !errors.Is(err, fserr.ErrBackup) {
		return err
	}
	f := command.FailureOf(err)
	f.Message = strings.Replace(f.Message, fserr.ErrBackup.Error(), "the backups can't be listed", 1)
	return f.WithHint("%s", strings.TrimPrefix(f.Hint, "nothing was changed; "))
}

// aboveHint names the call that may have changed a path with a folder above it.
func aboveHint(above undo.Above) string {
	if above.Call == nil {
		return ""
	}
	return words.Phrase("%s of %q may have changed it: undo with backup_id %s undoes that", above.Call.Tool, above.Folder, above.Call.ID)
}

// missing says which backup there isn't.
func (u *Request) missing(none *undo.NoBackupError) error {
	switch {
	case none.Known != nil:
		return answer.Failf(answer.CodeNotFound, "backup %q isn't about %q", u.BackupID, u.Path).
			WithHint("omit path to undo %s of %q", none.Known.Tool, none.Known.Items[0].Path)
	case u.BackupID != "" || u.Since != "":
		return answer.Failf(answer.CodeNotFound, "there is no backup %q", cmp.Or(u.BackupID, u.Since)).
			WithHint("undo with list shows what can be undone: of each file the last 20 versions, for a week")
	case none.Above.Call != nil:
		return answer.Failf(answer.CodeNotFound, "no backup names %q itself", u.Path).WithHint("%s", aboveHint(none.Above))
	case u.Path != "":
		return answer.Failf(answer.CodeNotFound, "nothing that changed %q can be undone", u.Path).
			WithHint("undo with list shows what can be undone")
	}
	return answer.Failf(answer.CodeNotFound, "there is nothing to undo")
}
