package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsbox/textio"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Names of members of _meta that the protocol reserves.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
)

// message is one line: a request, a notification, or an answer to a request of ours. Members that
// no method uses are skipped.
type message struct {
	Version word   `json:"jsonrpc"`
	ID      value  `json:"id"` // nil for none: a notification
	Method  word   `json:"method"`
	Params  params `json:"params"`
	Result  reply  `json:"result"`
	Error   value  `json:"error"`

	answers   bool   // it is an answer
	arguments []byte // of a call, a part of the line
}

// params are the members of params that some method uses.
type params struct {
	Name         word                 `json:"name"` // of a tool
	Arguments    part                 `json:"arguments"`
	Version      word                 `json:"protocolVersion"` // of initialize
	Capabilities capabilities         `json:"capabilities"`    // of initialize
	Client       clientInfo           `json:"clientInfo"`      // of initialize
	RequestID    value                `json:"requestId"`       // of notifications/cancelled
	Cursor       word                 `json:"cursor"`
	Responses    map[string]*response `json:"inputResponses"` // to the questions of an earlier try of a call
	State        value                `json:"requestState"`   // that came with those questions
	Meta         meta                 `json:"_meta"`
}

// meta is params._meta.
type meta struct {
	ProgressToken value         `json:"progressToken"`
	Version       *word         `json:"io.modelcontextprotocol/protocolVersion"`
	Capabilities  *capabilities `json:"io.modelcontextprotocol/clientCapabilities"`
	Client        clientInfo    `json:"io.modelcontextprotocol/clientInfo"`
	Traceparent   value         `json:"traceparent"`
	Turn          turn          `json:"x-codex-turn-metadata"`
}

// clientInfo is what a client tells of itself. Nothing depends on it but the length of answers, so
// that one of a wrong form is none.
type clientInfo struct{ name string }

// UnmarshalJSONFrom takes anything.
func (c *clientInfo) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	c.name, err = nameIn(dec, "name")
	return err
}

// turn is what codex tells of the turn that a call belongs to: an object, or one as a text.
type turn struct{ model string }

// UnmarshalJSONFrom takes anything.
func (t *turn) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	t.model, err = nameIn(dec, "model")
	return err
}

// nameIn is a short text that a member of an object has, "" for anything else.
func nameIn(dec *jsontext.Decoder, member string) (string, error) {
	text, err := dec.ReadValue()
	if text.Kind() == '"' && len(text) < longestInfo {
		text, _ = jsontext.AppendUnquote(nil, text)
	}
	members := map[string]jsontext.Value{}
	if err != nil || len(text) > longestInfo || json.Unmarshal(text, &members, tolerant) != nil || len(members[member]) > longestName {
		return "", err
	}
	return unquote(members[member]), nil
}

// longestInfo is how long an object may be in which a name is looked for, in bytes.
const longestInfo = 64 << 10

// capabilities are what a client can do. A mode of elicitation is a way to put a question.
type capabilities struct {
	Elicitation map[string]value `json:"elicitation"`
}

// canAsk tells whether the client can fill in forms. One that names no mode can do that alone.
func (c *capabilities) canAsk() bool {
	return c != nil && c.Elicitation != nil && (len(c.Elicitation) == 0 || c.Elicitation["form"] != nil)
}

// reply is the result of a request of ours. A null is one as well, with no response in it.
type reply struct {
	given    bool
	response *response
}

// UnmarshalJSONFrom notes that the member is there.
func (r *reply) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	r.given = true
	return json.UnmarshalDecode(dec, &r.response)
}

// response is the client's answer to a question.
type response struct {
	Action  word    `json:"action"`
	Content content `json:"content"`
}

// content is what a form was filled in with: whether it has the one word that is a yes.
type content bool

// UnmarshalJSONFrom takes any value. All but an object with that word is no yes.
func (c *content) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	text, err := dec.ReadValue()
	if err != nil || text.Kind() != '{' {
		return err
	}
	var filled struct {
		Decision value `json:"decision"`
	}
	if json.Unmarshal(text, &filled) == nil { // a name that comes twice is no yes either
		*c = filled.Decision.key() == value(`"`+decisionYes+`"`).key()
	}
	return nil
}

