package sandbox

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// Some file systems find a file by other spellings of its name: in another case, in another Unicode
// form, by its short name of 8 and 3 letters. On Linux they may be mounted anywhere: vfat, exfat,
// ntfs, ext4 with casefold, and what Docker and WSL share with macOS and Windows. There the rules
// hold for every spelling of a path. Elsewhere they hold only for the path as written. To find out
// which file system it is takes time only for paths that a rule would deny in another spelling.

// spelling is what the disk tells about the names of a path.
type spelling struct {
	folds  bool     // other spellings lead to the same file
	listed []string // the path with its names as their folders list them, where they differ from the request
}

// checkSpelling checks a path against the rules by its other spellings, if the file system has any.
func (w *finder) checkSpelling(path string, write bool) error {
	folded := w.policy.CheckFolded(path, write)
	if !folded.Blocks() && !mayBeAlias(path) {
		return nil
	}
	s := w.spell(path)
	if folded.Blocks() && s.folds {
		return blockedBy(path, folded)
	}
	for _, listed := range s.listed {
		if v := w.policy.Check(listed, write); v.Blocks() {
			return blockedBy(listed, v)
		}
		if v := w.policy.CheckFolded(listed, write); v.Blocks() {
			return blockedBy(listed, v)
		}
	}
	return nil
}

// DeniesEntry tells a walk whether a path may not be read. The walk knows that its folder is
// allowed, so for most paths a look at the name is enough.
func (w *Workspace) DeniesEntry(path string) bool {
	return w.checkEntry(path, false) != nil
}

// Denies reports whether a path of the journal may not be read.
func (w *Workspace) Denies(path string) bool {
	return w.policy.Check(path, false).Blocks() || w.checkSpelling(path, false) != nil
}

// checkEntry asks the policy about a path in a folder that it allows, as its folder lists it.
func (w *finder) checkEntry(path string, write bool) error {
	if !w.policy.MayDeny(path, write) {
		return nil
	}
	if err := blockedBy(path, w.policy.Check(path, write)); err != nil {
		return err
	}
	folded := w.policy.CheckFolded(path, write)
	if !folded.Blocks() || !w.spell(path).folds {
		return nil
	}
	return blockedBy(path, folded)
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

// spell finds out how the names of a path are listed, down to the first one that is missing or a
// link. The path that a link leads to is checked separately. If a folder can't be read, other
// spellings are assumed.
func (w *finder) spell(path string) spelling {
	top, err := w.root.Sub(".") // it needs its own position in the list: see OpenFolder
	if err != nil {
		return spelling{folds: true}
	}
	defer top.Close()
	d := dir.Descend(top)
	defer d.Close()
	var s spelling
	names := strings.Split(path, "/")
	for i, name := range names {
		info, err := d.Here().Lstat(name)
		if err != nil {
			s.folds = s.folds || foldsNew(d.Here())
			return s
		}
		s.look(d.Here(), names, i, info)
		if i == len(names)-1 || !info.Mode.IsDir() {
			return s
		}
		if d.Down(name) != nil {
			s.folds = true
			return s
		}
	}
	return s
}

// look handles one name, which exists. The listed name replaces it in names.
func (s *spelling) look(in dir.Folder, names []string, i int, info dir.Info) {
	kind := in.Folding()
	if kind == dir.FoldingNever {
		return
	}
	listed, err := dir.List(context.Background(), in)
	s.folds = s.folds || kind == dir.FoldingAlways || foldsAs(in, names[i], info, listed)
	if err != nil || isListed(listed, names[i]) {
		return
	}
	s.folds = true
	for _, name := range listedAs(in, info, listed) {
		names[i] = name
		s.listed = append(s.listed, join(names))
	}
}

// foldsAs reports whether a name is found in another spelling. Then either both have the same
// device and inode, or, on file systems that give every spelling its own inode (exfat by FUSE), the
// other spelling isn't listed.
func foldsAs(in dir.Folder, name string, info dir.Info, listed []dir.Dirent) bool {
	for _, other := range [...]string{otherCase(name), strings.ToLower(name), policy.FoldName(name)} {
		if other == name || other == "" {
			continue
		}
		if now, err := in.Lstat(other); err == nil && (isSame(now, info) || len(listed) > 0 && !isListed(listed, other)) {
			return true
		}
	}
	return false
}

func isListed(listed []dir.Dirent, name string) bool {
	return slices.ContainsFunc(listed, func(e dir.Dirent) bool { return e.Name == name })
}

// listedAs are the listed names of a file or folder, found by device and inode; if there is none,
// by mode, size and time.
func listedAs(in dir.Folder, info dir.Info, listed []dir.Dirent) []string {
	var same, alike []string
	for _, e := range listed {
		now, err := in.Lstat(e.Name)
		switch {
		case err != nil:
		case isSame(now, info):
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

func isSame(a, b dir.Info) bool { return a.Ino != 0 && a.ID() == b.ID() }

// otherCase swaps the case of a name's ASCII letters.
func otherCase(name string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && ('a' <= r|0x20 && r|0x20 <= 'z') {
			return r ^ 0x20
		}
		return r
	}, name)
}

// foldsNew reports whether a folder would find a new name in other spellings. It tries this with
// any name in it that has a letter. Where there is none, as in an empty folder, what is likely
// counts: a .GIT that is made there would be the .git of later calls.
func foldsNew(in dir.Folder) bool {
	kind := in.Folding()
	switch kind {
	case dir.FoldingNever:
		return false
	case dir.FoldingAlways:
		return true
	}
	listed, err := dir.List(context.Background(), in)
	if err != nil {
		return kind == dir.FoldingLikely
	}
	for _, e := range listed {
		if otherCase(e.Name) == e.Name {
			continue
		}
		info, err := in.Lstat(e.Name)
		return err == nil && foldsAs(in, e.Name, info, listed)
	}
	return kind == dir.FoldingLikely
}
