package commands

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// member is one key and value of a JSON object. A value that was asked for as an object is in inner.
type member struct {
	name  string
	value jsontext.Value
	inner *object
}

// object is a parsed JSON object: strict, so no key stands twice and all of it is UTF-8.
type object struct {
	id      jsontext.Value // of the member "id", nil without one
	members []member       // all others
}

// parseObject reads exactly one JSON object. With an error, the object still has the id if that can be found.
func parseObject(raw []byte) (object, *Failure) { return parseNested(raw, "") }

// parseNested also takes the value of one member apart, if that is an object: so that a long text in it is gone through once.
func parseNested(raw []byte, nested string) (o object, fail *Failure) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw)) // of a Buffer the decoder makes no copy
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
		return o, failf(CodeInvalidInput, "there is more behind the JSON object").hint("send one object per request")
	}
	return o, nil
}

// read takes an object from a decoder of raw, from its opening brace to the closing one.
func (o *object) read(dec *jsontext.Decoder, raw []byte, nested string) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return err
		}
		m := member{name: name.String()}
		if m.name == nested && dec.PeekKind() == '{' {
			m.inner = &object{}
			err = m.inner.read(dec, raw, "")
		} else {
			m.value, err = readValue(dec, raw)
		}
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

// findID looks for the id of an object that was refused: it may stand behind the mistake, if that is no more than a key
// that stands twice or bytes that aren't UTF-8.
func findID(raw []byte) jsontext.Value {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	for dec.PeekKind() == '"' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil
		}
		isID := name.String() == "id"
		value, err := dec.ReadValue()
		switch {
		case err != nil:
			return nil
		case isID && value.IsValid(): // this is strict
			id := value.Clone()
			_ = id.Compact()
			return id
		}
	}
	return nil
}

// readValue gives the next value as a part of raw. What the decoder gives is good only until it goes on.
func readValue(dec *jsontext.Decoder, raw []byte) (jsontext.Value, error) {
	value, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(dec.InputOffset())
	return raw[end-len(value) : end : end], nil
}

func notAnObject(kind jsontext.Kind, dec *jsontext.Decoder) *Failure {
	const hint = "send one JSON object per request"
	switch kind {
	case '[':
		return failf(CodeInvalidInput, "a request is a JSON object, not an array").hint(hint)
	case 0, '}', ']':
		_, err := dec.ReadToken()
		if err == io.EOF {
			return failf(CodeInvalidInput, "the request is empty").hint(hint)
		}
		return syntaxFailure(err).hint(hint)
	}
	if _, err := dec.ReadValue(); err != nil { // a bare word can begin like null
		return syntaxFailure(err).hint(hint)
	}
	return failf(CodeInvalidInput, "a request is a JSON object, not %s", withArticle(kindName(kind))).hint(hint)
}

func syntaxFailure(err error) *Failure {
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax) && errors.Is(err, jsontext.ErrDuplicateName):
		return failf(CodeInvalidInput, "key %q stands twice", syntax.JSONPointer.LastToken())
	case errors.Is(err, io.ErrUnexpectedEOF):
		return failf(CodeInvalidInput, "the JSON object ends too early")
	case errors.As(err, &syntax):
		return failf(CodeInvalidInput, "not valid JSON at byte %d: %v", syntax.ByteOffset, syntax.Err)
	}
	return failf(CodeInvalidInput, "not valid JSON: %v", err)
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '0':
		return "number"
	case '[':
		return "array"
	}
	return "object"
}

// fill sets the fields of the struct v from members. Absent fields and nulls are left as they are. It returns the names of
// the fields that were given.
func fill(v reflect.Value, fields []field, members []member) (given map[string]bool, err *Failure) {
	given = make(map[string]bool, len(members))
	as := make(map[string]string, len(members))
	for _, m := range members {
		f, base64, ok := findField(fields, m.name)
		if !ok {
			return nil, unknownField(m.name, fields)
		}
		if m.value.Kind() == 'n' {
			continue
		}
		if given[f.name] {
			return nil, failf(CodeInvalidInput, "%q is given twice, as %q and as %q", f.name, as[f.name], m.name)
		}
		given[f.name], as[f.name] = true, m.name
		if err := setField(v.Field(f.index), m, base64); err != nil {
			return nil, err
		}
	}
	return given, nil
}

func unknownField(name string, fields []field) *Failure {
	f := failf(CodeInvalidInput, "unknown field %q", name)
	known := names(fields)
	if len(known) == 0 {
		return f.hint("there are no fields here: send {}")
	}
	if advice := elsewhere(name, fields); advice != "" {
		return f.hint("%s", advice)
	}
	if like := nearest(name, known); like != "" {
		return f.hint("did you mean %q?", like)
	}
	return f.hint("known fields: %s", strings.Join(known, ", "))
}

func setField(target reflect.Value, m member, isBase64 bool) *Failure {
	if !isBase64 {
		return coerce(target, m.value, m.name)
	}
	var text string
	if err := coerce(reflect.ValueOf(&text).Elem(), m.value, m.name); err != nil {
		return err
	}
	path, err := decodeBase64(m.name, text)
	if err != nil {
		return err
	}
	target.SetString(path)
	return nil
}

