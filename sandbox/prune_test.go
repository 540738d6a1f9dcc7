package sandbox

import "testing"

// TestPruneDue walks a journal through its sizes and counts the prunings.
func TestPruneDue(t *testing.T) {
	tests := []struct {
		name        string
		calls       int
		line        int64 // bytes that each adds to the journal
		size        int64 // of each kept content
		files, want int
	}{
		{"small calls", 800, 200, 100, 1, 9},
		{"long lines", 160, 40 << 10, 8 << 10, 200, 10},
		{"a large file", 5, 200, largeContent, 1, 5},
		{"nearly large files", 5, 200, largeContent - 1, 1, 0},
		{"many that are large together", 5, 4 << 10, 64 << 10, largeCall / (64 << 10), 5},
	}
	for _, test := range tests {
		b := &Backup{}
		for range test.files {
			b.Files = append(b.Files, Saved{Kept: "kept", Size: test.size})
		}
		got := 0
		for i := range test.calls {
			if isPruneDue(b, test.size*int64(test.files), test.line, int64(i+1)*test.line) {
				got++
			}
		}
		if got != test.want {
			t.Errorf("%s: %d prunings, want %d", test.name, got, test.want)
		}
	}
}
