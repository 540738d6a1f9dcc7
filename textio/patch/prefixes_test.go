package patch

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPrefixesAgainstGit makes diffs as quilt, busybox, svn and git with other prefixes write them,
// without git's own lines or with them, and compares the outcome with that of git apply and patch,
// which are told how many folders to take off each name.
func TestPrefixesAgainstGit(t *testing.T) {
	needGit(t)
	trees := 12
	switch {
	case *sweep:
		trees = 300
	case testing.Short():
		trees = 4
	}
	compared := 0
	for i := range trees {
		r := rand.New(rand.NewPCG(*patchSeed+22, uint64(i)))
		before := plainTree(r)
		after := changedTree(r, before)
		prefix := [...][2]string{{"a/", "b/"}, {"q.orig/", "q/"}, {"old/", "new/"}, {"pkg-1/", "pkg-2/"}, {"d/", "b/"}, {"i/", "w/"},
			{"./old/", "./new/"}, {"x/old/", "x/new/"}, {"", ""}}[r.IntN(9)]
		text := gitDiff(t, before, after, "--src-prefix="+prefix[0], "--dst-prefix="+prefix[1])
		if r.IntN(3) > 0 {
			text = withoutGit(text, r)
		}
		if !showsPrefix(text) {
			continue
		}
		strip := fmt.Sprintf("-p%d", strings.Count(prefix[0], "/"))
		want, err := gitApplyTree(t, before, text, strip)
		if err != nil {
			t.Fatalf("tree %d: %v\n%s", i, err, text)
		}
		if theirs, ok := patchTree(t, before, text, strip); ok && !maps.Equal(theirs, want) {
			t.Fatalf("tree %d: git and patch differ: %s\n%s", i, treeDifference(theirs, want), text)
		}
		patch, err := Parse(text)
		if err != nil {
			t.Fatalf("tree %d: %v\n%s", i, err, text)
		}
		if got, err := before.apply(patch); err != nil || !maps.Equal(got, want) {
			t.Fatalf("tree %d, %q: %v\n%s\n%s", i, prefix, err, treeDifference(got, want), text)
		}
		compared++
	}
	if t.Logf("%d of %d patches", compared, trees); compared < trees/3 {
		t.Error("too few")
	}
}

// plainTree has files of lines that differ, and no empty ones: a diff without git's lines says
// nothing of those.
func plainTree(r *rand.Rand) testTree {
	tree := testTree{}
	for _, name := range [...]string{"a", "d/b", "d/e/c", "x y", "q/f", "new/n", "b/g"} {
		if r.IntN(4) > 0 {
			tree[name] = testFile{data: plainLines(r)}
		}
	}
	return tree
}

func plainLines(r *rand.Rand) string {
	var b strings.Builder
	for i := range 5 + r.IntN(20) {
		fmt.Fprintf(&b, "line %d, %d\n", i, r.IntN(1000))
	}
	return b.String()
}

// changedTree changes lines, deletes files and makes new ones.
func changedTree(r *rand.Rand, tree testTree) testTree {
	out := testTree{}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		lines := strings.SplitAfter(tree[name].data, "\n")
		switch r.IntN(4) {
		case 0:
			continue
		case 1:
		default:
			lines[r.IntN(len(lines)-1)] = "changed\n"
		}
		out[name] = testFile{data: strings.Join(lines, "")}
	}
	for _, name := range [...]string{"n", "d/n", "q/n", "old/n"} {
		if r.IntN(3) == 0 {
			out[name] = testFile{data: plainLines(r)}
		}
	}
	return out
}

// withoutGit leaves git's own lines out, and shuffles the sections.
func withoutGit(text []byte, r *rand.Rand) []byte {
	own := regexp.MustCompile(`(?m)^(diff --git|index|new file mode|deleted file mode) .*\n`)
	sections := bytes.SplitAfter(bytes.ReplaceAll(text, []byte("\ndiff --git "), []byte("\n\x00diff --git ")), []byte("\x00"))
	r.Shuffle(len(sections), func(i, j int) { sections[i], sections[j] = sections[j], sections[i] })
	var out []byte
	for _, section := range sections {
		out = append(out, own.ReplaceAll(bytes.TrimSuffix(section, []byte("\x00")), nil)...)
	}
	return out
}

// showsPrefix reports whether a section has two names.
func showsPrefix(text []byte) bool {
	return regexp.MustCompile(`(?m)^--- [^/\n].*\n\+\+\+ [^/\n]`).Match(text)
}

// patchTree has GNU patch apply a patch, if it is installed.
func patchTree(t *testing.T, tree testTree, text []byte, strip string) (testTree, bool) {
	t.Helper()
	program, err := exec.LookPath("patch")
	if err != nil {
		return nil, false
	}
	dir := t.TempDir()
	tree.write(t, dir)
	cmd := exec.Command(program, strip, "-s", "-f", "-E", "--no-backup-if-mismatch")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("patch: %v: %s\n%s", err, out, text)
	}
	return readTree(t, dir), true
}
