package walk

import (
	"path"
	"path/filepath"
	"strings"
)

// maxLinkBytes is the largest file that names a repository: more than a path has, since git takes
// these files with anything after the path's line ends.
const maxLinkBytes = 8 << 10

// linkedExclude reads info/exclude for a folder whose .git is a file, as in a linked worktree, in a
// submodule, and after git init --separate-git-dir. The file names a folder; that may have a file
// commondir, which names the repository. What lies outside of the root, or is reached by a link,
// isn't read.
func (r *ruleFiles) linkedExclude() *Rules {
	opener, ok := r.folder.(Opener)
	if !ok {
		return nil
	}
	named, ok := strings.CutPrefix(r.line(r.folder, ".git", ".git"), "gitdir: ")
	if !ok || named == "" {
		return nil
	}
	folder, at, err := opener.Open(fromFolder(r.path, named))
	if err != nil {
		r.failed(".git", err)
		return nil
	}
	defer folder.Close()
	common := r.line(folder, "commondir", path.Join("/", at, "commondir"))
	if common == "" {
		return r.excludeIn(folder, "/"+at)
	}
	repository, at, err := opener.Open(fromFolder(at, common))
	if err != nil {
		r.failed(".git", err)
		return nil
	}
	defer repository.Close()
	return r.excludeIn(repository, "/"+at)
}

// fromFolder gives a path that a file in a folder names: relative to the root, or absolute.
func fromFolder(folder, named string) string {
	if filepath.IsAbs(named) {
		return named
	}
	return path.Join(folder, filepath.ToSlash(named))
}

// line reads a file that has one line, without its end; "" if there is none, or if not all of it
// can be read: a part of a path names something else.
func (r *ruleFiles) line(folder Folder, name, shown string) string {
	content, err := contentOf(folder, name, maxLinkBytes)
	if err != nil {
		r.failed(shown, err)
		return ""
	}
	return strings.TrimRight(string(content), "\r\n")
}
