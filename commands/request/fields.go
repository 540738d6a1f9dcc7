package request

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"fsbox/commands/hint"
	"fsbox/commands/words"
)

// Field is one field of a request or settings struct, as its tags declare it. The tags are the only
// declaration: from them come the flag, the JSON key, the default, the help and the checks.
//
//	json:"start_line"    key in JSON and in the config file; the flag is the same with "-" for "_"
//	name:"start"         name of the flag, where it isn't that of the key
//	arg:""               positional on the command line, in the order of the struct
//	default:"1"          what an absent field has
//	aliases:"a,b"        other names, as keys and as flags; "path" has pathAliases besides, where it is positional
//	habit:"a,b"          a field that other programs have, which stands for a and b here
//	habit:"!a"           one that is the opposite of the boolean a; it is a *bool, since false says something
//	oneof:"a,b"          the only values allowed; "a=b" takes a and means b
//	words:"a,b"          the same for schemas only: the command itself checks the value
//	need:""              must be given; need:"json" in JSON only: another flag may bring it
//	signed:""            an integer that may be negative, though not 0
//	zero:""              an integer that may be 0 though that isn't its default
//	rare:""              a model hardly ever needs it: it is taken, but defined only with --all-fields
//	cap:"results"        an integer that a limit bounds: results, output or context
type Field struct {
	Name    string
	Index   int
	Def     string
	HasDef  bool
	Aliases []string
	Habit   bool     // taken, but described by no schema and named by no hint
	Means   []string // the fields that a habit stands for
	OneOf   []string
	Arg     bool
	Need    bool
	Signed  bool
	Rare    bool
	zero    bool
	Cap     string
	Kind    reflect.Kind // of the value, or of what it points to
	Type    reflect.Type // the same; TypeOf tells what it is for callers

	Flag     string // its name on the command line
	Repeats  bool   // it may be given several times there, and each adds to a list
	NeedJSON bool
}

// pathAliases are what other programs' tools call the one path that a request is about.
var pathAliases = [...]string{"file_path", "filePath", "filepath", "dirPath", "dir_path", "dirpath", "filename", "notebook_path", "paths"}

// Tags are what the tags of a struct type say. Nobody may change them.
type Tags struct {
	Fields     []Field       // that JSON has
	LineFields []Field       // with those that only a command line has
	Defaults   reflect.Value // a struct of which no field was given
}

// tags keeps them: a stream has many calls of one tool, and a list may have a thousand items.
var tags sync.Map // of reflect.Type to Tags

// Fields are the fields of a struct type that JSON has.
func Fields(t reflect.Type) []Field { return TagsOf(t).Fields }

// TagsOf reads the tags of a struct type. A field without a json name is for the command line only,
// and has the name of its flag.
func TagsOf(t reflect.Type) Tags {
	if known, ok := tags.Load(t); ok {
		return known.(Tags)
	}
	of := Tags{make([]Field, 0, t.NumField()), make([]Field, 0, t.NumField()), reflect.New(t).Elem()}
	for i := range t.NumField() {
		sf := t.Field(i)
		f := Field{Index: i, Type: sf.Type}
		f.readTag(string(sf.Tag))
		if f.Flag == "" {
			f.Flag = FlagOf(f.Name)
		}
		if f.Name == "path" && f.Arg && f.Aliases == nil {
			f.Aliases = pathAliases[:]
		}
		onLine := f.Name == "-"
		if onLine {
			f.Name = KeyOf(f.Flag)
		}
		if f.Type.Kind() == reflect.Pointer {
			f.Type = f.Type.Elem()
		}
		f.Kind = f.Type.Kind()
		f.Repeats = f.Kind == reflect.Slice && sf.Type.Name() == ""
		if f.Name == "" {
			continue
		}
		if of.LineFields = append(of.LineFields, f); !onLine {
			of.Fields = append(of.Fields, f)
		}
	}
	SetDefaults(of.Defaults, of.LineFields)
	tags.Store(t, of)
	return of
}

