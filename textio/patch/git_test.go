package patch

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var (
	patchTrees = flag.Int("patch-trees", 4, "trees to compare with git apply, of about 15 files each; the gate takes 40, a long run 1,200")
	patchSeed  = flag.Uint64("patch-seed", 1, "seed of those trees")
)

// diffFlags returns flags for git diff and those that git apply then needs.
func diffFlags(r *rand.Rand) (diff, apply []string) {
	context := []int{0, 1, 2, 3, 3, 3, 5, 10}[r.IntN(8)]
	diff = append(diff, fmt.Sprintf("-U%d", context))
	if context == 0 {
		apply = append(apply, "--unidiff-zero")
	}
	if r.IntN(2) == 0 {
		diff = append(diff, "-M")
	}
	switch r.IntN(6) {
	case 0:
		diff = append(diff, "--no-prefix")
		apply = append(apply, "-p0")
	case 1:
		diff = append(diff, "--src-prefix=i/", "--dst-prefix=w/")
	case 2:
		diff = append(diff, "-R")
	}
	if r.IntN(3) == 0 {
		diff = append(diff, "--full-index")
	}
	return diff, apply
}

// TestPatchAgainstGit makes git patches of random trees, applies them to the tree
// they were made of and, file by file, to files that have changed since, and
// compares the outcome with that of git apply.
func TestPatchAgainstGit(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	needGit(t)
	seen := make(map[string]int)
	trees := *patchTrees
	for i := range trees {
		r := rand.New(rand.NewPCG(*patchSeed, uint64(i)))
		before := randomTree(r, 15)
		after := mutateTree(r, before)
		diff, apply := diffFlags(r)
		text := gitDiff(t, before, after, diff...)
		if slices.Contains(diff, "-R") {
			before, after = after, before
		}
		if len(text) == 0 {
			continue
		}
		patch, err := Parse(text)
		if err != nil {
			t.Fatalf("tree %d: %v\n%s", i, err, text)
		}
		seen["patches"] += len(patch.Files)
		got, err := before.apply(patch)
		if err != nil || !maps.Equal(got, after) {
			t.Fatalf("tree %d, %v: %v\n%s\n%s", i, diff, err, treeDifference(got, after), text)
		}
		switch theirs, err := gitApplyTree(t, before, text, apply...); {
		case err == nil && maps.Equal(theirs, after):
		case err == nil && slices.Contains(apply, "--unidiff-zero"):
			seen["git mistakes its own patch"]++ // a deletion without context, one line early
		default:
			t.Fatalf("tree %d: git can't apply what it made: %v", i, err)
		}
		for _, part := range bytes.SplitAfter(bytes.ReplaceAll(text, []byte("\ndiff --git "), []byte("\n\x00diff --git ")), []byte("\x00")) {
			part = bytes.TrimSuffix(part, []byte("\x00"))
			checkShifted(t, r, before, part, apply, seen)
		}
	}
	t.Log(seen)
	if trees >= 75 {
		for _, outcome := range []string{"patches", "equal", "refused by both"} {
			if seen[outcome] < 50 {
				t.Errorf("outcome %q was seen %d times only", outcome, seen[outcome])
			}
		}
	}
}

// checkShifted applies the part of one file to a file that has changed.
func checkShifted(t *testing.T, r *rand.Rand, before testTree, part []byte, flags []string, seen map[string]int) {
	t.Helper()
	patch, err := Parse(part)
	if err != nil || len(patch.Files) != 1 {
		t.Fatalf("%v\n%s", err, part)
	}
	f := &patch.Files[0]
	if f.Action == Add {
		return
	}
	old := before[f.source()]
	old.data = mutateLines(r, old.data, 1+r.IntN(3))
	if r.IntN(2) == 0 {
		at := r.IntN(len(old.data) + 1)
		at = strings.LastIndexByte(old.data[:at], '\n') + 1
		old.data = old.data[:at] + strings.Repeat("b\n", r.IntN(9)) + old.data[at:]
	}
	tree := testTree{f.source(): old}
	theirs, gitErr := gitApplyTree(t, tree, part, flags...)
	ours, err := tree.apply(patch)
	var conflict *ConflictError
	switch {
	case gitErr != nil && err != nil:
		seen["refused by both"]++
	case gitErr != nil:
		seen["refused by git"]++
	case errors.As(err, &conflict) && conflict.Ambiguous:
		seen["ambiguous"]++
	case err == nil && maps.Equal(ours, theirs):
		seen["equal"]++
	case err == nil && endsInMarkedContext(f):
		seen["joined by git"]++
	case err == nil && slices.Contains(flags, "--unidiff-zero"):
		seen["without context"]++ // git goes by numbers, and counts from others
	default:
		t.Errorf("%v, flags %v\n%s\npatch:\n%s\nfile:\n%q", err, flags, treeDifference(ours, theirs), part, old.data)
	}
}

// endsInMarkedContext reports whether the last hunk ends in context that is marked
// as the file's end. Git finds it in the middle of a file as well, but takes the line
// end off there, and so joins two lines.
func endsInMarkedContext(f *File) bool {
	if len(f.Hunks) == 0 {
		return false
	}
	last := f.Hunks[len(f.Hunks)-1]
	line := last.Lines[len(last.Lines)-1]
	return line.Op == ' ' && line.NoNewline
}

func treeDifference(got, want testTree) string {
	for path, file := range want {
		if got[path] != file {
			return fmt.Sprintf("%q:\ngot  %q %v\nwant %q %v", path, got[path].data, got[path].exec, file.data, file.exec)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			return fmt.Sprintf("%q should be gone", path)
		}
	}
	return "equal"
}
