package commands

import (
	"errors"
	"io"

	"fsbox/textio"
	"fsbox/textio/charset"
)

// formOf tells how a file's bytes are to be read. "auto" goes by the byte order mark and refuses
// binary files; a name is taken at its word.
func formOf(path string, source io.ReaderAt, name string) (textio.Form, error) {
	start, err := startOf(source)
	if err != nil {
		return textio.Form{}, err
	}
	named, err := namedEncoding(name)
	if err != nil {
		return textio.Form{}, err
	}
	head := charset.Sniff(start)
	if head.Binary && named == nil {
		return textio.Form{}, binaryFailure(path, head)
	}
	return textio.FormOf(head, named), nil
}

// startOf is as much of a file as tells what it is.
func startOf(source io.ReaderAt) ([]byte, error) {
	if content, ok := source.(textio.Whole); ok {
		return content[:min(len(content), charset.SniffLen)], nil
	}
	start := make([]byte, charset.SniffLen)
	n, err := source.ReadAt(start, 0)
	if err == io.EOF {
		err = nil
	}
	return start[:n], err
}

// namedEncoding finds an encoding by its name; it is nil for "auto".
func namedEncoding(name string) (*charset.Encoding, error) {
	if name == "auto" {
		return nil, nil
	}
	e, ok := charset.Lookup(name)
	if !ok {
		return nil, failf(CodeInvalidInput, "unknown encoding %q", name).
			hint("use a WHATWG name: utf-8, utf-16le, windows-1252, gbk, shift_jis, ..., base64 for bytes, or auto")
	}
	return e, nil
}

// wanted is the form that a request asks for.
func wanted(encoding, eol string) (textio.Want, error) {
	if isBase64(encoding) {
		return textio.Want{EOL: eol, Bytes: true}, nil
	}
	named, err := namedEncoding(encoding)
	return textio.Want{Encoding: named, EOL: eol}, err
}

// EncodingDetails are the details of invalid_encoding for text that can't be written.
type EncodingDetails struct {
	Encoding  string `json:"encoding"`
	Character string `json:"character,omitzero"` // that the encoding lacks; left out where the text isn't valid UTF-8, and where base64 is cut off
	Offset    int    `json:"offset"`             // bytes into the text, as UTF-8
}

// encodingFailure says why text can't be written in an encoding, nil for any other error.
func encodingFailure(err error) *Failure {
	var lacks *charset.UnencodableError
	if !errors.As(err, &lacks) {
		return nil
	}
	d := &EncodingDetails{Encoding: lacks.Encoding, Offset: lacks.Offset}
	if lacks.Invalid {
		return failf(CodeInvalidEncoding, "the text isn't valid UTF-8, so that it can't be written as %s", lacks.Encoding).with(d).
			hint("give the text in UTF-8")
	}
	d.Character = string(lacks.Rune)
	return failf(CodeInvalidEncoding, "%s has no character %U", lacks.Encoding, lacks.Rune).with(d).
		hint("leave the character out, or write the file in another encoding")
}
