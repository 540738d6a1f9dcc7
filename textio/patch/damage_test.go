package patch

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fsbox/textio/lines"
)

var damagedTrees = flag.Int("damaged-trees", 5, "trees whose patches are damaged and compared with git apply; the gate takes 10")

// damage changes a diff of one file as models and mail programs do, and says how.
func damage(r *rand.Rand, text []byte) (damaged []byte, how string) {
	lines := slices.Collect(bytes.Lines(bytes.Clone(text)))
	pick := func(prefix string) int {
		var at []int
		first := slices.IndexFunc(lines, func(line []byte) bool { return hasPrefix(line, "@@") })
		for i := max(first, 0); i < len(lines); i++ {
			if hasPrefix(lines[i], prefix) {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			return -1
		}
		return at[r.IntN(len(at))]
	}
	switch r.IntN(5) {
	case 0, 1:
		if i := pick("@@"); i >= 0 {
			h := parseHunkHeader(lines[i])
			old, new := max(h.oldCount+r.IntN(5)-2, 0), max(h.newCount+r.IntN(5)-2, 0)
			lines[i] = fmt.Appendf(nil, "@@ -%d,%d +%d,%d @@\n", h.oldStart, old, h.newStart, new)
			how = "counts"
		}
	case 2, 3:
		if i := pick(" "); i >= 0 {
			lines[i], how = lines[i][1:], "a blank"
		}
	case 4:
		if i := pick(`\`); i >= 0 {
			lines, how = slices.Delete(lines, i, i+1), "a mark"
		}
	}
	if how != "" && r.IntN(3) == 0 {
		again, also := damage(r, bytes.Join(lines, nil))
		return again, how + " " + also
	}
	return bytes.Join(lines, nil), how
}

// unread counts the lines of a diff of one file, from the first hunk on, that are
// in no hunk, blank ones aside.
func unread(text []byte, f *File) int {
	lines := bytes.Split(bytes.TrimSuffix(text, lines.LF), lines.LF)
	left := 0
	for _, line := range lines[f.Hunks[0].Line-1:] {
		if len(bytes.TrimSpace(line)) > 0 && !isNoNewlineMark(line) {
			left++
		}
	}
	for _, h := range f.Hunks {
		left--
		for _, line := range h.Lines {
			if line.Op != ' ' || len(bytes.TrimSpace(line.Text)) > 0 {
				left--
			}
		}
	}
	return left
}

// TestDamagedPatchAgainstGit damages patches that git made. What is taken has no line
// left out without a warning, and where git takes it as well, the outcome is the same.
func TestDamagedPatchAgainstGit(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short")
	}
	needGit(t)
	seen := make(map[string]int)
	for i := range *damagedTrees {
		r := rand.New(rand.NewPCG(*patchSeed, uint64(i)|1<<32))
		before := randomTree(r, 15)
		text := gitDiff(t, before, mutateTree(r, before), fmt.Sprintf("-U%d", 1+r.IntN(4)))
		for _, part := range bytes.SplitAfter(bytes.ReplaceAll(text, []byte("\ndiff --git "), []byte("\n\x00diff --git ")), []byte("\x00")) {
			part = bytes.TrimSuffix(part, []byte("\x00"))
			if damaged, how := damage(r, part); how != "" {
				checkDamaged(t, before, damaged, how, seen)
			}
		}
	}
	t.Log(seen)
}

// countsHold reports whether the headers count the lines that were read.
func countsHold(text []byte, f *File) bool {
	lines := bytes.Split(text, lines.LF)
	for _, hunk := range f.Hunks {
		h := parseHunkHeader(lines[hunk.Line-1])
		old, new := h.oldCount, h.newCount
		for _, line := range hunk.Lines {
			old, new = countDown([]byte{line.Op}, old, new)
		}
		if old != 0 || new != 0 {
			return false
		}
	}
	return true
}

func checkDamaged(t *testing.T, before testTree, text []byte, how string, seen map[string]int) {
	t.Helper()
	patch, err := Parse(text)
	if err != nil || len(patch.Files) != 1 || len(patch.Files[0].Hunks) == 0 {
		seen["not read"]++
		return
	}
	f := &patch.Files[0]
	if n := unread(text, f); n > 0 && len(patch.Warnings) == 0 {
		t.Errorf("%s: %d lines were omitted\n%s", how, n, text)
	}
	tree := testTree{}
	if f.Action != Add {
		tree[f.source()] = before[f.source()]
	}
	ours, err := tree.apply(patch)
	if err != nil {
		seen["refused"]++
		return
	}
	var theirs testTree
	for _, flag := range []string{"--unidiff-zero", "--recount"} {
		if flag != "--recount" && !countsHold(text, f) {
			continue // git leaves out what is more than counted
		}
		got, err := gitApplyTree(t, tree, text, "--whitespace=nowarn", flag)
		switch {
		case err != nil:
		case theirs != nil && !maps.Equal(theirs, got):
			seen["git in doubt"]++
			return
		default:
			theirs = got
		}
	}
	switch {
	case theirs == nil:
		seen["refused by git"]++
	case maps.Equal(ours, theirs):
		seen["equal"]++
	case strings.Contains(how, "mark") || hasMarks(f.Hunks):
		seen["final newlines"]++
	default:
		t.Errorf("%s: %s\n%s", how, treeDifference(ours, theirs), text)
	}
}

// TestCutPatch cuts patches that git made after each line of their last hunk. What is taken though
// lines are missing ends in context, and says so.
func TestCutPatch(t *testing.T) {
	needGit(t)
	for i := range *damagedTrees {
		r := rand.New(rand.NewPCG(*patchSeed, uint64(i)|1<<33))
		before := randomTree(r, 3)
		text := gitDiff(t, before, mutateTree(r, before), fmt.Sprintf("-U%d", 1+r.IntN(4)))
		for cut := len(text) - 1; cut > bytes.LastIndex(text, []byte("\n@@")); cut = bytes.LastIndexByte(text[:cut], '\n') {
			patch, err := Parse(text[:cut])
			if err != nil || len(patch.Files) == 0 || len(patch.Files[len(patch.Files)-1].Hunks) == 0 {
				continue
			}
			f := patch.Files[len(patch.Files)-1]
			f.Hunks = f.Hunks[len(f.Hunks)-1:]
			if last := f.Hunks[0].Lines; !countsHold(text, &f) && (last[len(last)-1].Op != ' ' || len(patch.Warnings) == 0) {
				t.Errorf("taken, with warnings %q:\n%s", patch.Warnings, text[:cut])
			}
		}
	}
}
