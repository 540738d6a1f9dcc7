package look

import (
	"io/fs"
	"reflect"
	"strings"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/words"
	"fsbox/textio"
)

// LsEntry is one name. Symlinks are listed, never followed.
type LsEntry struct {
	Name string `json:"name" mcp:"-"` // the last part of path
	words.PathName
	Type             string  `json:"type" mcp:"if"`               // file, directory, symlink, other; by MCP absent for a file
	Size             int64   `json:"size" mcp:"-"`                // bytes
	Modified         float64 `json:"modified" mcp:"-"`            // seconds since 1970
	LinkTarget       string  `json:"link_target,omitzero"`        // relative to the root; absent if it leads outside
	LinkTargetBase64 string  `json:"link_target_base64,omitzero"` // the exact name, if it isn't UTF-8
	Blocked          bool    `json:"blocked,omitzero"`            // policy lets its name be seen, nothing else
}

// found is something that a walk found. A page may have a hundred thousand, so this takes as little
// memory as it can, and becomes an LsEntry only when it is written.
type found struct {
	path     string  // as it is shown
	target   *string // where a symlink leads, if that is shown
	size     int64
	modified float64 // seconds since 1970
	kind     fs.FileMode
	blocked  bool
}

// LsEntries is a list of LsEntry.
type LsEntries []found

// GlobFiles is a list of paths.
type GlobFiles []found

func (f *found) name() string { return f.path[strings.LastIndexByte(f.path, '/')+1:] }

func (l LsEntries) Len() int                          { return len(l) }
func (l LsEntries) ItemType() reflect.Type            { return reflect.TypeFor[LsEntry]() }
func (l LsEntries) AppendItem(b []byte, i int) []byte { return l[i].appendJSON(b) }

// briefEntries are entries as they go out beside the text form: with no more than that has.
type briefEntries struct{ LsEntries }

// AppendItem appends an item as JSON.
func (l briefEntries) AppendItem(b []byte, i int) []byte { return l.LsEntries[i].appendBrief(b) }

func (l GlobFiles) Len() int                          { return len(l) }
func (l GlobFiles) ItemType() reflect.Type            { return reflect.TypeFor[string]() }
func (l GlobFiles) AppendItem(b []byte, i int) []byte { return textio.AppendQuoted(b, l[i].path) }

// entry is what an answer has of it.
func (f *found) entry() LsEntry {
	e := LsEntry{Name: f.name(), PathName: words.PathOf(f.path), Type: command.TypeName(f.kind), Size: f.size, Modified: f.modified,
		LinkTarget: words.Deref(f.target), Blocked: f.blocked}
	e.LinkTargetBase64 = words.Base64(e.LinkTarget)
	return e
}

// briefEntry has the members of an LsEntry that the text form has as well.
type briefEntry struct {
	words.PathName
	Type             string `json:"type,omitzero"`
	LinkTarget       string `json:"link_target,omitzero"`
	LinkTargetBase64 string `json:"link_target_base64,omitzero"`
	Blocked          bool   `json:"blocked,omitzero"`
}

func (f *found) appendJSON(b []byte) []byte {
	e := f.entry()
	return answer.AppendJSON(b, &e)
}

func (f *found) appendBrief(b []byte) []byte {
	e := f.entry()
	brief := briefEntry{e.PathName, e.Type, e.LinkTarget, e.LinkTargetBase64, e.Blocked}
	if f.kind.IsRegular() {
		brief.Type = ""
	}
	return answer.AppendJSON(b, &brief)
}

// sizeOf is at least how many bytes an entry takes. Measuring it by writing it would make a long
// listing slower.
func sizeOf(f found) int64 {
	if f.target != nil || f.blocked || words.Base64(f.path) != "" {
		return int64(len(f.appendJSON(nil)) + len(","))
	}
	const others = `{"name":"","path":"","type":"","size":,"modified":-1.7976931348623157e+308},`
	return int64(textio.EscapedLen(f.name()) + textio.EscapedLen(f.path) + len(command.TypeName(f.kind)) + len(words.Int(f.size)) +
		len(others))
}

// briefSizeOf is how many bytes an entry takes beside the text form.
func briefSizeOf(f found) int64 { return int64(len(f.appendBrief(nil)) + len(",")) }
