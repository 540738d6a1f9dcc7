package commands

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"fsbox/textio"
	"fsbox/textio/charset"
)

// format is how a text file's bytes are to be understood.
type format struct {
	encoding *charset.Encoding
	bom      int // bytes
}

// formatOf tells the format of a file. "auto" goes by the byte order mark and refuses binary files; a name is taken at its
// word.
func formatOf(path string, source io.ReaderAt, name string) (format, error) {
	start := make([]byte, charset.SniffLen)
	n, err := source.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return format{}, err
	}
	head := charset.Sniff(start[:n])
	if name == "auto" {
		if head.Binary {
			return format{}, binaryFailure(path, head)
		}
		return format{encoding: head.Encoding, bom: head.BOM}, nil
	}
	named, fail := namedEncoding(name)
	if fail != nil {
		return format{}, fail
	}
	if head.BOM > 0 && head.Encoding.Name() == named.Name() {
		return format{encoding: named, bom: head.BOM}, nil
	}
	return format{encoding: named}, nil
}

func namedEncoding(name string) (*charset.Encoding, *Failure) {
	e, ok := charset.Lookup(name)
	if !ok {
		return nil, failf(CodeInvalidInput, "unknown encoding %q", name).
			hint("use a WHATWG name: utf-8, utf-16le, windows-1252, gbk, shift_jis, ... or auto")
	}
	return e, nil
}

// targetFormat is the format that written text takes: what the request names, else what the file has, else UTF-8.
func targetFormat(head charset.Head, existed bool, name string) (format, error) {
	if name == "auto" {
		if existed && !head.Binary {
			return format{encoding: head.Encoding, bom: head.BOM}, nil
		}
		utf8, _ := namedEncoding("utf-8")
		return format{encoding: utf8}, nil
	}
	named, fail := namedEncoding(name)
	switch {
	case fail != nil:
		return format{}, fail
	case existed && head.BOM > 0 && head.Encoding.Name() == named.Name():
		return format{encoding: named, bom: head.BOM}, nil
	case !head.Binary && named.IsWide(): // UTF-16 and UTF-32 are told by their byte order mark
		return format{encoding: named, bom: len(named.BOM())}, nil
	}
	return format{encoding: named}, nil
}

// decode gives the text of a file without its byte order mark.
func (f format) decode(content []byte) (text []byte, invalid bool) {
	return f.encoding.Decode(content[min(f.bom, len(content)):])
}

// marked gives a new file the byte order mark that its content begins with.
func (f format) marked(content string) format {
	if strings.HasPrefix(content, "\ufeff") {
		f.bom = len(f.encoding.BOM())
	}
	return f
}

// ofOld is the format of what the file held until now, which may have had another one: UTF-16 and UTF-32 on one side only.
func (f format) ofOld(head charset.Head) format {
	if !head.Binary && (head.BOM > 0 || f.isWide()) {
		return format{encoding: head.Encoding, bom: head.BOM}
	}
	return f
}

func (f format) isWide() bool { return f.encoding.IsWide() }

func (f format) isUTF8() bool { return f.encoding.Name() == "utf-8" }

// encode gives the bytes of a file, byte order mark first.
func (f format) encode(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	content, err := f.encoding.Encode(text)
	if err != nil {
		return nil, encodingFailure(f.encoding, text, err)
	}
	if f.bom == 0 {
		return content, nil
	}
	return append(append([]byte(nil), f.encoding.BOM()...), content...), nil
}

// lineEnds gives text the line ends asked for: lf, crlf, or auto, which are those of the old text if it is uniform.
func lineEnds(text []byte, eol string, old []byte) []byte {
	if eol == "auto" {
		eol = textio.EOL(old, nil)
	}
	lf := func() []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }
	switch eol {
	case "lf":
		return lf()
	case "crlf":
		return bytes.ReplaceAll(lf(), []byte("\n"), []byte("\r\n"))
	case "cr":
		return bytes.ReplaceAll(lf(), []byte("\n"), []byte("\r"))
	}
	return text
}

// endsToCR tells whether lineEnds made lone carriage returns of a text's line ends, which make one line of it everywhere but in
// the program that wrote the file.
func endsToCR(text, made []byte) bool {
	return bytes.Contains(text, []byte("\n")) && !bytes.Contains(made, []byte("\n"))
}

// EncodingDetails are the details of invalid_encoding for text that can't be written.
type EncodingDetails struct {
	Encoding  string `json:"encoding"`
	Character string `json:"character,omitzero"` // that the encoding lacks; left out where the text isn't valid UTF-8
	Offset    int    `json:"offset"`             // bytes into the text, as UTF-8
}

// encodingFailure says why text can't be written in an encoding.
func encodingFailure(e *charset.Encoding, text []byte, err error) error {
	var lacks *charset.UnencodableError
	if !errors.As(err, &lacks) {
		return err
	}
	d := &EncodingDetails{Encoding: e.Name(), Offset: lacks.Offset}
	if r, size := utf8.DecodeRune(text[lacks.Offset:]); r == utf8.RuneError && size < 2 {
		f := failf(CodeInvalidEncoding, "the text isn't valid UTF-8, so that it can't be written as %s", e.Name())
		f.Details = d
		return f.hint("give the text in UTF-8")
	}
	d.Character = string(lacks.Rune)
	f := failf(CodeInvalidEncoding, "%s has no character %U", e.Name(), lacks.Rune)
	f.Details = d
	return f.hint("leave the character out, or write the file in another encoding")
}
