package commands

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"fsbox/sandbox"
	"fsbox/textio"
)

// Append adds to the end of a file.
type Append struct {
	Path          string  `arg:"" optional:"" need:"" json:"path" aliases:"file_path,filePath,dirPath,dir_path,filename" help:"File, relative to the root; created if it is missing."`
	Content       *string `json:"content" aliases:"contents,file_text,text" placeholder:"TEXT" help:"What to add."`
	ContentFile   string  `json:"-" placeholder:"FILE" help:"Take the content from a file of the workspace, or from stdin: -."`
	CreateParents bool    `json:"create_parents" default:"true" negatable:"" help:"Create missing folders on the way."`
	EnsureNewline bool    `json:"ensure_newline" help:"End the file's last line first if it lacks its line end."`
	Encoding      string  `json:"encoding" default:"auto" placeholder:"NAME" help:"auto (as the file has it, else UTF-8) or a WHATWG name."`
	EOL           string  `json:"eol" default:"auto" oneof:"auto,verbatim,lf,crlf" placeholder:"WORD" help:"Line ends: auto (as the file has them), verbatim, lf or crlf."`
	IfMatch       string  `json:"if_match" placeholder:"ETAG" help:"Fail with stale unless the file has this etag."`
	DryRun        bool    `json:"dry_run" help:"Do everything but change the file."`
}

// AppendResult reports what changed.
type AppendResult struct {
	Path           string  `json:"path"`
	PathBase64     string  `json:"path_base64,omitzero"` // the exact name, if it isn't UTF-8
	BytesAppended  int64   `json:"bytes_appended"`
	ExistedBefore  bool    `json:"existed_before"`
	Size           int64   `json:"size"`      // of the file now, bytes
	BackupID       *string `json:"backup_id"` // null: no backup is kept
	Etag           string  `json:"etag"`
	DryRun         bool    `json:"dry_run,omitzero"`
	parentsCreated int
	form           format
	eol            string
	joined         bool // the text goes on in the file's last line
	mixed          bool // UTF-8 was added to something else
	omission       textio.Omission
}

// Run adds the content in place.
func (a *Append) Run(ctx context.Context, env *Env) (Result, error) {
	w := Write{Content: a.Content, ContentFile: a.ContentFile}
	if err := w.takeContent(ctx, env); err != nil {
		return nil, err
	}
	a.Content = w.Content
	return a.run(ctx, env)
}

func (a *Append) run(ctx context.Context, env *Env) (*AppendResult, error) {
	result := &AppendResult{DryRun: a.DryRun}
	target := sandbox.Target{Path: a.Path, Creation: sandbox.MayCreate, Parents: a.CreateParents, IfMatch: a.IfMatch, DryRun: a.DryRun, Tool: "append"}
	done, err := env.Workspace.Append(ctx, target, func(edges sandbox.Edges) ([]byte, error) {
		var data []byte
		var err error
		data, result.form, err = a.compose(edges)
		result.joined, result.mixed = a.judge(edges, result.form)
		result.omission = a.omission(edges, result.form)
		result.eol = textio.EOL(data, result.form.encoding)
		return data, err
	})
	if err != nil {
		return nil, hintParents(err, a.CreateParents)
	}
	env.warnLinks(done.Links)
	if result.joined && done.Bytes > 0 {
		env.Warn("the file's last line had no line end, so the text goes on in that line; ensure_newline begins a new one")
	}
	env.warnMixed(result.mixed, "name the file's encoding")
	env.warnOmission(result.omission)
	result.Path, result.PathBase64 = done.Path, base64Name(done.Path)
	result.BytesAppended, result.ExistedBefore, result.Size = done.Bytes, done.Existed, done.Size
	result.BackupID, result.Etag, result.parentsCreated = backupID(done.BackupID), done.ETag, done.ParentsCreated
	return result, nil
}

// compose brings the content into the form of the file, judged by its beginning and its end: files of any size can be
// appended to.
func (a *Append) compose(edges sandbox.Edges) ([]byte, format, error) {
	head := textio.Sniff(edges.Head[:min(len(edges.Head), textio.SniffLen)])
	existed := edges.Existed && len(edges.Head) > 0
	if existed && head.Binary && a.Encoding == "auto" {
		return nil, format{}, binaryFailure(a.Path, head)
	}
	form, err := targetFormat(head, existed, a.Encoding)
	if err != nil {
		return nil, format{}, err
	}
	if unit := len(form.encoding.NewlineUnit()); existed && edges.Size%int64(unit) != 0 {
		return nil, format{}, failf(CodeInvalidEncoding, "%q is not valid %s: it ends within a character", a.Path, form.encoding.Name())
	}
	old, _ := form.decode(edges.Head)
	last, _ := form.encoding.Decode(edges.Tail)
	text := form.lineEnds([]byte(*a.Content), a.EOL, old)
	if a.EnsureNewline && len(last) > 0 && !bytes.HasSuffix(last, []byte("\n")) {
		text = append(form.lineEnds([]byte("\n"), a.EOL, old), text...)
	}
	if existed {
		form.bom = 0 // the file has one, or needs none
	} else {
		form = form.marked(*a.Content)
	}
	data, err := form.encode(text)
	return data, form, err
}

// judge tells what the caller may not have meant: to go on in the last line, to mix encodings.
func (a *Append) judge(edges sandbox.Edges, form format) (joined, mixed bool) {
	last, invalid := form.encoding.Decode(edges.Tail)
	joined = len(last) > 0 && !bytes.HasSuffix(last, []byte("\n")) && !a.EnsureNewline && !strings.HasPrefix(*a.Content, "\n")
	return joined, invalid && edges.Size <= int64(len(edges.Tail)) && !isASCII(*a.Content) && a.Encoding == "auto"
}

// omission looks for a placeholder that the ends of the file don't have as well.
func (a *Append) omission(edges sandbox.Edges, form format) textio.Omission {
	head, _ := form.encoding.Decode(edges.Head)
	tail, _ := form.encoding.Decode(edges.Tail)
	omission, _ := textio.FindOmission(nil, []byte(*a.Content), append(append(head[:len(head):len(head)], '\n'), tail...))
	return omission
}

// append serves write with mode append: the same work, answered in the form of write.
func (w *Write) append(ctx context.Context, env *Env) (Result, error) {
	if w.FileMode != "" {
		return nil, failf(CodeInvalidInput, "%q and mode append exclude each other", "file_mode")
	}
	a := Append{Path: w.Path, Content: w.Content, CreateParents: w.CreateParents, Encoding: w.Encoding, EOL: w.EOL,
		IfMatch: w.IfMatch, DryRun: w.DryRun}
	done, err := a.run(ctx, env)
	if err != nil {
		return nil, err
	}
	return &WriteResult{Path: done.Path, PathBase64: done.PathBase64, Mode: w.Mode, BytesWritten: done.BytesAppended,
		ExistedBefore: done.ExistedBefore, Changed: done.BytesAppended > 0 || !done.ExistedBefore, Size: done.Size,
		Encoding: done.form.encoding.Name(), EOL: done.eol, Additions: lineCount(*w.Content), DiffTruncated: true,
		ParentsCreated: done.parentsCreated, BackupID: done.BackupID, Etag: done.Etag, DryRun: w.DryRun}, nil
}

// lineCount counts lines, one without its end included.
func lineCount(text string) int {
	n := bytes.Count([]byte(text), []byte("\n"))
	if text != "" && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// Summary says how much was added.
func (r *AppendResult) Summary() string {
	return fmt.Sprintf("appended %s to %q%s", plural(r.BytesAppended, "byte"), r.Path, dryRun(r.DryRun))
}
