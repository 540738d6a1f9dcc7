package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"fsbox/sandbox"
	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/walk"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// Folders that a call makes for its files, or that its undo takes away again, are recorded: if the
// call is killed, the next one removes those that are empty. Somebody else may make a folder with
// the same name at any time, so a record tells which folder it is about. For that a folder is made
// under a temporary name, and gets its own after it was recorded.

// makeChain makes the missing parents of a target, each in the one before it, or only the first if
// there is no state folder to record them in. there is how many of them exist now.
func (h *LockSet) makeChain(p *sandbox.Target) (there int, err error) {
	names := p.Missing[:len(p.Missing)-1]
	if h.Stay || dir.Exists(p.Folder, names[0]) {
		return 1, h.makeParent(p)
	}
	first := history.Item{Path: p.PathOf(1), Kind: history.Empty, Mode: fs.ModeDir, Temp: randomTemp()}
	if err := h.RecordFolders(first); err != nil {
		return 0, err
	}
	if h.record == nil {
		return 1, h.makeParent(p)
	}
	made, err := h.buildChain(p, first.Temp, names)
	if err == nil {
		err = h.RecordFolders(made...)
	}
	if err == nil {
		err = dir.MoveFree(p.Folder, first.Temp, names[0])
		if err != nil && hasFolder(p.Folder, names[0], made[0].FileID) {
			err = nil // it was made all the same: see dir.Arrived
		}
	}
	if err == nil {
		h.made = append(h.made, made...)
		return len(names), syncMade(h.Workspace, p.Folder)
	}
	h.again = walk.Remove(context.WithoutCancel(h.Ctx), p.Folder, first.Temp) != nil || h.again
	if fserr.IsAny(err, fs.ErrExist, fs.ErrNotExist) {
		err = fserr.ErrCollision
	}
	return 0, err
}

// hasFolder reports whether a name is that of a folder with this ID.
func hasFolder(in dir.Folder, name, id string) bool {
	now, err := in.Lstat(name)
	return err == nil && now.Mode.IsDir() && now.IsSame(id)
}

// buildChain makes folders with these names, the first under a temporary one.
func (h *LockSet) buildChain(p *sandbox.Target, temp string, names []string) (made []history.Item, err error) {
	in := p.Folder
	at := walk.Descend(in)
	defer at.Close()
	for i, name := range names {
		if i == 0 {
			name = temp
		}
		if err := in.Mkdir(name, h.Above.modeOf()); err != nil {
			return nil, err
		}
		f, err := emptyFolder(in, name)
		if err == nil && i > 0 {
			err = syncMade(h.Workspace, in)
		}
		if err == nil {
			in, err = at.Down(name)
		}
		if err == nil {
			err = h.restoreFolder(in, p.PathOf(i+1))
		}
		if err != nil {
			return nil, err
		}
		f.Path = p.PathOf(i + 1)
		made = append(made, f)
	}
	return made, nil
}

// emptyFolder describes a folder for a record. The time of its creation tells it from a later one
// that gets the same number.
func emptyFolder(in dir.Folder, name string) (history.Item, error) {
	info, _, err := in.Examine(name)
	if err == nil && !info.Mode.IsDir() {
		err = fserr.ErrNotFolder
	}
	return history.Item{Kind: history.Empty, FileID: info.ID(), Stamp: strconv.FormatInt(info.Born, 36)}, err
}

// unborn is the stamp where the system doesn't say when a folder was made: then only its number
// tells it from a later one. That is enough for an undo, but a recovery leaves such a folder.
const unborn = "0"

// RecordFolders records folders. Without backups it does without a state folder.
func (h *LockSet) RecordFolders(folders ...history.Item) (err error) {
	e := history.NewEntry("", "", folders...)
	if h.record != nil {
		return h.Workspace.History().Add(h.record, e)
	}
	h.record, err = h.Workspace.History().AnnounceFolders(e)
	if h.Workspace.History().Off && errors.Is(err, fserr.ErrBackup) {
		return nil
	}
	return err
}

// RemoveFolders removes folders that were made for changes, the lowest first, as long as they are
// empty. If one can't be removed, that is no error. The error is that a power cut may bring one
// back.
func (h *LockSet) RemoveFolders(folders []history.Item) (unsynced error) {
	for _, f := range slices.Backward(folders) {
		unsynced = cmp.Or(unsynced, h.removeFolder(f))
	}
	return unsynced
}

// removeFolder removes a folder of a record if it is empty, and still the same one. If only
// something of ours is in it, which could not be removed either, or if the system fails or doesn't
// say when the folder was made, the next call tries again.
func (h *LockSet) removeFolder(f history.Item) (unsynced error) {
	p, err := h.Workspace.FindAgain(f.Path)
	if err != nil {
		h.again = h.again || !IsAway(err)
		return nil
	}
	defer p.Close()
	now, err := emptyFolder(p.Folder, p.Name)
	switch {
	case err != nil:
		h.again = h.again || !IsAway(fserr.Classify(err))
		return nil
	case now.FileID != f.FileID && !p.Info.IsSame(f.FileID):
		return nil
	case now.Stamp != f.Stamp && f.Stamp != unborn:
		h.again = h.again || now.Stamp == unborn
		return nil
	}
	if err := p.Folder.RemoveFolder(p.Name); err != nil {
		h.again = h.again || !errors.Is(err, fs.ErrNotExist) && !isUsed(h.Ctx, p.Folder, p.Name)
		return nil
	}
	return p.Fail(SyncNames(h.Workspace, p.Folder))
}

