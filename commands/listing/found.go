package listing

import (
	"io/fs"
	"reflect"
	"strconv"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/textio"
)

// Entry is one name. Symlinks are listed, never followed.
type Entry struct {
	Name string `json:"name" mcp:"-"` // the last part of path
	words.PathName
	Type             string  `json:"type" mcp:"if"`               // file, directory, symlink, other; over MCP, absent for a file
	Size             int64   `json:"size" mcp:"-"`                // bytes
	Modified         float64 `json:"modified" mcp:"-"`            // seconds since 1970
	LinkTarget       string  `json:"link_target,omitzero"`        // relative to the root; absent if it escapes the workspace
	LinkTargetBase64 string  `json:"link_target_base64,omitzero"` // the exact name, if it isn't UTF-8
	Blocked          bool    `json:"blocked,omitzero"`            // policy denies access; only the name is shown
}

// Found is something that a walk found. A page may have a hundred thousand, so this takes as little
// memory as it can, and becomes an Entry only when it is written.
type Found struct {
	Path     string  // as it is shown
	Target   *string // where a symlink leads, if that is shown
	Size     int64
	Modified float64 // seconds since 1970
	Kind     fs.FileMode
	blocked  bool
}

// Entries is a list of Entry.
type Entries []Found

// Files is a list of paths.
type Files []Found

func (f *Found) name() string { return f.Path[strings.LastIndexByte(f.Path, '/')+1:] }

func (l Entries) Len() int                          { return len(l) }
func (l Entries) ItemType() reflect.Type            { return reflect.TypeFor[Entry]() }
func (l Entries) AppendItem(b []byte, i int) []byte { return l[i].appendJSON(b) }

// BriefEntries are entries as they go out beside the text form: with no more than that has.
type BriefEntries struct{ Entries }

// AppendItem appends an item as JSON.
func (l BriefEntries) AppendItem(b []byte, i int) []byte { return l.Entries[i].appendBrief(b) }

func (l Files) Len() int                          { return len(l) }
func (l Files) ItemType() reflect.Type            { return reflect.TypeFor[string]() }
func (l Files) AppendItem(b []byte, i int) []byte { return textio.AppendQuoted(b, l[i].Path) }

// entry is what an answer has of it.
func (f *Found) entry() Entry {
	e := Entry{Name: f.name(), PathName: words.PathOf(f.Path), Type: command.TypeName(f.Kind), Size: f.Size, Modified: f.Modified,
		LinkTarget: words.Deref(f.Target), Blocked: f.blocked}
	e.LinkTargetBase64 = words.Base64(e.LinkTarget)
	return e
}

// briefEntry has the members of an Entry that the text form has as well.
type briefEntry struct {
	words.PathName
	Type             string `json:"type,omitzero"`
	LinkTarget       string `json:"link_target,omitzero"`
	LinkTargetBase64 string `json:"link_target_base64,omitzero"`
	Blocked          bool   `json:"blocked,omitzero"`
}

// isPlain is true for nearly all: it has none of the members that are left out if they are empty.
func (f *Found) isPlain() bool { return f.Target == nil && !f.blocked && words.Base64(f.Path) == "" }

// appendJSON writes the members of a plain Entry itself: by reflection, a recursive ls takes 13 %
// more processor time (2026-11-29).
func (f *Found) appendJSON(b []byte) []byte {
	if !f.isPlain() {
		e := f.entry()
		return answer.AppendJSON(b, &e)
	}
	b = textio.AppendQuoted(append(b, `{"name":`...), f.name())
	b = textio.AppendQuoted(append(b, `,"path":`...), f.Path)
	b = textio.AppendQuoted(append(b, `,"type":`...), command.TypeName(f.Kind))
	b = strconv.AppendInt(append(b, `,"size":`...), f.Size, 10)
	b = strconv.AppendFloat(append(b, `,"modified":`...), f.Modified, 'f', -1, 64)
	return append(b, '}')
}

func (f *Found) appendBrief(b []byte) []byte {
	e := f.entry()
	brief := briefEntry{e.PathName, e.Type, e.LinkTarget, e.LinkTargetBase64, e.Blocked}
	if f.Kind.IsRegular() {
		brief.Type = ""
	}
	return answer.AppendJSON(b, &brief)
}

// EntrySize is at least how many bytes an entry takes. Measuring it by writing it would make a long
// listing slower.
func EntrySize(f Found) int64 {
	if !f.isPlain() {
		return int64(len(f.appendJSON(nil)) + len(","))
	}
	const others = `{"name":"","path":"","type":"","size":,"modified":-1.7976931348623157e+308},`
	var digits [len("-9223372036854775808")]byte
	return int64(textio.EscapedLen(f.name()) + textio.EscapedLen(f.Path) + len(command.TypeName(f.Kind)) +
		len(strconv.AppendInt(digits[:0], f.Size, 10)) + len(others))
}

// BriefSize is how many bytes an entry takes beside the text form.
func BriefSize(f Found) int64 { return int64(len(f.appendBrief(nil)) + len(",")) }
