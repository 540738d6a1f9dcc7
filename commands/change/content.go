package change

import (
	"context"
	"io"

	"fsbox/commands/answer"
	"fsbox/commands/command"
)

// Content are the fields of a request that bring a text or bytes to write.
type Content struct {
	Text     **string
	File     *string // "-" is stdin
	Encoding string
}

// TakeContent reads the content from the request, stdin or a file, and checks its size before
// anything is changed.
func TakeContent(ctx context.Context, e *command.Env, c Content, eol string, ownLine bool) error {
	if err := LoadContent(ctx, e, c); err != nil {
		return err
	}
	if command.IsBase64(c.Encoding) && *c.Text != nil {
		decoded, err := takeBytes(e, **c.Text, c.Encoding, eol, ownLine)
		*c.Text = &decoded
		return err
	}
	return checkContent(e, *c.Text)
}

// LoadContent takes a content that is in a file, or comes on stdin, into the request.
func LoadContent(ctx context.Context, e *command.Env, c Content) error {
	switch {
	case *c.File == "":
		return nil
	case *c.Text != nil:
		return answer.Failf(answer.CodeInvalidInput, "%q and %q are mutually exclusive", "content", "content-file")
	}
	limit := e.Limits.MaxWriteBytes
	if command.IsBase64(c.Encoding) {
		limit = maxBase64(limit)
	}
	read, err := ContentFile(ctx, e, *c.File, limit)
	if err != nil {
		return err
	}
	if *c.File == "-" && int64(len(read)) > limit { // the rest of it wasn't read
		return answer.Failf(answer.CodeWriteTooLarge, "stdin has more than the %d bytes that one request may add", e.Limits.MaxWriteBytes).
			WithHint(hintWriteParts).WithDetails(&command.WriteSizeDetails{Limit: e.Limits.MaxWriteBytes})
	}
	text := string(read)
	*c.Text, *c.File = &text, ""
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

const ContentElsewhere = "the content file must be in the workspace; pass one from elsewhere on standard input: - <FILE"

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
			return nil, f.WithDetails(nil).WithHint(ContentElsewhere)
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
