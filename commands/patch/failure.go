package patch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/transaction"
	"fsbox/textio/patch"
)

// FailureDetails are the details of patch_conflict and ambiguous_patch, and of any other code
// where several files of a patch fail. Nothing was changed.
type FailureDetails struct {
	Files       []FailedFile `json:"files"`                 // all that fail, in the order of the patch
	Truncated   bool         `json:"truncated,omitzero"`    // 32 KiB, max_output_bytes or 1,000 hunks were reached: later hunks have no texts, or are omitted
	HunksFailed int          `json:"hunks_failed,omitzero"` // if truncated: how many there are
	FilesFailed int          `json:"files_failed,omitzero"` // if truncated: how many files fail
}

// FailedFile says why a patch can't be applied to one file.
type FailedFile struct {
	words.PathName
	Error      answer.Code          `json:"error"`
	Message    string               `json:"message"`
	Similar    []string             `json:"similar,omitzero"`     // not_found: paths that exist
	ExactNames []words.PathName     `json:"exact_names,omitzero"` // of similar, those that aren't UTF-8
	Hunks      []patch.HunkConflict `json:"hunks,omitzero"`

	plan   *Plan
	fail   *answer.Failure
	failed int // how many hunks fail
}

// failure gathers what went wrong with the files of a patch, and keeps what fits.
func (p *Request) failure(ctx context.Context, e *command.Env, err error, parsed *patch.Patch, plan []*Plan) error {
	several, ok := errors.AsType[*transaction.ChangesError](err)
	if !ok {
		several = &transaction.ChangesError{Failed: []transaction.FailedChange{{Err: err}}}
	}
	files := failedFiles(ctx, e, several.Failed, plan)
	worst := slices.MinFunc(files, func(a, b FailedFile) int { return rank(a.Error) - rank(b.Error) })
	f := *worst.fail
	if name := fmt.Sprintf("%q", worst.Path); !strings.Contains(f.Message, name) {
		f.Message = name + ": " + f.Message
	}
	if len(files) > 1 {
		f.Message = fmt.Sprintf("%s (and %s more of the patch can't be changed)", f.Message, words.Plural(int64(len(files)-1), "file"))
	}
	HintPatch(e, &f, worst, files, plan)
	p.keep(e, &f, parsed, files)
	if len(files) > 1 || files[0].Hunks != nil {
		d := patchFailureDetails(files, command.FailureBudget(e.Limits))
		if f.Details = d; d.Truncated {
			f.Hint = strings.Replace(f.Hint, "every hunk that fails", "some of the hunks that fail,", 1)
		}
	} else if d, ok := f.Details.(*answer.PathDetails); ok {
		d.Similar, d.ExactNames = files[0].Similar, files[0].ExactNames
	}
	return &f
}

func failedFiles(ctx context.Context, e *command.Env, failed []transaction.FailedChange, plan []*Plan) []FailedFile {
	files := make([]FailedFile, len(failed))
	for i, one := range failed {
		files[i] = failedFile(plan[one.Index], one.Err)
		if files[i].Error == answer.CodeNotFound && i < similarFiles {
			suggestPatched(ctx, e, &files[i])
		}
	}
	return files
}

// rank orders codes: errors that hold however the other hunks are corrected go first.
func rank(code answer.Code) int {
	switch code {
	case answer.CodeAmbiguousPatch:
		return 2
	case answer.CodePatchConflict:
		return 1
	}
	return 0
}

// similarFiles is for how many of the failing files similar names are suggested: each takes a
// listing of a folder.
const similarFiles = 10

// suggestPatched suggests names similar to that of a file of the patch. The first is the name
// without the prefix that diffs add, such as a/ or x.orig/.
func suggestPatched(ctx context.Context, e *command.Env, f *FailedFile) {
	if e.Workspace.Exists(f.Path) {
		return // a link that leads nowhere
	}
	bare := f.Path
	for range mostFolders {
		if _, rest, deep := strings.Cut(bare, "/"); !deep {
			break
		} else if bare = rest; e.Workspace.Exists(bare) {
			f.Similar = []string{bare}
			return
		}
	}
	f.Similar, _ = e.Hints().Meant(ctx, f.Path)
	f.ExactNames = words.ExactNames(f.Similar...)
}

