package edit

import (
	"context"
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/diff"
	"fsbox/textio/edit"
)

var Command = command.Command{
	Name: "edit", Help: "Replace exact text in a file.", Writes: true, Several: true, New: func() command.Request { return new(Request) },
	Aliases: []string{"edit_file", "apply_text_edit", "multi_edit", "replace", "str_replace"},
	Idle:    []string{"instruction", "record_as_artifact", "explanation", "display_description"},
	Title:   "Edit a file", Results: []answer.Result{(*Result)(nil), (*ManyResult)(nil)},
	Text: "Edit a file: replace expected_text, which must match exactly once, or lines given by anchors. For several changes, use edits.",
	Examples: []string{"fsbox edit main.go --expected-text 'v1.2' --replacement-text 'v1.3' --allow-write",
		"fsbox edit src --glob '*.go' --expected-text OldName --replacement-text NewName --whole-word --dry-run --allow-write",
		"fsbox edit main.go --start-anchor 12#KDT --end-anchor 14#TX7 --replacement-text 'return nil' --allow-write",
		`fsbox edit main.go --edits '[{"expected_text":"a","replacement_text":"b"}]' --dry-run --allow-write`,
		"fsbox edit - --allow-write <requests.jsonl"},
	Codes: []answer.Code{answer.CodeMatchNotFound, answer.CodeMultipleMatches, answer.CodeCountMismatch, answer.CodeEmptyExpectedText,
		answer.CodeNoChange, answer.CodeIsBinary,
		answer.CodeInvalidEncoding, answer.CodeInvalidGlob, answer.CodeFileTooLarge, answer.CodeWriteTooLarge},
	Remedies: command.Remedies{AtNothing: "list the files with ls, or create it with write",
		AtFolder: `name a file in it, or set "glob" to change all files below it that match`,
		ForList:  request.OnePath + `, or omit path and list them in "glob"`,
		ForGlob:  `a glob goes into "glob": {path} glob to {glob}`},
	Extra: "pass the texts with --expected-text and --replacement-text",
	FlagHints: []string{"i the file itself is changed anyway; to preview the change: --dry-run", "g every place: --replace-all",
		"n to preview the change: --dry-run", "erE the text is exact, not a regular expression: --expected-text and --replacement-text"},
}