// answer is what the client decided. No response, and one without an action that is known, is no
// decision.
func (r *response) answer() Answer {
	switch {
	case r == nil:
		return Cancel
	case r.Action == "accept" && bool(r.Content):
		return Accept
	case r.Action == "accept", r.Action == "decline":
		return Decline
	}
	return Cancel
}

// word is a JSON string. Known ones are short: of a long one only both ends are kept.
type word string

// UnmarshalJSONFrom takes a null as no word.
func (w *word) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	text, err := dec.ReadValue()
	if err == nil && text.Kind() != '"' && text.Kind() != 'n' {
		return wrongType("a string")
	}
	*w = word(unquote(text))
	return err
}

// unquote gives the text of a JSON string, shortened if it is long, and "" for any other value.
func unquote(text jsontext.Value) string {
	switch {
	case len(text) == 0 || text[0] != '"':
		return ""
	case len(text) > longestName:
		return textio.Shorten(text[1 : len(text)-1])
	case !bytes.ContainsRune(text, '\\'):
		return string(text[1 : len(text)-1])
	}
	plain, _ := jsontext.AppendUnquote(nil, text) // bytes that aren't UTF-8 become U+FFFD
	return string(plain)
}

// value is a short JSON value of any type, as it was sent. Of a longer one the beginning is kept.
type value []byte

// longestValue is how much of a value is kept, in bytes: one more than an id may have.
const longestValue = 512 + 1

// UnmarshalJSONFrom keeps a null as well.
func (v *value) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	text, err := dec.ReadValue()
	*v = slices.Clone(value(text[:min(len(text), longestValue)]))
	return err
}

func (v value) given() bool { return v != nil && string(v) != "null" }

// isID tells whether a value may be an id or a progress token: a string or an integer.
func (v value) isID() bool {
	if len(v) == 0 || len(v) == longestValue || !utf8.Valid(v) {
		return false
	}
	return v[0] == '"' || (v[0] == '-' || '0' <= v[0] && v[0] <= '9') && !bytes.ContainsAny(v, ".eE")
}

// key is an id as a key: the same text may be written with escapes or without.
func (v value) key() string {
	if len(v) > 0 && v[0] == '"' {
		return `"` + unquote(jsontext.Value(v))
	}
	return string(v)
}

// part is where an object lies in the line, or a string in its place, so that a long one isn't
// copied.
type part struct{ from, to int64 }

// UnmarshalJSONFrom takes a null as no object.
func (p *part) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	text, err := dec.ReadValue()
	switch {
	case err != nil:
		return err
	case text.Kind() == '{', text.Kind() == '"':
		p.to = dec.InputOffset()
		p.from = p.to - int64(len(text))
	case text.Kind() != 'n':
		return wrongType("an object")
	}
	return nil
}

// wrongType says what a member must be.
type wrongType string

func (w wrongType) Error() string { return "it must be " + string(w) }

const (
	// maxNames is how many members all objects of a message may have together, and longestName how
	// many bytes each of their names: a decoder takes memory of several times the length of a name.
	maxNames    = 20_000
	longestName = 256
	// keptOfLong is how much of the beginning and of the end of a message that is too long is
	// searched for its id, in bytes.
	keptOfLong = 512
	// maxAround is how many bytes a message may have besides the arguments of a call.
	maxAround = 256 << 10
)

// parse reads a message. With a failure, the message still has what tells whom to answer.
func parse(line []byte) (m message, fail *failure) {
	switch names, long := textio.ScanNames(line, maxNames, longestName); {
	case long != nil:
		return message{ID: idOfLong(line, line)}, invalid("a name is too long: " + strconv.Quote(textio.Shorten(long)))
	case names > maxNames:
		return message{ID: idOfLong(line, line)}, invalid(fmt.Sprintf("the objects of a message have more than %d members", maxNames))
	}
	err := json.Unmarshal(line, &m, tolerant)
	around := line // what is strict
	if at := m.Params.Arguments; err == nil && at.to > 0 {
		m.arguments = line[at.from:at.to:at.to]
		around = slices.Concat(line[:at.from], []byte("{}"), line[at.to:])
	}
	switch {
	case err != nil:
	case len(around) > maxAround:
		err = invalid(fmt.Sprintf(`the message has more than %d bytes besides its "arguments"`, maxAround))
	default:
		err = json.Unmarshal(around, &struct{}{})
	}
	if err != nil {
		return senderOf(line, err), failureOf(err)
	}
	return m, m.check()
}

