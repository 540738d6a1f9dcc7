package change

import (
	"context"
	"io"

	"fsbox/commands/answer"
	"fsbox/commands/command"
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
func takeContent(ctx context.Context, e *command.Env, c content, eol string, ownLine bool) error {
	if err := loadContent(ctx, e, c); err != nil {
		return err
	}
	if command.IsBase64(c.encoding) && *c.text != nil {
		decoded, err := takeBytes(e, **c.text, c.encoding, eol, ownLine)
		*c.text = &decoded
		return err
	}
	return checkContent(e, *c.text)
}

// loadContent takes a content that is in a file, or comes on stdin, into the request.
func loadContent(ctx context.Context, e *command.Env, c content) error {
	switch {
	case *c.file == "":
		return nil
	case *c.text != nil:
		return answer.Failf(answer.CodeInvalidInput, "%q and %q exclude each other", "content", "content-file")
	}
	limit := e.Limits.MaxWriteBytes
	if command.IsBase64(c.encoding) {
		limit = maxBase64(limit)
	}
	read, err := ContentFile(ctx, e, *c.file, limit)
	if err != nil {
		return err
	}
	if *c.file == "-" && int64(len(read)) > limit { // the rest of it wasn't read
		return answer.Failf(answer.CodeWriteTooLarge, "more than the %d bytes that one request may add come on stdin", e.Limits.MaxWriteBytes).
			WithHint(hintWriteParts).WithDetails(&command.WriteSizeDetails{Limit: e.Limits.MaxWriteBytes})
	}
	text := string(read)
	*c.text, *c.file = &text, ""
	return nil
}

// checkContent refuses content that is missing or too large.
func checkContent(e *command.Env, content *string) error {
	if content == nil {
		return answer.Failf(answer.CodeInvalidInput, "%q is missing", "content").
			WithHint("an empty file has the content \"\"; from a shell, --content-file - takes it from stdin")
	}
	if added := int64(len(*content)); added > e.Limits.MaxWriteBytes {
		return TooMuchAdded(e, added)
	}
	return nil
}

// TooMuchAdded refuses a request that adds more than max_write_bytes.
func TooMuchAdded(e *command.Env, size int64) *answer.Failure {
	return answer.Failf(answer.CodeWriteTooLarge, "%d bytes are more than one request may add", size).
		WithHint(hintWriteParts).
		WithDetails(&command.WriteSizeDetails{Size: size, Limit: e.Limits.MaxWriteBytes})
}

const hintWriteParts = "write the first part, then append the others"

const contentElsewhere = "the content file is looked for in the workspace; one elsewhere comes on standard input: - <FILE"

// ContentFile reads content from stdin, up to a limit, or from a file of the workspace: a path
// outside is refused as everywhere else.
func ContentFile(ctx context.Context, e *command.Env, path string, limit int64) ([]byte, error) {
	if path == "-" {
		return stdinContent(ctx, e, limit)
	}
	f, err := e.Workspace.OpenFile(path)
	if err != nil {
		switch f := command.FailureOf(err); f.Code {
		case answer.CodeOutsideWorkspace, answer.CodePathTraversal: // without details nothing like it is looked for
			return nil, f.WithDetails(nil).WithHint(contentElsewhere)
		}
		return nil, err
	}
	defer f.Close()
	return f.ReadAll(ctx, e.Limits.MaxReadBytes)
}

// stdinContent reads stdin to its end, or one byte past the limit: the caller has to refuse what is
// longer. The read may hang for ever; then the call ends without it.
func stdinContent(ctx context.Context, e *command.Env, limit int64) ([]byte, error) {
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

// LoadText takes the content into the request.
func (w *Write) LoadText(ctx context.Context, env *command.Env) error {
	return loadContent(ctx, env, w.content())
}

// LoadText takes the content into the request.
func (a *Append) LoadText(ctx context.Context, env *command.Env) error {
	return loadContent(ctx, env, a.content())
}
