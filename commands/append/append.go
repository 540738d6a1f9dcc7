package append

import (
	"context"
	"errors"
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/openfile"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/charset"
	"fsbox/textio/diff"
)

var Command = command.Command{
	Name: "append", Help: "Add to the end of a file.", Writes: true, Adds: true,
	New:     func() command.Request { return new(Request) },
	Aliases: []string{"append_file"},
	Title:   "Append to a file", Results: []answer.Result{(*Result)(nil)},
	Text: "Add text to the end of a file; create it if missing.",
	Examples: []string{"fsbox append CHANGES.md --content '- a fix' --ensure-newline --allow-write",
		"date | fsbox append log.txt --content-file - --allow-write"},
	Codes:    []answer.Code{answer.CodeWriteTooLarge, answer.CodeInvalidEncoding, answer.CodeIsBinary},
	Extra:    "pass the text with --content, or on standard input with --content-file -",
	Remedies: command.Remedies{AtNothing: change.ContentElsewhere},
}

// Request adds to the end of a file.
type Request struct {
	Path          string  `arg:"" optional:"" need:"" json:"path" help:"File."`
	Content       *string `need:"json" json:"content" aliases:"contents,file_text,text" placeholder:"TEXT" help:"Text to add, with its newline."`
	ContentFile   string  `json:"-" name:"content-file" placeholder:"FILE" help:"Read the content from a file in the workspace; - reads stdin."`
	CreateParents bool    `json:"create_parents" rare:"" default:"true" negatable:"" help:"Create missing parent directories."`
	EnsureNewline bool    `json:"ensure_newline" help:"First add a missing final newline."`
	Encoding      string  `json:"encoding" rare:"" default:"auto" placeholder:"NAME" help:"auto (the file's, else UTF-8), a name (windows-1252), or base64 for bytes."`
	EOL           string  `json:"eol" rare:"" default:"auto" oneof:"auto,verbatim,lf,crlf" placeholder:"WORD" help:"auto (the file's line endings; in a new file, as in content), verbatim (as in content), lf or crlf."`
	IfMatch       string  `json:"if_match" placeholder:"ETAG" help:"Fail if the etag differs."`
	Diff          bool    `json:"diff" rare:"" default:"true" negatable:"" help:"Include a diff of the change. The text form shows it only if it adds information, or on request."`
	DryRun        bool    `json:"dry_run" help:"Preview."`
	Approval      string  `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what changed.
type Result struct {
	words.PathName
	BytesAppended int64 `json:"bytes_appended"` // in a dry run, as many as would be appended
	ExistedBefore bool  `json:"existed_before"`
	Size          int64 `json:"size"` // of the file now, bytes
	answer.ShownDiff
	BackupID       *string `json:"backup_id"` // null: no backup is kept
	Etag           string  `json:"etag"`
	DryRun         bool    `json:"dry_run,omitzero"`
	ParentsCreated int     `json:"-"`
	additions      int     // lines
	deletions      int
	Addition       textio.Addition `json:"-"`
	encoding       string          // that the request names
}

// Creates says that the path need not lead to anything.
func (*Request) Creates(string) bool { return true }

// Run adds the content in place.
func (a *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if err := change.TakeContent(ctx, env, a.content(), a.EOL, a.EnsureNewline); err != nil {
		return nil, err
	}
	r, err := a.Add(ctx, env)
	if err != nil {
		return nil, err
	}
	shown := r.Printed(a.Diff, env)
	r.additions, r.deletions, r.ShownDiff = shown.Additions, shown.Deletions, command.ShownDiff(a.Diff, shown)
	return r, nil
}

// Printed shows what was added.
func (r *Result) Printed(asked bool, env *command.Env) diff.Printed {
	return command.CutDiff(r.Addition.Diff(r.Path, !r.ExistedBefore, command.LinesOfDiff(asked)), command.DiffBudget(env.Limits))
}

func (a *Request) Add(ctx context.Context, env *command.Env) (*Result, error) {
	name, err := env.Workspace.Clean(a.Path)
	if err != nil {
		return nil, err
	}
	target := transaction.WriteOptions{Path: a.Path, Creation: transaction.MayCreate, Parents: a.CreateParents, IfMatch: a.IfMatch,
		DryRun: a.DryRun,
		Tool:   "append"}
	var add textio.Addition
	done, err := transaction.Append(ctx, env.Workspace, target, func(edges openfile.Edges) ([]byte, error) {
		var err error
		add, err = a.compose(name, edges)
		return add.Data, err
	})
	if err != nil {
		return nil, change.HintTarget(env, change.HintParents(err, a.CreateParents), a.Path)
	}
	change.WarnDone(env, done, add.Elision)
	env.WarnIf(add.Joined && done.Bytes > 0,
		"the file's last line had no line end, so the text continues that line; ensure_newline starts a new one")
	change.WarnMixed(env, add.Mixed, "name the file's encoding")
	change.WarnCR(env, add.ToCR)
	env.WarnIf(add.Unmarked, "the byte order mark of the content is dropped: it belongs at the start of a file")
	change.WarnMangled(env, done.Path, []byte(*a.Content), nil)
	return &Result{PathName: words.PathOf(done.Path), BytesAppended: done.Bytes, ExistedBefore: done.Existed,
		Size: done.Size, BackupID: words.OrNull(done.BackupID), Etag: done.ETag, DryRun: a.DryRun,
		ParentsCreated: done.ParentsCreated, Addition: add, encoding: a.Encoding}, nil
}

// compose brings the content into the form of the file.
func (a *Request) compose(path string, edges openfile.Edges) (textio.Addition, error) {
	if head := charset.Sniff(edges.Head); head.Binary && a.Encoding == "auto" {
		f := command.BinaryFailure(path, head)
		if head.Unmarked != nil {
			return textio.Addition{}, f
		}
		return textio.Addition{}, f.
			WithHint("text can't be added to it: send bytes in base64 with encoding base64, or name its encoding if it is text")
	}
	want, err := command.Wanted(a.Encoding, a.EOL)
	if err != nil {
		return textio.Addition{}, err
	}
	add, err := textio.Add([]byte(*a.Content), textio.Edges{Head: edges.Head, Tail: edges.Tail, Size: edges.Size}, want, a.EnsureNewline)
	if invalid, ok := errors.AsType[*textio.InvalidTextError](err); ok {
		return add, answer.Failf(answer.CodeInvalidEncoding, "%q is not valid %s: it ends within a character", path, invalid.Encoding)
	}
	if other, ok := errors.AsType[*textio.OtherEncodingError](err); ok {
		return add, answer.Failf(answer.CodeInvalidEncoding, "%q can't be added to: %v", path, other).
			WithHint("omit encoding to add the text in the file's own; to convert the file, replace it with write")
	}
	return add, err
}

func (r *Result) Change() command.Change {
	file := command.ChangedFile{Contents: r.Addition.Contents(r.Path, !r.ExistedBefore), Encoding: r.encoding}
	if r.ExistedBefore {
		file.Before = r.Size - int64(len(file.New))
	}
	return command.Change{Paths: []string{r.Path}, Etag: r.Etag, Files: []command.ChangedFile{file}, Nothing: r.BytesAppended == 0 &&
		r.ExistedBefore}
}

// Sentence says how much was added, and that the file is new: its path may be a mistake.
func Sentence(size int64, path string, existed, dryRun bool) string {
	made := ""
	if !existed {
		made = ", a new file"
	}
	return fmt.Sprintf("appended %s to %q%s%s", words.Plural(size, "byte"), path, made, words.DryRun(dryRun))
}

// Summary says how much was added.
func (r *Result) Summary() string {
	return Sentence(r.BytesAppended, r.Path, r.ExistedBefore, r.DryRun)
}

func (r *Result) AddLogStats(m *command.LogStats) {
	if r.DryRun {
		m.Add("bytes", 0)
		return
	}
	m.Add("bytes", r.BytesAppended)
}

func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	t.Change(a, change.LineCounts(r.additions, r.deletions), r.ShownDiff, false, r.DryRun)
}

func (a *Request) content() change.Content {
	return change.Content{Text: &a.Content, File: &a.ContentFile, Encoding: a.Encoding}
}

// LoadText takes the content into the request.
func (a *Request) LoadText(ctx context.Context, env *command.Env) error {
	return change.LoadContent(ctx, env, a.content())
}
