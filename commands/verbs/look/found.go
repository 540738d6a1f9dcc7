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
	Name string `json:"name,omitzero"` // the last part of path; left out by MCP, whose hosts show a model all of the answer
	words.PathName
	Type             string  `json:"type"`                        // file, directory, symlink, other
	Size             int64   `json:"size"`                        // bytes
	Modified         float64 `json:"modified"`                    // seconds since 1970
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
func (l LsEntries) AppendItem(b []byte, i int) []byte { return l[i].appendJSON(b, true) }

// briefEntries are entries without their names.
type briefEntries struct{ LsEntries }

// AppendItem appends an item as JSON.
func (l briefEntries) AppendItem(b []byte, i int) []byte { return l.LsEntries[i].appendJSON(b, false) }

func (l GlobFiles) Len() int                          { return len(l) }
func (l GlobFiles) ItemType() reflect.Type            { return reflect.TypeFor[string]() }
func (l GlobFiles) AppendItem(b []byte, i int) []byte { return textio.AppendQuoted(b, l[i].path) }

// appendJSON writes the members that the tags of LsEntry declare. A test compares the two.
func (f *found) appendJSON(b []byte, named bool) []byte {
	b = append(b, '{')
	if named {
		b = append(textio.AppendQuoted(append(b, `"name":`...), f.name()), ',')
	}
	b = appendName(append(b, `"path":`...), f.path, `,"path_base64":`)
	b = append(append(append(b, `,"type":"`...), verb.TypeName(f.kind)...), '"')
	b = strconv.AppendInt(append(b, `,"size":`...), f.size, 10)
	b = strconv.AppendFloat(append(b, `,"modified":`...), f.modified, 'f', -1, 64)
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
		return int64(len(f.appendJSON(nil, true)) + len(","))
	}
	const others = `{"name":"","path":"","type":"","size":,"modified":-1.7976931348623157e+308},`
	return int64(textio.EscapedLen(f.name()) + textio.EscapedLen(f.path) + len(verb.TypeName(f.kind)) + len(words.Int(f.size)) + len(others))
}
