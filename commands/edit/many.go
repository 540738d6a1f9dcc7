package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/grep"
	"fsbox/commands/listing"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/transaction"
	"fsbox/search/match"
	"fsbox/textio"
	"fsbox/textio/diff"
	"fsbox/textio/edit"
	"fsbox/textio/lines"
)

// An edit with glob goes through all files twice, one at a time, so that it never holds more than
// one. First it plans: which files, how many places, what the diff shows. Then package sandbox asks
// for each new content once more, when it writes that.

// maxManyFiles is how many files one edit may change.
const maxManyFiles = 1000

// maxManyTries is how often an edit plans again because somebody changed a file meanwhile.
const maxManyTries = 4

// manyEdit is an edit with glob under way.
type manyEdit struct {
	*Request
	env     *command.Env
	edits   []edit.Edit // one
	changes []transaction.Change
	result  *ManyResult
	printed command.Diffs
	added   int64 // bytes
	same    error // of a file that has the text and needs no change, nil if there is none
	odd     change.Suspicious
}

// ManyResult reports what an edit with glob changed.
type ManyResult struct {
	words.PathName
	Glob           []string   `json:"glob"`
	Files          []ManyFile `json:"files"`
	FilesTruncated bool       `json:"files_truncated,omitzero"` // cut because of max_output_bytes
	FilesModified  int        `json:"files_modified"`
	FilesSearched  int64      `json:"files_searched"`
	Replacements   int        `json:"replacements"`
	answer.LeftOut
	listing.Unread
	answer.ShownDiff
	BackupID *string `json:"backup_id"` // null: no backup is kept
	DryRun   bool    `json:"dry_run,omitzero"`

	paths []string // of all files
	bytes int64    // that were written
	next  string   // hint: why nothing was found, or how glob was read
}

// ManyFile is one of the files that changed.
type ManyFile struct {
	words.PathName
	Replacements   int     `json:"replacements"`
	Lines          []int64 `json:"lines"` // of the first 100 replacements
	LinesTruncated bool    `json:"lines_truncated,omitzero"`
	Match          string  `json:"match,omitzero"` // eol: equal except for LF and CRLF; omitted if exact
	Etag           string  `json:"etag"`
}

// checkMany refuses what goes with one file only.
func (e *Request) checkMany() error {
	for _, field := range [...]struct {
		name  string
		isSet bool
	}{{"edits", e.Edits != nil}, {"start_anchor", e.StartAnchor != ""}, {"end_anchor", e.EndAnchor != ""},
		{"insert_after", e.InsertAfter != ""}, {"source_start", e.SourceStart+e.SourceEnd != ""},
		{"source_path", e.SourcePath != ""}, {"cut", e.Cut}, {"if_match", e.IfMatch != ""}, {"match", e.Match != "exact"}} {
		if field.isSet {
			return answer.Failf(answer.CodeInvalidInput, "%q is for one file, and %q for many", field.name, "glob").
				WithHint("omit it, or edit the files one by one")
		}
	}
	return nil
}

// runMany applies the edit to every file below path that glob lets through, in all places, or to
// none.
func (e *Request) runMany(ctx context.Context, env *command.Env) (result answer.Result, err error) {
	if err := e.checkMany(); err != nil {
		return nil, err
	}
	p, err := e.list(env)
	if err != nil {
		return nil, err
	}
	edits := p.edits
	edits[0].All, edits[0].Count = true, 0
	switch {
	case len(edits[0].Expected) == 0:
		return nil, FailureOf(&edit.EmptyExpectedError{})
	case bytes.Equal(edits[0].Expected, edits[0].Replacement):
		return nil, FailureOf(&edit.NoChangeError{})
	}
	for range maxManyTries {
		m := &manyEdit{Request: e, env: env, edits: edits}
		m.printed = command.Diffs{Lines: command.LinesOfDiff(e.Diff), Budget: command.DiffBudget(env.Limits)}
		if result, err = m.try(ctx); !fserr.IsAny(err, fserr.ErrStale, fserr.ErrCollision) || env.Show != nil {
			break
		}
	}
	if err != nil {
		return nil, e.hintMany(env, err)
	}
	return result, nil
}

