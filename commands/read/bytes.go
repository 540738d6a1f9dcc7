package read

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/openfile"
	"fsbox/textio/charset"
)

// BytesResult is a whole file as bytes: the answer of read with encoding base64.
type BytesResult struct {
	words.PathName
	Content   []byte `json:"content"`
	Size      int64  `json:"size"`     // of the file, bytes
	Encoding  string `json:"encoding"` // base64
	MediaType string `json:"media_type"`
	Etag      string `json:"etag"`
}

// CheckGiven refuses all other fields in a request for bytes: they are about lines and text.
func (r *Request) CheckGiven(given map[string]bool) *answer.Failure {
	if !command.IsBase64(r.Encoding) {
		return nil
	}
	for _, f := range request.Fields(reflect.TypeFor[Request]()) {
		if given[f.Name] && f.Name != "path" && f.Name != "encoding" {
			return answer.Failf(answer.CodeInvalidInput, "%q is for text, and encoding base64 reads the whole file as bytes", f.Name).
				WithHint("omit %s", f.Name)
		}
	}
	return nil
}

// maxShown is how large an image or a sound may be, in bytes, that is shown without being asked for
// as bytes. Hosts keep each one in the conversation.
const maxShown = 1 << 20

// isShown reports whether a file that can't be read as text is an image or a sound that the caller
// shows to its model.
func isShown(env *command.Env, f *openfile.File, err error) bool {
	fail, ok := errors.AsType[*answer.Failure](err)
	if !ok || f.Size() > maxShown {
		return false
	}
	d, ok := fail.Details.(*command.BinaryDetails)
	return ok && shows(env, d.MediaType)
}

// readBytes gives a whole file. It may have max_read_bytes, and the answer is a third longer than
// the file: max_output_bytes is for text.
func readBytes(ctx context.Context, env *command.Env, f *openfile.File) (*BytesResult, error) {
	content, err := f.ReadAll(ctx, env.Limits.MaxReadBytes)
	if err != nil {
		hint := "bytes are read whole: omit encoding to read text in pages, or search it with grep"
		if head, headErr := command.HeadOf(f, nil); headErr == nil && head.Binary {
			hint = "bytes are read whole, and it isn't text: info describes it"
		}
		return nil, command.HintIf(fserr.Explain(f.Path, err), answer.CodeFileTooLarge, hint)
	}
	r := &BytesResult{PathName: words.PathOf(f.Path), Content: content, Size: int64(len(content)),
		Encoding: command.Base64Encoding, MediaType: charset.Sniff(content).MediaType}
	if most := env.LongestWhole(); int64(base64.StdEncoding.EncodedLen(len(content))) > most && !shows(env, r.MediaType) {
		return nil, answer.Failf(answer.CodeFileTooLarge, "as base64 %q has more characters than one answer can have here", f.Path).
			WithDetails(&answer.PathDetails{PathName: r.PathName, Size: r.Size, Limit: most / 4 * 3}).
			WithHint("info describes it")
	}
	r.Etag, err = env.Workspace.ETag(ctx, f, content)
	return r, err
}

// shows reports whether the caller shows bytes to its model as what they are.
func shows(env *command.Env, mediaType string) bool {
	return env.ShowsMedia != nil && env.ShowsMedia(mediaType)
}

// Summary says how much was read.
func (r *BytesResult) Summary() string {
	return fmt.Sprintf("read %s of %q as base64 (%s)", words.Plural(r.Size, "byte"), r.Path, r.MediaType)
}