// readTag goes through a struct tag once, up to the help text, which is the last. Looking up nine
// keys one by one would take longer than the work of a call. No value before the help text has a
// quote or a backslash.
func (f *Field) readTag(tag string) {
	for tag != "" {
		key, rest, ok := strings.Cut(tag, `:"`)
		if !ok || key == "help" {
			return
		}
		value, rest, _ := strings.Cut(rest, `"`)
		tag = strings.TrimPrefix(rest, " ")
		switch key {
		case "json":
			f.Name, _, _ = strings.Cut(value, ",")
		case "name":
			f.Flag = value
		case "default":
			f.Def, f.HasDef = value, true
		case "arg":
			f.Arg = true
		case "need":
			f.Need, f.NeedJSON = value == "", value != ""
		case "signed":
			f.Signed = true
		case "rare":
			f.Rare = true
		case "zero":
			f.zero = true
		case "cap":
			f.Cap = value
		case "aliases":
			f.Aliases = strings.Split(value, ",")
		case "habit":
			f.Habit, f.Means = true, strings.Split(value, ",")
		case "oneof":
			f.OneOf = strings.Split(value, ",")
		}
	}
}

// Not begins the name of a field that a habit is the opposite of.
const Not = "!"

// FlagOf and KeyOf turn names of fields into names of flags, and back.
func FlagOf(key string) string { return strings.ReplaceAll(key, "_", "-") }
func KeyOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// IsPath reports whether a field is one of those that name a file, each of which has a raw bytes
// field name_base64 for names that aren't UTF-8.
func (f Field) IsPath() bool {
	return f.Kind == reflect.String && (f.Name == "path" || f.Name == "source_path" || f.Name == "from" || f.Name == "to")
}

// FindField looks a name up among names, aliases and raw bytes fields.
func FindField(fields []Field, name string) (f Field, base64 bool, ok bool) {
	for _, f := range fields {
		if f.Name == name || slices.Contains(f.Aliases, name) {
			return f, false, true
		}
		if f.IsPath() && name == f.Name+words.Base64Suffix {
			return f, true, true
		}
	}
	return Field{}, false, false
}

func Names(fields []Field) []string {
	return words.Mapped(fields, func(f Field) string { return f.Name })
}

// Elsewhere says what our name is for a field that other programs call differently.
func Elsewhere(name string, fields []Field) string {
	return hint.Field(name, func(ours string) bool {
		f, _, here := FindField(fields, ours)
		return here && f.Name == ours
	})
}

// ElsewhereFlag is elsewhere for a command line: it names flags.
func ElsewhereFlag(name string, fields []Field) string {
	sentence := Elsewhere(name, fields)
	for _, f := range fields {
		sentence = strings.ReplaceAll(sentence, `"`+f.Name+`"`, "--"+FlagOf(f.Name))
	}
	return sentence
}

// OnePath is what a request with several paths is told.
const OnePath = "path is one file or directory: send a request for each"

func SplitList(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// PlainWords are the words of a list without those that mean another one.
func PlainWords(list []string) []string {
	return slices.DeleteFunc(list, func(word string) bool { return strings.Contains(word, "=") })
}

// Words are the values that a field may have, without the aliases of values. The tag "words" names
// them where the command itself checks them.
func (f Field) Words(tag reflect.StructTag) []string {
	return PlainWords(slices.Concat(f.OneOf, SplitList(tag.Get("words"))))
}

// Limits bound what one request may ask for and get. Sizes are in bytes.
type Limits struct {
	MaxReadBytes   int64         `json:"max_read_bytes"`
	MaxOutputBytes int64         `json:"max_output_bytes"`
	MaxAnswerChars int64         `json:"max_answer_chars"`
	MaxWriteBytes  int64         `json:"max_write_bytes"`
	MaxResults     int64         `json:"max_results"`
	MaxJSON        int64         `json:"-"` // of lists and texts in the JSON form, where it goes to a model beside the text form; 0: MaxOutputBytes
	Timeout        time.Duration `json:"-"`
}

// MaxContext is the most lines around a match. Each match carries its own, so this bounds an
// answer's work.
const MaxContext = 500

// of gives the limit that a cap tag names, 0 if there is none. See field.
func (l *Limits) of(cap string) (limit int64, name string) {
	switch {
	case l == nil:
		return 0, ""
	case cap == "results":
		return l.MaxResults, "max_results"
	case cap == "context":
		return MaxContext, ""
	case cap == "output":
		return l.MaxOutputBytes, "max_output_bytes"
	}
	return 0, ""
}
