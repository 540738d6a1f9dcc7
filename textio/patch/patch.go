package patch

import (
	"bytes"
	"fmt"
	"slices"

	"fsbox/textio/lines"
)

// Patch is a parsed patch: the changes of files, in the order they are written. A file may occur
// more than once; a later part then applies to the outcome of the earlier one.
type Patch struct {
	Format string // "unified", "git" if a part has a "diff --git" line, or "begin_patch"
	Files  []File

	Warnings []string // remarks on lines that may not be what was meant
}

// What a File does. A move may change content and mode as well, an update the mode; a Mode changes
// nothing else.
const (
	Add    = "add"
	Update = "update"
	Delete = "delete"
	Move   = "move"
	Mode   = "mode"
)

// File is the change of one file. Path and From are the bytes of the patch, unquoted and without
// the prefixes of a diff; whether they are safe is for the caller to say.
type File struct {
	Action           string
	Path             string // of the outcome; of a deletion, the file to delete
	From             string // old path of a move, else ""
	OldMode, NewMode uint32 // as git writes them, 0o100644; 0 where not stated
	Line             int    // in the patch, 1-based
	Hunks            []Hunk

	// Undecided is the name as written of a new or deleted file, if nothing in the patch shows
	// whether its first folder is a prefix, as diffs have before names.
	Undecided string

	form patchForm
}

// patchForm says which reading of a hunk applies where formats differ.
type patchForm struct {
	begin   bool // Begin Patch: nothing is said about the final newline
	git     bool // under a "diff --git" line: written by a program
	marks   bool // some line is marked as lacking its newline, so all others have theirs
	existed bool // the old name has a date, or a revision, of a file that was there
}

// Hunk is one stretch of changes. Old and context lines are what is looked for.
type Hunk struct {
	Line     int      // of its "@@", or of its first line, in the patch, 1-based
	OldStart int      // where it belongs, as stated: a 1-based line of the old file
	Anchors  []string // lines to find, one after the other, before the hunk
	Lines    []HunkLine
	Numbered bool // it says where it belongs
	AtEnd    bool // its last old line is the last of the file

	looseAnchors bool  // anchors only decide between several places
	place        int32 // if numbered: the line it begins at, from 0
	oldCount     int32 // if numbered: how many old lines its header counts
	bareTail     int32 // empty lines at its end: lines of the file, or only what separates it from what follows
}

// HunkLine is a line of a hunk: Op is ' ' for context, '-' or '+'. Text has no line feed but keeps
// a carriage return. NoNewline says that the file ends with it, without a line feed.
type HunkLine struct {
	Text      []byte
	Op        byte
	NoNewline bool
}

// isOld and isNew tell on which sides a line is: context is on both.
func (l HunkLine) isOld() bool { return l.Op != '+' }

func (l HunkLine) isNew() bool { return l.Op != '-' }

func (l HunkLine) isAdded() bool { return l.Op == '+' }

// linesThat returns the lines of a hunk of one kind. Nobody may write to them: if all are of that
// kind, they are the hunk's own.
func linesThat(are func(HunkLine) bool, lines []HunkLine) []HunkLine {
	isOther := func(line HunkLine) bool { return !are(line) }
	if !slices.ContainsFunc(lines, isOther) {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), isOther)
}

// A patch of more lines or files than these isn't read: it would take more memory than the text it
// is about.
const (
	maxPatchLines = 200_000
	maxPatchFiles = 10_000
)

// Parse reads a unified diff, a git diff, or a patch of the "*** Begin Patch" form, with whatever
// prose, fences or shell commands are around it. The parts of the result share memory with text.
// The error is a *SyntaxError.
func Parse(text []byte) (*Patch, error) {
	if bytes.Count(text, lines.LF) > maxPatchLines {
		return nil, &SyntaxError{Line: maxPatchLines + 1, Cause: "a patch has at most 200,000 lines", Remedy: remedyParts}
	}
	lines := splitPatch(text)
	if at, found := lines.findBeginPatch(); found {
		return parseBeginPatch(lines, at)
	}
	return parseUnified(lines)
}

// parser goes through a patch line by line. Each form has its own.
type parser struct {
	lines  patchLines
	at     int  // the line to read next
	fenced bool // a fence was opened before
}

