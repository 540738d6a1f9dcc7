package sandbox

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/history"
	"fsbox/sandbox/policy"
)

// Folders that a call makes for its files, or that its undo takes away again, are recorded: if the
// call is killed, the next one removes those that are empty. Somebody else may make a folder with
// the same name at any time, so a record tells which folder it is about. For that a folder is made
// under a temporary name, and gets its own after it was recorded.

// makeChain makes the missing parents of a place, each in the one before it, or only the first if
// there is no state folder to record them in. there is how many of them exist now.
func (h *hold) makeChain(p *place) (there int, err error) {
	names := p.missing[:len(p.missing)-1]
	if h.stay || dir.Exists(p.folder, names[0]) {
		return 1, h.makeParent(p)
	}
	first := history.Item{Path: p.pathOf(1), Kind: history.Empty, Mode: fs.ModeDir, Temp: randomTemp()}
	if err := h.recordFolders(first); err != nil {
		return 0, err
	}
	if h.record == nil {
		return 1, h.makeParent(p)
	}
	made, err := h.buildChain(p.folder, first.Temp, names)
	for i := range made {
		made[i].Path = p.pathOf(i + 1)
	}
	if err == nil {
		err = h.recordFolders(made...)
	}
	if err == nil {
		err = dir.MoveFree(p.folder, first.Temp, names[0])
	}
	if err == nil {
		h.made = append(h.made, made...)
		return len(names), h.w.syncMade(p.folder)
	}
	_ = dir.RemoveTree(context.WithoutCancel(h.ctx), p.folder, first.Temp) // else the next call does
	if dir.IsAny(err, fs.ErrExist, fs.ErrNotExist) {
		err = dir.ErrCollision
	}
	return 0, err
}

// pathOf is the path of the n-th folder of those that are missing, counted from 1.
func (p *place) pathOf(n int) string {
	names := strings.Split(p.path, "/")
	return join(names[:len(names)-len(p.missing)+n])
}

// buildChain makes folders with these names, the first under a temporary one.
func (h *hold) buildChain(in dir.Folder, temp string, names []string) (made []history.Item, err error) {
	at := dir.Descend(in)
	defer at.Close()
	for i, name := range names {
		if i == 0 {
			name = temp
		}
		if err := in.Mkdir(name, newFolderMode); err != nil {
			return nil, err
		}
		f, err := emptyFolder(in, name)
		if err == nil && i > 0 {
			err = h.w.syncMade(in)
		}
		if err == nil {
			in, err = at.Down(name)
		}
		if err != nil {
			return nil, err
		}
		made = append(made, f)
	}
	return made, nil
}

// emptyFolder describes a folder for a record. The time of its creation tells it from a later one
// that gets the same number.
func emptyFolder(in dir.Folder, name string) (history.Item, error) {
	info, _, err := in.Examine(name)
	if err == nil && !info.Mode.IsDir() {
		err = dir.ErrNotFolder
	}
	return history.Item{Kind: history.Empty, FileID: info.ID(), Stamp: strconv.FormatInt(info.Born, 36)}, err
}

// unborn is the stamp where the system doesn't say when a folder was made: then only its number
// tells it from a later one. That is enough for an undo, but a recovery leaves such a folder.
const unborn = "0"

// recordFolders records folders. Without backups it does without a state folder.
func (h *hold) recordFolders(folders ...history.Item) (err error) {
	e := history.NewEntry("", "", folders...)
	if h.record != nil {
		return h.w.history.Add(h.record, e)
	}
	h.record, err = h.w.history.AnnounceFolders(e)
	if h.w.history.Off && errors.Is(err, dir.ErrBackup) {
		return nil
	}
	return err
}

// removeFolders removes folders that were made for changes, the lowest first, as long as they are
// empty. If one can't be removed, that is no error. The error is that a power cut may bring one
// back.
func (h *hold) removeFolders(folders []history.Item) (unsynced error) {
	for _, f := range slices.Backward(folders) {
		unsynced = cmp.Or(unsynced, h.removeFolder(f))
	}
	return unsynced
}

// removeFolder removes a folder of a record if it is empty, and still the same one. If only
// something of ours is in it, which could not be removed either, or if the system fails or doesn't
// say when the folder was made, the next call tries again.
func (h *hold) removeFolder(f history.Item) (unsynced error) {
	p, err := h.w.findAgain(f.Path)
	if err != nil {
		h.again = h.again || !isAway(err)
		return nil
	}
	defer p.close()
	now, err := emptyFolder(p.folder, p.name)
	switch {
	case err != nil:
		h.again = h.again || !isAway(dir.Classify(err))
		return nil
	case now.FileID != f.FileID && !p.info.IsSame(f.FileID):
		return nil
	case now.Stamp != f.Stamp && f.Stamp != unborn:
		h.again = h.again || now.Stamp == unborn
		return nil
	}
	if err := p.folder.RemoveFolder(p.name); err != nil {
		h.again = h.again || !errors.Is(err, fs.ErrNotExist) && !isUsed(h.ctx, p.folder, p.name)
		return nil
	}
	return p.fail(h.w.syncNames(p.folder))
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
