package change

import (
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/textio"
	"fsbox/textio/edit"
	"fsbox/textio/patch"
)

// maxOmissionChars is how much of a placeholder a warning repeats.
const maxOmissionChars = 80

// warnLinks warns that a hard link was broken on purpose: the file's other names keep the old
// content.
func warnLinks(e *verb.Env, links uint64) {
	if links > 1 {
		e.Warn("the file had %s elsewhere; the old content stays there", words.Plural(int64(links-1), "other hard link"))
	}
}

// warnOmission warns of a line in the new text that looks like a placeholder for text left out: it
// is written as it is.
func warnOmission(e *verb.Env, omission textio.Omission) {
	if omission.Line == 0 {
		return
	}
	e.Warn("line %d of the new text looks like a placeholder for text left out, and is written as it is: %q", omission.Line,
		words.FirstChars(omission.Text, maxOmissionChars))
}

// warnGarbled warns of new text that a model has probably garbled on its way: it is written as it
// is.
func warnGarbled(e *verb.Env, path string, text, old []byte) {
	what := garbleOf(edit.GarbledNew(path, text, old)).new
	if what == "" {
		return
	}
	if text := "the new text " + what + ", and is written as it is"; !slices.Contains(e.Warnings, text) {
		e.Warn("%s", text)
	}
}

// warnLongerWords warns of an edit of all places that changed parts of longer words.
func warnLongerWords(e *verb.Env, r edit.Result, index, edits int) {
	if r.Longer.Count == 0 {
		return
	}
	parts := words.Mapped(r.Longer.Words, func(w edit.LongerWord) string { return fmt.Sprintf("%q (line %d)", w.Word, w.Line) })
	if r.Longer.More {
		parts = append(parts, "and others")
	}
	which := "the edit"
	if edits > 1 {
		which = fmt.Sprintf("edits[%d]", index)
	}
	e.Warn("in %d of %s %s changes a part of a longer word: %s; set whole_word to leave such places alone",
		r.Longer.Count, words.Plural(int64(r.Replacements), "place"), which, strings.Join(parts, ", "))
}

// warnAgain warns that a patch inserted lines next to identical ones, and had no context that would
// show whether that was intended.
func warnAgain(e *verb.Env, f *PatchPlan) {
	for _, h := range f.Hunks {
		if h.Again {
			e.Warn("what the patch inserts at line %d of %q was there already, right beside it: if the patch came twice, undo this one", h.Line,
				f.Path)
		}
	}
}

// warnMixed warns of a file that has two encodings now.
func warnMixed(e *verb.Env, mixed bool, remedy string) {
	if mixed {
		e.Warn("the file isn't valid UTF-8, and text that isn't ASCII was added to it as UTF-8; %s", remedy)
	}
}

// warnCR warns of carriage returns as line ends, which few programs still know.
func warnCR(e *verb.Env, toCR bool) {
	if toCR {
		e.Warn("the file's lines end with a carriage return alone, and so do the new ones now; eol lf or verbatim keeps line feeds")
	}
}

// warnWritten warns of what the caller of write probably didn't intend, and of what the file lost.
func warnWritten(e *verb.Env, t *textio.Composed, done *sandbox.Done, asked []byte) {
	warnLinks(e, done.Links)
	e.WarnLost(done.Lost)
	warnCR(e, t.ToCR)
	warnOmission(e, t.Omission)
	warnGarbled(e, done.Path, asked, done.Old)
}

// warnEdited warns of what the caller probably didn't intend, and of what the file lost.
func warnEdited(e *verb.Env, t *textio.Edited, done *sandbox.Done, edits []edit.Edit) {
	warnLinks(e, done.Links)
	e.WarnLost(done.Lost)
	warnOmission(e, t.Omission)
	for _, one := range edits {
		warnGarbled(e, done.Path, one.Replacement, done.Old)
	}
	for i, one := range t.Results {
		warnLongerWords(e, one, i, len(edits))
	}
	if t.CRLF {
		e.Warn("the new text brings CRLF into a file whose lines end with LF; with \\n alone they stay alike")
	}
	warnMixed(e, t.Mixed, "to write it in the encoding of the file, use write with encoding")
}

// warnPatched warns of what the author of a patch probably didn't intend, and of what files lost.
func warnPatched(e *verb.Env, parsed *patch.Patch, plan []*PatchPlan, done []*sandbox.Done) {
	for _, text := range parsed.Warnings {
		e.Warn("%s", text)
	}
	var lost sandbox.Lost
	for i, f := range plan {
		warnAgain(e, f)
		if f.CRLF {
			e.Warn("the patch brings CRLF into %q, whose lines end with LF", f.Path)
		}
		warnOmission(e, f.Omission)
		warnGarbled(e, f.Path, f.Added, f.Before)
		warnLinks(e, done[i].Links)
		lost = lost.Or(done[i].Lost)
	}
	e.WarnLost(lost)
}
