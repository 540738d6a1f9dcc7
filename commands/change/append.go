package change

import (
	"context"
	"errors"
	"fmt"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/charset"
	"fsbox/textio/diff"
)

var AppendTool = command.Command{
	Name: "append", Help: "Add to the end of a file.", Writes: true, Adds: true,
	New:     func() command.Request { return new(Append) },
	Aliases: []string{"append_file"},
	Title:   "Append to a file", Results: []answer.Result{(*AppendResult)(nil)},
	Text: "Add text to the end of a file; creates it if it is missing.",
	Examples: []string{"fsbox append CHANGES.md --content '- a fix' --ensure-newline --allow-write",
		"date | fsbox append log.txt --content-file - --allow-write"},
	Codes:    []answer.Code{answer.CodeWriteTooLarge, answer.CodeInvalidEncoding, answer.CodeIsBinary},
	Extra:    "the text goes into --content, or with --content-file - on standard input",
	Remedies: command.Remedies{AtNothing: contentElsewhere},
}

// Append adds to the end of a file.
type Append struct {
	Path          string  `arg:"" optional:"" need:"" json:"path" aliases:"file_path,filePath,filepath,dirPath,dir_path,dirpath,filename,notebook_path,paths" help:"File."`
	Content       *string `need:"json" json:"content" aliases:"contents,file_text,text" placeholder:"TEXT" help:"Text to add, with its line end."`
	ContentFile   string  `json:"-" name:"content-file" placeholder:"FILE" help:"Take the content from a file of the workspace, or from stdin: -."`
	CreateParents bool    `json:"create_parents" rare:"" default:"true" negatable:"" help:"Create missing folders on the way."`
	EnsureNewline bool    `json:"ensure_newline" help:"First end an unfinished last line."`
	Encoding      string  `json:"encoding" rare:"" default:"auto" placeholder:"NAME" help:"auto (as the file, else UTF-8), a name such as windows-1252, or base64 for bytes."`
	EOL           string  `json:"eol" rare:"" default:"auto" oneof:"auto,verbatim,lf,crlf" placeholder:"WORD" help:"Line ends: auto (the file's own, in a new one as in content), verbatim (as in content), lf or crlf."`
	IfMatch       string  `json:"if_match" placeholder:"ETAG" help:"Fail if its etag differs."`
	Diff          bool    `json:"diff" rare:"" default:"true" negatable:"" help:"Answer with a diff of what changed; as text only where it tells something new, or if true is sent."`
	DryRun        bool    `json:"dry_run" help:"Preview."`
	Approval      string  `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token, after an answer with approval_required."`
}

// AppendResult reports what changed.
type AppendResult struct {
	words.PathName
	BytesAppended int64 `json:"bytes_appended"` // in a dry run those that would be
	ExistedBefore bool  `json:"existed_before"`
	Size          int64 `json:"size"` // of the file now, bytes
	answer.ShownDiff
	BackupID       *string `json:"backup_id"` // null: no backup is kept
	Etag           string  `json:"etag"`
	DryRun         bool    `json:"dry_run,omitzero"`
	parentsCreated int
	additions      int // lines
	deletions      int
	addition       textio.Addition
	encoding       string // that the request names
}

// Creates says that the path need not lead to anything.
func (*Append) Creates(string) bool { return true }

// Run adds the content in place.
func (a *Append) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if err := takeContent(ctx, env, a.content(), a.EOL, a.EnsureNewline); err != nil {
		return nil, err
	}
	r, err := a.run(ctx, env)
	if err != nil {
		return nil, err
	}
	shown := r.diff(a.Diff, env)
	r.additions, r.deletions, r.ShownDiff = shown.Additions, shown.Deletions, command.ShownDiff(a.Diff, shown)
	return r, nil
}

// diff shows what was added.
func (r *AppendResult) diff(asked bool, env *command.Env) diff.Printed {
	return command.CutDiff(r.addition.Diff(r.Path, !r.ExistedBefore, command.LinesOfDiff(asked)), command.DiffBudget(env.Limits))
}

