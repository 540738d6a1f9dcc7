package mcp

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Names of members of _meta that the protocol reserves.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// message is a parsed line. Values that are only passed on are kept as JSON, as parts of the line.
type message struct {
	id      []byte // nil for none: a notification
	method  string
	answers bool   // an answer to a request of ours
	result  []byte // of an answer; nil if that is an error
	params  params
}

// params are the members of params that some method uses; other members are skipped.
type params struct {
	name         []byte // of a tool
	arguments    []byte
	version      []byte // of initialize
	capabilities []byte // of initialize
	requestID    []byte // of notifications/cancelled
	cursor       []byte
	responses    []byte // to the questions of an earlier try of a call
	meta         meta
}

// meta is params._meta.
type meta struct {
	progressToken []byte
	version       []byte
	capabilities  []byte
	traceparent   []byte
}

// modern tells that a request belongs to the era without sessions: see doc.go.
func (m meta) modern() bool { return m.version != nil || m.capabilities != nil }

// parser reads one message with a decoder that passes over each byte once.
type parser struct {
	dec *jsontext.Decoder
	raw []byte
}

func newParser(raw []byte) *parser {
	return &parser{raw: raw, dec: jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))}
}

// decoder keeps a parser for the next message, since a new one takes longer to make than a short
// message to read.
type decoder struct{ kept *parser }

// keptMessage is the longest message, in bytes, whose parser is kept: with the parser stay the
// message, and memory that the names in it took.
const keptMessage = 16 << 10

func (d *decoder) parser(raw []byte) *parser {
	switch {
	case len(raw) > keptMessage:
		return newParser(raw)
	case d.kept == nil:
		d.kept = newParser(raw)
	default:
		d.kept.raw = raw
		d.kept.dec.Reset(bytes.NewBuffer(raw), d.kept.dec.Options())
	}
	return d.kept
}

// parse reads a message. With a failure, the message still has the id if that was found.
func (d *decoder) parse(raw []byte) (message, *failure) {
	if len(raw) > smallMessage {
		if _, long := textio.ScanNames(raw, len(raw), smallMessage); long != nil {
			ends := line{text: raw[:keptOfLong], end: raw[len(raw)-keptOfLong:]}
			return message{id: idOfLong(ends)}, invalid("a name is too long: " + strconv.Quote(textio.Shorten(long)))
		}
	}
	p := d.parser(raw)
	var m envelope
	switch kind := p.dec.PeekKind(); {
	case kind == '[':
		return m.message, invalid("send one message a line, not an array of them")
	case kind != '{':
		_, err := p.dec.ReadValue()
		return m.message, notJSON(err, "a message is a JSON object")
	}
	if err := p.object(m.member); err != nil {
		return m.message, notJSON(err, "")
	}
	if _, err := p.dec.ReadToken(); err != io.EOF {
		return m.message, notJSON(err, "there is more after the JSON object")
	}
	return m.message, m.check()
}

// arrayVersion is the version in which a line may be an array of messages.
const arrayVersion = "2025-03-26"

// maxElements is how many messages an array may have: few enough that the calls among them can all
// wait to be run.
const maxElements = 100

// elements are the values of a JSON array, as parts of its text.
func elements(raw []byte) (all [][]byte, fail *failure) {
	p := newParser(raw)
	if len(raw) > smallMessage {
		return nil, invalid("the array is longer than " + strconv.Itoa(smallMessage) + " bytes: send one message a line")
	}
	all, err := p.array(maxElements + 1)
	switch {
	case len(all) > maxElements:
		return nil, invalid("the array has more than " + strconv.Itoa(maxElements) + " messages: send one a line")
	case err != io.EOF:
		return nil, notJSON(err, "there is more after the JSON array")
	case len(all) == 0:
		return nil, invalid("the array is empty")
	}
	return all, nil
}

// array reads an array of at most so many values. The error is io.EOF if nothing comes after it.
func (p *parser) array(most int) (all [][]byte, err error) {
	_, err = p.dec.ReadToken()
	for err == nil && p.dec.PeekKind() != ']' && len(all) < most {
		var value []byte
		if value, err = p.value(); err == nil {
			all = append(all, value)
		}
	}
	for range 2 { // the bracket, and what comes after it
		if err == nil {
			_, err = p.dec.ReadToken()
		}
	}
	return all, err
}

// smallMessage is the longest message, in bytes, that is parsed without a look at the length of its
// names first: a decoder takes memory of several times the length of a name.
const smallMessage = 1 << 20

// notJSON is the failure for a line with a syntax error, or for a value that is no message.
func notJSON(err error, otherwise string) *failure {
	if err == nil {
		return invalid(otherwise)
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok && len(syntax.JSONPointer) > longestName {
		syntax.JSONPointer = "" // it has a name of the message in it
	}
	return &failure{code: codeParse, message: "not valid JSON: " + strings.TrimPrefix(err.Error(), "jsontext: ")}
}

// object reads an object and gives each of its members to take, which reads the value.
func (p *parser) object(take func(p *parser, name string) error) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return err
	}
	for p.dec.PeekKind() != '}' {
		start := int(p.dec.InputOffset())
		name, err := p.dec.ReadToken()
		if err != nil {
			return err
		}
		known := "" // stays "" for a longer name: no known one is as long
		if int(p.dec.InputOffset())-start <= longestName {
			known = name.String()
		}
		if err := take(p, known); err != nil {
			return err
		}
	}
	_, err := p.dec.ReadToken()
	return err
}

