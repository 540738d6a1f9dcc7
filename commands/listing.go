package commands

import (
	"bytes"
	"io"
	"reflect"
	"strings"

	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// listing is a list that is encoded as it grows. A long walk then has little left to do at its end,
// and the list is text without pointers, which Go's garbage collector needn't scan. Its zero value
// is an empty list.
type listing[E listed] []piece

// listed writes itself as JSON.
type listed interface{ appendJSON(b []byte) []byte }

// piece is the JSON of some elements, with a comma before each of them except the very first.
type piece struct{ text []byte }

// pieceSize is about how long a piece is, in bytes.
const pieceSize = encodeChunk

// add takes an element as JSON.
func (l *listing[E]) add(e []byte) {
	switch n := len(*l); {
	case n == 0:
		*l = append(*l, piece{bytes.Clone(e)})
		return
	case len((*l)[n-1].text) > pieceSize-pieceSize/8:
		*l = append(*l, piece{make([]byte, 0, pieceSize)})
	}
	last := &(*l)[len(*l)-1]
	last.text = append(append(last.text, ','), e...)
}

// encodeTo writes the list as an array.
func (l listing[E]) encodeTo(e *encoder) {
	e.b = append(e.b, '[')
	for _, p := range l {
		if len(e.b)+len(p.text) < encodeChunk {
			e.b = append(e.b, p.text...)
			continue
		}
		e.flush()
		e.write(p.text)
	}
	e.b = append(e.b, ']')
}

// listedPath is a path that is listed by itself.
type listedPath string

func (p listedPath) appendJSON(b []byte) []byte { return textio.AppendQuoted(b, string(p)) }

// appendName writes a name, and after it the exact one under another key if it isn't UTF-8.
func appendName(b []byte, name, exactKey string) []byte {
	b = textio.AppendQuoted(b, name)
	if exact := words.Base64(name); exact != "" {
		b = textio.AppendQuoted(append(b, exactKey...), exact)
	}
	return b
}

// tokens reads back what a listing holds: one token of JSON after another, until do returns false.
func (l listing[E]) tokens(do func(jsontext.Token) bool) {
	readers := make([]io.Reader, 0, len(l)+2)
	readers = append(readers, strings.NewReader("["))
	for _, p := range l {
		readers = append(readers, bytes.NewReader(p.text))
	}
	in := jsontext.NewDecoder(io.MultiReader(append(readers, strings.NewReader("]"))...))
	for {
		token, err := in.ReadToken()
		if err != nil || !do(token) {
			return
		}
	}
}

func (listing[E]) element() reflect.Type { return reflect.TypeFor[E]() }