func decodeBase64(name, text string) (string, *Failure) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", failf(CodeInvalidInput, "%q is not base64", name)
	}
	return string(raw), nil
}

// textual is what a type implements that is written as text: sizes, lists of edits on the command line.
type textual interface{ UnmarshalText(text []byte) error }

// coerce sets target from a JSON value. What is plainly meant is taken: "200" for 200, "true" for true, a string for a
// list of one.
func coerce(target reflect.Value, value jsontext.Value, name string) *Failure {
	kind := value.Kind()
	wrong := func(want string) *Failure {
		return failf(CodeInvalidInput, "%q must be %s, not %s", name, want, withArticle(kindName(kind))).showForm(target, name)
	}
	switch {
	case kind == '"' && target.Kind() != reflect.Slice:
		return coerceText(target, unquote(value), name).showForm(target, name)
	case kind == '"' && target.Type().Elem().Kind() == reflect.String:
		target.Set(reflect.ValueOf([]string{unquote(value)}).Convert(target.Type()))
		return nil
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		return coerce(target.Elem(), value, name)
	case reflect.Bool:
		if kind != 't' && kind != 'f' {
			return wrong("true or false")
		}
		target.SetBool(kind == 't')
	case reflect.Int, reflect.Int64:
		if kind != '0' || target.Type() == durationType {
			return wrong(wantOf(target))
		}
		return coerceText(target, value.String(), name).showForm(target, name)
	case reflect.Slice:
		if kind != '[' {
			return wrong("a list")
		}
		return coerceList(target, value, name)
	default:
		return wrong("a string")
	}
	return nil
}

// showForm adds how a value of a field is written, unless the message shows it.
func (f *Failure) showForm(target reflect.Value, name string) *Failure {
	_, saysItself := target.Addr().Interface().(textual)
	if f == nil || f.Hint != "" || saysItself || strings.Contains(name, "[") || target.Type() == durationType {
		return f
	}
	switch form := ""; target.Kind() {
	case reflect.Bool:
		return f.hint("write {%q: true}", name)
	case reflect.Int, reflect.Int64:
		return f.hint("write {%q: 10}", name)
	case reflect.Slice:
		if form = `["a", "b"]`; target.Type().Elem().Kind() == reflect.Struct {
			form = "[{...}, {...}]"
		}
		return f.hint("write {%q: %s}", name, form)
	}
	return f.hint("write {%q: \"text\"}", name)
}

var durationType = reflect.TypeFor[time.Duration]()

func wantOf(target reflect.Value) string {
	if target.Type() == durationType {
		return `a duration such as "10s"`
	}
	return "an integer"
}

func withArticle(noun string) string {
	switch noun[0] {
	case 'a', 'o':
		return "an " + noun
	case 'n':
		if noun == "null" {
			return noun
		}
	}
	return "a " + noun
}

// unquote gives the text of a JSON string that was parsed. In long texts what stands between two backslashes is copied whole.
func unquote(value jsontext.Value) string {
	inner := value[1 : len(value)-1]
	var text strings.Builder
	text.Grow(len(inner))
	for {
		n := bytes.IndexByte(inner, '\\')
		if n < 0 {
			text.Write(inner)
			return text.String()
		}
		at := strings.IndexByte(escapes, inner[n+1])
		if at < 0 { // \uXXXX
			return unquoteAny(value)
		}
		text.Write(inner[:n])
		text.WriteByte(escaped[at])
		inner = inner[n+2:]
	}
}

func unquoteAny(value jsontext.Value) string {
	raw, err := jsontext.AppendUnquote(make([]byte, 0, len(value)), value)
	if err != nil {
		return "" // can't happen: the value was parsed
	}
	return string(raw)
}

// coerceText sets target from text, as it comes from JSON strings, tags and the environment.
func coerceText(target reflect.Value, text, name string) *Failure {
	wrong := func(want string) *Failure { return failf(CodeInvalidInput, "%q must be %s", name, want) }
	if u, ok := target.Addr().Interface().(textual); ok {
		if err := u.UnmarshalText([]byte(text)); err != nil {
			return wrong(err.Error())
		}
		return nil
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		return coerceText(target.Elem(), text, name)
	case reflect.String:
		target.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return wrong("true or false")
		}
		target.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, ok := parseInteger(target.Type(), text)
		if !ok && target.Type() != durationType && isHuge(text) {
			return wrong(shorterInteger)
		}
		if !ok {
			return wrong(wantOf(target))
		}
		target.SetInt(n)
	case reflect.Slice:
		return coerceLines(target, text, name)
	}
	return nil
}

