package request

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Coerce sets target from a JSON value. A value of another type is accepted if its meaning is
// plain: "200" for 200, "true" for true, a string for a list of one.
func Coerce(target reflect.Value, value jsontext.Value, name string) *answer.Failure {
	kind, isNumber := value.Kind(), IsInteger(target.Kind()) && target.Type() != DurationType
	isShort := isNumber || target.Kind() == reflect.Bool
	switch {
	case target.Kind() == reflect.Slice:
		return coerceSlice(target, value, name)
	case target.Kind() == reflect.Pointer && kind != '"':
		target.Set(reflect.New(target.Type().Elem()))
		return Coerce(target.Elem(), value, name)
	case kind == '"' && !(isShort && len(value) > words.LongestName):
		if fail := CoerceText(target, Unquoted(value), name); fail != nil {
			return showForm(fail, target, name)
		}
		return nil
	case target.Kind() == reflect.Bool && (kind == 't' || kind == 'f'):
		target.SetBool(kind == 't')
		return nil
	case isNumber && kind == '0':
		if fail := CoerceText(target, value.String(), name); fail != nil {
			return showForm(fail, target, name)
		}
		return nil
	}
	return wrongKind(target, kind, name)
}

// coerceSlice is coerce for a list: a list that was written as text, or one item without brackets,
// is accepted.
func coerceSlice(target reflect.Value, value jsontext.Value, name string) *answer.Failure {
	item := target.Type().Elem().Kind()
	switch kind := value.Kind(); {
	case kind == '"' && isListText(target, Unquoted(value)):
		return Coerce(target, jsontext.Value(Unquoted(value)), name)
	case kind == '{' && item == reflect.Struct:
		return coerceList(target, slices.Concat([]byte("["), value, []byte("]")), name)
	case kind == '"' && item == reflect.String:
		target.Set(reflect.ValueOf([]string{Unquoted(value)}).Convert(target.Type()))
		return nil
	case kind != '[':
		return wrongKind(target, kind, name)
	}
	return coerceList(target, value, name)
}

func wrongKind(target reflect.Value, kind jsontext.Kind, name string) *answer.Failure {
	return showForm(answer.Failf(answer.CodeInvalidInput, "%q must be %s, not %s", name, wantOf(target), KindName(kind)), target, name)
}

func IsInteger(kind reflect.Kind) bool { return kind == reflect.Int || kind == reflect.Int64 }