func (m *manyEdit) try(ctx context.Context) (answer.Result, error) {
	if err := m.search(ctx); err != nil {
		return nil, err
	}
	r := m.result
	switch {
	case r.Replacements == 0 && m.same != nil:
		return nil, FailureOf(m.same)
	case r.Replacements == 0:
		return nil, m.missed(r.next)
	case m.ExpectedCount > 0 && int64(r.Replacements) != m.ExpectedCount:
		return nil, m.miscounted()
	case !m.env.Workspace.MayBeAll(len(m.changes)):
		return nil, sandbox.ErrNotAsAgreed
	}
	done, err := transaction.Commit(ctx, m.env.Workspace, m.changes)
	if err != nil {
		return nil, err
	}
	m.report(done)
	return r, nil
}

// search finds the files, and plans what becomes of each.
func (m *manyEdit) search(ctx context.Context) error {
	expected := m.edits[0].Expected
	expected = bytes.TrimPrefix(expected, []byte(command.ByteOrderMark)) // which isn't searched
	q := match.Query{Text: string(lines.WithLF(expected)), WholeWord: m.WholeWord, Multiline: bytes.Contains(expected, lines.LF)}
	if part := longestPart(q.Text); part != "" && strings.Contains(q.Text, "\r") { // which search takes to the letter, also before LF
		q = match.Query{Text: part}
	}
	found, err := grep.Files(ctx, m.env, m.Path, m.Glob, q, maxManyFiles)
	switch {
	case err != nil:
		return err
	case found.Truncated:
		return answer.Failf(answer.CodeInvalidInput, "the text is in more than %d files", maxManyFiles).
			WithHint("nothing was changed: choose fewer files with path and glob; a patch can change up to 10,000")
	}
	name, err := m.env.Workspace.Clean(m.Path)
	if err != nil {
		return err
	}
	m.result = &ManyResult{PathName: words.PathOf(name), Glob: m.Glob, FilesSearched: found.FilesSearched, LeftOut: found.LeftOut,
		Unread: found.Unread, DryRun: m.DryRun, next: found.Next}
	m.result.ForGood = true
	for _, path := range found.Files {
		if err := m.plan(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// longestPart is the longest part of a text between its line ends: whatever has the text has it,
// too.
func longestPart(text string) (longest string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

// plan reads a file, and notes what becomes of it.
func (m *manyEdit) plan(ctx context.Context, path string) error {
	f, err := m.env.Workspace.OpenFile(pathname.InRoot(path))
	if err != nil {
		return err
	}
	defer f.Close()
	old, err := f.ReadAll(ctx, m.env.Limits.MaxReadBytes)
	if err != nil {
		return &fserr.PathError{Path: path, Err: err}
	}
	limits := edit.Limits{MaxAdded: m.env.Limits.MaxWriteBytes - m.added, MaxSize: m.env.Limits.MaxReadBytes}
	text, err := textio.Edit(ctx, old, m.edits, limits)
	if _, none := errors.AsType[*edit.MatchNotFoundError](err); none {
		return nil // a match that is one to grep only
	}
	if same, is := errors.AsType[*edit.NoChangeError](err); is {
		m.same = same
		return nil
	}
	if err != nil {
		return nameFile(path, change.TextFailure(path, err))
	}
	m.note(path, old, &text)
	if m.env.Show != nil {
		m.env.Show(command.ChangedFile{Mode: f.Info.Mode, NewMode: f.Info.Mode.Perm(),
			Contents: textio.Contents{Path: path, Old: old, New: text.Content}})
	}
	target := transaction.WriteOptions{Path: pathname.InRoot(path), IfMatch: openfile.ContentETag(old),
		Later: int64(len(old) + len(text.Content)), DryRun: m.DryRun, Tool: "edit"}
	m.changes = append(m.changes, transaction.Change{WriteOptions: target, Make: func(old []byte, _ bool) ([]byte, error) {
		text, err := textio.Edit(ctx, old, m.edits, edit.Limits{MaxSize: limits.MaxSize})
		return text.Content, err
	}})
	return nil
}

// nameFile names the file in a failure whose message doesn't.
func nameFile(path string, err error) error {
	if _, named := errors.AsType[*answer.Failure](err); named || fserr.IsCanceled(err) {
		return err
	}
	f := FailureOf(err)
	f.Message = words.Phrase("%q: %s", path, f.Message)
	return f
}

// note adds a file to the result.
func (m *manyEdit) note(path string, old []byte, text *textio.Changed) {
	r, made := m.result, text.Results[0]
	file := ManyFile{PathName: words.PathOf(path), Replacements: made.Replacements, Lines: made.Lines}
	if made.Tier != edit.TierExact {
		file.Match = made.Tier
	}
	r.Files, r.paths = append(r.Files, file), append(r.paths, path)
	r.Replacements += made.Replacements
	r.bytes += int64(len(text.Content))
	m.added += int64(made.Replacements) * int64(len(m.edits[0].Replacement))
	if m.Diff {
		m.printed.Add(func(maxLines int) diff.Printed {
			if m.printed.Lines == 0 { // to say that there is more needs no comparison
				return diff.Printed{Text: "…"}
			}
			return text.Diff(textio.Contents{Path: path}, maxLines)
		})
	}
	m.odd.Note(m.env, path, old, m.edits[0], text)
}

// report adds what the files are now, and cuts the lists to what fits into the answer.
func (m *manyEdit) report(done []*transaction.Done) {
	r, budget := m.result, command.WholeBudget(m.env.Limits)
	for i, d := range done {
		r.Files[i].Etag = d.ETag
		m.odd.NoteDone(r.paths[i], d)
	}
	m.odd.Warn(m.env)
	r.FilesModified, r.BackupID = len(r.Files), words.OrNull(done[0].BackupID)
	r.Skipped = answer.Fitting(budget, r.Skipped)
	found := make([][]int64, len(r.Files))
	for i := range r.Files {
		found[i], r.Files[i].Lines = r.Files[i].Lines, []int64{}
	}
	r.Files = answer.Fitting(budget, r.Files)
	r.FilesTruncated = len(r.Files) < r.FilesModified
	for i := range r.Files {
		f := &r.Files[i]
		f.Lines = answer.Fitting(budget, found[i])
		f.LinesTruncated = len(f.Lines) < f.Replacements
	}
	r.ShownDiff = command.ShownDiff(m.Diff, command.CutDiff(m.printed.All(), budget))
}

func (r *ManyResult) Change() command.Change { return command.Change{Paths: r.paths} }

// Summary says how many places changed in how many files, and that there may be more of them.
func (r *ManyResult) Summary() string {
	unread := ""
	if r.SkippedCount > 0 {
		unread = "; " + words.Plural(r.SkippedCount, "path") + " could not be read"
	}
	return fmt.Sprintf("made %s in %s%s%s", words.Plural(int64(r.Replacements), "replacement"), words.Plural(int64(r.FilesModified), "file"),
		unread, words.DryRun(r.DryRun))
}

func (r *ManyResult) AddLogStats(m *command.LogStats) {
	if !r.DryRun {
		m.Add("bytes", r.bytes)
	}
	m.Add("files", int64(r.FilesModified))
	m.Add("matches", int64(r.Replacements))
	m.Paths = r.paths
}

// countOf is a file with its number of places, and their lines, so that it isn't taken for one.
func countOf(path string, places int, lines []int64) string {
	text := words.Exact(path) + ":" + words.Int(int64(places))
	apart := slices.Compact(slices.Clone(lines))
	if at := change.PlacesOf(words.Mapped(apart, words.Int), places-len(lines)+len(apart)); at != "" {
		text += " (" + strings.TrimPrefix(at, ": ") + ")"
	}
	return text
}

// NextStep says how glob was read, where that isn't plain.
func (r *ManyResult) NextStep() string { return r.next }

// WriteText lists the files with their numbers of places. The diff follows for a dry run only.
func (r *ManyResult) WriteText(t *answer.Text, a answer.Answer) {
	var list strings.Builder
	eol := false
	for _, f := range r.Files {
		fmt.Fprintf(&list, "\n%s:%d", words.Exact(f.Path), f.Replacements)
		eol = eol || f.Match != ""
	}
	if more := r.FilesModified - len(r.Files); more > 0 {
		t.Note(words.Plural(int64(more), "file") + " omitted from the list")
	}
	if eol {
		t.Note("match: " + edit.TierEOL)
	}
	t.LeftOut(r.LeftOut, true)
	t.NotRead(r.Skipped, r.SkippedCount)
	t.Change(a, list.String(), r.ShownDiff, false, r.DryRun)
}
