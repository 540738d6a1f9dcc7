package history

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fsbox/sandbox/dir"
	"fsbox/sandbox/policy"
)

// Entry is one entry of the journal: what one call changed.
type Entry struct {
	ID     string
	Time   time.Time
	Tool   string // the command that made the call
	Undoes string // ID of the backup that this call took back, "" for other calls
	Files  []Saved

	root string // the root that the call was made in: see rootID
	line string // as it was read from the journal, without its end
}

// NewEntry is the entry of a call that begins now.
func NewEntry(tool, undoes string, files ...Saved) *Entry {
	now := time.Now()
	return &Entry{ID: newID(now), Time: now, Tool: tool, Undoes: undoes, Files: files}
}

// maxNamed is how many paths of a call a sentence names.
const maxNamed = 3

// String names the call, in messages; e may be nil.
func (e *Entry) String() string {
	if e == nil {
		return "a call"
	}
	var paths []string
	for _, f := range e.Files[:min(len(e.Files), maxNamed)] {
		paths = append(paths, fmt.Sprintf("%q", f.Path))
	}
	text := fmt.Sprintf("%s of %s", cmp.Or(e.Tool, "a call"), strings.Join(paths, ", "))
	if more := len(e.Files) - len(paths); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// IsAbout reports whether a call changed a path.
func (e *Entry) IsAbout(path string) bool {
	return slices.ContainsFunc(e.Files, func(f Saved) bool { return f.Path == path || f.From == path })
}

// Action says what a call did to a path.
type Action string

// All actions in a journal.
const (
	Created  Action = "create"
	Replaced Action = "replace"
	Removed  Action = "remove"
	Extended Action = "append"
	Cut      Action = "truncate" // an append was taken back
	Moved    Action = "move"
	Empty    Action = "empty" // in records only: a folder that goes if it is empty, and still the one with this FileID and Stamp
)

// Saved is what a backup knows about one path.
type Saved struct {
	Path   string // relative to the root, links resolved
	Action Action
	From   string      // of a moved file: its path before
	Kept   string      // name of the old content in the state folder, "" for none
	Mode   fs.FileMode // of the old file, or of a moved or created one
	Size   int64       // of the old content, in bytes; of a Cut, only the last Added bytes of it are kept
	Added  int64       // bytes added by an append, or cut off by its undo; names in a removed folder; parents made for Path
	Old    string      // etag or fingerprint of the content before, "" for none; of a Cut, of the bytes cut off
	New    string      // the same of the content after; of an append, of the bytes added

	Temp     string      // while a change is made: the temporary name of the old or the new file
	FileID   string      // while a change is made: ID of the old file, which tells it from the new one
	Restores Restoration // what undo restores of a replaced or removed file besides its content
	Stamp    string      // Info.ChangeStamp of the old file: while it has that, the call changed nothing; "" if unknown
}

// Restoration says what undo restores besides the content.
type Restoration string

const (
	RestoreNothing Restoration = ""     // nothing: the rest stays as it is now
	RestoreMode    Restoration = "mode" // the mode, because the call changed it
	RestoreAll     Restoration = "all"  // mode, owner and attributes: another file has the name now, or none
)

// KeptSize is how many bytes are kept.
func (f Saved) KeptSize() int64 {
	switch {
	case f.Kept == "":
		return 0
	case f.Action == Cut:
		return f.Added
	}
	return f.Size
}

// A line begins with recordFields fields, the first is recordVersion. Then it has savedFields
// fields for each path.
const (
	recordVersion = "3"
	recordFields  = 6
	savedFields   = 13
)

// checksum is that of a line: FNV-1a, which needs no table. Those of package hash/crc32 are made at
// each start of the program, and most calls read no journal.
func checksum(body []byte) uint32 {
	sum := fnv.New32a()
	sum.Write(body)
	return sum.Sum32()
}

// encode gives the entry as one line: a checksum, then Go-quoted fields, which may hold any bytes.
func (b *Entry) encode() []byte {
	fields := []string{recordVersion, b.ID, strconv.FormatInt(b.Time.UnixNano(), 10), b.Tool, b.Undoes, b.root}
	for _, f := range b.Files {
		fields = append(fields, f.Path, string(f.Action), f.From, f.Kept, strconv.FormatUint(uint64(f.Mode), 8),
			strconv.FormatInt(f.Size, 10), strconv.FormatInt(f.Added, 10), f.Old, f.New, f.Temp, f.FileID, string(f.Restores), f.Stamp)
	}
	var body []byte
	for _, field := range fields {
		body = strconv.AppendQuote(append(body, ' '), field)
	}
	return fmt.Appendf(nil, "%08x%s\n", checksum(body), body)
}

// decode reads a line of encode. ok is false for a line that a kill or a power cut tore.
func decode(line string) (b *Entry, ok bool) {
	line = strings.TrimSuffix(line, "\n")
	if len(line) < 8 || line[:8] != fmt.Sprintf("%08x", checksum([]byte(line[8:]))) {
		return nil, false
	}
	var usual [recordFields + savedFields]string // for one path: a long journal has many such entries
	fields := usual[:0]
	for rest := line[8:]; rest != ""; {
		field, after, ok := cutQuoted(rest)
		if !ok {
			return nil, false
		}
		fields, rest = append(fields, field), after
	}
	if len(fields) < recordFields || fields[0] != recordVersion || (len(fields)-recordFields)%savedFields != 0 {
		return nil, false
	}
	if b, ok = entryOf(fields); ok {
		b.line = line
	}
	return b, ok && b.isSound()
}

// cutQuoted cuts a blank and a quoted field off a line. Few fields contain anything that must be
// escaped.
func cutQuoted(line string) (field, rest string, ok bool) {
	quoted, ok := strings.CutPrefix(line, " \"")
	if !ok {
		return "", "", false
	}
	if end := strings.IndexByte(quoted, '"'); end >= 0 && strings.IndexByte(quoted[:end], '\\') < 0 {
		return quoted[:end], quoted[end+1:], true
	}
	whole, err := strconv.QuotedPrefix(line[1:])
	if err != nil {
		return "", "", false
	}
	field, err = strconv.Unquote(whole)
	return field, line[1+len(whole):], err == nil
}

// isSound reports whether all paths of an entry stay in the workspace and the state folder, whoever
// wrote it.
func (b *Entry) isSound() bool {
	for _, f := range b.Files {
		if !isInner(f.Path) || (f.From != "" && !isInner(f.From)) || (f.Kept != "" && !isOneName(f.Kept)) ||
			(f.Temp != "" && !(policy.IsOwn(f.Temp) && isOneName(f.Temp))) || f.Size < 0 || f.Added < 0 {
			return false
		}
	}
	return len(b.Files) > 0 || b.Tool == voided || b.Tool == pruned
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
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(filepath.ToSlash(name), "/\x00") && dir.Unfit(name) == nil
}

// entryOf is the entry that has these fields.
func entryOf(fields []string) (*Entry, bool) {
	nanos, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return nil, false
	}
	b := &Entry{ID: fields[1], Time: time.Unix(0, nanos), Tool: fields[3], Undoes: fields[4], root: fields[5],
		Files: make([]Saved, 0, (len(fields)-recordFields)/savedFields)}
	for f := fields[recordFields:]; len(f) > 0; f = f[savedFields:] {
		mode, modeErr := strconv.ParseUint(f[4], 8, 32)
		size, sizeErr := strconv.ParseInt(f[5], 10, 64)
		added, addedErr := strconv.ParseInt(f[6], 10, 64)
		if modeErr != nil || sizeErr != nil || addedErr != nil {
			return nil, false
		}
		b.Files = append(b.Files, Saved{Path: f[0], Action: Action(f[1]), From: f[2], Kept: f[3], Mode: fs.FileMode(mode), Size: size,
			Added: added, Old: f[7], New: f[8], Temp: f[9], FileID: f[10], Restores: Restoration(f[11]), Stamp: f[12]})
	}
	return b, true
}
