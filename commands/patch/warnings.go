package patch

import (
	"slices"
	"strings"

	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/sandbox/transaction"
	"fsbox/textio/patch"
)

// warnAgain warns that a patch inserted lines next to identical ones, and had no context that would
// show whether that was intended.
func warnAgain(e *command.Env, f *Plan, hunks []patch.HunkResult, dryRun bool) {
	for _, h := range hunks {
		e.WarnIf(h.Again, "what the patch inserts at line %d of %q already exists, right beside it: if the patch came twice, %s", h.Line,
			f.Path, change.Unwanted(dryRun))
	}
}

// warnPatched warns of what the author of a patch probably didn't intend, and of what files lost.
func warnPatched(e *command.Env, parsed *patch.Patch, plan []*Plan, done []*transaction.Done, seen *patchedFiles) {
	for _, text := range slices.Concat(parsed.Warnings, seen.warnings.Warnings) {
		e.Warn("%s", text)
	}
	var odd change.Suspicious
	for i, f := range plan {
		if f.crlf {
			odd.CRLF = append(odd.CRLF, f.Path)
		}
		if f.mixed {
			odd.Mixed = append(odd.Mixed, f.Path)
		}
		warnUndecided(e, f, done[i])
		odd.NoteDone(f.Path, done[i])
	}
	odd.Warn(e)
}

// warnUndecided warns of a new file whose name may begin with a prefix, as diffs have them, where
// nothing in the patch shows it: a folder of that name was made only now, or there is one and it
// was taken for a prefix.
func warnUndecided(e *command.Env, f *Plan, done *transaction.Done) {
	name := f.Sections[0].Undecided
	first, _, deep := strings.Cut(name, "/")
	switch {
	case !deep || done.Existed:
	case name == f.Sections[0].Path && done.ParentsCreated > strings.Count(f.Path, "/")-1:
		e.Warn("%q is in a new directory, %q, which may be a prefix that the diff adds to paths: if it is, omit it", f.Path, first)
	case name != f.Sections[0].Path && e.Workspace.Exists(first):
		e.Warn("%q was made for %q: %q was taken for a prefix of the diff, and there is a directory of that name", f.Path, name, first+"/")
	}
}