// isUsed reports whether a folder has anything that isn't ours.
func isUsed(ctx context.Context, in dir.Folder, name string) bool {
	sub, err := in.Sub(name)
	if err != nil {
		return false
	}
	defer sub.Close()
	all, _ := dir.List(context.WithoutCancel(ctx), sub)
	return slices.ContainsFunc(all, func(e dir.Dirent) bool { return !policy.IsOwn(e.Name) })
}

// An undo makes the folders again that a file had above it, if somebody has removed them since.
// They get the modes and owners that they had when the call took the file away, which its entry
// has.

// Folders are what is known of folders, by path.
type Folders map[string]history.Item

// Modes of a folder that is made: of a new one, reduced by the umask of the process; of one that an
// undo makes again, until it has the one that it had, or for good where nobody knows that.
const (
	NewFolderMode     = 0o777
	unknownFolderMode = 0o700
)

// modeOf is the mode with which a folder is made.
func (f Folders) modeOf() fs.FileMode {
	if f == nil {
		return NewFolderMode
	}
	return unknownFolderMode
}

// NoteAbove notes in an entry what the folders are above all that is taken away.
func (h *LockSet) NoteAbove(e *history.Entry) error {
	known := map[string]bool{".": true}
	for _, f := range e.Items {
		gone := f.Path
		switch f.Kind {
		case history.Rename:
			gone = f.From
		case history.Remove:
		default:
			continue
		}
		if err := h.noteFolders(e, path.Dir(gone), known); err != nil {
			return err
		}
	}
	return nil
}

// noteFolders notes a folder and those above it, the uppermost first.
func (h *LockSet) noteFolders(e *history.Entry, at string, known map[string]bool) error {
	if known[at] {
		return nil
	}
	known[at] = true
	if err := h.noteFolders(e, path.Dir(at), known); err != nil {
		return err
	}
	f, err := folderAt(h.Workspace, at)
	if fserr.IsCanceled(err) {
		return err
	}
	if err == nil { // else its mode isn't known to an undo either
		e.Above = append(e.Above, f)
	}
	return nil
}

// folderAt describes a folder for Entry.Above.
func folderAt(w *sandbox.Workspace, path string) (history.Item, error) {
	p, err := w.Locate(pathname.InRoot(path), sandbox.Purpose{})
	if err != nil {
		return history.Item{}, err
	}
	defer p.Close()
	folder, err := p.Folder.Sub(p.Name)
	if err != nil {
		return history.Item{}, err
	}
	defer folder.Close()
	now, err := folder.Lstat(".")
	if err != nil {
		return history.Item{}, err
	}
	attributes, err := folder.Attributes()
	f := history.Item{Path: path, Mode: attributes.WithoutList(now.Mode), Stamp: fmt.Sprint(now.UID, ".", now.GID)}
	if len(attributes) > 0 {
		f.Lost = rights.LostAttributes
	}
	return f, err
}

// AboveOf is what the entries of calls, newest first, tell of folders: as they were before the
// oldest one.
func AboveOf(calls []*history.Entry) Folders {
	all := Folders{}
	for _, b := range calls {
		for _, f := range b.Above {
			all[f.Path] = f
		}
	}
	return all
}

// restoreMade is restoreFolder for the first missing folder of a target, which is made by now.
func (h *LockSet) restoreMade(p *sandbox.Target) error {
	if h.Above == nil {
		return nil
	}
	made, err := p.Folder.Sub(p.Missing[0])
	if errors.Is(err, fs.ErrNotExist) {
		return fserr.ErrCollision
	}
	if err != nil {
		return err
	}
	defer made.Close()
	return h.restoreFolder(made, p.PathOf(1))
}

// restoreFolder gives a folder that an undo has made the owner and the mode that it had, but keeps
// its user's own rights: something comes into it next.
func (h *LockSet) restoreFolder(made dir.Folder, path string) error {
	f, ok := h.Above[path]
	if !ok {
		return nil
	}
	now, err := made.Lstat(".")
	if err != nil {
		return err
	}
	had := rights.Rights{Of: now, MayLack: true, Lost: f.Lost}
	had.Of.Mode = f.Mode
	if _, err := fmt.Sscanf(f.Stamp, "%d.%d", &had.Of.UID, &had.Of.GID); err != nil {
		return err
	}
	mode, lost, err := had.Give(made, now)
	if err != nil {
		return err
	}
	if h.Lost |= lost; lost&rights.LostOwner != 0 {
		mode &^= stat.SetID
	}
	return made.Chmod(mode&^fs.ModeSetuid | unknownFolderMode)
}

// MakeFolder makes a folder in another one. A network file system may make it and answer an error,
// if the answer of its server was lost.
func MakeFolder(in dir.Folder, name string, mode fs.FileMode) error {
	err := in.Mkdir(name, mode)
	if err == nil || fserr.IsAny(err, fs.ErrExist, fs.ErrNotExist) {
		return err
	}
	if now, failed := in.Lstat(name); failed == nil && now.Mode.IsDir() {
		return nil
	}
	return err
}
