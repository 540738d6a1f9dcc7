package change

import (
	"bytes"
	"context"
	"io"
	"unsafe"

	"fsbox/commands/answer"
	"fsbox/commands/request"
	"fsbox/commands/verb"
)

// content are the fields of a request that bring a text or bytes to write.
type content struct {
	text     **string
	file     *string // "-" is stdin
	encoding string
}

func (w *Write) content() content { return content{&w.Content, &w.ContentFile, w.Encoding} }

func (a *Append) content() content { return content{&a.Content, &a.ContentFile, a.Encoding} }

// takeContent reads the content from the request, stdin or a file, and checks its size before
// anything is changed.
func takeContent(ctx context.Context, e *verb.Env, c content, eol string, ownLine bool) error {
	if err := loadContent(ctx, e, c); err != nil {
		return err
	}
	if verb.IsBase64(c.encoding) && *c.text != nil {
		decoded, err := takeBytes(e, **c.text, c.encoding, eol, ownLine)
		*c.text = &decoded
		return err
	}
	return checkContent(e, *c.text)
}

// loadContent takes a content that is in a file, or comes on stdin, into the request.
func loadContent(ctx context.Context, e *verb.Env, c content) error {
	switch {
	case *c.file == "":
		return nil
	case *c.text != nil:
		return answer.Failf(answer.CodeInvalidInput, "%q and %q exclude each other", "content", "content-file")
	}
	limit := e.Limits.MaxWriteBytes
	if verb.IsBase64(c.encoding) {
		limit = MaxBase64(limit)
	}
	read, err := contentFile(ctx, e, *c.file, limit)
	if err != nil {
		return err
	}
	text := string(read)
	*c.text, *c.file = &text, ""
	return nil
}

// checkContent refuses content that is missing or too large.
func checkContent(e *verb.Env, content *string) error {
	if content == nil {
		return answer.Failf(answer.CodeInvalidInput, "%q is missing", "content").
			WithHint("an empty file has the content \"\"; from a shell, --content-file - takes it from stdin")
	}
	return checkAdded(e, int64(len(*content)))
}

// checkAdded checks the size of what a request adds against max_write_bytes.
func checkAdded(e *verb.Env, size int64) error {
	if size <= e.Limits.MaxWriteBytes {
		return nil
	}
	return answer.Failf(answer.CodeWriteTooLarge, "%d bytes are more than one request may add", size).
		WithHint("write the first part, then append the others").
		WithDetails(&verb.WriteSizeDetails{Size: size, Limit: e.Limits.MaxWriteBytes})
}

// contentFile reads content from stdin, up to a limit, or from a file of the workspace: a path
// outside is refused as everywhere else.
func contentFile(ctx context.Context, e *verb.Env, path string, limit int64) ([]byte, error) {
	if path == "-" {
		return stdinContent(ctx, e, limit)
	}
	f, err := e.Workspace.OpenFile(path)
	if err != nil {
		return nil, verb.HintFolder(err)
	}
	defer f.Close()
	return f.ReadAll(ctx, e.Limits.MaxReadBytes)
}

// stdinContent reads stdin to its end, or one byte past the limit: the caller has to refuse what is
// longer. The read may hang for ever; then the call ends without it.
func stdinContent(ctx context.Context, e *verb.Env, limit int64) ([]byte, error) {
	type read struct {
		content []byte
		err     error
	}
	done := make(chan read, 1)
	go func() {
		content, err := io.ReadAll(io.LimitReader(e.Stdin, limit+1))
		done <- read{content, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.content, r.err
	}
}

// text reads the patch from the request's own field, from a file or from stdin.
func (p *Patch) text(ctx context.Context, env *verb.Env) (text []byte, err error) {
	switch {
	case p.Patch != "" && p.PatchFile != "":
		return nil, answer.Failf(answer.CodeInvalidInput, "%q and %q exclude each other", "patch", "patch-file")
	case p.PatchFile == "-":
		text, err = stdinContent(ctx, env, request.MaxPatchBytes)
	case p.PatchFile != "":
		text, err = contentFile(ctx, env, p.PatchFile, 0)
	case p.Patch == "":
		return nil, answer.Failf(answer.CodeInvalidInput, "%q is missing", "patch").
			WithHint("give the text of a diff; from a shell, --patch-file takes it from a file, and git diff | fsbox patch from stdin")
	default:
		text = p.bytes()
	}
	if err == nil {
		err = answer.AsError(request.CheckPatchSize("the patch", len(text)))
	}
	text = bytes.TrimPrefix(text, []byte(verb.ByteOrderMark))
	if err == nil && len(bytes.TrimSpace(text)) == 0 {
		return nil, answer.Failf(answer.CodeInvalidInput, "the patch is empty").WithHint(HintEmptyPatch)
	}
	return text, err
}

// HintEmptyPatch is for a patch without any text.
const HintEmptyPatch = "git diff prints nothing where nothing has changed"

// bytes is the request's own patch, without a copy of what may be long: nobody writes to it.
func (p *Patch) bytes() []byte { return unsafe.Slice(unsafe.StringData(p.Patch), len(p.Patch)) }

// LoadText takes the content into the request.
func (w *Write) LoadText(ctx context.Context, env *verb.Env) error {
	return loadContent(ctx, env, w.content())
}

// LoadText takes the content into the request.
func (a *Append) LoadText(ctx context.Context, env *verb.Env) error {
	return loadContent(ctx, env, a.content())
}

// LoadText takes the patch into the request.
func (p *Patch) LoadText(ctx context.Context, env *verb.Env) error {
	text, err := p.text(ctx, env)
	if err == nil {
		p.Patch, p.PatchFile = string(text), ""
	}
	return err
}
