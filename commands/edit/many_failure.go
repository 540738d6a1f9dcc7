package edit

import (
	"errors"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/textio/edit"
)

// ManyMissDetails are the details of match_not_found of an edit with glob.
type ManyMissDetails struct {
	FilesSearched int64 `json:"files_searched"`
	answer.LeftOut
	SkippedCount int64 `json:"skipped_count"` // files and directories that could not be read
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
func (e *Request) hintMany(env *command.Env, err error) error {
	at, named := errors.AsType[*fserr.PathError](err)
	f := command.FailureOf(err)
	switch f.Code {
	case answer.CodeNotADirectory, answer.CodeNotAFile:
		return f.WithHint("with glob, path is a directory: omit glob to edit one file")
	case answer.CodeStale:
		f.Retryable = true
		return f.WithHint("nothing was changed: another process is changing the files; send it again")
	case answer.CodeInvalidPath: // a walk finds paths that no request can name
		if folder, err := env.Workspace.Clean(e.Path); err == nil && named {
			top, _, _ := strings.Cut(words.Below(folder, strings.TrimPrefix(at.Path, "./")), "/")
			return f.WithHint("nothing was changed; to exclude this file, add %q to glob", "!./"+top+"/**")
		}
	case answer.CodePathBlocked, answer.CodePermissionDenied, answer.CodeReadOnly, answer.CodeFileTooLarge:
		if folder, err := env.Workspace.Clean(e.Path); err == nil && named && !strings.ContainsAny(at.Path, `*?[]{}\!`) {
			return f.WithHint("nothing was changed; to exclude this file, add %q to glob", "!./"+words.Below(folder, at.Path))
		}
	}
	return err
}
