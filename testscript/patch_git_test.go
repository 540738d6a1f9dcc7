package testscript

import (
	"cmp"
	"encoding/base64"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/textio"
)

var (
	gitPatches   = flag.Int("git-patches", 250, "random git patches to compare with git apply; a long run takes 10000")
	gitPatchSeed = flag.Uint64("git-patch-seed", 1, "seed of those patches")
)

// gitCase is a patch from one tree to another, and the tree it is applied to.
type gitCase struct {
	before, after, target fileTree
	diff, apply           []string // flags of git
	patch                 []byte
}

func newGitCase(r *rand.Rand) *gitCase {
	c := &gitCase{before: randomTree(r, 1+r.IntN(12))}
	c.after = c.before.change(r)
	around := []int{0, 1, 2, 3, 3, 3, 5, 10}[r.IntN(8)]
	c.diff = append(c.diff, fmt.Sprintf("-U%d", around))
	if around == 0 {
		c.apply = append(c.apply, "--unidiff-zero")
	}
	switch r.IntN(6) {
	case 0:
		c.diff = append(c.diff, "--no-prefix")
		c.apply = append(c.apply, "-p0")
	case 1:
		c.diff = append(c.diff, "--src-prefix=old/", "--dst-prefix=new/")
	}
	for _, option := range []string{"-M", "--full-index", "--patience", "--no-indent-heuristic", "--function-context"} {
		if r.IntN(3) == 0 {
			c.diff = append(c.diff, option)
		}
	}
	if c.target = c.before; r.IntN(4) > 0 {
		c.target = c.before.drift(r, c.after)
	}
	return c
}

// gitCases has git make the patches.
func gitCases(t *testing.T, seed uint64, n int) []*gitCase {
	t.Helper()
	cases := make([]*gitCase, n)
	var trees []fileTree
	for i := range cases {
		cases[i] = newGitCase(rand.New(rand.NewPCG(seed, uint64(i))))
		trees = append(trees, cases[i].before, cases[i].after)
	}
	repo := importTrees(t, trees)
	for i, c := range cases {
		args := slices.Concat([]string{"diff-tree", "-r", "-p", "--text"}, c.diff, []string{fmt.Sprintf("t%d", 2*i), fmt.Sprintf("t%d", 2*i+1)})
		var err error
		if c.patch, err = git(repo, nil, args...); err != nil {
			t.Fatal(err)
		}
	}
	return cases
}

// TestPatchAgainstGit applies patches that git made, to the trees they are of and to such that have changed since, and
// compares every file with what git apply makes of it. What was patched is then undone, and that undone as well.
func TestPatchAgainstGit(t *testing.T) {
	needGit(t)
	n := *gitPatches
	if testing.Short() {
		n = min(n, 20)
	}
	seen := map[string]int{}
	for i, c := range gitCases(t, *gitPatchSeed, n) {
		if len(c.patch) == 0 {
			continue
		}
		outcome, err := c.run(t)
		if seen[outcome]++; err != nil {
			t.Errorf("patch %d of seed %d, flags %v: %v\npatch:\n%s", i, *gitPatchSeed, c.diff, err, c.patch)
		}
	}
	t.Log(seen)
	if n >= 250 {
		for _, outcome := range []string{"equal", "equal, moved", "refused by both"} {
			if seen[outcome] < n/20 {
				t.Errorf("outcome %q was seen %d times only", outcome, seen[outcome])
			}
		}
	}
}

// run applies the patch with both programs and judges what came of it.
func (c *gitCase) run(t *testing.T) (outcome string, err error) {
	theirs, ours := filepath.Join(t.TempDir(), "git"), newWorkspace(t)
	c.target.write(t, theirs)
	c.target.write(t, ours.root)
	_, gitErr := git(theirs, c.patch, slices.Concat([]string{"apply", "--whitespace=nowarn"}, c.apply, []string{"-"})...)
	before := readTree(t, ours.root)
	a := ours.run(t, c.patch, "patch", "--patch-file", "-")
	after := readTree(t, ours.root)
	if !a.Success {
		if d := after.difference(before); d != "" {
			return "half applied", fmt.Errorf("refused with %s, and yet changed: %s", a.Error, d)
		}
		if gitErr != nil {
			return "refused by both", a.checkRefusal()
		}
		if d := readTree(t, theirs).plain().difference(before.plain()); a.Error == "no_change" && d == "" {
			return "no change", nil
		}
		return c.refusedAlone(a)
	}
	if err := ours.undoTwice(t, before, after); err != nil {
		return "undo", err
	}
	if gitErr != nil {
		return "refused by git", c.checkPlaces(a)
	}
	return c.compare(a, after.plain(), readTree(t, theirs).plain())
}

// compare holds the tree against git's. Where they differ in a file, there must be a reason that textio/patch_place.go tells.
func (c *gitCase) compare(a *patchAnswer, ours, theirs fileTree) (outcome string, err error) {
	outcome = "equal"
	if a.moved() {
		outcome = "equal, moved"
	}
	for path := range theirs {
		if ours[path] == theirs[path] {
			continue
		}
		part := c.part(path)
		switch {
		case part != nil && slices.ContainsFunc(part.Hunks, isMarked):
			outcome = "the end elsewhere"
		case part != nil && slices.Contains(c.apply, "--unidiff-zero"):
			outcome = "without context" // git looks for deletions from the line before the stated one
		default:
			return "different", fmt.Errorf("%s", ours.difference(theirs))
		}
	}
	if ours, theirs := len(ours), len(theirs); ours != theirs {
		return "different", fmt.Errorf("%d files, git leaves %d", ours, theirs)
	}
	return outcome, nil
}

