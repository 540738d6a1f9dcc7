package commands

import (
	"reflect"
	"strings"

	"fsbox/commands/hint"
	"fsbox/commands/words"
)

// field is one field of a request or settings struct, as its tags declare it. The tags are the only
// declaration: from them come the flag, the JSON key, the default, the help and the checks.
//
//	json:"start_line"    key in JSON and in the config file; the flag is the same with "-" for "_"
//	name:"start"         name of the flag, where it isn't that of the key
//	arg:""               positional on the command line, in the order of the struct
//	default:"1"          what an absent field has
//	aliases:"a,b"        other names, as keys and as flags
//	oneof:"a,b"          the only values allowed; "a=b" takes a and means b
//	words:"a,b"          the same for schemas only: the command itself checks the value
//	need:""              must be given; need:"json" in JSON only: another flag may bring it
//	signed:""            an integer that may be negative, though not 0
//	zero:""              an integer that may be 0 though that isn't its default
//	cap:"results"        an integer that a limit bounds: results, output or context
type field struct {
	name    string
	index   int
	def     string
	hasDef  bool
	aliases []string
	oneOf   []string
	arg     bool
	need    bool
	signed  bool
	zero    bool
	cap     string
	kind    reflect.Kind // of the value, or of what it points to

	flagName string // "" for the usual
	needJSON bool
}

// fieldsOf reads the tags of a struct type. Fields without a json name are for the command line
// only and left out.
func fieldsOf(t reflect.Type) []field {
	fields := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		sf := t.Field(i)
		f := field{index: i, kind: sf.Type.Kind()}
		f.readTag(string(sf.Tag))
		if f.kind == reflect.Pointer {
			f.kind = sf.Type.Elem().Kind()
		}
		if f.name != "" && f.name != "-" {
			fields = append(fields, f)
		}
	}
	return fields
}

// readTag goes through a struct tag once, up to the help text, which is the last. Looking up nine
// keys one by one would take longer than the work of a call. No value before the help text has a
// quote or a backslash.
func (f *field) readTag(tag string) {
	for tag != "" {
		key, rest, ok := strings.Cut(tag, `:"`)
		if !ok || key == "help" {
			return
		}
		value, rest, _ := strings.Cut(rest, `"`)
		f.take(key, value)
		tag = strings.TrimPrefix(rest, " ")
	}
}

func (f *field) take(key, value string) {
	switch key {
	case "json":
		f.name, _, _ = strings.Cut(value, ",")
	case "name":
		f.flagName = value
	case "default":
		f.def, f.hasDef = value, true
	case "arg":
		f.arg = true
	case "need":
		f.need, f.needJSON = value == "", value != ""
	case "signed":
		f.signed = true
	case "zero":
		f.zero = true
	case "cap":
		f.cap = value
	case "aliases":
		f.aliases = splitList(value)
	case "oneof":
		f.oneOf = splitList(value)
	}
}

func splitList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// flag is the field's name on the command line.
func (f field) flag() string {
	if f.flagName != "" {
		return f.flagName
	}
	return flagOf(f.name)
}

// flagOf and keyOf turn names of fields into names of flags, and back.
func flagOf(key string) string { return strings.ReplaceAll(key, "_", "-") }
func keyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// isPath reports whether a field is one of those that name a file, each of which has a twin
// name_base64 for names that aren't UTF-8.
func (f field) isPath() bool {
	return f.kind == reflect.String && (f.name == "path" || f.name == "from" || f.name == "to")
}

// findField looks a name up among names, aliases and base64 twins.
func findField(fields []field, name string) (f field, base64 bool, ok bool) {
	for _, f := range fields {
		if f.name == name {
			return f, false, true
		}
		for _, a := range f.aliases {
			if a == name {
				return f, false, true
			}
		}
		if f.isPath() && name == f.name+words.Base64Suffix {
			return f, true, true
		}
	}
	return field{}, false, false
}

func names(fields []field) []string {
	return words.Mapped(fields, func(f field) string { return f.name })
}

// elsewhere says what our name is for a field that other programs call differently.
func elsewhere(name string, fields []field) string {
	return hint.Field(name, func(ours string) bool {
		f, _, here := findField(fields, ours)
		return here && f.name == ours
	})
}

// elsewhereFlag is elsewhere for a command line: it names flags.
func elsewhereFlag(name string, fields []field) string {
	sentence := elsewhere(name, fields)
	for _, f := range fields {
		sentence = strings.ReplaceAll(sentence, `"`+f.name+`"`, "--"+flagOf(f.name))
	}
	return sentence
}