// value reads a value and gives it as a part of the line: what the decoder itself returns is
// overwritten by its next read.
func (p *parser) value() ([]byte, error) {
	value, err := p.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(p.dec.InputOffset())
	return p.raw[end-len(value) : end : end], nil
}

// envelope is a message while it is read.
type envelope struct {
	message
	version, name    []byte
	hasID, badParams bool
	failed           bool // the message has an error
}

func (e *envelope) member(p *parser, name string) (err error) {
	switch name {
	case "id":
		e.hasID = true
		e.id, err = p.value()
		if !isID(e.id) {
			e.id = nil
		}
	case "jsonrpc":
		e.version, err = p.value()
	case "method":
		e.name, err = p.value()
	case "result":
		e.result, err = p.value()
	case "error":
		e.failed = true
		_, err = p.value()
	case "params":
		if p.dec.PeekKind() == '{' {
			return p.object(e.params.member)
		}
		value, err := p.value()
		e.badParams = string(value) != "null"
		return err
	default:
		err = p.dec.SkipValue()
	}
	return err
}

// check says what is wrong with a message as such.
func (e *envelope) check() *failure {
	if e.failed {
		e.result = nil // with both members, the answer is an error
	}
	e.answers = e.name == nil && (e.result != nil || e.failed)
	switch {
	case e.hasID && e.id == nil && !e.answers:
		return invalid(`"id" must be a string or an integer`)
	case string(e.version) != `"2.0"`:
		return invalid(`"jsonrpc" must be "2.0"`)
	case e.answers:
		return nil
	case len(e.name) == 0 || e.name[0] != '"':
		return invalid(`"method" must be a string`)
	}
	e.method = word(e.name)
	if e.badParams {
		return badParams(`"params" must be an object`)
	}
	return nil
}

// member keeps a member of params. A null counts as absent.
func (a *params) member(p *parser, name string) error {
	var to *[]byte
	switch name {
	case "_meta":
		if p.dec.PeekKind() == '{' {
			return p.object(a.meta.member)
		}
	case "name":
		to = &a.name
	case "arguments":
		to = &a.arguments
	case "protocolVersion":
		to = &a.version
	case "capabilities":
		to = &a.capabilities
	case "requestId":
		to = &a.requestID
	case "cursor":
		to = &a.cursor
	case "inputResponses":
		to = &a.responses
	}
	return p.keep(to)
}

func (m *meta) member(p *parser, name string) error {
	var to *[]byte
	switch name {
	case "progressToken":
		to = &m.progressToken
	case metaVersion:
		to = &m.version
	case metaCapabilities:
		to = &m.capabilities
	case "traceparent":
		to = &m.traceparent
	}
	return p.keep(to)
}

// keep reads a value into *to, if to is not nil. A null counts as absent.
func (p *parser) keep(to *[]byte) error {
	if to == nil {
		return p.dec.SkipValue()
	}
	value, err := p.value()
	if string(value) != "null" {
		*to = value
	}
	return err
}

// isID tells whether a value may be an id or a progress token: a string or an integer.
func isID(value []byte) bool {
	if len(value) == 0 || len(value) > keptOfLong || !utf8.Valid(value) {
		return false
	}
	return value[0] == '"' || (value[0] == '-' || '0' <= value[0] && value[0] <= '9') && !bytes.ContainsAny(value, ".eE")
}

// unquote gives the text of a JSON string that was parsed, and "" for any other value.
func unquote(value []byte) string {
	if len(value) == 0 || value[0] != '"' {
		return ""
	}
	if !bytes.ContainsRune(value, '\\') {
		return string(value[1 : len(value)-1])
	}
	text, _ := jsontext.AppendUnquote(nil, value) // bytes that aren't UTF-8 become U+FFFD
	return string(text)
}

// longestName is more than the length of any known name, in bytes of its JSON text.
const longestName = 1024

// word is unquote for methods, names and versions: known ones are short, and of a long one only
// both ends are kept.
func word(value []byte) string {
	if len(value) > longestName && value[0] == '"' {
		return textio.Shorten(value[1 : len(value)-1])
	}
	return unquote(value)
}

// idOfLong looks for the id of a message that was too long to be kept: among its first members, or
// as its last one.
func idOfLong(l line) []byte {
	p := newParser(l.text)
	var e envelope
	_ = p.object(e.member) // ends with an error where the text was cut
	if e.id != nil {
		return e.id
	}
	end := bytes.TrimRight(l.end, " \t\r\n")
	at := bytes.LastIndex(end, []byte(`"id"`))
	if at < 0 || at > 0 && end[at-1] == '\\' {
		return nil
	}
	rest, colon := bytes.CutPrefix(bytes.TrimLeft(end[at+len(`"id"`):], " \t"), []byte(":"))
	value, brace := bytes.CutSuffix(rest, []byte("}"))
	if value = bytes.TrimSpace(value); !colon || !brace || !jsontext.Value(value).IsValid() || !isID(value) {
		return nil
	}
	return bytes.Clone(value)
}
