package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"sync"
	"time"
)

// Creation says what a write expects at its path.
type Creation int

const (
	MustExist  Creation = iota // ErrNotFound if nothing is there
	MayCreate                  // replaces or creates
	MustCreate                 // ErrExists if anything is there, also under a race
)

// Target is where a write goes and what it demands.
type Target struct {
	Path     string
	Creation Creation
	Parents  bool         // make missing folders on the way
	Mode     *fs.FileMode // permission bits to set; nil keeps them, or takes the process's default for a new file
	IfMatch  string       // etag the file must have; "" for any
	Large    bool         // take files of any size; of one over the Whole limit change gets only the first 64 KiB
	DryRun   bool         // do everything but change the disk
}

// Rewritten reports what Rewrite did.
type Rewritten struct {
	Path           string // as it was asked, relative to the root
	Existed        bool
	Changed        bool   // false if the new content is the old one; nothing was written then
	Old, New       []byte // contents before and after
	Partial        bool   // Old is only the beginning: see Target.Large
	ParentsCreated int
	Links          uint64 // hard links the old file had
	ETag           string // of the new content
}

// maxCollisions is how often a write starts again because a file appeared, vanished or changed under it.
const maxCollisions = 16

// lockWait is the longest a write waits for another one in the same folder.
const lockWait = 5 * time.Second

// tempPrefix marks files that are being written. A killed process leaves its own behind.
const tempPrefix = ".fsbox-tmp-"

// errCollision says that what a write was based on is no longer so.
var errCollision = errors.New("the file changed during the call")

// Rewrite replaces the content of one file by what change makes of it, or creates the file. The steps are: read the old
// content under the folder's lock, check the etag, compute, write a temporary file beside the target, sync it, rename it
// over the target, sync the folder. At any moment the file is whole, old or new. If someone without the lock changes the
// file meanwhile, all of it starts again from the content that is there now.
//
// Files larger than the workspace's Whole limit are refused with ErrTooLarge, unless Large is set. Symbolic links that stay inside are written
// through. An error that wraps ErrDurability means that the new content is in place but may not survive a power cut.
func (w *Workspace) Rewrite(ctx context.Context, t Target, change func(old []byte, existed bool) ([]byte, error)) (*Rewritten, error) {
	return settled(t.Path, func() (*Rewritten, error) { return w.rewriteOnce(ctx, t, change) })
}

// settled runs a write again as long as what it was based on changes under it.
func settled[T any](path string, try func() (*T, error)) (*T, error) {
	for range maxCollisions {
		done, err := try()
		if !errors.Is(err, errCollision) {
			return done, err
		}
	}
	return nil, &PathError{Path: path, Err: ErrBusy}
}

func (w *Workspace) rewriteOnce(ctx context.Context, t Target, change func([]byte, bool) ([]byte, error)) (*Rewritten, error) {
	p, err := w.locate(t.Path, purpose{follow: true, write: true, file: t.Creation != MustExist})
	if err != nil {
		return nil, err
	}
	defer p.close()
	if err := t.admits(p); err != nil {
		return nil, p.fail(err)
	}
	var done *Rewritten
	if p.exists {
		done, err = w.replace(ctx, t, p, change)
	} else {
		done, err = w.create(ctx, t, p, change)
	}
	if errors.Is(err, errCollision) || isOwn(err) {
		return nil, err
	}
	return done, p.fail(err)
}

