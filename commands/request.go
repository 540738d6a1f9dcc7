package commands

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// fill sets the fields of the struct v from members. Absent fields and nulls are left as they are.
// It returns the names of the fields that were given.
func fill(v reflect.Value, fields []field, members []member) (given map[string]bool, err *answer.Failure) {
	given = make(map[string]bool, len(members))
	for i, m := range members {
		f, base64, ok := findField(fields, m.name)
		if !ok {
			return nil, unknownFields(members, fields)
		}
		if m.isAbsent(base64) {
			continue
		}
		if given[f.name] {
			return nil, answer.Failf(answer.CodeInvalidInput, "%q is given twice, as %q and as %q", f.name, lastName(fields, f, members[:i]),
				m.name).
				WithHint("give one of them")
		}
		given[f.name] = true
		if err := m.checkSize(f); err != nil {
			return nil, err
		}
		if err := setField(v.Field(f.index), m, base64); err != nil {
			return nil, hintType(err, f, m.value.Kind())
		}
	}
	return given, nil
}

// checkSize refuses a value that is too long, before it is copied.
func (m member) checkSize(of field) *answer.Failure {
	switch {
	case (of.name == "expected_text" || of.name == "edits") && len(m.value) > maxEditValue:
		return answer.Failf(answer.CodeInvalidInput, "%q has %d bytes of JSON, and can have at most %d", of.name, len(m.value), maxEditValue).
			WithHint("give only so much of the old text that it occurs once, make the edits in several calls, or replace the file with write")
	case of.name == "patch":
		return checkPatchSize(`"patch"`, len(m.value))
	case of.isPath() && len(m.value) > longestPathValue:
		return failureOf(&dir.PathError{Path: textio.Shorten(m.value[1 : len(m.value)-1]), Err: dir.PathTooLong})
	}
	return nil
}

// isAbsent reports whether a member is as good as none.
func (m member) isAbsent(base64 bool) bool {
	return m.value.Kind() == 'n' || base64 && string(m.value) == `""`
}

// maxItems is the most items that a list of a request may have.
const maxItems = 1000

func checkLength(name string, items int) *answer.Failure {
	if items <= maxItems {
		return nil
	}
	return answer.Failf(answer.CodeInvalidInput, "%q can have at most %d items", name, maxItems).WithHint("send them in parts")
}

// countItems counts the items of a JSON array before they are decoded into memory. It stops at the
// first one over maxItems. For any other value it is 0.
func countItems(value jsontext.Value) int {
	if value.Kind() != '[' {
		return 0
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(value))
	if _, err := dec.ReadToken(); err != nil {
		return 0
	}
	for n := 0; ; n++ {
		if n > maxItems || dec.PeekKind() == ']' || dec.SkipValue() != nil {
			return n
		}
	}
}

// lastName is the name that the last of some members has for a field.
func lastName(fields []field, of field, members []member) (name string) {
	for _, m := range members {
		if f, base64, known := findField(fields, m.name); known && f.name == of.name && !m.isAbsent(base64) {
			name = m.name
		}
	}
	return name
}

// hintType says what to send instead of a value of a wrong type, where models often send that.
func hintType(f *answer.Failure, to field, kind jsontext.Kind) *answer.Failure {
	switch {
	case to.isPath() && kind == '[':
		return f.WithHint(onePath)
	case to.name == "query" && kind == '[':
		return f.WithHint(`for one of several texts set use_regex and give "a|b"; else send a request for each`)
	case to.name == "content" && (kind == '[' || kind == '{'):
		return f.WithHint("the content is one string: send JSON as text, and lines joined by \\n")
	case to.name == "diff" && kind == '"':
		return f.WithHint(`"diff" only says whether the answer has one: what is to be applied goes to the tool patch, as "patch"`)
	}
	return f
}

// maxEditValue is how long the texts of an edit may be in JSON, in bytes: the text, its forms with
// other line ends, and the file all take memory at once.
const maxEditValue = 4 << 20

// longestPathValue is more than any path takes that isn't too long, in base64 or with an escape for
// each byte. A longer one is refused before it is copied.
const longestPathValue = 8 * words.LongestName

// The most unknown fields that a failure names, and how many of them it gives a hint for.
const (
	maxUnknown      = 20
	maxUnknownHints = 3
)

