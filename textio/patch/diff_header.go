package patch

import (
	"bytes"
	"strconv"
	"strings"
)

// diffFileHeader has the lines above the hunks of one file, as written.
type diffFileHeader struct {
	line                 int // in the patch, from 0
	nameLine, fromLine   int // lines of the patch with the file's name and, in a move, its old name; 0 if none
	git                  bool
	prefixes             *prefixes // of all sections of the patch
	names                []byte    // of the "diff --git" line: both, with a space between
	old, new             sideName
	renameFrom, renameTo string
	created, deleted     bool
	oldMode, newMode     uint32
}

// extended reads one of the lines that git puts between "diff --git" and "---".
func (h *diffFileHeader) extended(line []byte) (known bool, err *SyntaxError) {
	word := func(prefix string) ([]byte, bool) {
		return bytes.CutPrefix(line, []byte(prefix))
	}
	if rest, ok := word("old mode "); ok {
		h.oldMode, err = parseFileMode(rest)
	} else if rest, ok := word("new mode "); ok {
		h.newMode, err = parseNewMode(rest)
	} else if rest, ok := word("deleted file mode "); ok {
		h.deleted = true
		h.oldMode, err = parseFileMode(rest)
	} else if rest, ok := word("new file mode "); ok {
		h.created = true
		h.newMode, err = parseNewMode(rest)
	} else if rest, ok := word("rename from "); ok {
		h.renameFrom, err = parseRenameName(rest)
	} else if rest, ok := word("rename to "); ok {
		h.renameTo, err = parseRenameName(rest)
	} else if hasAnyPrefix(line, "copy from ", "copy to ") {
		err = errCopyPatch
	} else if rest, ok := word("index "); ok {
		err = h.index(rest)
	} else {
		return hasAnyPrefix(line, "similarity index ", "dissimilarity index "), nil
	}
	return true, err
}

// index reads "1234567..89abcde 100644". The ids are those of git's objects: the contents that they
// name aren't known here.
func (h *diffFileHeader) index(rest []byte) *SyntaxError {
	_, mode, found := bytes.Cut(rest, []byte(" "))
	if !found || len(bytes.TrimSpace(mode)) == 0 {
		return nil
	}
	m, err := parseFileMode(mode)
	if h.oldMode == 0 && h.newMode == 0 {
		h.oldMode, h.newMode = m, m
	}
	return err
}

const (
	modeType    = 0o170000
	modeRegular = 0o100000
)

// parseFileMode reads a mode as git writes it, 100644, or as chmod takes it, 644.
func parseFileMode(text []byte) (uint32, *SyntaxError) {
	n, err := strconv.ParseUint(string(bytes.TrimSpace(text)), 8, 32)
	if err != nil {
		return 0, &SyntaxError{Cause: "the file mode is not an octal number"}
	}
	mode := uint32(n)
	if mode&modeType == 0 {
		mode |= modeRegular
	}
	if mode&modeType != modeRegular || mode > 0o107777 {
		return 0, errNoRegularFile
	}
	return mode, nil
}

// parseNewMode is parseFileMode for a mode that the file is to have.
func parseNewMode(text []byte) (uint32, *SyntaxError) {
	mode, err := parseFileMode(text)
	if err == nil && mode&0o7000 != 0 {
		err = &SyntaxError{Cause: "the new mode has the setuid, setgid or sticky bit, which a patch can't set"}
	}
	return mode, err
}

// pair returns the path that both names mean, if they mean the same.
func (h *diffFileHeader) pair() (path string, ok bool) {
	if h.old.isFile() && h.new.isFile() {
		pair, ok := pairNames(h.old.name, h.new.name)
		if ok && !h.git && !pair.prefixed() {
			return h.prefixes.common(pair.path), true
		}
		return pair.path, ok
	}
	path, ok = splitGitNames(h.names)
	if name := h.old.name + h.new.name; name != "" { // one side is /dev/null
		ok = ok && (name == path || strings.HasSuffix(name, "/"+path))
	}
	return path, ok
}

// fill fills in names, modes and action.
func (h *diffFileHeader) fill(f *File) error {
	f.OldMode, f.NewMode = h.oldMode, h.newMode
	created, deleted := h.oneSided(f)
	renamed := h.renameFrom != "" || h.renameTo != ""
	switch {
	case created && deleted:
		return &SyntaxError{Line: f.Line, Cause: "a file can't be created and deleted at once"}
	case renamed && (created || deleted):
		return &SyntaxError{Line: f.Line, Cause: "a file can't be renamed and created or deleted at once"}
	}
	if line, cause := h.fillNames(f); cause != "" {
		return &SyntaxError{Line: max(line+1, f.Line), Cause: cause}
	}
	f.Undecided = h.undecided()
	f.form.existed = h.old.dated
	return f.setAction(created, deleted)
}

// undecided returns the only name of a section if nothing in the patch shows whether it begins with
// a prefix, else "".
func (h *diffFileHeader) undecided() string {
	switch {
	case h.git || h.old.isFile() && h.new.isFile():
	case h.old.isFile() && !h.prefixes.decides(h.old.name, h.prefixes.old):
		return h.old.name
	case h.new.isFile() && !h.prefixes.decides(h.new.name, h.prefixes.new):
		return h.new.name
	}
	return ""
}

// setAction sets the action of a section, which follows from its other fields.
func (f *File) setAction(created, deleted bool) error {
	switch {
	case created:
		f.Action = Add
		f.OldMode = 0
		return checkOneSided(f, '+', "a new file has no old lines")
	case deleted:
		f.Action = Delete
		f.NewMode = 0
		return checkOneSided(f, '-', "a deleted file has no lines left")
	case f.From != "":
		f.Action = Move
		return f.checkPlaced()
	case len(f.Hunks) > 0:
		f.Action = Update
		return f.checkPlaced()
	case f.OldMode != f.NewMode:
		f.Action = Mode
	default:
		return errNoChange.inLine(f.Line - 1)
	}
	return nil
}

// oneSided reports whether the section creates or deletes its file.
func (h *diffFileHeader) oneSided(f *File) (created, deleted bool) {
	created, deleted = h.created || h.old.null || h.old.gone, h.deleted || h.new.null || h.new.gone
	if !created && !deleted && len(f.Hunks) == 1 {
		created = h.old.epoch && !f.Hunks[0].hasOld()
		deleted = h.new.epoch && !f.Hunks[0].hasNew()
	}
	return created, deleted
}

// checkOneSided makes sure that all lines of a new or deleted file are of the kind op. Empty lines
// at its end are dropped: they only separate hunks.
func checkOneSided(f *File, op byte, cause string) error {
	for i := range f.Hunks {
		hunk := &f.Hunks[i]
		hunk.Lines = hunk.Lines[:len(hunk.Lines)-int(hunk.bareTail)]
		hunk.bareTail = 0
		for _, line := range hunk.Lines {
			if line.Op != op {
				return &SyntaxError{Line: hunk.Line, Cause: cause}
			}
		}
	}
	return nil
}
