package commands

import (
	"fmt"
	"io/fs"
	"strings"

	"fsbox/commands/words"
	"fsbox/sandbox"
)

// maxNotes is how many notes Effect has at most. The digest covers what further notes would say.
const maxNotes = 100

// note adds a remark to Effect, on something that neither the rest of Effect nor the diff shows.
func (p *Plan) note(format string, args ...any) {
	switch p.notes++; {
	case p.notes <= maxNotes:
		p.Effect += "; " + fmt.Sprintf(format, args...)
	case p.notes == maxNotes+1:
		p.Effect += "; and more that can't be listed here"
	}
}

// noteWords notes what else is to be said of a file.
func (p *Plan) noteWords(path string, words []string) {
	if len(words) > 0 {
		p.note("%q: %s", path, strings.Join(words, ", "))
	}
}

// modeChange is a change of permission bits. The diff of an approval doesn't show it.
type modeChange struct {
	path     string
	existed  bool
	old, new fs.FileMode // new is 0 for a new file that has the usual mode plus the right to be executed
}

// addMode adds the change of a file's mode, if there is one. runs says that a new file may be
// executed.
func addMode(all []modeChange, path string, old, now fs.FileMode, runs bool) []modeChange {
	if old &^= fs.ModeType; old == now && (old != 0 || !runs) {
		return all
	}
	return append(all, modeChange{path: path, existed: old != 0, old: old, new: now})
}

// noteModes notes files whose mode changes.
func (p *Plan) noteModes(all []modeChange) {
	for _, c := range all {
		switch {
		case c.existed:
			p.note("the mode of %q changes from %s to %s", c.path, octal(c.old), octal(c.new))
		case c.new == 0:
			p.note("the new file %q may be executed", c.path)
		default:
			p.note("the new file %q gets the mode %s", c.path, octal(c.new))
		}
	}
}

// noteKind notes what else there is to say of a file: of a long one where the diff begins, and what
// an undo brings back or takes away that is no regular file.
func (p *Plan) noteKind(f changedFile) {
	switch {
	case f.before > 0:
		p.note("%q has %s before what is shown", f.Path, words.Plural(f.before, "byte"))
	case f.kind == 0:
	case f.Removed:
		p.note("%q, a %s, is removed", f.Path, words.Kind(typeName(f.kind)))
	case f.link != "":
		p.note("%q comes back, a symbolic link to %q", f.Path, f.link)
	default:
		p.note("%q comes back, a %s with %s in it", f.Path, words.Kind(typeName(f.kind)), words.Plural(int64(f.entries), "name"))
	}
}

// notePath notes where a path leads, which folders are made for it, and the size of a file that is
// moved or copied, since no diff shows that.
func (p *Plan) notePath(path string, st *sandbox.Stat) {
	switch {
	case st.LinkTarget != "":
		p.note("%q is a link to %q", path, st.LinkTarget)
	case st.Path != path:
		p.note("%q leads to %q", path, st.Path)
	}
	if st.Missing > 0 && !p.reads(path) {
		isOrAre := "are"
		if st.Missing == 1 {
			isOrAre = "is"
		}
		p.note("%s above %q %s made", words.Plural(int64(st.Missing), "folder"), path, isOrAre)
	}
	switch p.Tool {
	case "move", "copy":
		if st.Mode.IsRegular() && st.Exists && !p.goes(path) {
			p.note("%q has %s now", path, words.Plural(st.Size, "byte"))
		}
	}
}
