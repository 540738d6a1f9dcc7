package patch

import (
	"bytes"
	"fmt"

	"fsbox/textio/edit"
	"fsbox/textio/nearest"
)

// SyntaxError says what in a patch can't be read, or is of a kind that isn't applied here. Line is
// 1-based.
type SyntaxError struct {
	Line   int
	Cause  string
	Remedy string // what to do instead, where the line has no mistake to correct
	None   bool   // nothing in the text is a patch
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Cause) }

// inLine is an error about line i, counted from 0.
func (e *SyntaxError) inLine(i int) error {
	there := *e
	there.Line = i + 1
	return &there
}

// What is valid in patches, but isn't supported here.
var (
	errBinaryPatch = &SyntaxError{Cause: "binary patches are not supported",
		Remedy: "omit this file from the patch; write, copy, move and delete take binary files"}
	errMergeDiff = &SyntaxError{Cause: "the diff of a merge can't be applied",
		Remedy: "send the diff from one version to the other, as git diff OLD NEW prints it"}
	errContextDiff = &SyntaxError{Cause: "context diffs are not supported, only unified ones", Remedy: "make the diff with -u instead of -c"}
	errCopyPatch   = &SyntaxError{Cause: "copies are not supported; add the new file instead",
		Remedy: "omit the copy from the patch: create it with copy, and patch the differences; or have git diff without -C"}
	errCutPatch = &SyntaxError{Cause: "the patch ends within this hunk, after a change: the header counts more lines",
		Remedy: "send the whole patch; if nothing is missing, give the context after the change, or \"@@\" without numbers"}
	errNoHeader = &SyntaxError{Cause: "a hunk begins with \"@@\"",
		Remedy: "put a line \"@@\" before this one, which needs no numbers, and send the whole patch again"}
	errNoChange = &SyntaxError{Cause: "nothing follows that changes the file",
		Remedy: "give the file hunks, each after a line \"@@\", or omit it from the patch"}
	errNoRegularFile = &SyntaxError{Cause: "only regular files can be patched, not symbolic links or submodules",
		Remedy: "omit this file from the patch; move and delete take symbolic links"}
)

// unmarked says why line i is no line of a hunk.
func (l patchLines) unmarked(i int) string {
	switch string(bytes.TrimSpace(l.at(i))) {
	case "...", "…":
		return "dots don't replace lines: what follows them is another hunk, under its own \"@@\""
	}
	return "a line of a hunk begins with \"+\", \"-\" or, if it stays, a space"
}

// ConflictError describes the hunks of one file that find no place, or several: the first, and as
// many of the Count there are as Options.Shown leaves. Ambiguous says that none is without a place.
// Remains, if not 0, is how many lines the file has that a section which deletes it doesn't show.
type ConflictError struct {
	Hunks     []HunkConflict
	Count     int
	Ambiguous bool
	Remains   int
}

func (e *ConflictError) Error() string {
	switch {
	case e.Remains > 0:
		return fmt.Sprintf("the deletion leaves %d lines", e.Remains)
	case !e.Ambiguous:
		return fmt.Sprintf("%d hunks don't fit", e.Count)
	}
	first, more := e.Hunks[0], ""
	if first.Fits > edit.MaxCounted {
		more = "more than "
	}
	return fmt.Sprintf("the hunk in line %d of the patch fits in %s%d places", first.Line, more, min(first.Fits, edit.MaxCounted))
}

// HunkConflict says why a hunk doesn't fit: it fits nowhere, or in several places. It is also what
// an answer says of the hunk.
type HunkConflict struct {
	Hunk           int             `json:"hunk"`               // index in its file's part of the patch, from 0
	Line           int             `json:"line"`               // of the patch, from 1
	OldStart       int             `json:"old_start,omitzero"` // where the patch says it belongs
	Expected       string          `json:"expected,omitzero"`  // the lines it needs, joined by "\n", cut like nearest.Match.Text
	Anchor         string          `json:"anchor,omitzero"`    // the text after "@@" that isn't in the file, if that is the reason
	Closest        []nearest.Match `json:"closest,omitzero"`   // at most three regions, best first; none beyond the first ten hunks, fewer of a large file
	Reason         string          `json:"reason,omitzero"`    // how the best region differs: one of the edit.Closest… constants
	Lenient        string          `json:"lenient,omitzero"`   // the lenient tier in which it would fit
	AlreadyApplied bool            `json:"already_applied,omitzero"`
	NotCompared    bool            `json:"not_compared,omitzero"` // the file wasn't searched for lines that come close: other hunks failed before
	TooCommon      bool            `json:"given_up,omitzero"`     // its lines are so common that the search took too long and was given up
	OutOfOrder     bool            `json:"out_of_order,omitzero"` // it fits only on lines that hunks before it change, or above those
	// lines where it would fit but is not allowed, or of several fits: the first ten
	Places       []int64  `json:"places,omitzero"`
	Snippets     []string `json:"snippets,omitzero"` // of an Ambiguous error: those of Places, as edit.PlacesError has them
	FinalNewline bool     `json:"-"`                 // it would fit at the end, if the file's last line had a newline
	Fits         int      `json:"-"`                 // of an Ambiguous error: how many places there are; past 10,000, no more are counted
}

// WithoutTexts is the conflict without all that is long.
func (h HunkConflict) WithoutTexts() HunkConflict {
	h.Expected, h.Anchor, h.Closest, h.Snippets = "", "", nil, nil
	return h
}

// Prose before the first section can look like its header: a list with dashes, a separator of a
// mail. git apply and patch pass over what looks so, since no "@@ -" follows. Models leave the
// numbers out, so here something else has to show that the lines are words: nothing after them is a
// change, and a section as programs write it follows.

// skipWords passes over words that look like the header of the first section, and says so. It
// reports whether there were any.
func (p *unifiedParser) skipWords() bool {
	if len(p.files) > 0 {
		return false
	}
	section, found := p.lines.afterWords(p.at)
	if found {
		p.warn("line %d looks like the header of a file, but no change follows: it was taken for words", p.at+1)
		p.at = section
	}
	return found
}

// afterWords returns the line where the first section begins, if the two lines at i look like the
// names of one, and are words.
func (l patchLines) afterWords(i int) (section int, found bool) {
	if !l.has(i, "--- ") || !l.has(i+1, "+++ ") || l.isNumbered(i+2) {
		return 0, false
	}
	for i += 2; i < len(l); i++ {
		switch {
		case hasPrefix(l[i], "diff --git "), l.has(i, "--- ") && l.has(i+1, "+++ ") && l.isNumbered(i+2):
			return i, true
		case hasAnyPrefix(l[i], "+", "-") && !hasAnyPrefix(l[i], "--", "++ "), isPatchMarker(l[i]), isBinaryNotice(l[i]):
			return 0, false
		}
	}
	return 0, false
}

// isNumbered reports whether line i is the header of a hunk, with numbers.
func (l patchLines) isNumbered(i int) bool {
	return l.has(i, "@@") && parseHunkHeader(l[i]).numbered()
}
