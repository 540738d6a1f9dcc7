package write

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"

	"fsbox/commands/answer"
	"fsbox/commands/append"
	"fsbox/commands/change"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/stat"
	"fsbox/sandbox/transaction"
	"fsbox/textio"
	"fsbox/textio/diff"
)

var Command = command.Command{
	Name: "write", Help: "Create or replace a file.", Writes: true, New: func() command.Request { return new(Request) },
	Aliases: []string{"write_file", "file_write", "create"},
	Idle:    []string{"record_as_artifact"},
	Title:   "Write a file", Results: []answer.Result{(*Result)(nil)},
	Text: "Write a new file, or replace one with mode overwrite. To change a part, use edit or patch.",
	Examples: []string{"fsbox write notes.txt --content 'one line' --allow-write",
		"fsbox write src/new.go --content-file - --allow-write <new.go",
		"fsbox write config.json --mode overwrite --content '{}' --allow-write"},
	Codes: []answer.Code{answer.CodeFileExists, answer.CodeWriteTooLarge, answer.CodeFileTooLarge, answer.CodeInvalidEncoding,
		answer.CodeInvalidMode, answer.CodeIsBinary},
	Extra:    "pass the text with --content, or on standard input with --content-file -",
	Remedies: command.Remedies{AtNothing: change.ContentElsewhere},
}

// Request creates or replaces a file.
type Request struct {
	Path          string  `arg:"" optional:"" need:"" json:"path" help:"File."`
	Content       *string `need:"json" json:"content" aliases:"contents,file_text,text" placeholder:"TEXT" help:"Content to write or append."`
	ContentFile   string  `json:"-" name:"content-file" placeholder:"FILE" help:"Read the content from a file in the workspace; - reads stdin."`
	Mode          string  `json:"mode" default:"create" words:"create,overwrite,append" placeholder:"WORD" help:"create (default) fails if the file exists; overwrite replaces, append adds."`
	CreateParents bool    `json:"create_parents" rare:"" default:"true" negatable:"" help:"Create missing parent directories."`
	Encoding      string  `json:"encoding" default:"auto" placeholder:"NAME" help:"auto (the file's, else UTF-8), a name (windows-1252), or base64 for bytes."`
	EOL           string  `json:"eol" rare:"" default:"auto" oneof:"auto,verbatim,lf,crlf" placeholder:"WORD" help:"auto (the file's line endings; in a new file, as in content), verbatim (as in content), lf or crlf."`
	FileMode      string  `json:"file_mode" rare:"" placeholder:"OCTAL" help:"Permissions in octal, such as 0755. By default, a replaced file keeps its own."`
	IfMatch       string  `json:"if_match" placeholder:"ETAG" help:"Fail if the etag differs."`
	Diff          bool    `json:"diff" rare:"" default:"true" negatable:"" help:"Include a diff of the change. The text form shows it only if it adds information, or on request."`
	DryRun        bool    `json:"dry_run" help:"Preview."`
	Approval      string  `json:"approval" name:"approval-token" aliases:"approval_token" placeholder:"TOKEN" help:"The operator's token for a request that failed with approval_required."`
}

// Result reports what changed.
type Result struct {
	words.PathName
	Mode          string `json:"mode"`
	BytesWritten  int64  `json:"bytes_written"` // size of the whole file, or with mode append, of the added part; 0 if nothing was written
	ExistedBefore bool   `json:"existed_before"`
	Changed       bool   `json:"changed"`
	Size          int64  `json:"size"`     // of the file now, bytes
	Encoding      string `json:"encoding"` // of the new file; unknown-8bit (not UTF-8) and binary are for content that was written unchanged
	// of the new file: lf, crlf, cr, mixed, none; with mode append judged by its first and last 64
	// KiB
	EOL       string `json:"eol"`
	Additions int    `json:"additions"`
	Deletions int    `json:"deletions"`
	answer.ShownDiff
	ParentsCreated int     `json:"parents_created"`
	BackupID       *string `json:"backup_id"` // null: no backup is kept
	Etag           string  `json:"etag"`
	DryRun         bool    `json:"dry_run,omitzero"`
	appended       int64   // bytes that mode append adds, or would
	changed        []command.ChangedFile
}

