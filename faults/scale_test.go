//go:build linux && amd64

package faults

import (
	"fmt"
	"testing"
)

// TestCallsOfManyFiles holds that a change of four times as many files, each in a folder of its
// own, and its undo, take about four times as many system calls.
func TestCallsOfManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	edit := []string{"edit", ".", "--glob", "*.txt", "--expected-text", "old", "--replacement-text", "new"}
	count := func(n int, args ...[]string) (calls []int) {
		s := scenario{args: args[0]}
		for i := range n {
			s.setup = append(s.setup, folder(fmt.Sprint("d", i)), file(fmt.Sprintf("d%d/f.txt", i), "old\n"))
		}
		r := s.begin(t)
		for _, a := range args {
			r.command.args = commandLine(r.base, a)
			o := follow(t, r.command, undisturbed)
			if a, err := parseAnswer(o.stdout); err != nil || !a.Success {
				t.Fatalf("%s, %v", o.stdout, err)
			}
			calls = append(calls, len(o.calls))
		}
		return calls
	}
	few, many := count(15, edit, []string{"undo"}), count(60, edit, []string{"undo"})
	for i, name := range []string{"edit", "undo"} {
		if many[i] > 9*few[i]/2 {
			t.Errorf("%s: %d calls for 15 files, and %d for 60", name, few[i], many[i])
		}
	}
	t.Logf("edit and undo of 15 files take %d calls, of 60 files %d", few, many)
}
