package look

import (
	"io/fs"
	"reflect"
	"strconv"
	"strings"

	"fsbox/commands/verb"
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
// memory as it can, and lists of it are written without the encoder.
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

// appendJSON writes the members that the tags of LsEntry declare. A test compares the two.
func (f *found) appendJSON(b []byte) []byte {
	b = textio.AppendQuoted(append(b, `{"name":`...), f.name())
	b = appendName(append(b, `,"path":`...), f.path, `,"path_base64":`)
	b = append(append(append(b, `,"type":"`...), verb.TypeName(f.kind)...), '"')
	b = strconv.AppendInt(append(b, `,"size":`...), f.size, 10)
	b = strconv.AppendFloat(append(b, `,"modified":`...), f.modified, 'f', -1, 64)
	return f.appendRest(b)
}

// appendBrief writes the members that the text form has as well.
func (f *found) appendBrief(b []byte) []byte {
	b = appendName(append(b, `{"path":`...), f.path, `,"path_base64":`)
	if !f.kind.IsRegular() {
		b = append(append(append(b, `,"type":"`...), verb.TypeName(f.kind)...), '"')
	}
	return f.appendRest(b)
}

// appendRest ends an entry with the members that few entries have.
func (f *found) appendRest(b []byte) []byte {
	if f.target != nil {
		b = appendName(append(b, `,"link_target":`...), *f.target, `,"link_target_base64":`)
	}
	if f.blocked {
		b = append(b, `,"blocked":true`...)
	}
	return append(b, '}')
}

// appendName writes a name, and after it the exact one under another key if it isn't UTF-8.
func appendName(b []byte, name, exactKey string) []byte {
	b = textio.AppendQuoted(b, name)
	if exact := words.Base64(name); exact != "" {
		b = textio.AppendQuoted(append(b, exactKey...), exact)
	}
	return b
}

// sizeOf is at least how many bytes an entry takes. Measuring it by writing it would make a long
// listing slower.
func sizeOf(f found) int64 {
	if f.target != nil || f.blocked || words.Base64(f.path) != "" {
		return int64(len(f.appendJSON(nil)) + len(","))
	}
	const others = `{"name":"","path":"","type":"","size":,"modified":-1.7976931348623157e+308},`
	return int64(textio.EscapedLen(f.name()) + textio.EscapedLen(f.path) + len(verb.TypeName(f.kind)) + len(words.Int(f.size)) + len(others))
}

// briefSizeOf is how many bytes an entry takes beside the text form.
func briefSizeOf(f found) int64 { return int64(len(f.appendBrief(nil)) + len(",")) }
