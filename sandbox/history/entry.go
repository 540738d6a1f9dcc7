package history

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"fsbox/sandbox/disk/pathname"
	"fsbox/sandbox/disk/rights"
	"fsbox/sandbox/policy"
)

// Entry is one entry of the journal: what one call changed.
type Entry struct {
	ID     string    `json:"id"`
	Time   time.Time `json:"time"`
	Tool   string    `json:"tool"`   // the command that made the call
	Undoes string    `json:"undoes"` // ID of the backup that this call undid, "" for other calls
	Root   string    `json:"root"`   // the root that the call was made in: see rootID
	Items  []Item    `json:"items"`
	Made   []Item    `json:"made"`  // folders that were made for the items, each before those in it
	Above  []Item    `json:"above"` // folders above what was taken away: an undo may have to make them again

	size int // of its line in the journal, in bytes, without the end
}

// NewEntry is the entry of a call that begins now.
func NewEntry(tool, undoes string, items ...Item) *Entry {
	now := time.Now()
	return &Entry{ID: newID(now), Time: now, Tool: tool, Undoes: undoes, Items: items}
}

// maxNamed is how many paths of a call a sentence names.
const maxNamed = 3

// String names the call, in messages; e may be nil.
func (e *Entry) String() string {
	if e == nil {
		return "a call"
	}
	var paths []string
	for _, f := range e.Items[:min(len(e.Items), maxNamed)] {
		paths = append(paths, fmt.Sprintf("%q", f.Path))
	}
	text := fmt.Sprintf("%s of %s", cmp.Or(e.Tool, "a call"), strings.Join(paths, ", "))
	if more := len(e.Items) - len(paths); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// IsAbout reports whether a call changed a path, or, if below is set, what lies below it.
func (e *Entry) IsAbout(path string, below bool) bool {
	is := func(name string) bool {
		return name == path || below && name != "" && (path == "." || strings.HasPrefix(name, path+"/"))
	}
	return slices.ContainsFunc(e.Items, func(f Item) bool { return is(f.Path) || is(f.From) })
}

// FolderAbove is the folder above a path that a call changed as a whole, "" for none.
func (e *Entry) FolderAbove(path string) string {
	for _, f := range e.Items {
		for _, name := range [...]string{f.Path, f.From} {
			if name != "" && strings.HasPrefix(path, name+"/") {
				return name
			}
		}
	}
	return ""
}

// Kind is what was done to a name: a step of a plan, or a change of the file itself.
type Kind string

// All kinds. The strings are older than the names: journals have them.
const (
	Create  Kind = "give"     // nothing had the name, and something got it
	Replace Kind = "exchange" // something else got the name of a file or link
	Remove  Kind = "take"     // what had the name is gone
	Rename  Kind = "rename"   // what has the name was at From
	Extend  Kind = "extend"   // bytes were added to a file in place
	Cut     Kind = "cut"      // and such bytes were cut off again
	Empty   Kind = "empty"    // of Made, and in records: a folder that goes if it is empty, and still the one with this FileID and Stamp
)

// Item is what a call did to one name.
type Item struct {
	Path string `json:"path"` // relative to the root, links resolved
	Kind Kind   `json:"kind"`
	From string `json:"from"` // of a Rename: the path before
	Kept string `json:"kept"` // name of the old content in the state folder, "" for none
	Old  string `json:"old"`  // etag or fingerprint of the content before, "" for none; of a Cut, of the bytes cut off
	New  string `json:"new"`  // the same of the content after; of an Extend, of the bytes added

	Mode          fs.FileMode `json:"mode"`           // of the old file, or of what was renamed or given
	Size          int64       `json:"size"`           // bytes of the old content; of a Cut, only the last AppendedBytes of it are kept
	AppendedBytes int64       `json:"appended_bytes"` // by an Extend, or cut off by a Cut
	Entries       int         `json:"entries"`        // names in a folder that was taken
	Lost          rights.Lost `json:"lost"`           // what the kept content lacks of the old file or folder
	Restores      Restoration `json:"restores"`       // what undo restores besides the content
	Stamp         string      `json:"stamp"`          // Info.ChangeStamp of the old file: while it has that, the call changed nothing; "" if unknown. Of an Empty, when it was made. Of one of Above, its owner

	Temp   string `json:"temp"`    // while a change is made: the temporary name of the old or the new file
	FileID string `json:"file_id"` // while a change is made: ID of the old file, which tells it from the new one. Of an Empty, ID of the folder
}

// Inverse is the item that takes this one back: what it leads from is what this one led to.
func (f Item) Inverse() Item {
	inv := Item{Path: f.Path, Kind: f.Kind, Mode: f.Mode, Old: f.New, New: f.Old, AppendedBytes: f.AppendedBytes}
	switch f.Kind {
	case Create:
		inv.Kind = Remove
	case Remove:
		inv.Kind = Create
	case Rename:
		inv.Path, inv.From, inv.Old, inv.New = f.From, f.Path, "", f.New
	case Extend:
		inv.Kind, inv.Size = Cut, f.Size+f.AppendedBytes
	case Cut:
		inv.Kind, inv.Size = Extend, f.Size-f.AppendedBytes
	}
	return inv
}

// Restoration says what undo restores besides the content.
type Restoration string

const (
	RestoreNothing Restoration = ""     // nothing: the rest stays as it is now
	RestoreMode    Restoration = "mode" // the mode, because the call changed it
	RestoreAll     Restoration = "all"  // mode, owner and attributes: another file has the name now, or none
)

// KeptSize is how many bytes are kept.
func (f Item) KeptSize() int64 {
	switch {
	case f.Kept == "":
		return 0
	case f.Kind == Cut:
		return f.AppendedBytes
	}
	return f.Size
}

// checksum is that of a line: FNV-1a, which needs no table. Those of package hash/crc32 are made at
// each start of the program, and most calls read no journal.
func checksum(body []byte) uint32 {
	sum := fnv.New32a()
	sum.Write(body)
	return sum.Sum32()
}

// encode gives the entry as one line: a checksum, and JSON. It is written member by member, because
// package json takes a tenth of a short call to look at a type for the first time.
func (b *Entry) encode() []byte {
	o := append(make(object, 0, b.encodedSize()), "00000000 {"...)
	o.text("id", b.ID)
	o.text("time", b.Time.UTC().Format(time.RFC3339Nano))
	o.text("tool", b.Tool)
	o.text("undoes", b.Undoes)
	o.text("root", b.Root)
	o.items("items", b.Items)
	if b.Made != nil {
		o.items("made", b.Made)
	}
	if b.Above != nil {
		o.items("above", b.Above)
	}
	o = append(o, "}\n"...)
	copy(o, fmt.Sprintf("%08x", checksum(o[9:len(o)-1])))
	return o
}

// encodedSize is about how many bytes encode needs, rather more than less. A line of 10,000 items
// that grows bit by bit takes 10 MiB for a moment, of one size 4.
func (b *Entry) encodedSize() int {
	n := 512
	for _, all := range [...][]Item{b.Items, b.Made, b.Above} {
		for i := range all {
			f := &all[i]
			n += len(f.Path) + len(f.From) + len(f.Kept) + len(f.Old) + len(f.New) + len(f.Stamp) + len(f.Temp) + len(f.FileID) + 160
		}
	}
	return n
}

// object is a JSON object that is being written. Zero values are left out.
type object []byte

// items writes a list. An item in the folder of the item before has only the rest of its path, with
// a slash before it: folders of many levels would take the square of their path's length.
func (o *object) items(name string, all []Item) {
	o.name(name)
	*o = append(*o, '[')
	for i := range all {
		if i > 0 {
			*o = append(*o, ',')
		}
		*o = append(*o, '{')
		f := all[i]
		if i > 0 {
			if rest, ok := strings.CutPrefix(f.Path, all[i-1].Path+"/"); ok {
				f.Path = "/" + rest
			}
		}
		o.item(&f)
		*o = append(*o, '}')
	}
	*o = append(*o, ']')
}

func (o *object) item(f *Item) {
	o.text("path", asText(f.Path))
	o.text("kind", string(f.Kind))
	o.text("from", asText(f.From))
	o.text("kept", f.Kept)
	o.text("old", f.Old)
	o.text("new", f.New)
	o.number("mode", int64(f.Mode))
	o.number("size", f.Size)
	o.number("appended_bytes", f.AppendedBytes)
	o.number("entries", int64(f.Entries))
	o.number("lost", int64(f.Lost))
	o.text("restores", string(f.Restores))
	o.text("stamp", f.Stamp)
	o.text("temp", f.Temp)
	o.text("file_id", f.FileID)
}

func (o *object) text(name, value string) {
	if value != "" {
		o.name(name)
		*o, _ = jsontext.AppendQuote(*o, value) // bytes that aren't UTF-8 are replaced: no field but a path has them
	}
}

func (o *object) number(name string, value int64) {
	if value != 0 {
		o.name(name)
		*o = strconv.AppendInt(*o, value, 10)
	}
}

func (o *object) name(name string) {
	if last := (*o)[len(*o)-1]; last != '{' {
		*o = append(*o, ',')
	}
	*o = append(append(append(*o, '"'), name...), '"', ':')
}

// decode reads a line of encode. ok is false for a line that a kill or a power cut tore.
func decode(line []byte) (b *Entry, ok bool) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	sum, body, _ := bytes.Cut(line, []byte(" "))
	if string(sum) != fmt.Sprintf("%08x", checksum(body)) {
		return nil, false
	}
	b = &Entry{size: len(line), Items: make([]Item, 0, bytes.Count(body, []byte(`"kind":`)))} // a list that grows takes twice as much
	if json.Unmarshal(body, b) != nil {
		return nil, false
	}
	lists := [...][]Item{b.Items, b.Made, b.Above}
	for _, all := range lists {
		for i := range all {
			f := &all[i]
			if f.Path, f.From = ofText(f.Path), ofText(f.From); i > 0 && strings.HasPrefix(f.Path, "/") {
				f.Path = all[i-1].Path + f.Path
			}
			if !f.isSound() {
				return nil, false
			}
		}
	}
	return b, len(b.Items) > 0 || b.Tool == voided || b.Tool == pruned
}

// asText makes a path valid UTF-8, as JSON has it: of one that isn't, it gives the base64, after a
// NUL, which no path has.
func asText(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return "\x00" + base64.StdEncoding.EncodeToString([]byte(path))
}

func ofText(text string) (path string) {
	coded, ok := strings.CutPrefix(text, "\x00")
	if !ok {
		return text
	}
	bytes, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		return text // which isn't sound
	}
	return string(bytes)
}

// isSound reports whether all paths of an item stay in the workspace and the state folder, whoever
// wrote it.
func (f *Item) isSound() bool {
	return isInner(f.Path) && (f.From == "" || isInner(f.From)) && (f.Kept == "" || isOneName(f.Kept)) &&
		(f.Temp == "" || policy.IsOwn(f.Temp) && isOneName(f.Temp)) && f.Size >= 0 && f.AppendedBytes >= 0
}

// isInner reports whether a resolved path is below the root.
func isInner(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if !isOneName(name) {
			return false
		}
	}
	return true
}

func isOneName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(filepath.ToSlash(name), "/\x00") && pathname.Unfit(name) == nil
}
