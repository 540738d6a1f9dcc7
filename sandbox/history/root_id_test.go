package history

import (
	"testing"
	"time"
)

// TestRootID: which root an entry of the journal belongs to.
func TestRootID(t *testing.T) {
	at := time.Unix(1000, 0)
	here := rootID{dev: "1", ino: "2", born: at.UnixNano()}
	unborn := rootID{dev: "1", ino: "2"}
	tests := []struct {
		name string
		now  rootID
		root string
		time time.Time
		want bool
	}{
		{"the same", here, here.String(), at, true},
		{"another device number, after a restart", here, rootID{"9", "2", here.born}.String(), at, true},
		{"the same inode, born again", here, rootID{"1", "2", here.born - 1}.String(), at, false},
		{"another inode", here, rootID{"1", "3", here.born}.String(), at, false},
		{"no birth known now", unborn, here.String(), at, true},
		{"no birth known then", here, unborn.String(), at, true},
		{"no birth known, another device", unborn, rootID{"9", "2", 0}.String(), at, false},
		{"damaged", here, "1.2", at, false},
		{"a system that numbers no files", rootID{}, here.String(), at, true},
	}
	for _, test := range tests {
		b := &Entry{ID: "id", Time: test.time, Tool: "write", Root: test.root, Items: []Item{{Path: "a", Kind: Give}}}
		b, ok := decode(string(b.encode()))
		if !ok || test.now.owns(b) != test.want {
			t.Errorf("%s: %v, want %v", test.name, !test.want, test.want)
		}
	}
}
