package history

import "testing"

// TestRootID: which root an entry of the journal belongs to.
func TestRootID(t *testing.T) {
	here, unborn := rootID{text: "1.2.abc", born: 13368}, rootID{text: "1.2.0"}
	tests := []struct {
		name string
		now  rootID
		root string
		want bool
	}{
		{"the same", here, "1.2.abc", true},
		{"another device number, after a restart", here, "9.2.abc", true},
		{"the same inode, born again", here, "1.2.abb", false},
		{"another inode", here, "1.3.abc", false},
		{"no birth known", unborn, "1.2.0", true},
		{"no birth known, another device", unborn, "9.2.0", false},
		{"damaged", here, "1.2", false},
		{"none", here, "", false},
		{"a system that numbers no files", rootID{}, "1.2.abc", true},
	}
	for _, test := range tests {
		b := &Entry{ID: "id", Tool: "write", Root: test.root, Items: []Item{{Path: "a", Kind: Give}}}
		b, ok := decode(string(b.encode()))
		if !ok || test.now.owns(b) != test.want {
			t.Errorf("%s: %v, want %v", test.name, !test.want, test.want)
		}
	}
}
