package commands

import (
	"bytes"
	"errors"
	"io"
	"iter"

	"fsbox/commands/answer"
	"fsbox/commands/hint"
	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// member is one key and value of a JSON object. A value that was asked for as an object is in
// inner.
type member struct {
	name  string
	value jsontext.Value
	inner *object
}

// object is a parsed JSON object: it is strict, so no key occurs twice and all of it is UTF-8.
type object struct {
	id      jsontext.Value // of the member "id", nil without one
	members []member       // all others
}

// parseObject reads exactly one JSON object. With an error, the object still has the id if that can
// be found.
func parseObject(raw []byte) (object, *answer.Failure) { return new(objectParser).parse(raw, "") }

// objectParser reads objects one after the other, with the same decoder: a new one takes longer to
// make than a short request to read.
type objectParser struct{ dec *jsontext.Decoder }

// keptRequest is how long a request may be, in bytes, for the decoder to be used again. The decoder
// keeps the request, and what it needed for its names.
const keptRequest = 16 << 10

// decoder gives a decoder of raw, which uses it without a copy.
func (p *objectParser) decoder(raw []byte) *jsontext.Decoder {
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

// parse reads one object. It also parses the value of one member, nested, if that is an object, so
// that a long text in it is scanned only once.
func (p *objectParser) parse(raw []byte, nested string) (o object, fail *answer.Failure) {
	switch fields, long := textio.ScanNames(raw, maxFields, words.LongestName); {
	case fields > maxFields:
		return object{id: findID(raw)}, manyFields(raw, nested)
	case long != nil:
		return object{id: findID(raw)}, answer.Failf(answer.CodeInvalidInput, "unknown field %q", textio.Shorten(long)).
			WithHint("no field has so long a name")
	}
	dec := p.decoder(raw)
	if kind := dec.PeekKind(); kind != '{' {
		return o, notAnObject(kind, dec)
	}
	if err := o.read(dec, raw, nested); err != nil {
		if o.id == nil {
			o.id = findID(raw)
		}
		return o, syntaxFailure(err)
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		return o, answer.Failf(answer.CodeInvalidInput, "there is more after the JSON object").WithHint("send one object per request")
	}
	return o, nil
}

// maxFields is how many members the objects of a request may have together: a list of 1,000 edits
// has some thousands.
const maxFields = 10_000

// manyFields refuses a request with so many fields. If a list is too long as well, that error is
// reported instead, as it says more.
func manyFields(raw []byte, nested string) *answer.Failure {
	if fail := findLongList(raw, nested); fail != nil {
		return fail
	}
	return answer.Failf(answer.CodeInvalidInput, "a request can have at most %d fields, those inside of lists counted as well", maxFields)
}

func findLongList(raw []byte, nested string) *answer.Failure {
	for name, value := range looseMembers(raw) {
		if name == nested && value.Kind() == '{' {
			return findLongList(value, "")
		}
		if fail := checkLength(name, countItems(value)); fail != nil {
			return fail
		}
	}
	return nil
}

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
func (o *object) read(dec *jsontext.Decoder, raw []byte, nested string) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		m, err := readMember(dec, raw, nested)
		if err != nil {
			return err
		}
		if m.name == "id" {
			o.id = m.value.Clone()
			_ = o.id.Compact() // one line stays one line; it was parsed, so this can't fail
			continue
		}
		o.members = append(o.members, m)
	}
	_, err := dec.ReadToken()
	return err
}

func readMember(dec *jsontext.Decoder, raw []byte, nested string) (m member, err error) {
	name, err := dec.ReadToken()
	if err != nil {
		return m, err
	}
	if m.name = name.String(); m.name == nested && dec.PeekKind() == '{' {
		m.inner = &object{}
		return m, m.inner.read(dec, raw, "")
	}
	m.value, err = readValue(dec, raw)
	return m, err
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

// readValue gives the next value as a part of raw. What the decoder itself returns is overwritten
// by its next read.
func readValue(dec *jsontext.Decoder, raw []byte) (jsontext.Value, error) {
	value, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(dec.InputOffset())
	return raw[end-len(value) : end : end], nil
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
	return answer.Failf(answer.CodeInvalidInput, "a request is a JSON object, not %s", kindName(kind)).WithHint(hint)
}

func syntaxFailure(err error) *answer.Failure {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case ok && errors.Is(err, jsontext.ErrDuplicateName):
		return answer.Failf(answer.CodeInvalidInput, "key %q appears twice", syntax.JSONPointer.LastToken()).WithHint("give it once")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return answer.Failf(answer.CodeInvalidInput, "the JSON object ends too early").
			WithHint("close all brackets and quotes; if a long text was cut off, send it in parts")
	case ok:
		return answer.Failf(answer.CodeInvalidInput, "not valid JSON at byte %d: %v", syntax.ByteOffset, syntax.Err).
			WithHint("%s", hint.JSON(syntax.Err.Error()))
	}
	return answer.Failf(answer.CodeInvalidInput, "not valid JSON: %v", err)
}

// kindName is what messages call a kind of JSON value.
func kindName(kind jsontext.Kind) string {
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
