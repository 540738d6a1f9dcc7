package look

import (
	"io/fs"
	"iter"
	"reflect"
	"strconv"
	"strings"

	"fsbox/commands/verb"
	"fsbox/commands/words"
	"fsbox/textio"
)

// LsEntry is one name. Symlinks are listed, never followed.
type LsEntry struct {
	Name string `json:"name"`
	words.PathName
	Type             string  `json:"type"`                        // file, directory, symlink, other
	Size             int64   `json:"size"`                        // bytes
	Modified         float64 `json:"modified"`                    // seconds since 1970
	LinkTarget       string  `json:"link_target,omitzero"`        // relative to the root; absent if it leads outside
	LinkTargetBase64 string  `json:"link_target_base64,omitzero"` // the exact name, if it isn't UTF-8
	Blocked          bool    `json:"blocked,omitzero"`            // policy lets its name be seen, nothing else
}

// LsEntries are the entries of a page, which may have a hundred thousand: so each is held as a
// found, which takes a third of the memory of an LsEntry, and written without the encoder.
type LsEntries []found

// found is what an LsEntry is made of.
type found struct {
	path     string  // as it is shown
	target   *string // where a symlink leads, if that is shown
	size     int64
	modified float64
	kind     fs.FileMode
	blocked  bool
}

// All gives the entries as an answer has them.
func (l LsEntries) All() iter.Seq[LsEntry] {
	return func(yield func(LsEntry) bool) {
		for i := range l {
			if !yield(l[i].entry()) {
				return
			}
		}
	}
}

func (f *found) name() string { return f.path[strings.LastIndexByte(f.path, '/')+1:] }

func (f *found) entry() LsEntry {
	e := LsEntry{Name: f.name(), PathName: words.PathOf(f.path), Type: verb.TypeName(f.kind), Size: f.size, Modified: f.modified,
		LinkTarget: words.Deref(f.target), Blocked: f.blocked}
	e.LinkTargetBase64 = words.Base64(e.LinkTarget)
	return e
}

// ItemType is what an item is in JSON.
func (l LsEntries) ItemType() reflect.Type { return reflect.TypeFor[LsEntry]() }

// AppendItem appends an item as JSON.
func (l LsEntries) AppendItem(b []byte, i int) []byte { return l[i].appendJSON(b) }

// Len is the number of items.
func (l LsEntries) Len() int { return len(l) }

// appendJSON writes the members that the tags of LsEntry declare. A test compares the two.
func (f *found) appendJSON(b []byte) []byte {
	b = textio.AppendQuoted(append(b, `{"name":`...), f.name())
	b = appendName(append(b, `,"path":`...), f.path, `,"path_base64":`)
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
