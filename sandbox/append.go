package sandbox

import (
	"context"
	"errors"

	"fsbox/sandbox/dir"
)

// Appended reports what Append did.
type Appended struct {
	Path           string // relative to the root, links not resolved
	Existed        bool
	Bytes          int64 // bytes added
	Size           int64 // of the file after the append, in bytes
	ParentsCreated int
	Links          uint64 // hard links the file had
	ETag           string
	BackupID       string // "" if none is kept
	Lost           Lost
}

// Append adds to the end of a file, in place, so that a process that has the file open sees the
// addition. prepare gets the beginning and the end of the file and returns the bytes to add.
// Appends of several processes never mix. If an error comes part-way, the bytes that were added are
// removed. A file with other hard links is replaced instead, so that its other names keep their
// content.
func (w *Workspace) Append(ctx context.Context, t Target, prepare func(dir.Edges) ([]byte, error)) (*Appended, error) {
	a := appending{w: w, ctx: ctx, t: t, prepare: prepare}
	return retryOnCollision(t.Path, a.once)
}

// appending is an append under way.
type appending struct {
	w       *Workspace
	ctx     context.Context
	t       Target
	prepare func(dir.Edges) ([]byte, error)
}

func (a appending) once() (*Appended, error) {
	p, err := a.w.locate(a.t.Path, purpose{follow: true, write: true, file: a.t.Creation != MustExist})
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := a.t.admits(p); err != nil {
		return nil, p.fail(err)
	}
	if !p.exists {
		a.t.Creation = MustCreate
		return a.byRewrite()
	}
	done, err := a.at(p)
	if errors.Is(err, errLinked) {
		return a.byRewrite()
	}
	return done, own(p, err)
}

// byRewrite is for new files, and for files that must not be written in place: see AllowsInPlace
// and hasOneName.
func (a appending) byRewrite() (*Appended, error) {
	var added int64
	all, err := a.w.transactOne(a.ctx, Change{Target: a.t, Make: func(old []byte, existed bool) ([]byte, error) {
		data, err := a.prepare(dir.EdgesOf(old, existed))
		added = int64(len(data))
		return append(old[:len(old):len(old)], data...), err
	}})
	if errors.Is(err, dir.ErrExists) { // somebody created it meanwhile: append to that file instead
		return nil, dir.ErrCollision
	}
	if len(all) == 0 {
		return nil, err
	}
	re := all[0]
	return &Appended{Path: re.Path, Existed: re.Existed, Bytes: added, Size: int64(len(re.New)),
		ParentsCreated: re.ParentsCreated, Links: re.Links, ETag: re.ETag, BackupID: re.BackupID, Lost: re.Lost}, err
}

// at adds to the file at a place; errLinked if that must be done by a rewrite.
func (a appending) at(p *place) (*Appended, error) {
	i, err := a.w.openInPlace(a.ctx, p, a.t.DryRun)
	if err != nil {
		return nil, err
	}
	defer i.close()
	if err := a.w.verify(a.ctx, a.t.IfMatch, i.file, nil); err != nil {
		return nil, err
	}
	edges, err := i.file.Edges()
	if err != nil {
		return nil, err
	}
	data, err := a.prepare(edges)
	if err != nil {
		return nil, &refusal{err}
	}
	done := &Appended{Path: p.asked, Existed: true, Bytes: int64(len(data)), Links: i.file.Info.Links}
	if a.t.DryRun {
		done.Size = i.file.Info.Size + done.Bytes
		done.ETag, err = a.w.ETag(a.ctx, i.file, nil) // of the unchanged file
		return done, err
	}
	return done, a.add(i, data, done)
}

func (a appending) add(i *inPlace, data []byte, done *Appended) error {
	if len(data) > 0 && !i.file.Info.AllowsInPlace() {
		return errLinked
	}
	sum, tag, err := i.file.Beginning(a.ctx, a.w.whole)
	if err != nil {
		return err
	}
	if len(data) > 0 {
		if done.BackupID, err = i.extend(data, tag, a.t.Tool, ""); err != nil {
			return err
		}
	}
	// The bytes are added now: no error from here on may look like a failed append.
	done.Size = i.file.Info.Size + done.Bytes
	if now, err := i.file.Stat(); err == nil {
		i.file.Info, done.Size = now, now.Size
	}
	done.ETag = i.etagAfter(sum, data)
	return nil
}
