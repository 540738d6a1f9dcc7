package sandbox

import (
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

// folderChain is a folder that was made, with one in it, one in that, and so on.
type folderChain struct {
	in    dir.Folder
	names []string
}

// makeChain makes the missing parents of a place, each in the one before it, or only the first if
// there is no state folder to record them in. there is how many of them exist now.
func (h *hold) makeChain(p *place) (there int, err error) {
	names := p.missing[:len(p.missing)-1]
	if h.stay || dir.Exists(p.folder, names[0]) {
		return 1, h.makeParent(p)
	}
	paths := strings.Split(p.path, "/")
	top := len(paths) - len(p.missing) + 1
	first := history.Item{Path: join(paths[:top]), Kind: history.Empty, Mode: fs.ModeDir, Temp: randomTemp()}
	if err := h.recordFolders(first); err != nil {
		return 0, err
	}
	if h.record == nil {
		return 1, h.makeParent(p)
	}
	made, err := h.buildChain(p.folder, first.Temp, names)
	for i := range made {
		made[i].Path = join(paths[:top+i])
	}
	if err == nil {
		err = h.recordFolders(made...)
	}
	if err == nil {
		err = dir.MoveFree(p.folder, first.Temp, names[0])
	}
	if err == nil {
		h.made = append(h.made, folderChain{p.folder, names})
		return len(names), h.w.syncMade(p.folder)
	}
	_ = dir.RemoveTree(context.WithoutCancel(h.ctx), p.folder, first.Temp) // else the next call does
	if dir.IsAny(err, fs.ErrExist, fs.ErrNotExist) {
		err = dir.ErrCollision
	}
	return 0, err
}

// buildChain makes folders with these names, the first under a temporary one.
func (h *hold) buildChain(in dir.Folder, temp string, names []string) (made []history.Item, err error) {
	at := dir.Descend(in)
	defer at.Close()
	for i, name := range names {
		if i == 0 {
			name = temp
		}
		if err := at.Here().Mkdir(name, newFolderMode); err != nil {
			return nil, err
		}
		f, err := emptyFolder(at.Here(), name)
		if err == nil && i > 0 {
			err = h.w.syncMade(at.Here())
		}
		if err == nil {
			err = at.Down(name)
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

// unborn is the stamp where the file system doesn't say when a folder was made: then nothing tells
// it from a later one.
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

// removeIfEmpty removes a folder of a record.
func (r *recovery) removeIfEmpty(p *place, f history.Item) error {
	now, err := emptyFolder(p.folder, p.name)
	if err != nil || f.FileID == "" || f.Stamp == unborn || now.Stamp != f.Stamp || !p.info.IsSame(f.FileID) {
		return nil
	}
	if p.folder.RemoveFolder(p.name) != nil {
		return nil // somebody uses it
	}
	return r.w.syncNames(p.folder)
}

// removeChain removes folders that were made for a change, the lowest first, if they are empty.
func (h *hold) removeChain(in dir.Folder, names []string) {
	if len(names) > 1 {
		if sub, err := in.Sub(names[0]); err == nil {
			h.removeChain(sub, names[1:])
			sub.Close()
		}
	}
	_ = h.removeMade(in, names[0])
}

// removeMade removes a folder that was made for a change, if it is empty. If only something of ours
// is in it, which could not be removed either, or if the system fails, the next call tries again.
func (h *hold) removeMade(in dir.Folder, name string) error {
	err := in.RemoveFolder(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		h.again = h.again || !isUsed(h.ctx, in, name)
	}
	return err
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