// tolerant lets names pass that come twice, and bytes that aren't UTF-8: in the arguments of a call
// they are for the tool to refuse, elsewhere parse refuses them.
var tolerant = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// senderOf finds out whom to answer about a message that is wrong.
func senderOf(line []byte, err error) (m message) {
	var who struct {
		ID     value `json:"id"`
		Method value `json:"method"`
		Result value `json:"result"`
		Error  value `json:"error"`
	}
	_ = json.Unmarshal(line, &who, tolerant) // it is wrong: this takes what comes before the mistake
	m.ID, m.Method = who.ID, word(unquote(jsontext.Value(who.Method)))
	m.answers = who.Method == nil && (who.Result != nil || who.Error != nil)
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok && syntax.JSONPointer == "/id" {
		m.ID = value("null")
	}
	return m
}

// failureOf says what is wrong with a message that could not be decoded.
func failureOf(err error) *failure {
	if fail, ok := err.(*failure); ok {
		return fail
	}
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		return wrongMember(semantic)
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case ok && errors.Is(err, jsontext.ErrDuplicateName):
		return invalid(fmt.Sprintf("member %q appears twice", syntax.JSONPointer.LastToken()))
	case ok && len(syntax.JSONPointer) > longestName:
		syntax.JSONPointer = "" // it has names of the message in it
	}
	return &failure{code: codeParse, message: "not valid JSON: " + strings.TrimPrefix(err.Error(), "jsontext: ")}
}

// wrongMember is the failure for a value of a wrong type. Only objects have no type of our own that
// says what it wants.
func wrongMember(err *json.SemanticError) *failure {
	want := wrongType("an object")
	if own, ok := errors.AsType[wrongType](err); ok {
		want = own
	}
	switch text := fmt.Sprintf("%q must be %s", err.JSONPointer.LastToken(), string(want)); {
	case err.JSONPointer == "" && err.JSONKind == '[':
		return invalid("send one message a line, not an array of them")
	case err.JSONPointer == "":
		return invalid("a message is a JSON object")
	case strings.HasPrefix(string(err.JSONPointer), "/params"):
		return badParams(text)
	default:
		return invalid(text)
	}
}

// check says what is wrong with a message as such.
func (m *message) check() *failure {
	m.answers = m.Method == "" && (m.Result.given || m.Error != nil)
	switch {
	case m.ID != nil && !m.ID.isID() && !m.answers:
		return invalid(`"id" must be a string or an integer`)
	case m.Version != "2.0":
		return invalid(`"jsonrpc" must be "2.0"`)
	case m.answers:
		return nil
	case m.Result.given || m.Error != nil && m.Error.given():
		return invalid(`a message has "method", or "result" or "error", not both`)
	case m.Method == "":
		return invalid(`"method" is missing`)
	}
	return nil
}

// idOfLong looks for the id of a message that is too long: among its first members, or as its last
// one.
func idOfLong(text, end []byte) value {
	if who := senderOf(text[:min(len(text), keptOfLong)], nil); who.ID.isID() {
		return who.ID
	}
	end = bytes.TrimRight(end[max(0, len(end)-keptOfLong):], " \t\r\n")
	at := bytes.LastIndex(end, []byte(`"id"`))
	if at < 0 || at > 0 && end[at-1] == '\\' {
		return nil
	}
	rest, colon := bytes.CutPrefix(bytes.TrimLeft(end[at+len(`"id"`):], " \t"), []byte(":"))
	id, brace := bytes.CutSuffix(rest, []byte("}"))
	if id = bytes.TrimSpace(id); !colon || !brace || !jsontext.Value(id).IsValid() || !value(id).isID() {
		return nil
	}
	return slices.Clone(id)
}