// Request replaces exact text in a file.
type Request struct {
	Path            string   `arg:"" optional:"" need:"" json:"path" help:"File."`
	ExpectedText    *string  `json:"expected_text" aliases:"old_text,old_string,oldString,oldText,old_str" placeholder:"TEXT" help:"Text to replace, exactly as in the file."`
	ReplacementText *string  `json:"replacement_text" aliases:"new_string,newString,new_text,newText,new_str" placeholder:"TEXT" help:"New text; empty deletes."`
	ReplaceAll      bool     `json:"replace_all" aliases:"replaceAll,allow_multiple" help:"Replace all matches."`
	ExpectedCount   int64    `json:"expected_count" default:"0" placeholder:"N" help:"Replace all matches; there must be this many."`
	WholeWord       bool     `json:"whole_word" help:"Whole words only."`
	StartAnchor     Anchor   `json:"start_anchor" placeholder:"ANCHOR" help:"First line to replace: LINE#ID from read or grep with anchors."`
	EndAnchor       Anchor   `json:"end_anchor" placeholder:"ANCHOR" help:"Last line to replace."`
	InsertAfter     Anchor   `json:"insert_after" placeholder:"ANCHOR" help:"Insert after this line instead; \"0\" is the top."`
	SourceStart     Anchor   `json:"source_start" placeholder:"ANCHOR" help:"Instead of replacement_text, copy lines from this anchor."`
	SourceEnd       Anchor   `json:"source_end" placeholder:"ANCHOR" help:"Last line to copy."`
	SourcePath      string   `json:"source_path" placeholder:"PATH" help:"File to copy from (default: path)."`
	Cut             bool     `json:"cut" help:"Move instead of copying."`
	Edits           Items    `json:"edits" type:"items" placeholder:"JSON" help:"Edits to apply in order, all or none; anchors refer to the original file."`
	Glob            []string `json:"glob" sep:"none" placeholder:"GLOB" help:"Edit all matching files below path; *.js at any depth."`
	Match           string   `json:"match" default:"exact" oneof:"exact,lenient" placeholder:"WORD" help:"exact (default), or lenient about whitespace, quotes and dashes."`
	IfMatch         string   `json:"if_match" placeholder:"ETAG" help:"Fail if the etag differs."`
	Diff            bool     `json:"diff" rare:"" default:"true" negatable:"" help:"Include a diff of the change. The text form shows it only if it adds information, or on request."`
	DryRun          bool     `json:"dry_run" help:"Preview."`
	Approval        string   `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Item is one edit of a list.
type Item struct {
	ExpectedText    *string `json:"expected_text" aliases:"old_text,old_string,oldString,oldText,old_str" help:"Text to replace, exactly as in the file."`
	ReplacementText *string `json:"replacement_text" aliases:"new_string,newString,new_text,newText,new_str" help:"New text; empty deletes."`
	ReplaceAll      bool    `json:"replace_all" aliases:"replaceAll,allow_multiple" help:"Replace all matches."`
	StartAnchor     Anchor  `json:"start_anchor" help:"First line to replace: LINE#ID from read or grep with anchors."`
	EndAnchor       Anchor  `json:"end_anchor" help:"Last line to replace."`
	InsertAfter     Anchor  `json:"insert_after" help:"Insert after this line instead; \"0\" is the top."`
	ExpectedCount   int64   `json:"expected_count" rare:"" default:"0" help:"Replace all matches; there must be this many."`
	WholeWord       bool    `json:"whole_word" rare:"" help:"Whole words only."`
	SourceStart     Anchor  `json:"source_start" rare:"" help:"Instead of replacement_text, copy lines from this anchor."`
	SourceEnd       Anchor  `json:"source_end" rare:"" help:"Last line to copy."`
	SourcePath      string  `json:"source_path" rare:"" help:"File to copy from (default: path)."`
	Cut             bool    `json:"cut" rare:"" help:"Move instead of copying."`
}

// hasAnchor reports whether an edit says by an anchor where it belongs.
func (i *Item) hasAnchor() bool {
	return i.StartAnchor != "" || i.EndAnchor != "" || i.InsertAfter != ""
}

// Form says how an edit of a list is written.
func (Item) Form(string) string {
	return `an edit is written {"expected_text": "…", "replacement_text": "…"}, or with start_anchor in place of expected_text`
}

// Items is a list of edits. On the command line it is written as JSON.
type Items []Item

// Result reports what changed.
type Result struct {
	words.PathName
	Changed      bool          `json:"changed"`
	Replacements int           `json:"replacements"`
	Results      []edit.Result `json:"results"` // one per edit

	ResultsTruncated bool  `json:"results_truncated,omitzero"` // cut because of max_output_bytes
	OriginalSize     int64 `json:"original_size"`              // bytes
	NewSize          int64 `json:"new_size"`                   // bytes
	BytesWritten     int64 `json:"bytes_written"`              // of the whole file, 0 in a dry run
	LinesChanged     int   `json:"lines_changed"`              // the larger of additions and deletions
	Additions        int   `json:"additions"`
	Deletions        int   `json:"deletions"`
	answer.ShownDiff
	BackupID *string `json:"backup_id"` // null: no backup is kept
	Etag     string  `json:"etag"`

	Sources          []Source `json:"sources,omitzero"` // one for each edit that has source_start
	SourcesTruncated bool     `json:"sources_truncated,omitzero"`

	DryRun  bool `json:"dry_run,omitzero"`
	changed []command.ChangedFile
	moved   *moved // nil if all is about one file
}

// TakeHabits makes the root the folder of an edit with glob that names none.
func (e *Request) TakeHabits(given map[string]bool) *answer.Failure {
	if given["glob"] && !given["path"] {
		e.Path, given["path"] = ".", true
	}
	return nil
}

// Run applies the edits to the file's bytes, all or none.
func (e *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if e.Glob != nil {
		return e.runMany(ctx, env)
	}
	p, err := e.list(env)
	if err != nil {
		return nil, err
	}
	if len(p.files) > 0 {
		return e.runMove(ctx, env, p)
	}
	var text textio.Changed
	target := transaction.WriteOptions{Path: e.Path, Creation: transaction.MustExist, IfMatch: e.IfMatch, DryRun: e.DryRun, Tool: "edit"}
	limits := edit.Limits{MaxAdded: env.Limits.MaxWriteBytes, MaxSize: env.Limits.MaxReadBytes}
	done, err := transaction.Rewrite(ctx, env.Workspace, target, func(old []byte, _ bool) ([]byte, error) {
		var err error
		text, err = p.apply(ctx, old, limits, env.Limits)
		return text.Content, err
	})
	if err != nil {
		return nil, hintEmpty(change.HintTarget(env, err, e.Path), e.Path, p.edits)
	}
	warnEdited(env, &text, done, p.edits, e.DryRun)
	printed := text.Diff(textio.Contents{Path: p.path}, command.LinesOfDiff(e.Diff))
	r := e.result(done, &text, printed, command.WholeBudget(env.Limits))
	r.take(p, nil, command.WholeBudget(env.Limits))
	return r, nil
}

// warnEdited warns of what the caller probably didn't intend, and of what the file lost.
func warnEdited(e *command.Env, t *textio.Changed, done *transaction.Done, edits []edit.Edit, dryRun bool) {
	change.WarnDone(e, done, t.Elision)
	for _, one := range edits {
		change.WarnMangled(e, done.Path, one.Replacement, done.Old)
	}
	for i, one := range t.Results {
		which := "the edit"
		if len(edits) > 1 {
			which = fmt.Sprintf("edits[%d]", i)
		}
		if one.Longer.Count > 0 {
			change.WarnLongerWords(e, one.Longer.Count, one.Replacements, which, change.LongerWords(&one))
		}
		if one.Again {
			e.Warn("line %d had the replacement already, and has a part of it twice now: if the edit came twice, %s", one.Lines[0],
				change.Unwanted(dryRun))
		}
		e.WarnIf(one.Joins > 0, "line %d is now joined with the line after it: the expected text of %s ends with a line end, and the "+
			"replacement doesn't", one.Joins, which)
	}
	e.WarnIf(t.CRLF, "the new text brings CRLF into a file whose lines end with LF; use \\n alone to keep them consistent")
	e.WarnIf(t.NoMark, "the byte order mark of the file was removed")
	e.WarnIf(t.Uneven, "the file had only CRLF line ends, and now also has LF")
	change.WarnMixed(e, t.Mixed, "to write it in the encoding of the file, use write with encoding")
}

// editPlan is what a request asks for. If its edits have anchors they are edits of lines, and edits
// only has their new texts.
type editPlan struct {
	path  string // cleaned
	edits []edit.Edit
	lines []edit.LineEdit
	sources
}

// list gives the edits of the request, from the single form or from the list.
func (e *Request) list(env *command.Env) (p *editPlan, err error) {
	items, err := e.items()
	if err != nil {
		return nil, err
	}
	p = &editPlan{edits: make([]edit.Edit, len(items))}
	if p.path, err = env.Workspace.Clean(e.Path); err != nil {
		return nil, err
	}
	if err := e.findSources(env, items, p); err != nil {
		return nil, err
	}
	var added int64
	for i := range items {
		item := &items[i]
		p.edits[i] = edit.Edit{Expected: []byte(words.Deref(item.ExpectedText)), Replacement: []byte(words.Deref(item.ReplacementText)),
			All: item.ReplaceAll, Count: int(item.ExpectedCount), Lenient: e.Match == "lenient", WholeWord: item.WholeWord}
		p.edits[i].From, p.edits[i].Origin = p.own[i], p.origin(i)
		added += int64(len(p.edits[i].Replacement))
	}
	if e.Edits != nil || items[0].hasAnchor() {
		if p.lines, err = e.lineEdits(items); err != nil {
			return nil, err
		}
		for i := range p.lines {
			p.lines[i].From, p.lines[i].Origin = p.own[i], p.origin(i)
		}
	}
	if added > env.Limits.MaxWriteBytes {
		return nil, change.TooMuchAdded(env, added)
	}
	return p, nil
}

// items gives the edits as they were sent, one for the single form.
func (e *Request) items() ([]Item, error) {
	single := Item{ExpectedText: e.ExpectedText, ReplacementText: e.ReplacementText,
		StartAnchor: e.StartAnchor, EndAnchor: e.EndAnchor, InsertAfter: e.InsertAfter,
		ReplaceAll: e.ReplaceAll, ExpectedCount: e.ExpectedCount, WholeWord: e.WholeWord,
		SourceStart: e.SourceStart, SourceEnd: e.SourceEnd, SourcePath: e.SourcePath, Cut: e.Cut}
	switch list := e.Edits != nil; {
	case list && single.hasAnchor():
		return nil, answer.Failf(answer.CodeInvalidInput, "with %q, start_anchor, end_anchor and insert_after belong in its items", "edits")
	case list && single.hasSource():
		return nil, answer.Failf(answer.CodeInvalidInput, "with %q, source_start, source_end, source_path and cut belong in its items", "edits")
	case list && (hasText(e.ExpectedText) || hasText(e.ReplacementText)):
		return nil, answer.Failf(answer.CodeInvalidInput, "%q and %q are mutually exclusive", "expected_text", "edits")
	case list && (e.ReplaceAll || e.ExpectedCount > 0 || e.WholeWord):
		return nil, answer.Failf(answer.CodeInvalidInput, "with %q, replace_all, expected_count and whole_word belong in its items", "edits")
	case !list && e.ExpectedText == nil && !single.hasAnchor():
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is missing", "expected_text").
			WithHint("give the existing text, or start_anchor or insert_after, and replacement_text; to write a whole file use write")
	case !list && e.ReplacementText == nil && !single.hasSource():
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is missing", "replacement_text").WithHint(`to delete the text, give ""`)
	case !list:
		return []Item{single}, nil
	}
	return e.Edits, nil
}

// hasText reports whether a field has a text in it. If the request has a list of edits, an empty
// field is the same as an absent one.
func hasText(field *string) bool { return field != nil && *field != "" }

func (e *Request) result(done *transaction.Done, text *textio.Changed, printed diff.Printed, budget *answer.Budget) *Result {
	effects, replacements := effectsOf(text.Results, budget)
	printed = command.CutDiff(printed, &answer.Budget{Left: min(budget.Left, command.MaxDiffBytes)})
	r := &Result{PathName: words.PathOf(done.Path), Changed: done.Changed, Replacements: replacements,
		Results: effects, ResultsTruncated: len(effects) < len(text.Results),
		OriginalSize: int64(len(done.Old)), NewSize: int64(len(done.New)),
		LinesChanged: max(printed.Additions, printed.Deletions), Additions: printed.Additions, Deletions: printed.Deletions,
		BackupID: words.OrNull(done.BackupID), Etag: done.ETag, DryRun: e.DryRun}
	r.ShownDiff = command.ShownDiff(e.Diff, printed)
	if e.DryRun {
		r.changed = []command.ChangedFile{command.ChangedBy(done, "")}
	} else {
		r.BytesWritten = r.NewSize
	}
	return r
}

// effectsOf lists what the edits did, as far as it fits into the answer: first one entry for each,
// then the line numbers.
func effectsOf(results []edit.Result, budget *answer.Budget) (effects []edit.Result, replacements int) {
	for _, one := range results {
		replacements += one.Replacements
		one.Lines, one.LinesTruncated = nil, true
		effects = append(effects, one)
	}
	effects = answer.Fitting(budget, effects)
	for i := range effects {
		effects[i].Lines = answer.Fitting(budget, results[i].Lines)
		effects[i].LinesTruncated = len(effects[i].Lines) < results[i].Replacements
	}
	return effects, replacements
}

func (r *Result) Change() command.Change {
	c := command.Change{Paths: []string{r.Path}, Etag: r.Etag, Files: r.changed, Nothing: !r.Changed}
	if r.moved != nil {
		r.moved.addTo(&c)
	}
	return c
}

// Summary says how many places changed, or which lines got where.
func (r *Result) Summary() string {
	if len(r.Sources) > 0 {
		return r.movedLines() + words.DryRun(r.DryRun)
	}
	return fmt.Sprintf("made %s in %q%s", words.Plural(int64(r.Replacements), "replacement"), r.Path, words.DryRun(r.DryRun))
}

func (r *Result) AddLogStats(m *command.LogStats) {
	m.Add("bytes", r.BytesWritten)
	m.Add("lines", int64(r.Additions+r.Deletions))
	m.Add("matches", int64(r.Replacements))
	if r.moved != nil {
		m.Paths = append([]string{r.Path}, r.moved.changed...)
	}
}
