package patch

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/textio/edit"
	"fsbox/textio/nearest"
	"fsbox/textio/patch"
)

// HintPatch says what to do about the worst failure; conflicts get one hint together.
func HintPatch(e *command.Env, f *answer.Failure, worst FailedFile, files []FailedFile, plan []*Plan) {
	if f.InPlace {
		return
	}
	switch f.Code {
	case answer.CodeFileExists:
		f.Hint = existsHint(worst)
	case answer.CodeNotFound:
		if !e.HintPresent(f, worst.Path) {
			f.Hint = missingHint(worst)
		}
	case answer.CodeNotAFile, answer.CodeNotADirectory:
		if takesPlace(f, worst.Path, plan) {
			f.Hint = "a patch changes files, through symbolic links as well; to remove or rename a link itself or a directory use delete or move, " +
				"then create its replacement with another patch"
		}
	case answer.CodePermissionDenied:
		change.HintDenied(e, f, worst.Path)
	case answer.CodePatchConflict:
		f.Hint = ConflictHint(files) + "; nothing was changed"
	case answer.CodeAmbiguousPatch:
		f.Hint = "give these hunks more context, or the right line numbers; nothing was changed"
	}
}

// takesPlace reports whether a link or a folder is at a path, or the patch takes away a file above
// it.
func takesPlace(f *answer.Failure, path string, plan []*Plan) bool {
	d, ok := f.Details.(*answer.PathDetails)
	return ok && (d.Type == "symlink" || d.Type == "directory") ||
		slices.ContainsFunc(plan, func(f *Plan) bool {
			return f.From != "" && strings.HasPrefix(path, f.From+"/") || f.Action() == patch.Delete && strings.HasPrefix(path, f.Path+"/")
		})
}

// existsHint says what to do if a file exists at a path where the patch makes a file or moves one
// to.
func existsHint(f FailedFile) string {
	if f.plan != nil && f.plan.Sections[0].Creates() {
		return "a hunk that shows no old lines makes a new file; to insert text into this one, give the hunk the lines around it as context"
	}
	return "the patch creates a file, or moves one, where one exists: update that file, or delete it in the same patch"
}

// missingHint says what to do about a file that doesn't exist.
func missingHint(f FailedFile) string {
	remedy := "to make a new file, add it"
	switch f.plan.Action() {
	case patch.Delete:
		remedy = "if it is already gone, omit its deletion from the patch"
	case patch.Move:
		remedy = "if it was already moved, omit that from the patch"
	}
	switch {
	case len(f.ExactNames) > 0 && f.ExactNames[0].Path == f.Similar[0]:
		return "did you mean one of similar? a git diff has names that aren't UTF-8 in quotes, their odd bytes in octal: \"caf\\351\"; " + remedy
	case len(f.Similar) > 0:
		return fmt.Sprintf("did you mean %q? %s", f.Similar[0], remedy)
	}
	return "the patch changes a file that doesn't exist; " + remedy
}

// hunkCause is why a hunk fails, and what to do if it is why all hunks do.
type hunkCause struct {
	is     func(h *patch.HunkConflict) bool
	remedy string // {again} is "and send the patch again"
}

