package rewrite

import (
	"errors"
	"fmt"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/edit"
)

// ManyMissDetails are the details of match_not_found of an edit with glob.
type ManyMissDetails struct {
	FilesSearched int64 `json:"files_searched"`
	answer.LeftOut
	SkippedCount int64 `json:"skipped_count"` // files and folders that could not be read
}

// missed is the failure for a text that is in none of the files.
func (m *manyEdit) missed(why string) error {
	r := m.result
	what := "the expected text isn't in"
	if m.WholeWord {
		what = "the expected text isn't as a whole word in"
	}
	f := answer.Failf(answer.CodeMatchNotFound, "%s any of %s", what, words.Plural(r.FilesSearched, "file"))
	switch r.FilesSearched {
	case 0:
		f.Message = "there is no file to search for the expected text"
	case 1:
		f.Message = what + " the one file searched"
	}
	f.Hint = why
	if why == "" {
		f.Hint = "find it with grep, which has more ways to search, and copy the text from there"
	}
	return f.WithDetails(&ManyMissDetails{r.FilesSearched, r.LeftOut, r.SkippedCount})
}

// WriteDetails notes what was left out.
func (d *ManyMissDetails) WriteDetails(t *answer.Text, _ string) {
	left := d.LeftOut
	left.Unreadable = d.SkippedCount
	t.LeftOut(left, true)
}

// ManyCountDetails are the details of count_mismatch of an edit with glob.
type ManyCountDetails struct {
	Count         int         `json:"count"` // places found
	ExpectedCount int64       `json:"expected_count"`
	Files         []ManyCount `json:"files"` // the first ten
	FilesMatched  int         `json:"files_matched"`
}

// ManyCount is how many places there are in a file.
type ManyCount struct {
	words.PathName
	Count int     `json:"count"`
	Lines []int64 `json:"lines"` // of the first ten
}

// miscounted is the failure for another number of places than was expected.
func (m *manyEdit) miscounted() error {
	r := m.result
	d := &ManyCountDetails{Count: r.Replacements, ExpectedCount: m.ExpectedCount, FilesMatched: len(r.Files)}
	d.Files = answer.Fitting(command.FailureBudget(m.env.Limits), words.Mapped(r.Files[:min(len(r.Files), edit.SampleSize)],
		func(f ManyFile) ManyCount {
			return ManyCount{f.PathName, f.Replacements, f.Lines[:min(len(f.Lines), edit.SampleSize)]}
		}))
	return answer.Failf(answer.CodeCountMismatch, "the expected text is in %s in %s, not in %d", words.Plural(int64(d.Count), "place"),
		words.Plural(int64(d.FilesMatched), "file"), d.ExpectedCount).WithDetails(d).
		WithHint("look at the places, then correct expected_count, or choose the files with path and glob")
}

// WriteDetails writes the files as grep does.
func (d *ManyCountDetails) WriteDetails(t *answer.Text, _ string) {
	for _, f := range d.Files {
		t.Line(countOf(f.Path, f.Count, f.Lines))
	}
	if more := d.FilesMatched - len(d.Files); more > 0 {
		t.Note(words.Plural(int64(more), "more file"))
	}
}

// hintMany says what to do about one file that can't be changed.
func (e *Edit) hintMany(env *command.Env, err error) error {
	at, named := errors.AsType[*dir.PathError](err)
	f := command.FailureOf(err)
	switch f.Code {
	case answer.CodeNotADirectory, answer.CodeNotAFile:
		return f.WithHint("with glob, path is a folder: leave glob out to edit one file")
	case answer.CodeStale:
		f.Retryable = true
		return f.WithHint("nothing was changed: somebody changes the files at the same time; send it again")
	case answer.CodeInvalidPath: // a walk finds paths that no request can name
		if folder, err := env.Workspace.Clean(e.Path); err == nil && named {
			top, _, _ := strings.Cut(words.Below(folder, strings.TrimPrefix(at.Path, "./")), "/")
			return f.WithHint("nothing was changed; to leave this file out, add %q to glob", "!./"+top+"/**")
		}
	case answer.CodePathBlocked, answer.CodePermissionDenied, answer.CodeReadOnly, answer.CodeFileTooLarge:
		if folder, err := env.Workspace.Clean(e.Path); err == nil && named && !strings.ContainsAny(at.Path, `*?[]{}\!`) {
			return f.WithHint("nothing was changed; to leave this file out, add %q to glob", "!./"+words.Below(folder, at.Path))
		}
	}
	return err
}

// suspicious are what the caller probably didn't intend in some of the files, for warnings.
type suspicious struct {
	links, mixed, crlf, uneven, unmarked []string // paths
	elision                              textio.Elision
	parts                                int      // places that are parts of longer words
	longer                               []string // the first of these words
	places                               int
	lost                                 dir.Lost
}

// see looks at one file.
func (o *suspicious) see(env *command.Env, path string, old []byte, made edit.Edit, text *textio.Changed) {
	if o.places == 0 {
		change.WarnMangled(env, path, made.Replacement, old)
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
	if text.Mixed {
		o.mixed = append(o.mixed, path)
	}
	if text.CRLF {
		o.crlf = append(o.crlf, path)
	}
	if text.NoMark {
		o.unmarked = append(o.unmarked, path)
	}
	if text.Uneven {
		o.uneven = append(o.uneven, path)
	}
}

// seeDone looks at a file that was written.
func (o *suspicious) seeDone(path string, done *transaction.Done) {
	if o.lost |= done.Lost; done.Links > 1 {
		o.links = append(o.links, path)
	}
}

// warn warns of what was seen.
func (o *suspicious) warn(env *command.Env) {
	for _, kind := range [...]struct {
		paths []string
		what  string
	}{
		{o.links, "had other hard links; the old content stays there"},
		{o.crlf, "had line ends LF only, and the new text brings CRLF"},
		{o.unmarked, "has no byte order mark any more"},
		{o.uneven, "had line ends CRLF only, and has LF as well now"},
		{o.mixed, "isn't valid UTF-8, and text that isn't ASCII was added as UTF-8"},
	} {
		switch n := len(kind.paths); {
		case n == 1:
			env.Warn("%q "+kind.what, kind.paths[0])
		case n > 1:
			env.Warn("each of %s, %q first, "+kind.what, words.Plural(int64(n), "file"), kind.paths[0])
		}
	}
	env.WarnLost(o.lost)
	change.WarnElision(env, o.elision)
	if o.parts > 0 {
		warnLongerWords(env, o.parts, o.places, "the edit", o.longer)
	}
}
