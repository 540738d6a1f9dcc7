package approval

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox"
)

// note is a remark on paths that neither the rest of Effect nor the diff shows. It is about any of
// them in the same words.
type note struct {
	kind          noteKind
	before, after string // the path
	paths         []string
}

// noteKind is a kind of notes. They are listed in this order, so that many of one kind hide none of
// a graver one.
type noteKind int

const (
	ofMode noteKind = iota
	ofContent
	ofPath
)

// maxNotes is how many notes Effect has at most, and how many paths they name besides the first of
// each. The digest covers what further notes would say.
const maxNotes = 100

// EscapesNote is for a diff that words.VisibleDiff has changed.
const EscapesNote = `; in the diff, what doesn't show is written as \x1b, \u{200b} or \xff, and a backslash as \\`

// note adds a remark on a path.
func (p *Plan) note(kind noteKind, before, path, after string) {
	key := before + "\x00" + after
	at, known := p.noted[key]
	if !known {
		at = len(p.notes)
		p.noted[key], p.notes = at, append(p.notes, note{kind: kind, before: before, after: after})
	}
	p.notes[at].paths = append(p.notes[at].paths, path)
}

// noteWords notes what else is to be said of a file.
func (p *Plan) noteWords(path string, words []string) {
	if len(words) > 0 {
		p.note(ofContent, "", path, ": "+strings.Join(words, ", "))
	}
}

// writeNotes makes Effect: what will be done, and the notes, which are remarks as well.
func (p *Plan) writeNotes() {
	p.Effect = p.outline()
	all := p.notes
	slices.SortStableFunc(all, func(a, b note) int { return cmp.Compare(a.kind, b.kind) })
	names := maxNotes
	for _, n := range all[:min(len(all), maxNotes)] {
		text := fmt.Sprintf("%s%q%s", n.before, n.paths[0], n.after)
		if also := n.paths[1:]; len(also) > 0 {
			named := also[:min(len(also), names)]
			names -= len(named)
			list := words.Mapped(named, strconv.Quote)
			if more := len(also) - len(named); more > 0 {
				list = append(list, words.Plural(int64(more), "more path"))
			}
			text += " (also " + strings.Join(list, ", ") + ")"
		}
		p.remarks = append(p.remarks, text)
		p.Effect += "; " + text
	}
	if len(all) > maxNotes {
		p.remarks = append(p.remarks, "and more that can't be listed here")
		p.Effect += "; and more that can't be listed here"
	}
	p.notes, p.noted = nil, nil
}

// noteMode notes a change of permission bits, which no diff shows. A new file has no old ones, and
// no new ones if they are the usual ones; then runs says that it may be executed.
func (p *Plan) noteMode(path string, old, now fs.FileMode, runs bool) {
	switch old &^= fs.ModeType; {
	case old == now && (old != 0 || !runs):
	case old != 0:
		p.note(ofMode, "the mode of ", path, fmt.Sprintf(" changes from %s to %s", command.Octal(old), command.Octal(now)))
	case now == 0:
		p.note(ofMode, "the new file ", path, " may be executed")
	default:
		p.note(ofMode, "the new file ", path, " gets the mode "+command.Octal(now))
	}
}

// noteKind notes what else there is to say of a file: of a long one where the diff begins, and what
// an undo brings back or takes away that is no regular file.
func (p *Plan) noteKind(f command.ChangedFile) {
	switch {
	case f.Before > 0:
		p.note(ofPath, "", f.Path, fmt.Sprintf(" has %s before what is shown", words.Plural(f.Before, "byte")))
	case f.Kind == 0:
	case f.Removed:
		p.note(ofPath, "", f.Path, fmt.Sprintf(", a %s, is removed", noun(command.TypeName(f.Kind))))
	case f.Link != "":
		p.note(ofPath, "", f.Path, fmt.Sprintf(" comes back, a symbolic link to %q", f.Link))
	default:
		kind, names := noun(command.TypeName(f.Kind)), words.Plural(int64(f.Entries), "name")
		p.note(ofPath, "", f.Path, fmt.Sprintf(" comes back, a %s with %s in it", kind, names))
	}
}

// notePath notes where a path leads, and which folders are made for it.
func (p *Plan) notePath(path string, st *sandbox.Stat) {
	switch {
	case st.LinkTarget != "":
		p.note(ofPath, "", path, fmt.Sprintf(" is a link to %q", st.LinkTarget))
	case st.Path != path:
		p.note(ofPath, "", path, fmt.Sprintf(" leads to %q", st.Path))
	}
	if st.Missing > 0 && !p.reads(path) {
		made := " are made"
		if st.Missing == 1 {
			made = " is made"
		}
		p.note(ofPath, words.Plural(int64(st.Missing), "folder")+" above ", path, made)
	}
}
