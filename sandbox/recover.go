package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"fsbox/sandbox/dir"
)

// Recover takes back what a killed process left half done in this workspace, and removes what it left behind. It is to be called
// before every call that writes, and costs next to nothing where there is nothing to do. It never stops such a call: what it
// can't do yet stays for the next one, what can't be done at all is set aside, and both are told in sentences for the caller. Its
// error is the end of the caller's patience.
func (w *Workspace) Recover(ctx context.Context) (told []string, err error) {
	s, err := w.state.get(false)
	if err != nil || s == nil {
		return nil, nil // the call that needs the folder says so
	}
	entries, err := s.pending.List(ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist): // somebody removed the folder: it is made again when it is needed
		w.state.lost()
		return nil, nil
	case isOwn(err):
		return nil, err
	case err != nil:
		return []string{fmt.Sprintf("what killed calls left can't be looked for: %s", describe(err))}, nil
	case len(entries) == 0:
		_ = s.markEmpty(ctx) // else calls that read look into the folder
		return nil, nil
	}
	inTime, cancel := recoveryTime(ctx)
	defer cancel()
	for _, e := range entries {
		told = append(told, w.recoverOne(inTime, s, e.Name)...)
		if err := ctx.Err(); err != nil {
			return told, err
		}
	}
	return told, nil
}

// recoveryTime is half of what a call has left: the rest is for the call itself.
func recoveryTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Until(end)/2)
}

// recoverOne settles what one record is about, ends it, and tells what could not be done.
func (w *Workspace) recoverOne(ctx context.Context, s *state, name string) (told []string) {
	p, err := s.adopt(ctx, name)
	if err == nil && p == nil {
		return nil
	}
	defer p.close()
	var b *Backup
	if err == nil {
		b, err = p.read(ctx)
	}
	if err == nil && b != nil {
		told, err = w.settlePending(ctx, b, strings.HasSuffix(name, doneSuffix))
	}
	switch {
	case err == nil:
		p.end()
		return told
	case isOwn(err), errors.Is(err, dir.ErrBusy):
		return append(told, fmt.Sprintf("%s: %s was cut short, and can't be repaired yet: %s", RecoveryPending, b.named(), describe(err)))
	}
	told = append(told, fmt.Sprintf("%s was cut short, and can't be repaired: %s", b.named(), describe(err)))
	aside, err := s.setRecordAside(name)
	if err != nil {
		return append(told, fmt.Sprintf("its record can't be set aside: %s", describe(err)))
	}
	return append(told, fmt.Sprintf("its record is set aside as %q in the state folder; what it had on the way is left as it is", aside))
}

// RecoveryPending begins what is told of a killed call whose record is still there.
const RecoveryPending = "recovery pending"

// maxNamed is how many paths of a call are named.
const maxNamed = 3

// named says which call a record is of; b may be nil.
func (b *Backup) named() string {
	if b == nil {
		return "a call"
	}
	var paths []string
	for _, f := range b.Files[:min(len(b.Files), maxNamed)] {
		paths = append(paths, fmt.Sprintf("%q", f.Path))
	}
	text := fmt.Sprintf("%s of %s", cmp.Or(b.Tool, "a call"), strings.Join(paths, ", "))
	if more := len(b.Files) - len(paths); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// settlePending takes a transaction back, or cleans up after one that is through. It goes on with the other files where one can't
// be settled; the error is that of the first, or of one that a later call may not meet.
func (w *Workspace) settlePending(ctx context.Context, b *Backup, done bool) (told []string, err error) {
	var failed, later error
	for i := len(b.Files) - 1; i >= 0; i-- {
		told, err = asTold(told, w.settleAt(ctx, b, i, done))
		switch {
		case isOwn(err):
			return told, err
		case errors.Is(err, dir.ErrBusy):
			later = cmp.Or(later, err)
		default:
			failed = cmp.Or(failed, err)
		}
	}
	if err := cmp.Or(later, failed); err != nil {
		return told, err
	}
	if !done && !b.isMove() {
		w.drop(b)
	}
	if err := w.syncFolders(b); err != nil {
		told = append(told, fmt.Sprintf("%s was cut short and is repaired, but a power cut may bring that back: %s", b.named(), describe(err)))
	}
	return told, nil
}

// asTold makes of an error that names what was set aside something that is told: the file is settled by that.
func asTold(told []string, err error) ([]string, error) {
	var aside *asideError
	if !errors.As(err, &aside) {
		return told, err
	}
	return append(told, fmt.Sprintf("a call that was cut short is taken back, but somebody has changed %q since; what can't go back there is in %q",
		aside.path, path.Join(path.Dir(aside.path), aside.name))), nil
}

// settleAt settles one file, if its folder is still there.
func (w *Workspace) settleAt(ctx context.Context, b *Backup, i int, done bool) error {
	f := b.Files[i]
	if b.isMove() {
		return w.settleMove(ctx, b.ID, f)
	}
	p, err := w.findAgain(f.Path)
	if isAway(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer p.close()
	return own(p, w.settleFile(ctx, p, f, done))
}

// isAway reports that a path of a record leads nowhere any more, or that somebody has put a link or a file on the way.
func isAway(err error) bool {
	for _, kind := range [...]error{dir.ErrNotFound, dir.ErrNotFolder, dir.ErrLinkOutside, dir.ErrLinkLoop, dir.ErrInvalidPath} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

func (w *Workspace) settleFile(ctx context.Context, p *place, f Saved, done bool) error {
	unlock, err := w.lock(ctx, p)
	if err != nil {
		return err
	}
	defer unlock()
	if !done {
		if err := w.restore(ctx, p, f); err != nil {
			return err
		}
	}
	if err := p.folder.Remove(f.temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncFolders makes what was settled survive a power cut, each folder once.
func (w *Workspace) syncFolders(b *Backup) error {
	seen := map[string]bool{}
	for _, f := range b.Files {
		for _, name := range [...]string{f.Path, f.From} {
			dir := path.Dir(name)
			if name == "" || seen[dir] {
				continue
			}
			seen[dir] = true
			if err := w.syncFolder(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// syncFolder syncs the folder that holds a path, if it is still there.
func (w *Workspace) syncFolder(path string) error {
	p, err := w.findAgain(path)
	if isAway(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer p.close()
	return own(p, w.settle(p.folder))
}

// describe is what is told of an error: no host path.
func describe(err error) string {
	var at *dir.PathError
	if errors.As(err, &at) {
		return err.Error()
	}
	return dir.Bare(err).Error()
}