func parseInteger(t reflect.Type, text string) (int64, bool) {
	if t == durationType {
		d, err := time.ParseDuration(text)
		return int64(d), err == nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	// 2e2 and 200.0 are integers too. From 2^53 on a float no longer tells which.
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// shorterInteger is what is wanted of one that is too large. From 16 digits on a float no longer tells which one is meant.
const shorterInteger = "an integer of at most 15 digits"

// isHuge reports an integer that is refused for its size alone.
func isHuge(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return errors.Is(err, strconv.ErrRange) || (err == nil && math.Abs(f) >= 1<<53 && !math.IsInf(f, 0))
}

// coerceLines sets a list from text: a JSON array, or one item a line.
func coerceLines(target reflect.Value, text, name string) *Failure {
	if strings.HasPrefix(strings.TrimSpace(text), "[") && jsontext.Value(text).IsValid() {
		return coerce(target, jsontext.Value(text), name)
	}
	var items []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			items = append(items, line)
		}
	}
	target.Set(reflect.ValueOf(items).Convert(target.Type()))
	return nil
}

// coerceList sets a list of strings or of structs from a JSON array.
func coerceList(target reflect.Value, value jsontext.Value, name string) *Failure {
	dec := jsontext.NewDecoder(bytes.NewReader(value))
	if _, err := dec.ReadToken(); err != nil {
		return syntaxFailure(err)
	}
	list := reflect.MakeSlice(target.Type(), 0, 4)
	for i := 0; dec.PeekKind() != ']'; i++ {
		raw, err := dec.ReadValue()
		if err != nil {
			return syntaxFailure(err)
		}
		item := reflect.New(target.Type().Elem()).Elem()
		if err := coerceItem(item, raw, fmt.Sprintf("%s[%d]", name, i)); err != nil {
			return err
		}
		list = reflect.Append(list, item)
	}
	target.Set(list)
	return nil
}

func coerceItem(item reflect.Value, raw jsontext.Value, name string) *Failure {
	if item.Kind() != reflect.Struct {
		return coerce(item, raw, name)
	}
	if raw.Kind() != '{' {
		return failf(CodeInvalidInput, "%q must be an object, not %s", name, withArticle(kindName(raw.Kind())))
	}
	o, err := parseObject(raw)
	if err != nil {
		return err
	}
	fields := fieldsOf(item.Type())
	given, err := fill(item, fields, o.members)
	if err == nil && o.id != nil {
		err = unknownField("id", fields)
	}
	if err == nil {
		err = checkFields(item, fields, given, nil)
	}
	if err != nil {
		err.Message = fmt.Sprintf("in %q: %s", name, err.Message)
	}
	return err
}

// setDefaults gives every field the default of its tag.
func setDefaults(v reflect.Value, fields []field) *Failure {
	for _, f := range fields {
		if f.hasDef {
			if err := coerceText(v.Field(f.index), f.def, f.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFields holds the values against the tags: what must be there, the words and the numbers allowed. Flags and JSON
// both end here.
func checkFields(v reflect.Value, fields []field, given map[string]bool, limits *Limits) *Failure {
	for _, f := range fields {
		if f.need && !given[f.name] {
			return missing(f, fields)
		}
		if err := f.checkWord(v.Field(f.index)); err != nil {
			return err
		}
		if err := f.checkNumber(v.Field(f.index), given[f.name], limits); err != nil {
			return err
		}
	}
	return nil
}

// missing names what a request can't do without, if that is more than the one field.
func missing(f field, fields []field) *Failure {
	fail := failf(CodeInvalidInput, "%q is missing", f.name)
	var needed []string
	for _, f := range fields {
		if f.need {
			needed = append(needed, f.name)
		}
	}
	if len(needed) < 2 {
		return fail
	}
	return fail.hint("needed are %s", strings.Join(needed, " and "))
}

// checkWord replaces an alias of a value by the value.
func (f field) checkWord(v reflect.Value) *Failure {
	if len(f.oneOf) == 0 {
		return nil
	}
	var known []string
	for _, allowed := range f.oneOf {
		word, means, alias := strings.Cut(allowed, "=")
		switch {
		case word != v.String() && !alias:
			known = append(known, word)
		case word != v.String():
		case alias:
			v.SetString(means)
			return nil
		default:
			return nil
		}
	}
	fail := failf(CodeInvalidInput, "%q can't be %q", f.name, v.String())
	return fail.hint("it is one of %s", strings.Join(known, ", "))
}

func (f field) checkNumber(v reflect.Value, given bool, limits *Limits) *Failure {
	if f.kind != reflect.Int && f.kind != reflect.Int64 || v.Kind() == reflect.Pointer {
		return nil
	}
	n := v.Int()
	switch {
	case f.signed && n == 0:
		return failf(CodeInvalidInput, "%q can't be 0", f.name).hint("lines are counted from 1; negative ones from the end")
	case f.signed:
		return nil
	case n < 0 && (f.def == "0" || f.zero):
		return failf(CodeInvalidInput, "%q can't be negative", f.name)
	case n < 0, n == 0 && f.def != "0" && !f.zero:
		return failf(CodeInvalidInput, "%q must be greater than 0, not %d", f.name, n)
	}
	limit, name := limits.of(f.cap)
	if limit > 0 && n > limit {
		if !given { // a default gives way to the operator's limit
			v.SetInt(limit)
			return nil
		}
		fail := failf(CodeInvalidInput, "%q can be at most %d", f.name, limit)
		if name != "" {
			fail.hint("the operator's limit %s decides", name)
		}
		return fail
	}
	return nil
}
