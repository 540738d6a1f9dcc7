package request

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Without leaves out of the members of a request those with some names.
func Without(members []Member, names []string) []Member {
	named := func(m Member) bool { return slices.Contains(names, m.Name) }
	if !slices.ContainsFunc(members, named) {
		return members
	}
	return slices.DeleteFunc(slices.Clone(members), named)
}

// Fill sets the fields of the struct v from members. Absent fields and nulls are left as they are.
// It returns the names of the fields that were given.
func Fill(v reflect.Value, fields []Field, members []Member) (given map[string]bool, err *answer.Failure) {
	given = make(map[string]bool, len(members))
	for i, m := range members {
		f, base64, ok := FindField(fields, m.Name)
		switch {
		case ok:
		case m.IsIdle():
			continue
		default:
			return nil, UnknownFields(members, fields)
		}
		if m.isAbsent(base64) {
			continue
		}
		if given[f.Name] {
			return nil, answer.Failf(answer.CodeInvalidInput, "%q is given twice, as %q and as %q", f.Name, lastName(fields, f, members[:i]),
				m.Name).
				WithHint("give one of them")
		}
		given[f.Name] = true
		if m.Name == listedPath {
			m.Value = onlyItem(m.Value)
		}
		if len(m.Value) > longestPathValue {
			if err := m.checkSize(f); err != nil {
				return nil, err
			}
		}
		set := Coerce
		if base64 {
			set = coerceBase64
		}
		if err := set(v.Field(f.Index), m.Value, m.Name); err != nil {
			return nil, hintType(err, f, m.Value.Kind())
		}
	}
	return given, nil
}

// listedPath is the alias of path that some programs give a list.
const listedPath = "paths"

// onlyItem is the item of a list of one text. Any other value is given back as it is.
func onlyItem(value jsontext.Value) jsontext.Value {
	if value.Kind() != '[' {
		return value
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(value))
	if _, err := dec.ReadToken(); err != nil || dec.PeekKind() != '"' {
		return value
	}
	item, err := dec.ReadValue()
	if err != nil || dec.PeekKind() != ']' {
		return value
	}
	return item.Clone()
}

// checkSize refuses a value that is too long, before it is copied. A path can have the fewest
// bytes: longestPathValue.
func (m Member) checkSize(of Field) *answer.Failure {
	switch {
	case (of.Name == "expected_text" || of.Name == "edits") && len(m.Value) > maxEditValue:
		return answer.Failf(answer.CodeInvalidInput, "%q has %d bytes of JSON, and can have at most %d", of.Name, len(m.Value), maxEditValue).
			WithHint("give only as much of the old text as makes it unique, make the edits in several calls, or replace the file with write")
	case of.Name == "patch":
		return CheckPatchSize(`"patch"`, len(m.Value))
	case of.IsPath():
		path := textio.Shorten(m.Value[1 : len(m.Value)-1])
		return answer.Failf(answer.CodeInvalidPath, "%v", &fserr.PathError{Path: path, Err: fserr.PathTooLong}).
			WithHint("such a long text belongs in another field").WithDetails(&answer.PathDetails{PathName: words.PathOf(path)})
	}
	return nil
}

// IsIdle reports whether a member changes nothing, whatever its name is: one without a value, and
// what clients tell of themselves.
func (m Member) IsIdle() bool { return m.Value.Kind() == 'n' || m.Name == metaMember }

// metaMember is the name that the Model Context Protocol has for what clients and servers add.
const metaMember = "_meta"

// isAbsent reports whether a member is as good as none.
func (m Member) isAbsent(base64 bool) bool {
	return m.Value.Kind() == 'n' || base64 && string(m.Value) == `""`
}

// MaxItems is the most items that a list of a request may have.
const MaxItems = 1000

// TooMany refuses a list of more than MaxItems.
func TooMany(name string) *answer.Failure {
	return answer.Failf(answer.CodeInvalidInput, "%q can have at most %d items", name, MaxItems).WithHint("send them in parts")
}

// CountItems counts the items of a JSON array before they are decoded into memory. It stops at the
// first one over MaxItems.
func CountItems(value jsontext.Value) int {
	dec := jsontext.NewDecoder(bytes.NewBuffer(value))
	if _, err := dec.ReadToken(); err != nil {
		return 0
	}
	for n := 0; ; n++ {
		if n > MaxItems || dec.PeekKind() == ']' || dec.SkipValue() != nil {
			return n
		}
	}
}

// lastName is the name that the last of some members has for a field.
func lastName(fields []Field, of Field, members []Member) (name string) {
	for _, m := range members {
		if f, base64, known := FindField(fields, m.Name); known && f.Name == of.Name && !m.isAbsent(base64) {
			name = m.Name
		}
	}
	return name
}

