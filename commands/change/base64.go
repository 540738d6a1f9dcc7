package change

import (
	"encoding/base64"
	"errors"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
)

// takeBytes decodes content in base64. Its size is checked before.
func takeBytes(e *command.Env, content, encoding, eol string, ownLine bool) (string, error) {
	switch {
	case eol == "lf" || eol == "crlf":
		return "", answer.Failf(answer.CodeInvalidInput, "%q %q and %q %q are mutually exclusive", "encoding", encoding, "eol", eol).
			WithHint("bytes are written unchanged: omit eol")
	case ownLine:
		return "", answer.Failf(answer.CodeInvalidInput, "%q %q and %q are mutually exclusive", "encoding", encoding, "ensure_newline").
			WithHint("bytes are written unchanged: omit ensure_newline")
	}
	if added := base64Size(content); added > e.Limits.MaxWriteBytes {
		return "", TooMuchAdded(e, added)
	}
	decoded, err := base64.StdEncoding.DecodeString(content)
	if err != nil {
		return "", base64Failure(content, err)
	}
	return string(decoded), nil
}

// base64Size is how many bytes are in a text in base64: every character brings six bits.
func base64Size(content string) int64 {
	n := len(content)
	for _, c := range []string{"\r", "\n", "="} {
		n -= strings.Count(content, c)
	}
	return int64(n) * 6 / 8
}

// maxBase64 is how long a text in base64 may be that holds limit bytes, line ends included.
func maxBase64(limit int64) int64 { return limit/2*3 + 1<<10 }

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="

// base64Failure says where a text isn't base64.
func base64Failure(content string, err error) *answer.Failure {
	at, ok := errors.AsType[base64.CorruptInputError](err)
	if !ok {
		return command.FailureOf(err)
	}
	d := &command.EncodingDetails{Encoding: command.Base64Encoding, Offset: int(at)}
	f := answer.Failf(answer.CodeInvalidEncoding, "the content isn't base64").WithDetails(d)
	if int(at) < len(content) && strings.IndexByte(base64Alphabet, content[at]) < 0 { // else the text is cut off
		d.Character = string([]rune(content[at:])[:1])
	}
	return f.WithHint("bytes are whole groups of four characters of the standard alphabet, padded with =; for text, omit encoding")
}
