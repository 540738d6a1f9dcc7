package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/transaction"
	"fsbox/textio/edit"
	"fsbox/textio/patch"
)

// warnLongerWords warns of an edit of all places that also changed parts of longer words: parts of
// the places are in such words, and longer says which words and where.
func warnLongerWords(e *command.Env, parts, places int, which string, longer []string) {
	e.Warn("in %d of %s %s changes a part of a longer word: %s; set whole_word to leave such places alone", parts,
		words.Plural(int64(places), "place"), which, strings.Join(longer, ", "))
}

// longerWords names the longer words of one file.
func longerWords(r *edit.Result) []string {
	named := words.Mapped(r.Longer.Words, func(w edit.LongerWord) string { return fmt.Sprintf("%q (line %d)", w.Word, w.Line) })
	if r.Longer.More {
		named = append(named, "and others")
	}
	return named
}

// warnAgain warns that a patch inserted lines next to identical ones, and had no context that would
// show whether that was intended.
func warnAgain(e *command.Env, f *PatchPlan, hunks []patch.HunkResult) {
	for _, h := range hunks {
		if h.Again {
			e.Warn("what the patch inserts at line %d of %q was there already, right beside it: if the patch came twice, undo this one", h.Line,
				f.Path)
		}
	}
}

// warnPatched warns of what the author of a patch probably didn't intend, and of what files lost.
func warnPatched(e *command.Env, parsed *patch.Patch, plan []*PatchPlan, done []*transaction.Done, seen *patchedFiles) {
	for _, text := range slices.Concat(parsed.Warnings, seen.warnings.Warnings) {
		e.Warn("%s", text)
	}
	var odd suspicious
	for i, f := range plan {
		if f.crlf {
			odd.crlf = append(odd.crlf, f.Path)
		}
		if f.mixed {
			odd.mixed = append(odd.mixed, f.Path)
		}
		warnUndecided(e, f, done[i])
		odd.seeDone(f.Path, done[i])
	}
	odd.warn(e)
}

// warnUndecided warns of a new file whose name may begin with a prefix, as diffs have them, where
// nothing in the patch shows it: a folder of that name was made only now, or there is one and it
// was taken for a prefix.
func warnUndecided(e *command.Env, f *PatchPlan, done *transaction.Done) {
	name := f.Sections[0].Undecided
	first, _, deep := strings.Cut(name, "/")
	switch {
	case !deep || done.Existed:
	case name == f.Sections[0].Path && done.ParentsCreated > strings.Count(f.Path, "/")-1:
		e.Warn("%q is in a new folder, %q, which nothing in the patch tells from a prefix of the diff: if it is one, leave it out", f.Path, first)
	case name != f.Sections[0].Path && e.Workspace.Exists(first):
		e.Warn("%q was made for %q: %q was taken for a prefix of the diff, and there is a folder of that name", f.Path, name, first+"/")
	}
}
