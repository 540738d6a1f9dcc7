package sandbox

import (
	"context"
	"slices"
	"strings"

	"fsbox/sandbox/disk/dir"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/disk/walk"
)

// The rules hold for a name in any case and any Unicode form, whether the file system treats these
// as one name or not: see policy.FoldName. File systems of DOS and Windows find a file also by its
// short name of 8 and 3 letters, and with dots or blanks after its name. For a path that may have
// such a name, the rules hold for the names that its folders list as well.

// check asks the policy about a path, which is that of a folder or may be that of a file.
func (w *finder) check(path string, write, folder bool) error {
	if folder {
		return blockedBy(path, w.policy.CheckFolder(path, write))
	}
	return blockedBy(path, w.policy.Check(path, write))
}

// checkPath asks the policy about a path, as it is and as its folders list it.
func (w *finder) checkPath(path string, write, folder bool) error {
	if err := w.check(path, write, folder); err != nil {
		return err
	}
	return w.checkListed(path, write, folder)
}

// checkListed asks the policy about a path as its folders list it.
func (w *finder) checkListed(path string, write, folder bool) error {
	if !mayBeAlias(path) {
		return nil
	}
	for _, listed := range w.listed(path) {
		if err := w.check(listed, write, folder); err != nil {
			return err
		}
	}
	return nil
}

// DeniesEntry tells a walk whether a path may not be read. The walk knows that its folder is
// allowed, so for most paths a look at the name is enough.
func (w *Workspace) DeniesEntry(path string, folder bool) bool {
	return w.CheckEntry(path, false, folder) != nil
}

// Denies reports whether a path of the journal may not be read, be it that of a folder or of a
// file.
func (w *Workspace) Denies(path string) bool { return w.checkPath(path, false, true) != nil }

// CheckEntry asks the policy about a path in a folder that it allows, as its folder lists it.
func (w *finder) CheckEntry(path string, write, folder bool) error {
	if !w.policy.MayDeny(path, write) {
		return nil
	}
	return w.check(path, write, folder)
}

// mayBeAlias reports whether a path may mean another file on a file system of DOS or Windows. It
// has a short name, such as ENV~1, or one that ends in dots or blanks, which are ignored there.
func mayBeAlias(path string) bool {
	for i := range len(path) {
		isEnd := i == len(path)-1 || path[i+1] == '/'
		switch c := path[i]; {
		case c == '~' && !isEnd && '0' <= path[i+1] && path[i+1] <= '9':
			return true
		case (c == '.' || c == ' ') && isEnd && path != ".":
			return true
		}
	}
	return false
}

// listed gives the path with the names that its folders list, for each name that they don't list as
// it is, down to the first one that is missing or a link. The path that a link leads to is checked
// separately.
func (w *finder) listed(path string) (all []string) {
	top, err := w.RootFolder.Sub(".") // it needs its own position in the list: see OpenFolder
	if err != nil {
		return nil
	}
	defer top.Close()
	d := walk.Descend(top)
	defer d.Close()
	names := strings.Split(path, "/")
	here := top
	for i, name := range names {
		info, err := here.Lstat(name)
		if err != nil {
			return all
		}
		for _, names[i] = range listedAs(here, name, info) {
			all = append(all, join(names))
		}
		if !info.Mode.IsDir() {
			return all
		}
		if here, err = d.Down(name); err != nil {
			return all
		}
	}
	return all
}

// listedAs are the listed names of a file or folder, if this one isn't listed: those with its
// device and inode or, if there is none, with its mode, size and time.
func listedAs(in dir.Folder, name string, info stat.Info) []string {
	listed, err := dir.List(context.Background(), in)
	if err != nil || slices.ContainsFunc(listed, func(e dir.Dirent) bool { return e.Name == name }) {
		return nil
	}
	var same, alike []string
	for _, e := range listed {
		now, err := in.Lstat(e.Name)
		switch {
		case err != nil:
		case now.Ino != 0 && now.ID() == info.ID():
			same = append(same, e.Name)
		case now.Mode == info.Mode && now.Size == info.Size && now.Modified.Equal(info.Modified):
			alike = append(alike, e.Name)
		}
	}
	if len(same) == 0 {
		return alike
	}
	return same
}