// isListText reports whether a list was written as JSON once more, as a string. A glob may begin
// with a bracket as well, but not with one and a quote.
func isListText(target reflect.Value, text string) bool {
	text = strings.TrimSpace(text)
	if target.Type().Elem().Kind() == reflect.String && !strings.HasPrefix(text, `["`) {
		return false
	}
	return (strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{")) && jsontext.Value(text).IsValid()
}

// formed is implemented by types that say how their values are written.
type formed interface{ Form(field string) string }

// showForm adds how a value of a field is written, unless the message shows it.
func showForm(f *answer.Failure, target reflect.Value, name string) *answer.Failure {
	if own, ok := target.Interface().(formed); ok {
		return f.WithHint("%s", own.Form(name))
	}
	_, saysItself := target.Addr().Interface().(encoding.TextUnmarshaler)
	form := TypeOf(target.Type()).form
	if f.Hint != "" || saysItself || strings.Contains(name, "[") || form == "" {
		return f
	}
	return f.WithHint("it is written {%q: %s}", name, form)
}

// wantOf says what a value is to be.
func wantOf(target reflect.Value) string {
	if want := TypeOf(target.Type()).Want; want != "" {
		return want
	}
	return KindOf(target.Kind()).Want // an item of a list
}

// Unquoted gives the text of a JSON string that was parsed.
func Unquoted(value jsontext.Value) string {
	if text, ok := textio.Unescape(value[1 : len(value)-1]); ok {
		return text
	}
	raw, err := jsontext.AppendUnquote(make([]byte, 0, len(value)), value)
	if err != nil {
		return "" // can't happen: the value was parsed
	}
	return string(raw)
}

// WordOf is unquote for a text that is short unless it is wrong: of a long one it gives the ends.
func WordOf(value jsontext.Value) string {
	if len(value) > words.LongestName {
		return textio.Shorten(value[1 : len(value)-1])
	}
	return Unquoted(value)
}

// CoerceText sets target from text, as it comes from JSON strings, tags and the environment.
func CoerceText(target reflect.Value, text, name string) *answer.Failure {
	if u, ok := target.Addr().Interface().(encoding.TextUnmarshaler); ok {
		if err := u.UnmarshalText([]byte(text)); err != nil {
			return mustBe(err.Error(), name)
		}
		return nil
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		return CoerceText(target.Elem(), text, name)
	case reflect.String:
		target.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return mustBe(wantOf(target), name)
		}
		target.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, ok := ParseInteger(target.Type(), text)
		switch {
		case ok:
			target.SetInt(n)
		case target.Type() != DurationType && IsHuge(text):
			return mustBe(ShorterInteger, name)
		default:
			return mustBe(wantOf(target), name)
		}
	case reflect.Slice:
		return coerceLines(target, text, name)
	}
	return nil
}

// mustBe says what a value is to be.
func mustBe(want, name string) *answer.Failure {
	return answer.Failf(answer.CodeInvalidInput, "%q must be %s", name, want)
}

func ParseInteger(t reflect.Type, text string) (int64, bool) {
	if t == DurationType {
		d, err := time.ParseDuration(text)
		return int64(d), err == nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	if !isDecimal(text) {
		return 0, false
	}
	// 2e2 and 200.0 are integers too. From 2^53 on a float can't represent every integer.
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// isDecimal is false for what else Go takes for a number, such as 1_0 and 0x1p3.
func isDecimal(text string) bool { return strings.Trim(text, "0123456789+-.eE") == "" }

// ShorterInteger describes the value that is expected instead of an integer that is too large. With
// 16 digits or more, a float can't represent every integer exactly.
const ShorterInteger = "an integer of at most 15 digits"

// IsHuge reports whether an integer is refused only because it is too large.
func IsHuge(text string) bool {
	if !isDecimal(text) {
		return false
	}
	f, err := strconv.ParseFloat(text, 64)
	return errors.Is(err, strconv.ErrRange) || (err == nil && math.Abs(f) >= 1<<53 && !math.IsInf(f, 0))
}

// coerceLines sets a list from text: a JSON array, or one item a line. Blanks in a line are a part
// of the item, as they are in a flag. Any other JSON, and a broken list, is no item.
func coerceLines(target reflect.Value, text, name string) *answer.Failure {
	trimmed := strings.TrimSpace(text)
	isJSON := jsontext.Value(trimmed).IsValid()
	if strings.HasPrefix(trimmed, "[") && isJSON {
		return Coerce(target, jsontext.Value(trimmed), name)
	}
	isOther := isJSON && (trimmed == "null" || strings.ContainsAny(trimmed[:1], `"{`))
	if isOther || strings.HasPrefix(trimmed, `["`) || strings.HasPrefix(trimmed, `{"`) {
		return mustBe(wantOf(target), name).WithHint(`one item a line, or a JSON list: ["a", "b"]`)
	}
	var items []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			items = append(items, line)
		}
	}
	target.Set(reflect.ValueOf(items).Convert(target.Type()))
	return nil
}

// coerceList sets a list of strings or of structs from a JSON array.
func coerceList(target reflect.Value, value jsontext.Value, name string) *answer.Failure {
	dec := jsontext.NewDecoder(bytes.NewBuffer(value)) // which copies nothing
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

func coerceItem(item reflect.Value, raw jsontext.Value, name string) *answer.Failure {
	if item.Kind() != reflect.Struct {
		return Coerce(item, raw, name)
	}
	if raw.Kind() != '{' {
		return showForm(answer.Failf(answer.CodeInvalidInput, "%q must be an object, not %s", name, KindName(raw.Kind())), item, name)
	}
	o, err := ParseObject(raw)
	if err != nil {
		return err
	}
	fields := Fields(item.Type())
	given, err := Fill(item, fields, o.Members)
	if err == nil && o.ID != nil {
		err = UnknownField("id", fields)
	}
	if err == nil {
		err = CheckFields(item, fields, given, nil)
	}
	if err != nil {
		err.Message = fmt.Sprintf("in %q: %s", name, err.Message)
	}
	return err
}

// IsBlank tells a blank of JSON.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