func (a *Append) run(ctx context.Context, env *command.Env) (*AppendResult, error) {
	name, err := env.Workspace.Clean(a.Path)
	if err != nil {
		return nil, err
	}
	target := transaction.WriteOptions{Path: a.Path, Creation: transaction.MayCreate, Parents: a.CreateParents, IfMatch: a.IfMatch,
		DryRun: a.DryRun,
		Tool:   "append"}
	var add textio.Addition
	done, err := transaction.Append(ctx, env.Workspace, target, func(edges dir.Edges) ([]byte, error) {
		var err error
		add, err = a.compose(name, edges)
		return add.Data, err
	})
	if err != nil {
		return nil, HintTarget(env, hintParents(err, a.CreateParents), a.Path)
	}
	WarnDone(env, done, add.Elision)
	if add.Joined && done.Bytes > 0 {
		env.Warn("the file's last line had no line end, so the text goes on in that line; ensure_newline begins a new one")
	}
	if add.Mixed {
		WarnMixed(env, "name the file's encoding")
	}
	warnCR(env, add.ToCR)
	if add.Unmarked {
		env.Warn("the byte order mark before the content is left out: it belongs at the beginning of a file")
	}
	WarnMangled(env, done.Path, []byte(*a.Content), nil)
	return &AppendResult{PathName: words.PathOf(done.Path), BytesAppended: done.Bytes, ExistedBefore: done.Existed,
		Size: done.Size, BackupID: words.OrNull(done.BackupID), Etag: done.ETag, DryRun: a.DryRun,
		parentsCreated: done.ParentsCreated, addition: add, encoding: a.Encoding}, nil
}

// compose brings the content into the form of the file.
func (a *Append) compose(path string, edges dir.Edges) (textio.Addition, error) {
	if head := charset.Sniff(edges.Head); head.Binary && a.Encoding == "auto" {
		f := command.BinaryFailure(path, head)
		if head.Unmarked != nil {
			return textio.Addition{}, f
		}
		return textio.Addition{}, f.
			WithHint("text can't be added to it: send bytes in base64 with encoding base64, or name its encoding if it is text all the same")
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
			WithHint("leave encoding out: the text is added in the file's own; only the whole file can be brought into another one")
	}
	return add, err
}

// append carries out a write with mode append: the work of Append, the answer of Write.
func (w *Write) append(ctx context.Context, env *command.Env) (answer.Result, error) {
	if w.FileMode != "" {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q and mode append exclude each other", "file_mode")
	}
	a := Append{Path: w.Path, Content: w.Content, CreateParents: w.CreateParents, Encoding: w.Encoding, EOL: w.EOL,
		IfMatch: w.IfMatch, DryRun: w.DryRun}
	done, err := a.run(ctx, env)
	if err != nil {
		return nil, err
	}
	diff := done.diff(w.Diff, env)
	r := &WriteResult{PathName: words.PathOf(done.Path), Mode: w.Mode, BytesWritten: done.BytesAppended,
		ExistedBefore: done.ExistedBefore, Changed: done.BytesAppended > 0 || !done.ExistedBefore, Size: done.Size,
		Additions: diff.Additions, Deletions: diff.Deletions,
		ParentsCreated: done.parentsCreated, BackupID: done.BackupID, Etag: done.Etag, DryRun: w.DryRun, appended: done.BytesAppended}
	if w.DryRun {
		r.BytesWritten = 0
	}
	r.ShownDiff = command.ShownDiff(w.Diff, diff)
	r.Encoding, r.EOL = done.addition.Describe()
	r.changed = done.Change().Files
	return r, nil
}

func (r *AppendResult) Change() command.Change {
	file := command.ChangedFile{Contents: r.addition.Contents(r.Path, !r.ExistedBefore), Encoding: r.encoding}
	if r.ExistedBefore {
		file.Before = r.Size - int64(len(file.New))
	}
	return command.Change{Paths: []string{r.Path}, Etag: r.Etag, Files: []command.ChangedFile{file}, Nothing: r.BytesAppended == 0 &&
		r.ExistedBefore}
}

// appended says how much was added, and that the file is new: its path may be a mistake.
func appended(size int64, path string, existed, dryRun bool) string {
	made := ""
	if !existed {
		made = ", a new file"
	}
	return fmt.Sprintf("appended %s to %q%s%s", words.Plural(size, "byte"), path, made, words.DryRun(dryRun))
}

// Summary says how much was added.
func (r *AppendResult) Summary() string {
	return appended(r.BytesAppended, r.Path, r.ExistedBefore, r.DryRun)
}

func (r *AppendResult) AddLogStats(m *command.LogStats) {
	if r.DryRun {
		m.Add("bytes", 0)
		return
	}
	m.Add("bytes", r.BytesAppended)
}
