package change

import (
	"slices"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/edit"
)

// maxElisionChars is how much of a placeholder a warning repeats.
const maxElisionChars = 80

// WarnDone warns of what a file lost with its old content, and of what its new text may lack. A
// hard link was broken on purpose: the file's other names keep the old content.
func WarnDone(e *command.Env, done *transaction.Done, elision textio.Elision) {
	if done.Links > 1 {
		e.Warn("the file had %s elsewhere; the old content stays there", words.Plural(int64(done.Links-1), "other hard link"))
	}
	e.WarnLost(done.Lost)
	WarnElision(e, elision)
}

// WarnElision warns of a line in the new text that looks like a placeholder for text left out: it
// is written as it is.
func WarnElision(e *command.Env, elision textio.Elision) {
	e.WarnIf(elision.Line != 0, "line %d of the new text looks like a placeholder for omitted text, and is written as is: %q", elision.Line,
		words.FirstChars(elision.Text, maxElisionChars))
}

// WarnMangled warns of new text that a model has probably mangled on its way: it is written as it
// is.
func WarnMangled(e *command.Env, path string, text, old []byte) {
	what := MangleOf(edit.MangledNew(path, text, old)).new
	if what == "" {
		return
	}
	if text := "the new text " + what + ", and is written as is"; !slices.Contains(e.Warnings, text) {
		e.Warn("%s", text)
	}
}

// WarnMixed warns of a file that has two encodings now.
func WarnMixed(e *command.Env, isMixed bool, remedy string) {
	e.WarnIf(isMixed, "the file isn't valid UTF-8, and text that isn't ASCII was added to it as UTF-8; %s", remedy)
}

// WarnCR warns of carriage returns as line ends, which few programs still know.
func WarnCR(e *command.Env, toCR bool) {
	e.WarnIf(toCR, "the file's lines end with a carriage return alone, and so do the new ones now; eol lf or verbatim keeps line feeds")
}

// mangle is what an answer says about text that was mangled before it reached fsbox.
type mangle struct {
	reason   string
	Expected string // hint about an expected text, which isn't found because of it
	new      string // warning about new text, which is written as it is
}

var mangles = [...]mangle{
	{edit.MangleLineNumbers,
		"the expected text has line numbers or anchors, which aren't in the file: remove them, also from the replacement",
		"has line numbers or anchors before its lines"},
	{edit.MangleDiffMarks, "the expected text has the + and - of a diff: give the old lines without them, or send the diff with patch",
		"has the + and - of a diff before its lines"},
	{edit.MangleBlocks, "the expected text is a block to search and replace: send what comes after SEARCH as expected_text, " +
		"and what comes after ======= as replacement_text", ""},
	{edit.MangleConflict, "", "has the marks of a merge conflict or of a block to search and replace"},
	{edit.MangleFence, "the expected text is in a code fence: remove it, also from the replacement",
		"is in a code fence"},
	{edit.MangleEntities, "the expected text has HTML entities such as &lt; where the file has the characters: send < > & unescaped",
		"has HTML entities such as &lt;"},
	{edit.MangleTwice, "the expected text has HTML entities escaped twice, such as &amp;lt; where the file has &lt;: send &lt; and &amp; " +
		"as the file has them", "has HTML entities such as &amp;lt;"},
	{edit.MangleDecoded, "the file has HTML entities there, such as &amp; where & was sent", ""},
	{edit.MangleUnicode, "the file has characters escaped there, such as \\u00e9 in six characters for é: in JSON a backslash is written " +
		"twice", ""},
	{edit.MangleEscapes, "the expected text has an extra backslash, such as \\n as two characters, " +
		"where the file has a line end, a quote or another sign: escape once less", "has \\n as two characters and no line end"},
	{edit.MangleUnescaped, "the file has \\n or \\t there as two characters: in JSON a backslash is written twice", ""},
	{edit.MangleTag, "", "ends with a closing tag such as </content>"},
}

// MangleOf finds the entry of mangles for a reason, the zero value if there is none.
func MangleOf(reason string) mangle {
	for _, g := range mangles {
		if g.reason == reason {
			return g
		}
	}
	return mangle{}
}

// Unwanted says what to do about a change that is made twice.
func Unwanted(dryRun bool) string {
	if dryRun {
		return "don't make it"
	}
	return "undo this one"
}
