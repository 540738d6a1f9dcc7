package answer

import (
	"bytes"
	"io"
	"reflect"
	"strings"

	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Listing is a list that is encoded as it grows. A long walk then has little left to do at its end,
// and the list is text without pointers, which Go's garbage collector needn't scan. Its zero value
// is an empty list.
type Listing[E Listed] []Piece

// Listed writes itself as JSON.
type Listed interface{ AppendJSON(b []byte) []byte }

// Piece is the JSON of some elements, with a comma before each of them except the very first.
type Piece struct{ Text []byte }

// PieceSize is about how long a piece is, in bytes.
const PieceSize = EncodeChunk

// Add takes an element as JSON.
func (l *Listing[E]) Add(e []byte) {
	switch n := len(*l); {
	case n == 0:
		*l = append(*l, Piece{bytes.Clone(e)})
		return
	case len((*l)[n-1].Text) > PieceSize-PieceSize/8:
		*l = append(*l, Piece{make([]byte, 0, PieceSize)})
	}
	last := &(*l)[len(*l)-1]
	last.Text = append(append(last.Text, ','), e...)
}

// EncodeTo writes the list as an array.
func (l Listing[E]) EncodeTo(e *Encoder) {
	e.B = append(e.B, '[')
	for _, p := range l {
		if len(e.B)+len(p.Text) < EncodeChunk {
			e.B = append(e.B, p.Text...)
			continue
		}
		e.Flush()
		e.write(p.Text)
	}
	e.B = append(e.B, ']')
}

// ListedPath is a path that is listed by itself.
type ListedPath string

func (p ListedPath) AppendJSON(b []byte) []byte { return textio.AppendQuoted(b, string(p)) }

// AppendName writes a name, and after it the exact one under another key if it isn't UTF-8.
func AppendName(b []byte, name, exactKey string) []byte {
	b = textio.AppendQuoted(b, name)
	if exact := words.Base64(name); exact != "" {
		b = textio.AppendQuoted(append(b, exactKey...), exact)
	}
	return b
}

// Tokens reads back what a listing holds: one token of JSON after another, until do returns false.
func (l Listing[E]) Tokens(do func(jsontext.Token) bool) {
	readers := make([]io.Reader, 0, len(l)+2)
	readers = append(readers, strings.NewReader("["))
	for _, p := range l {
		readers = append(readers, bytes.NewReader(p.Text))
	}
	in := jsontext.NewDecoder(io.MultiReader(append(readers, strings.NewReader("]"))...))
	for {
		token, err := in.ReadToken()
		if err != nil || !do(token) {
			return
		}
	}
}

func (Listing[E]) Element() reflect.Type { return reflect.TypeFor[E]() }

// MarshalJSON is for general encoders.
func (l Listing[E]) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	e := Encoder{W: &out}
	l.EncodeTo(&e)
	e.Flush()
	return out.Bytes(), e.err
}
