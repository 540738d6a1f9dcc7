package history

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// recordNames are values of a field.
var recordNames = []string{"a", "a b", `quote " and \\ back`, "line\nend", "caf\u00e9", "bytes \xff\xfe", "tab\t", strings.Repeat("long/", 50) + "x"}

func TestRecordReadsBack(t *testing.T) {
	for _, name := range recordNames {
		if runtime.GOOS == "windows" && (strings.Contains(name, `\`) || !utf8.ValidString(name)) {
			continue // no name there
		}
		b := &Entry{ID: "id", Time: time.Unix(1, 2).UTC(), Tool: "write", Undoes: "other", Root: "1.2.3", Items: []Item{
			{Path: name, Kind: Replace, Kept: "id-0", Mode: 0o644, Size: 1, Old: "c1", New: "c2", Temp: ".fsbox-tmp-0", FileID: "1.2",
				Restores:      RestoreMode,
				AppendedBytes: 3, Entries: 4, Stamp: "5"},
			{Path: "d/" + name, Kind: Create},
			{Path: "to", Kind: Rename, From: name, New: "c3", Stamp: "1.2"},
		}, Made: []Item{{Path: name, Kind: Empty, FileID: "1.2", Stamp: "3"}, {Path: name + "/x", Kind: Empty}, {Path: name + "/x/y/z",
			Kind: Empty},
			{Path: name + "z", Kind: Empty}}}
		line := b.encode()
		back, ok := decode(line)
		if !ok || back.size != len(line)-1 || string(back.encode()) != string(line) {
			t.Errorf("%q isn't read back: %q", name, line)
			continue
		}
		if back.size = 0; !reflect.DeepEqual(back, b) {
			t.Errorf("%q became %+v, was %+v", name, back, b)
		}
		for i := range line {
			if _, ok := decode(line[:i]); ok && i != len(line)-1 {
				t.Errorf("the first %d bytes of %q count as a whole line", i, line)
			}
		}
	}
}

// FuzzDecodeBackup decodes any fields after a correct checksum: what is accepted as an entry is the
// same when it is encoded again.
func FuzzDecodeBackup(f *testing.F) {
	for _, name := range recordNames {
		line := string((&Entry{ID: "id", Tool: "write", Items: []Item{{Path: name, Kind: Create}}}).encode())
		f.Add(strings.TrimSuffix(line[9:], "\n"))
	}
	f.Fuzz(func(t *testing.T, fields string) {
		b, ok := decode(fmt.Appendf(nil, "%08x %s\n", checksum([]byte(fields)), fields))
		if !ok {
			return
		}
		again, ok := decode(b.encode())
		if !ok {
			t.Fatalf("%q was read, and what was made of it is not", fields)
		}
		if again.size, b.size = 0, 0; !reflect.DeepEqual(again, b) {
			t.Errorf("%+v became %+v", b, again)
		}
	})
}

// TestDeepFolders: the folders of a deep path take no more than each its own name.
func TestDeepFolders(t *testing.T) {
	var folders []Item
	for n := range 1900 {
		folders = append(folders, Item{Path: "d" + strings.Repeat("/d", n), Kind: Empty, FileID: "1234567890", Stamp: "dfj3k2l1k4b5"})
	}
	for _, b := range []*Entry{{Items: []Item{{Path: "f", Kind: Create}}, Made: folders}, {Items: folders}} {
		line := b.encode()
		back, ok := decode(line)
		if !ok || !reflect.DeepEqual(back.Made, b.Made) || !reflect.DeepEqual(back.Items, b.Items) || len(line) > 100*len(folders) {
			t.Errorf("%d bytes, read back: %v", len(line), ok)
		}
	}
}

// TestUnsound: an entry with a path outside of the workspace or the state folder is refused, and so
// is one without files.
func TestUnsound(t *testing.T) {
	const temp = ".fsbox-txn-0-0"
	for name, f := range map[string]Item{
		"temporary name": {Path: "a", Kind: Create, New: "x", Temp: "../out/f"},
		"any name":       {Path: "b", Kind: Create, New: "x", Temp: "a"},
		"path":           {Path: "..", Kind: Create, New: "x", Temp: ".fsbox-txn-/../../out/f"},
		"link upwards":   {Path: "a/../../out/f", Kind: Create, New: "x", Temp: temp},
		"old path":       {Path: "a", From: "../out/f", Kind: Rename, Temp: temp},
		"kept content":   {Path: "a", Kind: Remove, Kept: "../../../../out/secret", Old: "x"},
		"kept directory": {Path: "a", Kind: Remove, Kept: "..", Temp: temp},
		"length":         {Path: "a", Kind: Extend, Size: 2, AppendedBytes: -1},
	} {
		if b, ok := decode(NewEntry("patch", "", f).encode()); ok {
			t.Errorf("%s: taken for sound: %+v", name, b.Items)
		}
	}
	made := NewEntry("patch", "", Item{Path: "a", Kind: Create})
	made.Made = []Item{{Path: "../out", Kind: Empty}}
	if _, ok := decode(made.encode()); ok {
		t.Error("a directory that was made outside is taken for sound")
	}
	if _, ok := decode(NewEntry("patch", "").encode()); ok {
		t.Error("an entry without files is taken for sound")
	}
}
