package request

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is one key and value of a JSON object. A value that was asked for as an object is in
// inner.
type Member struct {
	Name  string
	Value jsontext.Value
	Inner *Object
}

// Object is a parsed JSON object: it is strict, so no key occurs twice and all of it is UTF-8.
type Object struct {
	ID      jsontext.Value // of the member "id", nil without one
	Members []Member       // all others
}

// ParseObject reads exactly one JSON object. With an error, the object still has the id if that can
// be found.
func ParseObject(raw []byte) (Object, *answer.Failure) { return new(ObjectParser).Parse(raw, "") }

// ObjectIn reads the fields of a request from a value that is no object: JSON in a string, as some
// APIs give a model's arguments; nothing; or the text of a patch where
// that is asked for. A model can cut its own JSON short: then nothing is no object for a call that
// changes something. form shows how it is sent, else its fields do.
func ObjectIn(name string, value jsontext.Value, fields []Field, changes bool, form string) (o Object, fail *answer.Failure) {
	text, isText := "", value.Kind() == '"'
	if isText {
		if !value.IsValid() {
			return o, answer.Failf(answer.CodeInvalidInput, "%q is not valid text: a part of it is not UTF-8, or half of a surrogate pair", name)
		}
		text = strings.TrimSpace(Unquoted(value))
	}
	_, _, isPatch := FindField(fields, "patch")
	isPatch = isPatch && (strings.HasPrefix(text, "*** ") || strings.HasPrefix(text, "--- ") || strings.HasPrefix(text, "diff "))
	switch {
	case strings.HasPrefix(text, "{"):
		if o, fail = ParseObject([]byte(text)); fail != nil {
			fail.Message = fmt.Sprintf("in the text of %q: %s", name, fail.Message)
		}
		return o, fail
	case isPatch:
		return Object{Members: []Member{{Name: "patch", Value: value}}}, nil
	case isText && !changes && (text == "" || text == "null"):
		return o, nil
	}
	return o, answer.Failf(answer.CodeInvalidInput, "%q must be an object, not %s", name, KindName(value.Kind())).
		WithHint("%s", cmp.Or(form, neededForm(fields)))
}

// ObjectParser reads objects one after the other, with the same decoder: with a new one for each, a
// batch of small requests takes 10 % more processor time (2026-11-29).
type ObjectParser struct{ dec *jsontext.Decoder }

// keptRequest is how long a request may be, in bytes, for the decoder to be used again. The decoder
// keeps the request, and what it needed for its names.
const keptRequest = 16 << 10

// decoder gives a decoder of raw, which uses it without a copy.
func (p *ObjectParser) decoder(raw []byte) *jsontext.Decoder {
	in := bytes.NewBuffer(raw)
	switch {
	case len(raw) > keptRequest:
		p.dec = nil
		return jsontext.NewDecoder(in)
	case p.dec == nil:
		p.dec = jsontext.NewDecoder(in)
	default:
		p.dec.Reset(in)
	}
	return p.dec
}

// Parse reads one object. It also parses the value of one member, nested, if that is an object, so
// that a long text in it is scanned only once.
func (p *ObjectParser) Parse(raw []byte, nested string) (o Object, fail *answer.Failure) {
	switch fields, long := textio.ScanNames(raw, maxFields, words.LongestName); {
	case fields > maxFields:
		return Object{ID: findID(raw)}, answer.Failf(answer.CodeInvalidInput,
			"a request can have at most %d fields, those inside of lists counted as well", maxFields).
			WithHint("send it in parts: a list can have at most %d items", MaxItems)
	case long != nil:
		return Object{ID: findID(raw)}, answer.Failf(answer.CodeInvalidInput, "unknown field %q", textio.Shorten(long)).
			WithHint("no field has so long a name")
	}
	dec := p.decoder(raw)
	if kind := dec.PeekKind(); kind != '{' {
		return o, notAnObject(kind, dec)
	}
	if err := o.read(dec, raw, nested); err != nil {
		if o.ID == nil {
			o.ID = findID(raw)
		}
		return o, syntaxFailure(err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return o, answer.Failf(answer.CodeInvalidInput, "unexpected data after the JSON object").WithHint("send one object per request")
	}
	return o, nil
}

// maxFields is how many members the objects of a request may have together: a list of 1,000 edits
// has some thousands.
const maxFields = 10_000

// looseMembers goes over the members of an object that was refused, as far as it can be read.
func looseMembers(raw []byte) iter.Seq2[string, jsontext.Value] {
	return func(yield func(string, jsontext.Value) bool) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if _, err := dec.ReadToken(); err != nil {
			return // the caller reports a failure anyway
		}
		for dec.PeekKind() == '"' {
			token, err := dec.ReadToken()
			if err != nil {
				return
			}
			name := token.String()
			if value, err := dec.ReadValue(); err != nil || !yield(name, value) {
				return
			}
		}
	}
}

