package sandbox

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// recordNames are values of a field.
var recordNames = []string{"a", "a b", `quote " and \\ back`, "line\nend", "caf\u00e9", "bytes \xff\xfe", "tab\t", strings.Repeat("long/", 50) + "x"}

func TestRecordReadsBack(t *testing.T) {
	for _, name := range recordNames {
		b := &Backup{ID: "id", Time: time.Unix(1, 2), Tool: "write", Undoes: name, Files: []Saved{
			{Path: name, Action: Replaced, Kept: "id-0", Mode: 0o644, Size: 1, Old: "c1", New: "c2", temp: fixedTemp, ino: "1.2", restores: restoreMode},
			{Path: "to", Action: Moved, From: name, New: "c3", stamp: "1.2"},
		}}
		line := string(b.encode())
		back, ok := decodeBackup(line)
		if !ok || back.line != line {
			t.Errorf("%q isn't read back: %q", name, line)
			continue
		}
		if back.line = ""; !reflect.DeepEqual(back, b) {
			t.Errorf("%q became %+v, was %+v", name, back, b)
		}
		for i := range line {
			if _, ok := decodeBackup(line[:i]); ok && i != len(line)-1 {
				t.Errorf("the first %d bytes of %q count as a whole line", i, line)
			}
		}
	}
}

// TestRecordFirstVersion reads what the first version of a record wrote.
func TestRecordFirstVersion(t *testing.T) {
	path := []string{"a", "replace", "", "id-0", "644", "3", "0", "c1", "c2", ".fsbox-tmp-0", "1.2"}
	read := func(files ...[]string) *Backup {
		var body strings.Builder
		for _, field := range slices.Concat([]string{"id", "7", "write", ""}, slices.Concat(files...)) {
			fmt.Fprintf(&body, " %q", field)
		}
		b, ok := decodeBackup(fmt.Sprintf("%08x%s\n", checksum([]byte(body.String())), body.String()))
		if !ok {
			t.Fatalf("%s isn't read", body.String())
		}
		return b
	}
	want := Saved{Path: "a", Action: Replaced, Kept: "id-0", Mode: 0o644, Size: 3, Old: "c1", New: "c2", temp: fixedTemp, ino: "1.2", restores: restoreMode}
	for n := range 27 { // enough to make the number of fields of one version a multiple of the other's
		b := read(slices.Repeat([][]string{path}, n+1)...)
		if b.ID != "id" || len(b.Files) != n+1 || b.Files[n] != want {
			t.Errorf("%d paths: got %+v", n+1, b)
		}
	}
	path[4] = "0"
	if got := read(path).Files[0].restores; got != restoreNothing {
		t.Errorf("a mode that stayed: %q", got)
	}
	path[1] = "remove"
	if got := read(path).Files[0].restores; got != restoreAll {
		t.Errorf("a removed file: %q", got)
	}
}

// FuzzDecodeBackup decodes any fields after a correct checksum: what is accepted as an entry is the
// same when it is encoded again.
func FuzzDecodeBackup(f *testing.F) {
	for _, name := range recordNames {
		line := string((&Backup{ID: "id", Tool: name, Files: []Saved{{Path: name, Action: Created}}}).encode())
		f.Add(strings.TrimSuffix(line[8:], "\n"))
	}
	f.Fuzz(func(t *testing.T, fields string) {
		b, ok := decodeBackup(fmt.Sprintf("%08x%s\n", checksum([]byte(fields)), fields))
		if !ok {
			return
		}
		again, ok := decodeBackup(string(b.encode()))
		if !ok {
			t.Fatalf("%q was read, and what was made of it is not", fields)
		}
		if again.line, b.line = "", ""; !reflect.DeepEqual(again, b) {
			t.Errorf("%+v became %+v", b, again)
		}
	})
}