// isOwn reports errors that aren't the disk's: the caller's function refused, or the caller gave up.
func isOwn(err error) bool {
	var refused *refusal
	return errors.As(err, &refused) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// refusal carries an error of the caller's own function through unchanged.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// admits checks what stands at the place against what the write expects.
func (t Target) admits(p *place) error {
	switch {
	case !p.exists && (t.Creation == MustExist || (len(p.missing) > 1 && !t.Parents)):
		return ErrNotFound
	case !p.exists && t.IfMatch != "":
		return &StaleError{}
	case p.exists && !p.info.Mode.IsRegular():
		return &PathError{Path: p.asked, Type: TypeName(p.info.Mode), Err: ErrNotFile}
	case p.exists && t.Creation == MustCreate:
		return ErrExists
	}
	return nil
}

// replace puts a new file in the place of an existing one.
func (w *Workspace) replace(ctx context.Context, t Target, p *place, change func([]byte, bool) ([]byte, error)) (*Rewritten, error) {
	unlock, err := w.lock(ctx, p, t.DryRun)
	if err != nil {
		return nil, err
	}
	defer unlock()
	old, info, err := w.readOld(ctx, t, p)
	if err != nil {
		return nil, err
	}
	content, err := change(old, true)
	if err != nil {
		return nil, &refusal{err}
	}
	done := &Rewritten{Path: p.asked, Existed: true, Old: old, New: content, Links: info.Links, Partial: info.Size > w.whole}
	keepsMode := t.Mode == nil || *t.Mode == info.Mode&^fs.ModeType
	done.Changed = done.Partial || !bytes.Equal(old, content) || !keepsMode
	if done.Changed && !t.DryRun {
		err = w.commit(ctx, p, content, like{info: &info, mode: t.Mode})
	}
	return w.report(done, p, err)
}

// report gives done its etag. A failed sync after the commit still has one: the content is in place.
func (w *Workspace) report(done *Rewritten, p *place, err error) (*Rewritten, error) {
	if err != nil && !errors.Is(err, ErrDurability) {
		return nil, err
	}
	done.ETag = contentETag(done.New)
	if int64(len(done.New)) > w.whole {
		info, statErr := p.folder.lstat(p.name)
		if statErr != nil {
			return done, errors.Join(err, statErr)
		}
		done.ETag = stateETag(info)
	}
	return done, err
}

// readOld reads the file to be replaced and checks that it may be, by etag and by its own permission bits: a rename would
// replace a write-protected file as well, which is not what its owner meant.
func (w *Workspace) readOld(ctx context.Context, t Target, p *place) ([]byte, Info, error) {
	f, err := p.open(os.O_RDONLY)
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrBusy) || errors.Is(err, ErrNotFile) {
		return nil, Info{}, errCollision // it was a regular file a moment ago
	}
	if err != nil {
		return nil, Info{}, err
	}
	defer f.Close()
	content, err := w.oldContent(ctx, t, f)
	if err != nil {
		return nil, Info{}, err
	}
	return content, f.Info, p.mayWrite(f.Info)
}

func (w *Workspace) oldContent(ctx context.Context, t Target, f *File) ([]byte, error) {
	if t.Large && f.Info.Size > w.whole {
		if err := w.verify(ctx, t.IfMatch, f, nil); err != nil {
			return nil, err
		}
		edges, err := f.edges()
		return edges.Head, err
	}
	content, err := f.ReadAll(ctx, w.whole)
	if err != nil {
		return nil, err
	}
	return content, w.verify(ctx, t.IfMatch, f, content)
}

// anyWrite are the permission bits that let anyone write.
const anyWrite = 0o222

func (p *place) mayWrite(i Info) error {
	_, writable := p.folder.access(p.name)
	switch {
	case !writable && unchanged(p, i) != nil:
		return errCollision // what may not be written is something else
	case i.Mode&anyWrite == 0:
		return ErrPermission
	case !writable:
		return p.tryWrite()
	}
	return nil
}

// tryWrite opens the file for writing, for the error that says why it can't be: permission, or a read-only file system.
func (p *place) tryWrite() error {
	f, err := p.folder.open(p.name, os.O_WRONLY)
	if err != nil {
		return err
	}
	return f.Close()
}