// hintType says what to send instead of a value of a wrong type, where models often send that.
func hintType(f *answer.Failure, to Field, kind jsontext.Kind) *answer.Failure {
	switch {
	case to.IsPath() && kind == '[':
		return f.WithHint(OnePath)
	case to.Name == "query" && kind == '[':
		return f.WithHint(`for one of several texts set use_regex and give "a|b"; else send a request for each`)
	case to.Name == "content" && (kind == '[' || kind == '{'):
		return f.WithHint("the content is one string: send JSON as text, and lines joined by \\n")
	case to.Name == "diff" && kind == '"':
		return f.WithHint(`"diff" only says whether the answer has one: to apply a diff, send it to the tool patch, as "patch"`)
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

// UnknownFields refuses the unknown fields of a request, all in one answer, so that the next
// request can be right.
func UnknownFields(members []Member, fields []Field) *answer.Failure {
	var unknown, quoted, hints []string
	named, other := map[string]string{}, false // the fields of a hint; one has none
	for _, m := range members {
		if _, _, known := FindField(fields, m.Name); known || m.IsIdle() || len(unknown) == maxUnknown {
			continue
		}
		unknown, quoted = append(unknown, m.Name), append(quoted, strconv.Quote(m.Name))
		switch hint := hintField(m.Name, fields); {
		case hint == "":
			other = true
		case named[hint] != "":
			named[hint] += ", " + bare(m.Name)
		case len(hints) < maxUnknownHints:
			hints, named[hint] = append(hints, hint), bare(m.Name)
		}
	}
	if len(unknown) == 1 {
		return UnknownField(unknown[0], fields)
	}
	f := answer.Failf(answer.CodeInvalidInput, "unknown fields %s", strings.Join(quoted, ", "))
	hints = words.Mapped(hints, func(hint string) string { return named[hint] + ": " + hint })
	if other {
		hints = append(hints, hintKnown(f, fields).Hint)
	}
	return f.WithHint("%s", strings.Join(hints, "; "))
}

// bare is a name of a field, in quotes only where it could be read as something else: some hosts
// show a failure as JSON, with a backslash before each quote.
func bare(name string) string {
	for _, r := range name {
		if r != '_' && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') && !('0' <= r && r <= '9') {
			return strconv.Quote(name)
		}
	}
	return name
}

func UnknownField(name string, fields []Field) *answer.Failure {
	f := answer.Failf(answer.CodeInvalidInput, "unknown field %q", name)
	if hint := hintField(name, fields); hint != "" {
		return f.WithHint("%s", hint)
	}
	return hintKnown(f, fields)
}

// hintField tells the field that an unknown one may mean, "" if none is like it.
func hintField(name string, fields []Field) string {
	if advice := Elsewhere(name, fields); advice != "" {
		return advice
	}
	if nearest := textio.Nearest(name, offered(fields)); nearest != "" {
		return fmt.Sprintf("did you mean %q?", nearest)
	}
	return ""
}

func hintKnown(f *answer.Failure, fields []Field) *answer.Failure {
	if len(fields) == 0 {
		return f.WithHint("it takes no fields: send {}")
	}
	return f.WithHint("known fields: %s", strings.Join(offered(fields), ", "))
}

// offered are the names that a hint may tell: no habits, and not that of a token, which only an
// answer that asks for one does.
func offered(fields []Field) []string {
	return Names(slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return f.Habit || f.Flag == "approval-token" }))
}

// coerceBase64 is Coerce for the raw bytes field of a path.
func coerceBase64(target reflect.Value, value jsontext.Value, name string) *answer.Failure {
	var text string
	if err := Coerce(reflect.ValueOf(&text).Elem(), value, name); err != nil {
		return err
	}
	path, err := DecodeBase64(name, text)
	if err != nil {
		return err
	}
	target.SetString(path)
	return nil
}

func DecodeBase64(name, text string) (string, *answer.Failure) {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", answer.Failf(answer.CodeInvalidInput, "%q is not base64", name)
	}
	return string(raw), nil
}

// SetDefaults gives every field the default of its tag. It panics if a tag has one that its field
// doesn't take, as regexp.MustCompile does.
func SetDefaults(v reflect.Value, fields []Field) {
	for _, f := range fields {
		if !f.HasDef {
			continue
		}
		if err := CoerceText(v.Field(f.Index), f.Def, f.Name); err != nil {
			panic("the default of a tag: " + err.Message)
		}
	}
}