// fail makes an error about line i, counted from 0.
func (p *parser) fail(i int, format string, args ...any) error {
	return &SyntaxError{Line: i + 1, Cause: fmt.Sprintf(format, args...)}
}

// check makes sure that a hunk from line start on, of which all lines have been read, can be
// applied. One with old lines begins at the line that it names, whatever its header counts. There
// is no line 0, so such a number says nothing, and is dropped.
func (p *parser) check(hunk *Hunk, start int) error {
	if len(hunk.Lines) == int(hunk.bareTail) {
		return p.fail(start, "the hunk has no lines")
	}
	if hunk.goesOnAfterMark() {
		return p.fail(start, "a line of the hunk is marked as the last of the file, without a newline, and others follow it")
	}
	if hunk.Numbered && hunk.hasOld() {
		hunk.place--
		hunk.Numbered = hunk.place >= 0
	}
	return nil
}

const remedyParts = "send the patch in parts, each of fewer files or hunks"

// checkFiles returns an error for one file more than a patch may have; its part begins in line i.
func checkFiles(files, i int) error {
	if files >= maxPatchFiles {
		return &SyntaxError{Line: i + 1, Cause: "a patch is about at most 10,000 files", Remedy: remedyParts}
	}
	return nil
}

// Added returns how many bytes of text the patch adds, line ends included.
func (p *Patch) Added() int64 {
	added := int64(0)
	for i := range p.Files {
		added += p.Files[i].added()
	}
	return added
}

func (h *Hunk) added() int64 {
	added := int64(0)
	for _, line := range h.Lines {
		if !line.isAdded() {
			continue
		}
		if added += int64(len(line.Text)); !line.NoNewline {
			added++
		}
	}
	return added
}

// goesOnAfterMark reports whether a line without a newline, the last of the old or of the new
// file, has others of the same file after it.
func (h *Hunk) goesOnAfterMark() bool {
	old, new := false, false // have ended
	for _, line := range h.Lines {
		if old && line.isOld() || new && line.isNew() {
			return true
		}
		old = old || line.NoNewline && line.isOld()
		new = new || line.NoNewline && line.isNew()
	}
	return false
}

// hasOld reports whether the hunk has old lines to look for.
func (h *Hunk) hasOld() bool { return slices.ContainsFunc(h.Lines, HunkLine.isOld) }

// endsInChange reports whether the last line is one that comes or goes, and goes on in the file.
func (h *Hunk) endsInChange() bool {
	last := h.Lines[len(h.Lines)-1]
	return last.Op == '-' || last.isAdded() && !last.NoNewline
}

// checkPlaced makes sure that hunks which say that they have old lines show some: a number alone is
// no place.
func (f *File) checkPlaced() error {
	for i := range f.Hunks {
		if h := &f.Hunks[i]; h.Numbered && h.oldCount > 0 && !slices.ContainsFunc(h.Lines[:len(h.Lines)-int(h.bareTail)], HunkLine.isOld) {
			lines := "lines"
			if h.oldCount == 1 {
				lines = "line"
			}
			return &SyntaxError{Line: h.Line, Cause: fmt.Sprintf("the header counts %d old %s, and the hunk shows none", h.oldCount, lines),
				Remedy: fmt.Sprintf("give the lines around the place as context; to insert after line %d without any, write -%[1]d,0",
					h.OldStart)}
		}
	}
	return nil
}

// hasNew reports whether the hunk has new lines.
func (h *Hunk) hasNew() bool { return slices.ContainsFunc(h.Lines, HunkLine.isNew) }

// lacksNewline reports whether the last of the old or of the new lines has no newline.
func (h *Hunk) lacksNewline(isOnSide func(HunkLine) bool) bool {
	for _, line := range slices.Backward(h.Lines) {
		if isOnSide(line) {
			return line.NoNewline
		}
	}
	return false
}

// trailing counts the context lines after the last change.
func (h *Hunk) trailing() int {
	for i := range h.Lines {
		if h.Lines[len(h.Lines)-1-i].Op != ' ' {
			return i
		}
	}
	return len(h.Lines)
}