// hunkCauses are in the order in which they count. Several places are no cause of their own: the
// hunk needs more context.
var hunkCauses = [...]hunkCause{
	{func(h *patch.HunkConflict) bool { return h.AlreadyApplied },
		"what fails is already in the file, so it may have been applied before: look there, omit these hunks, {again}"},
	{func(h *patch.HunkConflict) bool { return h.Lenient != "" },
		"everything fits except blanks, indentation or typographic characters: set match to lenient, " +
			"or copy the closest text as it is in the file"},
	{func(h *patch.HunkConflict) bool { return h.TooCommon },
		"the lines of these hunks are so common that searching for them took too long: send fewer at a time, with line numbers and rarer lines"},
	{func(h *patch.HunkConflict) bool { return h.Reason == nearest.FinalNewline },
		"the file's last line has no newline, and the patch says it has one: " +
			`put "\ No newline at end of file" under the old line, too, {again}`},
	{func(h *patch.HunkConflict) bool { return h.Anchor != "" },
		"the line after @@ isn't in the file: correct it, or omit it where the hunk's own lines are enough, {again}"},
	{func(h *patch.HunkConflict) bool { return h.OutOfOrder },
		"what fails is about lines of other hunks: make one hunk of them, or, if it belongs before them, " +
			"put the hunks in the file's order, {again}"},
	{func(h *patch.HunkConflict) bool { return len(h.Places) == 1 },
		`what fails is in the line of places, but not at the end of the file: omit "*** End of File", {again}`},
	{func(h *patch.HunkConflict) bool { return edit.Mangled(h.Expected) == edit.MangleLineNumbers },
		"what fails has line numbers before its lines, as read shows them: remove them, {again}"},
	{func(h *patch.HunkConflict) bool { return edit.Mangled(h.Expected) == edit.MangleEntities },
		"what fails has HTML entities such as &lt;: send < > & as they are, {again}"},
	{func(h *patch.HunkConflict) bool { return strings.Contains(h.Expected, "\uFFFD") },
		"what fails has U+FFFD, as read shows bytes that aren't UTF-8, and the file's own bytes are compared: omit these lines, {again}"},
	{func(h *patch.HunkConflict) bool {
		return len(h.Closest) > 0 && strings.Contains(h.Closest[0].Difference.Found, "<0x") && strings.Contains(h.Closest[0].Text, "\uFFFD")
	},
		"the file isn't valid UTF-8, so text that isn't ASCII can't be compared with it: choose context in ASCII, " +
			"or replace the file with write and encoding"},
	{func(h *patch.HunkConflict) bool {
		return len(h.Closest) > 0 && strings.Contains(h.Closest[0].Text, "\r") && !strings.Contains(h.Expected, "\r")
	},
		change.HintLoneCR + ": change it by edit, with \\r in expected_text, or replace the file with write and eol lf"},
	{func(h *patch.HunkConflict) bool { return h.Expected != "" && strings.TrimSpace(h.Expected) == "" },
		"what fails has only blank lines as context: give lines with text around the place, {again}"},
}

// ConflictHint gives the remedy for most of the hunks: leave out what is already applied, match
// leniently, or correct the hunks.
func ConflictHint(files []FailedFile) string {
	var causes []int // indexes in hunkCauses, -1 for any other
	for _, f := range files {
		for _, h := range f.Hunks {
			causes = append(causes, slices.IndexFunc(hunkCauses[:], func(c hunkCause) bool { return c.is(&h) }))
		}
	}
	hint := "details.files lists every hunk that fails with what is in the file instead: correct these hunks, {again}"
	switch {
	case len(causes) == 0:
		hint = `a deletion has to list every line of the file: read it, or use "*** Delete File", {again}`
	case causes[0] >= 0 && len(slices.Compact(slices.Clone(causes))) == 1:
		hint = hunkCauses[causes[0]].remedy
	case slices.Contains(causes, 0):
		hint = "hunks with already_applied are already in the file: omit them, correct the others by their closest text, {again}"
	}
	return strings.ReplaceAll(hint, "{again}", "and send the patch again")
}

// hintNoChange is for a patch that changes nothing.
const hintNoChange = "its hunks have only context, or add what they remove; " +
	"and of a mode, the right to execute is all that is set"

// patchSyntaxFailure says what to do about a patch that can't be read.
func patchSyntaxFailure(err error) error {
	syntax, ok := errors.AsType[*patch.SyntaxError](err)
	if !ok {
		return err
	}
	f := answer.Failf(answer.CodeInvalidPatch, "%v", syntax).WithDetails(&Details{Line: syntax.Line})
	switch {
	case syntax.None && syntax.Remedy == "":
		return f.WithHint("give a unified or git diff, or \"*** Begin Patch\" ... \"*** End Patch\"")
	case syntax.Remedy != "":
		return f.WithHint("%s", syntax.Remedy)
	}
	return f.WithHint("correct that line, and send the whole patch again")
}

// hintFileName says how to give a patch by the name of its file, if the request has a file name
// where the patch should be.
func hintFileName(e *command.Env, err error, text []byte) error {
	syntax, ok := errors.AsType[*patch.SyntaxError](err)
	name := ""
	if text = bytes.TrimSpace(text); len(text) <= maxNameBytes {
		name = string(text)
	}
	if !ok || !syntax.None || name == "" || strings.Contains(name, "\n") || !e.Workspace.Exists(name) {
		return patchSyntaxFailure(err)
	}
	return command.FailureOf(patchSyntaxFailure(err)).
		WithHint("to apply what is in the file %q, give its content; on the command line, --patch-file takes it from there", name)
}

// maxNameBytes is more than the length of any file name.
const maxNameBytes = 4096