// CheckFields checks the values against the tags: required fields, allowed words and numbers.
// Requests from flags and from JSON both pass through it.
func CheckFields(v reflect.Value, fields []Field, given map[string]bool, limits *Limits) *answer.Failure {
	if name := Lacking(fields, given); name != "" {
		return answer.Failf(answer.CodeInvalidInput, "%q is missing", name).WithHint("%s", neededForm(fields))
	}
	for _, f := range fields {
		if f.Kind == reflect.Slice && v.Field(f.Index).Len() > MaxItems {
			return TooMany(f.Name)
		}
		value := v.Field(f.Index)
		if fail := cmp.Or(f.CheckWord(value), f.CheckNumber(value, given[f.Name], limits)); fail != nil {
			return fail
		}
	}
	return nil
}

// Lacking names the first required field that is absent, "" if none is.
func Lacking(fields []Field, given map[string]bool) string {
	for _, f := range fields {
		if f.Need && !given[f.Name] {
			return f.Name
		}
	}
	return ""
}

// neededForm shows a request object with the fields that it must have.
func neededForm(fields []Field) string {
	var members []string
	for _, f := range fields {
		if f.Need || f.NeedJSON {
			members = append(members, fmt.Sprintf("%q: \"...\"", f.Name))
		}
	}
	return "send {" + strings.Join(members, ", ") + "}"
}

// CheckWord replaces an alias of a value by the value.
func (f Field) CheckWord(v reflect.Value) *answer.Failure {
	if len(f.OneOf) == 0 {
		return nil
	}
	var known []string
	for _, allowed := range f.OneOf {
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
	fail := answer.Failf(answer.CodeInvalidInput, "%q can't be %q", f.Name, v.String())
	return fail.WithHint("it is one of %s", strings.Join(known, ", "))
}

// CheckNumber refuses a number or duration out of the bounds of its tags. An absent number that the
// limits make too large is lowered.
func (f Field) CheckNumber(v reflect.Value, given bool, limits *Limits) *answer.Failure {
	if f.Type == DurationType {
		if v = reflect.Indirect(v); !given && !f.HasDef {
			return nil // it may be left out, as a pointer or as 0
		}
	}
	if !IsInteger(v.Kind()) {
		return nil
	}
	least, largest := f.Bounds(limits)
	switch n := v.Int(); {
	case f.Signed && n == 0:
		return answer.Failf(answer.CodeInvalidInput, "%q can't be 0", f.Name).WithHint("lines are counted from 1; negative ones from the end")
	case n < least && least == 0:
		return answer.Failf(answer.CodeInvalidInput, "%q can't be negative", f.Name).WithHint("%s", f.withoutIt())
	case n < least:
		return answer.Failf(answer.CodeInvalidInput, "%q must be greater than 0, not %v", f.Name, v.Interface()).WithHint("%s", f.withoutIt())
	case n > largest && !given: // a default above the operator's limit is lowered to it
		v.SetInt(largest)
	case n > largest:
		fail := answer.Failf(answer.CodeInvalidInput, "%q can be at most %d", f.Name, largest)
		if _, name := limits.of(f.Cap); name != "" {
			fail.WithHint("the operator's limit %s decides", name)
		}
		return fail
	}
	return nil
}

// withoutIt is what to do instead of giving a number that is refused, "" if there has to be one.
func (f Field) withoutIt() string {
	switch {
	case f.Need, f.NeedJSON:
		return ""
	case f.HasDef:
		return "omit it to use the default"
	}
	return "it can be omitted"
}

// Bounds are the least and the largest value of an integer, which CheckNumber holds values to.
func (f Field) Bounds(limits *Limits) (least, largest int64) {
	least, largest = 1, math.MaxInt64
	switch {
	case f.Signed:
		least = math.MinInt64
	case f.Def == "0" || f.zero:
		least = 0
	}
	if f.Cap != "" {
		if limit, _ := limits.of(f.Cap); limit > 0 {
			largest = limit
		}
	}
	return least, largest
}

// MaxPatchBytes is how long a patch may be, in JSON or as it is: with what is made of it and the
// file, it takes several times that.
const MaxPatchBytes = 8 << 20

// CheckPatchSize refuses a patch that is too long. It is never cut: the beginning of a patch can be
// a valid patch.
func CheckPatchSize(name string, size int) *answer.Failure {
	if size <= MaxPatchBytes {
		return nil
	}
	return answer.Failf(answer.CodeInvalidInput, "%s is larger than %d bytes", name, MaxPatchBytes).WithHint(HintParts)
}

// HintParts is the hint for a patch that is too large.
const HintParts = "send the patch in parts, each of fewer files or hunks"
