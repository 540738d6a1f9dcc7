package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
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

// byRewrite is for new files, and for files that must not be written in place: see AllowsInPlace and
// hasOneName.
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

// inPlace is a file that is changed in place: open, with its folder locked.
type inPlace struct {
	hold
	p    *place
	file *dir.File
}

// openInPlace opens the file at a place. A dry run locks nothing, because taking the lock removes
// files of killed calls.
func (w *Workspace) openInPlace(ctx context.Context, p *place, dry bool) (_ *inPlace, err error) {
	i := &inPlace{hold: hold{w: w, ctx: ctx}, p: p}
	defer func() {
		if err != nil {
			i.close()
		}
	}()
	if !dry {
		if err := i.lock(p); err != nil {
			return nil, err
		}
	}
	if err := p.mayWrite(p.info); err != nil {
		return nil, err
	}
	i.file, err = p.open(os.O_RDWR | os.O_APPEND)
	switch {
	case errors.Is(err, dir.ErrNotFound), errors.Is(err, dir.ErrBusy), errors.Is(err, dir.ErrNotFile):
		return nil, dir.ErrCollision // it was a regular file a moment ago
	case err != nil || dry:
		return i, err
	}
	return i, w.unlinkKept(ctx, i.file)
}

func (i *inPlace) close() {
	if i.file != nil {
		i.file.Close()
	}
	i.release()
}

// change keeps what the journal needs to take the change back, and makes it; errLinked if the file
// has other names.
func (i *inPlace) change(e *history.Entry, from history.Source, do func() error) (backupID string, err error) {
	from.Present = &i.file.Info
	kept, err := i.w.history.Keep(i.ctx, e, []history.Source{from}, true)
	if err != nil {
		return "", err
	}
	if err = i.p.hasOneName(i.ctx, i.file); err == nil {
		err = do()
	}
	switch {
	case !kept:
		return "", err
	case err != nil:
		i.w.history.Drop(e)
		return "", err
	}
	return e.ID, nil
}

// extend adds data at the end. tag describes the content before: see dir.File.Beginning.
func (i *inPlace) extend(data []byte, tag, tool, undoes string) (backupID string, err error) {
	e := history.NewEntry(tool, undoes, history.Saved{Path: i.p.path, Action: history.Extended, Mode: i.file.Info.Mode, Size: i.file.Info.Size,
		Added: int64(len(data)), Old: tag, New: dir.ContentETag(data)}) // no content is kept, only where the addition begins
	return i.change(e, history.Source{Empty: true}, func() error { return i.add(data) })
}

// add adds data to a file that must have exactly one name, that of the place. It must still have it
// afterwards: if somebody replaced the file meanwhile, the addition may be lost. Nobody can tell
// whether their file was made from the old content or from the new, so the bytes are not added
// again.
func (i *inPlace) add(data []byte) error {
	if err := i.write(data); err != nil {
		return err
	}
	switch err := i.p.isOnlyName(i.file); {
	case errors.Is(err, errLinked) && i.file.TakeOff(len(data)) == nil:
		return err
	case err != nil:
		return &dir.RollbackError{Bytes: len(data), Err: fmt.Errorf("%w: somebody replaced the file while the text was added", dir.ErrBusy)}
	}
	return nil
}

// write writes and syncs data, or leaves the file as it was.
func (i *inPlace) write(data []byte) error {
	if err := i.ctx.Err(); err != nil {
		return err
	}
	n, err := i.file.Write(data)
	if err == nil && !i.w.noSync {
		err = i.file.Sync()
	}
	if err == nil {
		return nil
	}
	if i.file.TakeOff(n) != nil {
		return &dir.RollbackError{Bytes: n, Err: dir.Classify(err)}
	}
	return err
}

// etagAfter is the etag after data was added. sum is of the content before, nil if that was too long
// to be read.
func (i *inPlace) etagAfter(sum *dir.ContentSum, data []byte) string {
	if sum != nil && i.file.Info.Size <= i.w.whole && i.file.Info.Size == sum.Size+int64(len(data)) {
		_, _ = sum.Write(data)
		return sum.Etag()
	}
	etag, err := i.w.ETag(context.WithoutCancel(i.ctx), i.file, nil) // somebody else has added to it as well
	if err != nil {
		return dir.StateETag(i.file.Info)
	}
	return etag
}