// create makes a new file. Its parents are made only once the content is known to be good.
func (w *Workspace) create(ctx context.Context, t Target, p *place, change func([]byte, bool) ([]byte, error)) (*Rewritten, error) {
	content, err := change(nil, false)
	if err != nil {
		return nil, &refusal{err}
	}
	done := &Rewritten{Path: p.asked, Changed: true, New: content, ParentsCreated: len(p.missing) - 1}
	if t.DryRun {
		done.ETag = contentETag(content)
		return done, nil
	}
	undo, err := w.makeParents(p)
	if err == nil {
		err = w.createLocked(ctx, t, p, content)
	}
	if err != nil && !errors.Is(err, ErrDurability) {
		undo()
		return nil, err
	}
	return w.report(done, p, err)
}

func (w *Workspace) createLocked(ctx context.Context, t Target, p *place, content []byte) error {
	unlock, err := w.lock(ctx, p, false)
	if err != nil {
		return err
	}
	defer unlock()
	err = w.commit(ctx, p, content, like{mode: t.Mode})
	if errors.Is(err, fs.ErrExist) && t.Creation != MustCreate {
		return errCollision
	}
	return err
}

// lock takes the lock of the folder that holds the place.
func (w *Workspace) lock(ctx context.Context, p *place, dryRun bool) (unlock func(), err error) {
	if dryRun {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	unlock, err = p.folder.lock(ctx)
	if err != nil {
		return nil, err
	}
	return sync.OnceFunc(unlock), nil
}

// like says what a new file takes over: info of the file it replaces, nil for none, and the mode asked for, nil for none.
type like struct {
	info *Info
	mode *fs.FileMode
}

// commit writes content to a temporary file beside the place and renames it there. With like.info it replaces the file
// that info describes, else it must find nothing there.
func (w *Workspace) commit(ctx context.Context, p *place, content []byte, l like) error {
	temp := fmt.Sprintf("%s%016x", tempPrefix, rand.Uint64())
	err := w.stage(p.folder, temp, content, l)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && l.info != nil {
		err = unchanged(p, *l.info)
	}
	if err == nil && l.info != nil {
		err = p.folder.rename(temp, p.name)
	} else if err == nil {
		err = p.folder.publish(temp, p.name)
	}
	if err != nil {
		if removeErr := p.folder.remove(temp); removeErr != nil && !errors.Is(removeErr, fs.ErrNotExist) {
			return fmt.Errorf("%w (the temporary file %q is left: %v)", classify(err), temp, removeErr)
		}
		return err
	}
	return w.settle(p.folder)
}

// stage writes the temporary file whole and syncs it.
func (w *Workspace) stage(dir folder, temp string, content []byte, l like) error {
	private := l.info != nil || l.mode != nil // until its mode is set
	perm := fs.FileMode(0o666)
	if private {
		perm = 0o600
	}
	f, err := dir.create(temp, perm)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if private {
		if err := f.takeOver(l); err != nil {
			return err
		}
	}
	if w.noSync {
		return nil
	}
	return f.sync()
}

// takeOver sets owner and mode, the owner first: changing it clears the set-user-ID bit.
func (f *File) takeOver(l like) error {
	var mode fs.FileMode
	if l.info != nil {
		mode = l.info.Mode &^ fs.ModeType
		if l.info.uid != f.Info.uid || l.info.gid != f.Info.gid {
			err := f.chown(*l.info)
			switch {
			case errors.Is(err, fs.ErrPermission): // owner where possible; then no bit may lend the wrong one's rights
				mode &^= fs.ModeSetuid | fs.ModeSetgid
			case err != nil:
				return err
			}
		}
	}
	if l.mode != nil {
		mode = *l.mode
	}
	return f.chmod(mode)
}

// unchanged looks once more, right before the rename, whether the file is the one that was read.
func unchanged(p *place, then Info) error {
	now, err := p.folder.lstat(p.name)
	if err != nil || now.identity != then.identity || now.Size != then.Size || !now.Modified.Equal(then.Modified) {
		return errCollision
	}
	return nil
}

// settle makes names in a folder survive a power cut.
func (w *Workspace) settle(dir folder) error {
	if w.noSync {
		return nil
	}
	if err := dir.sync(); err != nil {
		return &kindError{kind: ErrDurability, cause: err}
	}
	return nil
}