// Creates says that the path need not lead to anything.
func (*Request) Creates(string) bool { return true }

// Run writes the file whole, or hands over to append.
func (w *Request) Run(ctx context.Context, env *command.Env) (answer.Result, error) {
	if err := change.TakeContent(ctx, env, w.content(), w.EOL, false); err != nil {
		return nil, err
	}
	switch w.Mode {
	case "create", "overwrite":
		return w.replace(ctx, env)
	case "append":
		return w.append(ctx, env)
	}
	return nil, answer.Failf(answer.CodeInvalidMode, "unknown mode %q", w.Mode).WithHint("it is one of create, overwrite, append")
}

func (w *Request) replace(ctx context.Context, env *command.Env) (answer.Result, error) {
	target := transaction.WriteOptions{Path: w.Path, Creation: transaction.MustCreate, Parents: w.CreateParents, IfMatch: w.IfMatch,
		Large:  true,
		DryRun: w.DryRun, Tool: "write"}
	if w.Mode == "overwrite" {
		target.Creation = transaction.MayCreate
	}
	var err error
	if target.Mode, err = parseMode(w.FileMode); err != nil {
		return nil, err
	}
	var text textio.Composed
	done, err := transaction.Rewrite(ctx, env.Workspace, target, func(old []byte, _ bool) ([]byte, error) {
		var err error
		text, err = w.compose(old)
		return text.Content, err
	})
	if err != nil {
		err = change.HintTarget(env, change.HintParents(err, w.CreateParents), w.Path)
		return nil, command.HintIf(err, answer.CodeFileExists, "set mode to overwrite to replace it, or use edit to change a part of it")
	}
	warnWritten(env, &text, done, []byte(*w.Content))
	return w.result(done, text, env.Limits), nil
}

// parseMode reads octal permission bits; "" gives nil.
func parseMode(text string) (*fs.FileMode, error) {
	if text == "" {
		return nil, nil
	}
	bits, err := strconv.ParseUint(text, 8, 32)
	if err != nil || bits > 0o7777 {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q must be octal permission bits, not %q", "file_mode", text).
			WithHint(`such as "0644" or "0755"`)
	}
	if bits > 0o777 {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q sets permission bits only, and %q has the setuid, setgid or sticky bit",
			"file_mode", text).
			WithHint("the last three digits are the permission bits: %04o", bits&0o777)
	}
	mode := stat.FileBits(uint32(bits))
	return &mode, nil
}

// compose brings the content into the form that the file has or the request asks for.
func (w *Request) compose(old []byte) (textio.Composed, error) {
	want, err := command.Wanted(w.Encoding, w.EOL)
	if err != nil {
		return textio.Composed{}, err
	}
	c, err := textio.Compose([]byte(*w.Content), old, want)
	if invalid, ok := errors.AsType[*textio.InvalidTextError](err); ok {
		return c, answer.Failf(answer.CodeInvalidEncoding, "the content is not valid %s", invalid.Encoding).
			WithHint("omit eol to write it unchanged")
	}
	return c, err
}

func (w *Request) result(done *transaction.Done, c textio.Composed, limits request.Limits) *Result {
	diff := diff.Printed{Truncated: true} // of a file too large to be read whole
	if !done.Partial {
		diff = command.CutDiff(c.Diff(done.Path, done.Old, done.New, !done.Existed, command.LinesOfDiff(w.Diff)), command.DiffBudget(limits))
	}
	r := &Result{PathName: words.PathOf(done.Path), Mode: w.Mode, ExistedBefore: done.Existed, Changed: done.Changed,
		Size: int64(len(done.New)), Encoding: c.Encoding, EOL: c.EOL,
		Additions: diff.Additions, Deletions: diff.Deletions,
		ParentsCreated: done.ParentsCreated, BackupID: words.OrNull(done.BackupID), Etag: done.ETag, DryRun: w.DryRun}
	r.ShownDiff = command.ShownDiff(w.Diff, diff)
	if w.DryRun {
		r.changed = []command.ChangedFile{command.ChangedBy(done, w.Encoding)}
	}
	if done.Changed && !w.DryRun {
		r.BytesWritten = r.Size
	}
	return r
}