// mostFolders is how many folders before a name are tried as a prefix: diffs of whole systems have
// two or three.
const mostFolders = 3

func failedFile(plan *Plan, err error) FailedFile {
	fail, path := command.FailureOf(patchError(plan, err)), plan.Path
	f := FailedFile{Error: fail.Code, Message: words.ShortTo(answer.LongestSentence, fail.Message), plan: plan, fail: fail}
	if conflict, ok := errors.AsType[*patch.ConflictError](err); ok {
		f.Hunks, f.failed = conflict.Hunks, conflict.Count
	}
	if at, ok := errors.AsType[*fserr.PathError](err); ok {
		path = at.Path
	} else if plan.From != "" {
		path = plan.From
	}
	f.PathName = words.PathOf(words.ShortName(path))
	return f
}

// patchFailureDetails lists as many failures as fit into the answer. All hunks come before the
// texts of any: those whose texts don't fit have only their line, and what is wrong with them.
func patchFailureDetails(files []FailedFile, r *answer.Budget) *FailureDetails {
	d := &FailureDetails{Files: []FailedFile{}, FilesFailed: len(files)}
	var full [][]patch.HunkConflict // of the files that are listed
	for _, f := range files {
		hunks := f.Hunks
		d.HunksFailed += f.failed
		if f.Hunks = nil; d.Truncated && r.Left <= 0 || !r.Add(f) {
			d.Truncated = true
			continue
		}
		if hunks != nil && r.Take(hunksFrame) {
			f.Hunks = answer.Fitting(r, withoutTexts(hunks))
		}
		d.Truncated = d.Truncated || len(f.Hunks) < f.failed
		d.Files, full = append(d.Files, f), append(full, hunks)
	}
	for i := range d.Files {
		if !addTexts(d.Files[i].Hunks, full[i], r) {
			d.Truncated = true
		}
	}
	if !d.Truncated {
		d.FilesFailed, d.HunksFailed = 0, 0
	}
	return d
}

// hunksFrame is what a list of hunks takes besides them, in bytes.
const hunksFrame = int64(len(`,"hunks":[],`))

func withoutTexts(hunks []patch.HunkConflict) []patch.HunkConflict {
	bare := make([]patch.HunkConflict, len(hunks))
	for i := range hunks {
		bare[i] = hunks[i].WithoutTexts()
	}
	return bare
}

// addTexts gives hunks their texts, from the same hunks in full, and reports whether all fit into
// the answer.
func addTexts(hunks, full []patch.HunkConflict, r *answer.Budget) (all bool) {
	all = true
	for i := range hunks {
		if r.Take(r.Size(full[i]) - r.Size(hunks[i])) {
			hunks[i] = full[i]
		} else {
			all = false
		}
	}
	return all
}

// patchError gives the errors of a patch their codes. Other errors are returned unchanged.
func patchError(plan *Plan, err error) error {
	if same, ok := errors.AsType[*transaction.SameFileError](err); ok {
		line := plan.Sections[0].Line
		return answer.Failf(answer.CodeInvalidPatch, "line %d: %q and %q, which the patch is also about, are the same file", line, plan.Path,
			same.Other).
			WithDetails(&Details{Line: line}).WithHint("call the file by the same name everywhere in the patch")
	}
	if conflict, ok := errors.AsType[*patch.ConflictError](err); ok {
		return conflictFailure(conflict)
	}
	return err
}

func conflictFailure(conflict *patch.ConflictError) *answer.Failure {
	switch {
	case conflict.Ambiguous:
		return answer.Failf(answer.CodeAmbiguousPatch, "%v", conflict)
	case conflict.Remains > 0:
		return answer.Failf(answer.CodePatchConflict, "the deletion doesn't account for %s of the file",
			words.Plural(int64(conflict.Remains), "line"))
	}
	what := fmt.Sprintf("the hunk in line %d of the patch doesn't fit", conflict.Hunks[0].Line)
	if more := conflict.Count - 1; more > 0 {
		what += fmt.Sprintf(", nor %s of the same file", words.Plural(int64(more), "other hunk"))
	}
	return answer.Failf(answer.CodePatchConflict, "%s", what)
}

// Details are the details of invalid_patch.
type Details struct {
	Line int `json:"line"` // of the patch, from 1
}