// read reads an object from a decoder of raw, from its opening brace to the closing one.
func (o *Object) read(dec *jsontext.Decoder, raw []byte, nested string) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		m, err := readMember(dec, raw, nested)
		if err != nil {
			return err
		}
		if m.Name == "id" {
			o.ID = m.Value.Clone()
			_ = o.ID.Compact() // one line stays one line; it was parsed, so this can't fail
			continue
		}
		o.Members = append(o.Members, m)
	}
	_, err := dec.ReadToken()
	return err
}

func readMember(dec *jsontext.Decoder, raw []byte, nested string) (m Member, err error) {
	name, err := dec.ReadToken()
	if err != nil {
		return m, err
	}
	if m.Name = name.String(); m.Name == nested && dec.PeekKind() == '{' {
		m.Inner = &Object{}
		return m, m.Inner.read(dec, raw, "")
	}
	// a value is a part of raw: what the decoder itself returns is overwritten by its next read
	value, err := dec.ReadValue()
	if err != nil {
		return m, err
	}
	end := int(dec.InputOffset())
	m.Value = raw[end-len(value) : end : end]
	return m, nil
}

// findID looks for the id of an object that was refused: the id may come after the mistake if that
// is only a duplicate key or bytes that aren't UTF-8.
func findID(raw []byte) jsontext.Value {
	for name, value := range looseMembers(raw) {
		if name == "id" && value.IsValid() { // this is strict
			id := value.Clone()
			_ = id.Compact()
			return id
		}
	}
	return nil
}

func notAnObject(kind jsontext.Kind, dec *jsontext.Decoder) *answer.Failure {
	const hint = "send one JSON object per request"
	switch kind {
	case '[':
		return answer.Failf(answer.CodeInvalidInput, "a request is a JSON object, not an array").WithHint(hint)
	case 0, '}', ']':
		_, err := dec.ReadToken()
		if err == io.EOF {
			return answer.Failf(answer.CodeInvalidInput, "the request is empty").WithHint(hint)
		}
		return syntaxFailure(err).WithHint(hint)
	}
	if _, err := dec.ReadValue(); err != nil { // a bare word can begin like null
		return syntaxFailure(err).WithHint(hint)
	}
	return answer.Failf(answer.CodeInvalidInput, "a request is a JSON object, not %s", KindName(kind)).WithHint(hint)
}

func syntaxFailure(err error) *answer.Failure {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case ok && errors.Is(err, jsontext.ErrDuplicateName):
		return answer.Failf(answer.CodeInvalidInput, "key %q appears twice", syntax.JSONPointer.LastToken()).WithHint("give it once")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return answer.Failf(answer.CodeInvalidInput, "the JSON object ends too early").
			WithHint("close all brackets and quotes; if a long text was cut off, send it in parts")
	case ok && strings.HasPrefix(syntax.Err.Error(), "invalid character ','"):
		// the parser finds {"a":1,} wrong at its comma, and says that of the place of a value
		return answer.Failf(answer.CodeInvalidInput, "not valid JSON at byte %d: an extra comma, or a missing value",
			syntax.ByteOffset).
			WithHint("%s", hint.JSON(syntax.Err.Error()))
	case ok:
		return answer.Failf(answer.CodeInvalidInput, "not valid JSON at byte %d: %v", syntax.ByteOffset, syntax.Err).
			WithHint("%s", hint.JSON(syntax.Err.Error()))
	}
	return answer.Failf(answer.CodeInvalidInput, "not valid JSON: %v", err)
}

// KindName is what messages call a kind of JSON value.
func KindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '[':
		return "an array"
	}
	return "an object"
}
