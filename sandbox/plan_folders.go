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

// makeChain makes the missing parents of a place, each in the one before it, and returns their IDs.
// It makes none if there is no state folder to record them in.
func (h *hold) makeChain(p *place) (ids []string, err error) {
	names := p.missing[:len(p.missing)-1]
	paths := strings.Split(p.path, "/")
	paths = paths[:len(paths)-1]
	top := len(paths) - len(names)
	first := history.Saved{Path: join(paths[:top+1]), Action: history.Empty, Mode: fs.ModeDir, Temp: randomTemp()}
	if err := h.note(first); err != nil || h.record == nil {
		return nil, err
	}
	made, err := buildChain(p.folder, first.Temp, names)
	for i := range made {
		made[i].Path = join(paths[:top+1+i])
		ids = append(ids, made[i].FileID)
	}
	if err == nil {
		err = h.note(made...)
	}
	if err == nil {
		err = dir.MoveFree(p.folder, first.Temp, names[0])
	}
	if err == nil {
		return ids, nil
	}
	_ = dir.RemoveTree(context.WithoutCancel(h.ctx), p.folder, first.Temp) // else the next call does
	if dir.IsAny(err, fs.ErrExist, fs.ErrNotExist) {
		err = dir.ErrCollision
	}
	return nil, err
}

// ownRest is for a call that fails on its way down a chain: what is below is the call's as well.
func (h *hold) ownRest(p *place) {
	at := p.folder
	for i, name := range p.missing[1 : len(p.missing)-1] {
		sub, err := at.Sub(p.missing[i])
		if err != nil {
			return
		}
		p.opened = append(p.opened, sub)
		h.made = append(h.made, &place{folder: sub, name: name})
		at = sub
	}
}

// buildChain makes folders with these names, the first under a temporary one.
func buildChain(in dir.Folder, temp string, names []string) (made []history.Saved, err error) {
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
func emptyFolder(in dir.Folder, name string) (history.Saved, error) {
	info, _, err := in.Examine(name)
	if err == nil && !info.Mode.IsDir() {
		err = dir.ErrNotFolder
	}
	return history.Saved{Action: history.Empty, FileID: info.ID(), Stamp: strconv.FormatInt(info.Born, 36)}, err
}

// unborn is the stamp where the file system doesn't say when a folder was made: then nothing tells
// it from a later one.
const unborn = "0"

func idOf(in dir.Folder, name string) string {
	info, err := in.Lstat(name)
	if err != nil {
		return ""
	}
	return info.ID()
}

// note records folders. Without backups it does without a state folder.
func (h *hold) note(folders ...history.Saved) (err error) {
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
func (w *Workspace) removeIfEmpty(p *place, f history.Saved) error {
	now, err := emptyFolder(p.folder, p.name)
	if err != nil || f.FileID == "" || f.Stamp == unborn || now.Stamp != f.Stamp || !p.info.IsSame(f.FileID) {
		return nil
	}
	if p.folder.RemoveFolder(p.name) != nil {
		return nil // somebody uses it
	}
	return w.syncNames(p.folder)
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
