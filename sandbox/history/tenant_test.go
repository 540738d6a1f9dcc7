package history

import (
	"testing"
	"time"
)

// TestTenant: which root an entry of the journal belongs to.
func TestTenant(t *testing.T) {
	at := time.Unix(1000, 0)
	here := tenant{dev: "1", ino: "2", born: at.UnixNano()}
	unborn := tenant{dev: "1", ino: "2"}
	tests := []struct {
		name string
		now  tenant
		root string
		time time.Time
		want bool
	}{
		{"the same", here, here.String(), at, true},
		{"another device number, after a restart", here, tenant{"9", "2", here.born}.String(), at, true},
		{"the same inode, born again", here, tenant{"1", "2", here.born - 1}.String(), at, false},
		{"another inode", here, tenant{"1", "3", here.born}.String(), at, false},
		{"no birth known now", unborn, here.String(), at, true},
		{"no birth known then", here, unborn.String(), at, true},
		{"no birth known, another device", unborn, tenant{"9", "2", 0}.String(), at, false},
		{"damaged", here, "1.2", at, false},
		{"a system that numbers no files", tenant{}, here.String(), at, true},
	}
	for _, test := range tests {
		b := &Entry{ID: "id", Time: test.time, Tool: "write", root: test.root, Files: []Saved{{Path: "a", Action: Created}}}
		b, ok := decode(string(b.encode()))
		if !ok || test.now.owns(b) != test.want {
			t.Errorf("%s: %v, want %v", test.name, !test.want, test.want)
		}
	}
}
