package command

import (
	"context"
	"errors"
	"fsbox/commands/words"
	"io"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox/disk/openfile"
	"fsbox/textio"
	"fsbox/textio/charset"
)

// OpenedText is a file that is open to be read as text.
type OpenedText struct {
	*openfile.File
	Source  io.ReaderAt // the content in memory, or the file
	Content []byte      // nil if the file is too large to be read whole
	Form    textio.Form
	Etag    string
}

// OpenText reads a file whole if it is within max_read_bytes, and tells how its bytes are to be
// read. The encoding "auto" goes by the byte order mark and refuses binary files; a name is taken
// at its word.
func OpenText(ctx context.Context, env *Env, f *openfile.File, encoding string) (*OpenedText, error) {
	content, err := f.ReadUpTo(ctx, env.Limits.MaxReadBytes)
	if err != nil {
		return nil, err
	}
	t := &OpenedText{File: f, Source: f, Content: content}
	if content != nil {
		t.Source = textio.Whole(content)
	}
	head, err := HeadOf(f, content)
	if err != nil {
		return nil, err
	}
	named, err := namedEncoding(encoding)
	if err != nil {
		return nil, err
	}
	switch {
	case head.Unmarked != nil && named == nil:
		return nil, BinaryFailure(f.Path, head)
	case head.Binary && named == nil:
		return nil, hintBytes(BinaryFailure(f.Path, head), t.Size(), env)
	}
	t.Form = textio.FormOf(head, named)
	t.Etag, err = env.Workspace.ETag(ctx, f, content)
	return t, err
}

// Size is how many bytes there are to read. Content that was read whole may be longer than the size
// that the system states: in /proc all sizes are 0.
func (t *OpenedText) Size() int64 {
	if t.Content != nil {
		return int64(len(t.Content))
	}
	return t.File.Size()
}

// HeadOf tells what a file is by its first bytes. content is the whole file, or nil if it isn't in
// memory.
func HeadOf(f *openfile.File, content []byte) (charset.Head, error) {
	if content != nil {
		return charset.Sniff(content), nil
	}
	return charset.SniffAt(f)
}

// BinaryDetails are the details of is_binary.
type BinaryDetails struct {
	words.PathName
	MediaType string `json:"media_type"`
}

func BinaryFailure(path string, head charset.Head) *answer.Failure {
	f := answer.Failf(answer.CodeIsBinary, "%q is binary (%s)", path, head.MediaType).
		WithHint("encoding base64 reads its bytes; another encoding, such as windows-1252, reads it as text anyway").
		WithDetails(&BinaryDetails{PathName: words.PathOf(path), MediaType: head.MediaType})
	if looks := LooksWide(head); looks != "" {
		f.WithHint("%s: set encoding to %s", looks, head.Unmarked.Name())
	}
	return f
}

// LooksWide says that a file looks like UTF-16 without its byte order mark; "" if it doesn't.
func LooksWide(head charset.Head) string {
	if head.Unmarked == nil {
		return ""
	}
	return "the file looks like " + head.Unmarked.Name() + " without a byte order mark"
}

// hintBytes says how long an answer with all bytes of a file would be, if that is longer than the
// answers that a model expects, or that there can't be one.
func hintBytes(f *answer.Failure, size int64, env *Env) *answer.Failure {
	switch chars := (size + 2) / 3 * 4; {
	case size > env.Limits.MaxReadBytes || chars > env.LongestWhole():
		f.WithHint("it is too large for one answer: info describes it")
	case chars > env.Limits.MaxOutputBytes:
		f.WithHint("a program can take its bytes with encoding base64: they come whole, in %d characters", chars)
	}
	return f
}

// namedEncoding finds an encoding by its name; it is nil for "auto".
func namedEncoding(name string) (*charset.Encoding, error) {
	if name == "auto" {
		return nil, nil
	}
	e, ok := charset.Lookup(name)
	switch {
	case !ok && strings.HasPrefix(strings.ToLower(name), "iso-2022"):
		return nil, answer.Failf(answer.CodeInvalidInput, "unknown encoding %q", name).
			WithHint("stateful encodings aren't supported: iconv -f %s -t utf-8 converts the file", name)
	case !ok:
		return nil, answer.Failf(answer.CodeInvalidInput, "unknown encoding %q", name).
			WithHint("use a WHATWG name: utf-8, utf-16le, windows-1252, gbk, shift_jis, ..., base64 for bytes, or auto")
	}
	return e, nil
}

// EncodingName is the name of an encoding that text is to be in, "" for auto and for bytes.
func EncodingName(label string) string {
	if label == "" { // of most changes, and a search through all labels takes its time
		return ""
	}
	if e, ok := charset.Lookup(label); ok {
		return e.Name()
	}
	return ""
}

// Wanted is the form that a request asks for.
func Wanted(encoding, eol string) (textio.Want, error) {
	if IsBase64(encoding) {
		return textio.Want{EOL: eol, Bytes: true}, nil
	}
	named, err := namedEncoding(encoding)
	return textio.Want{Encoding: named, EOL: eol}, err
}

// EncodingDetails are the details of invalid_encoding for text that can't be written.
type EncodingDetails struct {
	Encoding  string `json:"encoding"`
	Character string `json:"character,omitzero"` // that the encoding lacks; omitted where the text isn't valid UTF-8, and where base64 is cut off
	Offset    int    `json:"offset"`             // bytes into the text, as UTF-8
}

// encodingFailure says why text can't be written in an encoding, nil for any other error.
func encodingFailure(err error) *answer.Failure {
	lacks, ok := errors.AsType[*charset.UnencodableError](err)
	if !ok {
		return nil
	}
	d := &EncodingDetails{Encoding: lacks.Encoding, Offset: lacks.Offset}
	if lacks.Invalid {
		return answer.Failf(answer.CodeInvalidEncoding, "the text isn't valid UTF-8, so it can't be written as %s", lacks.Encoding).
			WithDetails(d).
			WithHint("give the text in UTF-8")
	}
	d.Character = string(lacks.Rune)
	return answer.Failf(answer.CodeInvalidEncoding, "%s has no character %U", lacks.Encoding, lacks.Rune).WithDetails(d).
		WithHint("remove the character, or write the file in another encoding")
}

// Base64Encoding is the encoding that a request names to read or write bytes instead of text.
const Base64Encoding = "base64"

func IsBase64(encoding string) bool { return strings.EqualFold(encoding, Base64Encoding) }

func (*BinaryDetails) WriteDetails(*answer.Text, string) {}

// ByteOrderMark is that of UTF-8.
const ByteOrderMark = "\ufeff"
