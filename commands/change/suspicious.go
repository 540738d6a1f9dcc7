package change

import (
	"fmt"

	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/edit"
)

// Suspicious are what the caller probably didn't intend in some of the files, for warnings.
type Suspicious struct {
	links, Mixed, CRLF, uneven, unmarked, joined []string // paths
	elision                                      textio.Elision
	parts                                        int      // places that are parts of longer words
	longer                                       []string // the first of these words
	places                                       int
	lost                                         rights.Lost
}

// Note looks at one file.
func (o *Suspicious) Note(env *command.Env, path string, old []byte, made edit.Edit, text *textio.Changed) {
	if o.places == 0 {
		WarnMangled(env, path, made.Replacement, old)
		o.elision = text.Elision
	}
	done := text.Results[0]
	o.places += done.Replacements
	o.parts += done.Longer.Count
	for _, w := range done.Longer.Words {
		if len(o.longer) < edit.MaxLongerWords {
			o.longer = append(o.longer, fmt.Sprintf("%q (%s line %d)", w.Word, words.Phrase("%q", path), w.Line))
		}
	}
	noteIf(done.Joins > 0, &o.joined, path)
	noteIf(text.Mixed, &o.Mixed, path)
	noteIf(text.CRLF, &o.CRLF, path)
	noteIf(text.NoMark, &o.unmarked, path)
	noteIf(text.Uneven, &o.uneven, path)
}

func noteIf(is bool, paths *[]string, path string) {
	if is {
		*paths = append(*paths, path)
	}
}

// NoteDone looks at a file that was written.
func (o *Suspicious) NoteDone(path string, done *transaction.Done) {
	o.lost |= done.Lost
	noteIf(done.Links > 1, &o.links, path)
}

// Warn warns of what was seen.
func (o *Suspicious) Warn(env *command.Env) {
	for _, kind := range [...]struct {
		paths []string
		what  string
	}{
		{o.links, "had other hard links; the old content stays there"},
		{o.CRLF, "had line ends LF only, and the new text brings CRLF"},
		{o.joined, "has two lines in one now: the expected text ends with a line end, and the replacement doesn't"},
		{o.unmarked, "has no byte order mark any more"},
		{o.uneven, "had only CRLF line ends, and now also has LF"},
		{o.Mixed, "isn't valid UTF-8, and text that isn't ASCII was added as UTF-8"},
	} {
		switch n := len(kind.paths); {
		case n == 1:
			env.Warn("%q "+kind.what, kind.paths[0])
		case n > 1:
			env.Warn("each of %s, %q first, "+kind.what, words.Plural(int64(n), "file"), kind.paths[0])
		}
	}
	env.WarnLost(o.lost)
	WarnElision(env, o.elision)
	if o.parts > 0 {
		WarnLongerWords(env, o.parts, o.places, "the edit", o.longer)
	}
}
