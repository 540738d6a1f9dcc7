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
	return retryOnCollision(t.Path, func() (*Appended, error) { return w.appendOnce(ctx, t, prepare) })
}

func (w *Workspace) appendOnce(ctx context.Context, t Target, prepare func(dir.Edges) ([]byte, error)) (*Appended, error) {
	p, err := w.locate(t.Path, purpose{follow: true, write: true, file: t.Creation != MustExist})
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := t.admits(p); err != nil {
		return nil, p.fail(err)
	}
	if !p.exists {
		t.Creation = MustCreate
		return w.appendByRewrite(ctx, t, prepare)
	}
	done, err := w.appendInPlace(ctx, t, p, prepare)
	if errors.Is(err, dir.ErrCollision) || isOwn(err) {
		return nil, err
	}
	return done, p.fail(err)
}

// appendByRewrite is for new files, and for files that must not be written in place: see
// AllowsInPlace and hasOneName.
func (w *Workspace) appendByRewrite(ctx context.Context, t Target, prepare func(dir.Edges) ([]byte, error)) (*Appended, error) {
	var added int64
	all, err := w.transactOne(ctx, Change{Target: t, Make: func(old []byte, existed bool) ([]byte, error) {
		data, err := prepare(dir.EdgesOf(old, existed))
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

func (w *Workspace) appendInPlace(ctx context.Context, t Target, p *place,
	prepare func(dir.Edges) ([]byte, error)) (_ *Appended, err error) {
	unlock := func() {}
	if !t.DryRun {
		if unlock, err = w.lock(ctx, p); err != nil {
			return nil, err
		}
		defer unlock()
	}
	if err := p.mayWrite(p.info); err != nil {
		return nil, err
	}
	f, err := p.open(os.O_RDWR | os.O_APPEND)
	if errors.Is(err, dir.ErrNotFound) || errors.Is(err, dir.ErrBusy) || errors.Is(err, dir.ErrNotFile) {
		return nil, dir.ErrCollision
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !t.DryRun {
		if err := w.unlinkKept(ctx, f); err != nil {
			return nil, err
		}
	}
	if err := w.verify(ctx, t.IfMatch, f, nil); err != nil {
		return nil, err
	}
	edges, err := f.Edges()
	if err != nil {
		return nil, err
	}
	data, err := prepare(edges)
	if err != nil {
		return nil, &refusal{err}
	}
	done := &Appended{Path: p.asked, Existed: true, Bytes: int64(len(data)), Links: f.Info.Links}
	switch {
	case t.DryRun:
		done.Size = f.Info.Size + done.Bytes
		done.ETag, err = w.ETag(ctx, f, nil) // of the unchanged file
		return done, err
	case len(data) > 0 && !f.Info.AllowsInPlace():
		unlock() // appendByRewrite takes the lock itself
		return w.appendByRewrite(ctx, t, prepare)
	}
	sum, tag, err := f.Beginning(ctx, w.whole)
	if err != nil {
		return nil, err
	}
	done.BackupID, err = w.addKept(ctx, p, f, data, tag, t.Tool)
	if errors.Is(err, errLinked) {
		unlock()
		return w.appendByRewrite(ctx, t, prepare)
	}
	if err != nil {
		return nil, err
	}
	// The bytes are added now: no error from here on may look like a failed append.
	done.Size = f.Info.Size + done.Bytes
	if now, err := f.Stat(); err == nil {
		f.Info, done.Size = now, now.Size
	}
	done.ETag = w.etagAfter(context.WithoutCancel(ctx), f, sum, data)
	return done, nil
}

// etagAfter is the etag of a file after data was added. sum is of the content before, nil if that
// was too long to be read.
func (w *Workspace) etagAfter(ctx context.Context, f *dir.File, sum *dir.ContentSum, data []byte) string {
	if sum != nil && f.Info.Size <= w.whole && f.Info.Size == sum.Size+int64(len(data)) {
		_, _ = sum.Write(data)
		return sum.Etag()
	}
	etag, err := w.ETag(ctx, f, nil) // somebody else has added to it as well
	if err != nil {
		return dir.StateETag(f.Info)
	}
	return etag
}

// addKept is addWhere with an entry in the journal. tag describes the content before the append:
// see dir.File.Beginning.
func (w *Workspace) addKept(ctx context.Context, p *place, f *dir.File, data []byte, tag, tool string) (backupID string, err error) {
	if len(data) == 0 {
		return "", nil
	}
	backup := history.NewEntry(tool, "", history.Saved{Path: p.path, Action: history.Extended, Mode: f.Info.Mode, Size: f.Info.Size, Added: int64(len(data)),
		Old: tag, New: dir.ContentETag(data)}) // no content is kept, only where the addition begins
	kept, err := w.history.Keep(ctx, backup, []history.Source{{Empty: true, Present: &f.Info}}, true)
	if err != nil {
		return "", err
	}
	if err := w.addWhere(ctx, p, f, data); err != nil {
		if kept {
			w.history.Drop(backup)
		}
		return "", err
	}
	if !kept {
		return "", nil
	}
	return backup.ID, nil
}

// addWhere is add for a file that must have exactly one name, that of the place. It must still have
// it afterwards: if somebody replaced the file meanwhile, the addition may be lost. Nobody can tell
// whether their file was made from the old content or from the new, so the bytes are not added
// again.
func (w *Workspace) addWhere(ctx context.Context, p *place, f *dir.File, data []byte) error {
	if err := p.hasOneName(ctx, f); err != nil {
		return err
	}
	if err := w.add(ctx, f, data); err != nil {
		return err
	}
	switch err := p.isOnlyName(f); {
	case errors.Is(err, errLinked) && f.TakeOff(len(data)) == nil:
		return err
	case err != nil:
		return &dir.RollbackError{Bytes: len(data), Err: fmt.Errorf("%w: somebody replaced the file while the text was added", dir.ErrBusy)}
	}
	return nil
}

// add writes and syncs data, or leaves the file as it was.
func (w *Workspace) add(ctx context.Context, f *dir.File, data []byte) error {
	if err := ctx.Err(); err != nil || len(data) == 0 {
		return err
	}
	n, err := f.Write(data)
	if err == nil && !w.noSync {
		err = f.Sync()
	}
	if err == nil {
		return nil
	}
	if f.TakeOff(n) != nil {
		return &dir.RollbackError{Bytes: n, Err: dir.Classify(err)}
	}
	return err
}