func (r *Result) Change() command.Change {
	return command.Change{Paths: []string{r.Path}, Etag: r.Etag, Files: r.changed, Nothing: !r.Changed}
}

// Summary says what became of the file.
func (r *Result) Summary() string {
	command := "created"
	switch {
	case r.Mode == "append":
		return append.Sentence(r.appended, r.Path, r.ExistedBefore, r.DryRun)
	case !r.Changed:
		return fmt.Sprintf("%q already has this content", r.Path)
	case r.ExistedBefore:
		command = "replaced"
	}
	return fmt.Sprintf("%s %q (%s)%s", command, r.Path, words.Plural(r.Size, "byte"), words.DryRun(r.DryRun))
}

func (r *Result) AddLogStats(m *command.LogStats) {
	m.Add("bytes", r.BytesWritten)
	m.Add("lines", int64(r.Additions+r.Deletions))
}

func (r *Result) WriteText(t *answer.Text, a answer.Answer) {
	t.Change(a, change.LineCounts(r.Additions, r.Deletions), r.ShownDiff, false, r.DryRun)
}

func (w *Request) content() change.Content {
	return change.Content{Text: &w.Content, File: &w.ContentFile, Encoding: w.Encoding}
}

// LoadText takes the content into the request.
func (w *Request) LoadText(ctx context.Context, env *command.Env) error {
	return change.LoadContent(ctx, env, w.content())
}

// append carries out a write with mode append: the work of Append, the answer of Write.
func (w *Request) append(ctx context.Context, env *command.Env) (answer.Result, error) {
	if w.FileMode != "" {
		return nil, answer.Failf(answer.CodeInvalidInput, "%q and mode append are mutually exclusive", "file_mode")
	}
	a := append.Request{Path: w.Path, Content: w.Content, CreateParents: w.CreateParents, Encoding: w.Encoding, EOL: w.EOL,
		IfMatch: w.IfMatch, DryRun: w.DryRun}
	done, err := a.Add(ctx, env)
	if err != nil {
		return nil, err
	}
	diff := done.Printed(w.Diff, env)
	r := &Result{PathName: words.PathOf(done.Path), Mode: w.Mode, BytesWritten: done.BytesAppended,
		ExistedBefore: done.ExistedBefore, Changed: done.BytesAppended > 0 || !done.ExistedBefore, Size: done.Size,
		Additions: diff.Additions, Deletions: diff.Deletions,
		ParentsCreated: done.ParentsCreated, BackupID: done.BackupID, Etag: done.Etag, DryRun: w.DryRun, appended: done.BytesAppended}
	if w.DryRun {
		r.BytesWritten = 0
	}
	r.ShownDiff = command.ShownDiff(w.Diff, diff)
	r.Encoding, r.EOL = done.Addition.Describe()
	r.changed = done.Change().Files
	return r, nil
}

// warnWritten warns of what the caller of write probably didn't intend, and of what the file lost.
func warnWritten(e *command.Env, t *textio.Composed, done *transaction.Done, asked []byte) {
	change.WarnDone(e, done, t.Elision)
	change.WarnCR(e, t.ToCR)
	e.WarnIf(t.Recoded && !done.Partial, // else the old content may be cut within a character
		"the file wasn't valid UTF-8, and is UTF-8 now: to keep another encoding, name it as encoding")
	e.WarnIf(t.Looked != "", "the file looked like %s without a byte order mark, and is %s now: to keep the encoding, name it as encoding",
		t.Looked, t.Encoding)
	e.WarnIf(t.Unmarked, "%s has no byte order mark: that of the content is dropped", t.Encoding)
	change.WarnMangled(e, done.Path, asked, done.Old)
}