// unknownFields refuses the unknown fields of a request, all in one answer, so that the next
// request can be right.
func unknownFields(members []member, fields []field) *answer.Failure {
	var unknown, quoted, hints []string
	for _, m := range members {
		if _, _, known := findField(fields, m.name); known || len(unknown) == maxUnknown {
			continue
		}
		unknown, quoted = append(unknown, m.name), append(quoted, strconv.Quote(m.name))
		if hint := hintField(m.name, fields); hint != "" && len(hints) < maxUnknownHints {
			hints = append(hints, fmt.Sprintf("%q: %s", m.name, hint))
		}
	}
	if len(unknown) == 1 {
		return unknownField(unknown[0], fields)
	}
	f := answer.Failf(answer.CodeInvalidInput, "unknown fields %s", strings.Join(quoted, ", "))
	if len(hints) == 0 {
		return hintKnown(f, fields)
	}
	return f.WithHint("%s", strings.Join(hints, "; "))
}

func unknownField(name string, fields []field) *answer.Failure {
	f := answer.Failf(answer.CodeInvalidInput, "unknown field %q", name)
	if hint := hintField(name, fields); hint != "" {
		return f.WithHint("%s", hint)
	}
	return hintKnown(f, fields)
}

// hintField tells the field that an unknown one may mean, "" if none is like it.
func hintField(name string, fields []field) string {
	if advice := elsewhere(name, fields); advice != "" {
		return advice
	}
	if nearest := textio.Nearest(name, offered(fields)); nearest != "" {
		return fmt.Sprintf("did you mean %q?", nearest)
	}
	return ""
}

func hintKnown(f *answer.Failure, fields []field) *answer.Failure {
	if len(fields) == 0 {
		return f.WithHint("there are no fields here: send {}")
	}
	return f.WithHint("known fields: %s", strings.Join(offered(fields), ", "))
}

// offered are the names that a hint may tell: not that of a token, which only an answer that asks
// for one does.
func offered(fields []field) []string {
	return names(slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return f.flagName == "approval-token" }))
}

func setField(target reflect.Value, m member, isBase64 bool) *answer.Failure {
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

func decodeBase64(name, text string) (string, *answer.Failure) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", answer.Failf(answer.CodeInvalidInput, "%q is not base64", name)
	}
	return string(raw), nil
}

// setDefaults gives every field the default of its tag.
func setDefaults(v reflect.Value, fields []field) *answer.Failure {
	for _, f := range fields {
		if f.hasDef {
			if err := coerceText(v.Field(f.index), f.def, f.name); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkFields checks the values against the tags: required fields, allowed words and numbers.
// Requests from flags and from JSON both pass through it.
func checkFields(v reflect.Value, fields []field, given map[string]bool, limits *Limits) *answer.Failure {
	if name := lacking(fields, given); name != "" {
		return answer.Failf(answer.CodeInvalidInput, "%q is missing", name).WithHint("%s", neededForm(fields))
	}
	for _, f := range fields {
		if f.kind == reflect.Slice {
			if err := checkLength(f.name, v.Field(f.index).Len()); err != nil {
				return err
			}
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

// lacking names the first required field that is absent, "" if none is.
func lacking(fields []field, given map[string]bool) string {
	for _, f := range fields {
		if f.need && !given[f.name] {
			return f.name
		}
	}
	return ""
}

// neededForm shows a request object with the fields that it must have.
func neededForm(fields []field) string {
	var members []string
	for _, f := range fields {
		if f.need || f.needJSON {
			members = append(members, fmt.Sprintf("%q: \"...\"", f.name))
		}
	}
	return "send {" + strings.Join(members, ", ") + "}"
}

// checkWord replaces an alias of a value by the value.
func (f field) checkWord(v reflect.Value) *answer.Failure {
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
	fail := answer.Failf(answer.CodeInvalidInput, "%q can't be %q", f.name, v.String())
	return fail.WithHint("it is one of %s", strings.Join(known, ", "))
}

func (f field) checkNumber(v reflect.Value, given bool, limits *Limits) *answer.Failure {
	if !isInteger(v.Kind()) {
		return nil
	}
	least, _ := f.bounds(limits)
	switch n := v.Int(); {
	case f.signed && n == 0:
		return answer.Failf(answer.CodeInvalidInput, "%q can't be 0", f.name).WithHint("lines are counted from 1; negative ones from the end")
	case n < least && least == 0:
		return answer.Failf(answer.CodeInvalidInput, "%q can't be negative", f.name)
	case n < least:
		return answer.Failf(answer.CodeInvalidInput, "%q must be greater than 0, not %d", f.name, n)
	}
	return f.checkLimit(v, given, limits)
}

func (f field) checkLimit(v reflect.Value, given bool, limits *Limits) *answer.Failure {
	limit, name := limits.of(f.cap)
	switch {
	case limit == 0 || v.Int() <= limit:
		return nil
	case !given: // a default above the operator's limit is lowered to it
		v.SetInt(limit)
		return nil
	}
	fail := answer.Failf(answer.CodeInvalidInput, "%q can be at most %d", f.name, limit)
	if name != "" {
		fail.WithHint("the operator's limit %s decides", name)
	}
	return fail
}
