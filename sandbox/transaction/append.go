package transaction

import (
	"context"
	"errors"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/plan"
)

// Append adds to the end of a file, in place, so that a process that has the file open sees the
// addition. prepare gets the beginning and the end of the file and returns the bytes to add.
// Appends of several processes never mix. If an error comes part-way, the bytes that were added are
// removed. A file with other hard links is replaced instead, so that its other names keep their
// content.
func Append(ctx context.Context, w *sandbox.Workspace, t WriteOptions, prepare func(openfile.Edges) ([]byte, error)) (*Done, error) {
	a := appending{w: w, ctx: ctx, t: t, prepare: prepare}
	return plan.RetryOnCollision(a.ctx, t.Path, a.once)
}

// appending is an append under way.
type appending struct {
	w       *sandbox.Workspace
	ctx     context.Context
	t       WriteOptions
	prepare func(openfile.Edges) ([]byte, error)
}

func (a appending) once() (*Done, error) {
	p, err := a.w.Locate(a.t.Path, sandbox.Purpose{Follow: true, Write: true, File: a.t.Creation != MustExist,
		Opens: a.t.Creation != MustCreate})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := a.t.admits(p); err != nil {
		if !p.Exists {
			err = plan.ConfirmMissing(a.ctx, a.w, p, a.t.DryRun, err)
		}
		return nil, p.Fail(err)
	}
	if a.t.IfMatch == "" {
		a.t.IfMatch = a.w.TagAgreed(p)
	}
	if !p.Exists {
		a.t.Creation = MustCreate
		return a.byRewrite()
	}
	if p.Folder.System().LosesTarget && p.Info.Size <= maxReplayed {
		return a.byRewrite()
	}
	done, err := a.at(p)
	if errors.Is(err, ErrLinked) {
		return a.byRewrite()
	}
	return done, p.Fail(err)
}

// maxReplayed is the longest file, in bytes, that is replaced on SMB instead of written in place.
// When a client of SMB connects again (Linux 6.1), it opens its files once more by their names and
// repeats what it was writing: into the file that another client has put there meanwhile, and at
// the offset of before.
const maxReplayed = 1 << 20

// byRewrite is for new files, and for files that must not be written in place: see AllowsInPlace
// and hasOneName.
func (a appending) byRewrite() (*Done, error) {
	var added []byte
	done, err := Rewrite(a.ctx, a.w, a.t, func(old []byte, _ bool) (_ []byte, err error) {
		added, err = a.prepare(openfile.EdgesOf(old))
		return append(old[:len(old):len(old)], added...), err
	})
	if fserr.IsClean(err, fserr.ErrExists) { // somebody created it meanwhile: append to that file instead
		return nil, fserr.ErrCollision
	}
	if done != nil {
		done.Bytes, done.Size = int64(len(added)), int64(len(done.New))
	}
	return done, err
}

// at adds to the file at a target; ErrLinked if that must be done by a rewrite.
func (a appending) at(p *sandbox.Target) (*Done, error) {
	i, err := OpenInPlace(a.ctx, a.w, p, a.t.DryRun)
	if err != nil {
		return nil, err
	}
	defer i.Release()
	if p.Folder.System().LosesTarget && i.File.Info.Size <= maxReplayed { // the system knew that of another file
		return nil, ErrLinked
	}
	if err := a.w.CheckETag(a.ctx, a.t.IfMatch, i.File, nil); err != nil {
		return nil, err
	}
	edges, err := i.File.Edges(i.File.Info.Size)
	if err != nil {
		return nil, err
	}
	data, err := a.prepare(edges)
	if err != nil {
		return nil, &sandbox.CallerError{Err: err}
	}
	done := &Done{Path: p.Asked, Existed: true, Bytes: int64(len(data)), Links: i.File.Info.Links}
	if a.t.DryRun {
		done.Size = i.File.Info.Size + done.Bytes
		done.ETag, err = a.w.ETag(a.ctx, i.File, nil) // of the unchanged file
		return done, err
	}
	return done, a.add(i, data, done)
}

func (a appending) add(i *InPlace, data []byte, done *Done) error {
	if len(data) > 0 && !i.File.Info.AllowsInPlace() {
		return ErrLinked
	}
	sum, tag, err := i.File.Beginning(a.ctx, a.w.Whole())
	if err != nil {
		return err
	}
	if len(data) > 0 {
		if err := i.extend(data, tag, a.t.Tool, ""); err != nil {
			return err
		}
	}
	done.BackupID = i.BackupID
	// The bytes are added now: no error from here on may look like a failed append.
	done.Size = i.File.Info.Size + done.Bytes
	if now, err := i.File.Stat(); err == nil {
		i.File.Info, done.Size = now, now.Size
	}
	done.ETag = i.etagAfter(sum, data)
	return nil
}