// refusedAlone judges a refusal of what git takes, in the same way.
func (c *gitCase) refusedAlone(a *patchAnswer) (outcome string, err error) {
	outcome = "ambiguous"
	for _, failed := range a.Details.Files {
		name, err := base64.StdEncoding.DecodeString(failed.PathBase64)
		part := c.part(cmp.Or(string(name), failed.Path))
		if part == nil || err != nil {
			return "refused", fmt.Errorf("git takes it, but: %s: %s", a.Error, a.Message)
		}
		for _, h := range failed.Hunks {
			switch {
			case len(h.Places) > 1 && !h.OutOfOrder:
				if err := c.checkAmbiguous(part, h.Hunk, h.Places); err != nil {
					return "ambiguous", err
				}
			case isMarked(part.Hunks[h.Hunk]):
				outcome = "the end elsewhere"
			case h.OutOfOrder:
				outcome = "out of order"
			default:
				return "refused", fmt.Errorf("git takes it, but: %s: %s: %+v", a.Error, a.Message, h)
			}
		}
	}
	if len(a.Details.Files) == 0 {
		return "refused", fmt.Errorf("git takes it, but: %s: %s", a.Error, a.Message)
	}
	return outcome, nil
}

// isMarked reports a hunk which says that the file ends without a newline, before or after. Git takes such a hunk in the middle of
// a file as well, and may join two lines there.
func isMarked(h textio.Hunk) bool {
	return slices.ContainsFunc(h.Lines, func(line textio.HunkLine) bool { return line.NoNewline })
}

// part is what the patch says about a file, by its old or its new name; nil if nothing.
func (c *gitCase) part(path string) *textio.FilePatch {
	for _, f := range c.parts() {
		if f.Path == path || f.From == path {
			return &f
		}
	}
	return nil
}

func (c *gitCase) parts() []textio.FilePatch {
	patch, err := textio.ParsePatch(c.patch)
	if err != nil {
		return nil
	}
	return patch.Files
}

// checkPlaces looks whether every hunk went where its old lines stand, and to no other place than the nearest.
func (c *gitCase) checkPlaces(a *patchAnswer) error {
	parts := c.parts()
	if len(parts) != len(a.Result.Files) {
		return fmt.Errorf("%d files in the patch, %d in the answer", len(parts), len(a.Result.Files))
	}
	for i, f := range parts {
		if f.Action == textio.PatchAdd {
			continue
		}
		lines, free := c.sourceLines(f), int64(1)
		for j, h := range f.Hunks {
			went := a.Result.Files[i].Hunks[j]
			if err := checkPlace(lines, h, went, free); err != nil {
				return fmt.Errorf("%q, hunk %d: %w", f.Path, j, err)
			}
			free = went.Line + int64(len(oldLines(h)))
		}
	}
	return nil
}

// checkPlace looks at one hunk, which may go to line free and beyond.
func checkPlace(lines []string, h textio.Hunk, went patchedHunk, free int64) error {
	old := oldLines(h)
	if went.Match != "exact" && went.Match != "eol" {
		return fmt.Errorf("match %q", went.Match)
	}
	if !standsAt(lines, old, went.Line) {
		return fmt.Errorf("%q doesn't stand in line %d", old, went.Line)
	}
	stated := went.Line - int64(went.Offset)
	for away := range max(went.Offset, -went.Offset) {
		for _, line := range []int64{stated - int64(away), stated + int64(away)} {
			if len(old) > 0 && line >= free && standsAt(lines, old, line) && (!isMarked(h) || int(line)+len(old) > len(lines)) {
				return fmt.Errorf("%q went to line %d, though line %d is nearer to %d", old, went.Line, line, stated)
			}
		}
	}
	return nil
}

// checkAmbiguous looks whether a hunk's lines stand in all of the places.
func (c *gitCase) checkAmbiguous(part *textio.FilePatch, hunk int, places []int64) error {
	lines, old := c.sourceLines(*part), oldLines(part.Hunks[hunk])
	for _, line := range places {
		if !standsAt(lines, old, line) {
			return fmt.Errorf("%q, hunk %d doesn't fit in line %d", part.Path, hunk, line)
		}
	}
	return nil
}

func (c *gitCase) sourceLines(f textio.FilePatch) []string {
	path := f.Path
	if f.From != "" {
		path = f.From
	}
	return slices.Collect(strings.Lines(c.target[path].data))
}

// oldLines are the lines that a hunk needs.
func oldLines(h textio.Hunk) (lines []string) {
	for _, line := range h.Lines {
		if line.Op != '+' {
			lines = append(lines, string(line.Text))
		}
	}
	return lines
}

// standsAt compares but for line ends. Line counts from 1.
func standsAt(lines, old []string, line int64) bool {
	if line < 1 || int(line)-1+len(old) > len(lines) {
		return len(old) == 0
	}
	return slices.EqualFunc(old, lines[line-1:int(line)-1+len(old)], func(a, b string) bool {
		return strings.TrimRight(a, "\r\n") == strings.TrimRight(b, "\r\n")
	})
}
