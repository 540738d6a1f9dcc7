package sandbox

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// recordNames are what a field may hold.
var recordNames = []string{"a", "a b", `quote " and \\ back`, "line\nend", "caf\u00e9", "bytes \xff\xfe", "tab\t", strings.Repeat("long/", 50) + "x"}

func TestRecordReadsBack(t *testing.T) {
	for _, name := range recordNames {
		b := &Backup{ID: "id", Time: time.Unix(1, 2), Tool: "write", Undoes: name, Files: []Saved{
			{Path: name, Action: Replaced, Kept: "id-0", Mode: 0o644, Size: 1, Old: "c1", New: "c2", temp: fixedTemp, ino: "1.2"},
			{Path: "to", Action: Moved, From: name, New: "c3"},
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

// FuzzDecodeBackup reads any fields behind a checksum that is right: what counts as an entry is the same when written again.
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
