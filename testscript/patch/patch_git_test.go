package patch

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

	"fsbox/testscript"
	"fsbox/textio/patch"
)

var (
	gitPatches   = flag.Int("git-patches", 20, "random git patches to compare with git apply; the gate takes 80, a long run 10,000")
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

// TestPatchAgainstGit applies patches that git made, to the trees they are of and to such that have
// changed since, and compares every file with what git apply makes of it. What was patched is then
// undone, and that undone as well.
func TestPatchAgainstGit(t *testing.T) {
	needGit(t)
	n := testscript.Sized(*gitPatches)
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
		return "refused by git", c.checkAlone(a, after.plain())
	}
	return c.compare(a, after.plain(), readTree(t, theirs).plain())
}

// compare holds the tree against git's. Where a file differs, it is for a reason that
// textio/patch/place.go tells.
func (c *gitCase) compare(a *patchAnswer, ours, theirs fileTree) (outcome string, err error) {
	outcome = "equal"
	if a.moved() {
		outcome = "equal, moved"
	}
	for path, want := range theirs {
		got, part := ours[path], c.part(path)
		if got == want {
			continue
		}
		if outcome = c.difference(a, part, got.data, want.data); outcome == "" || got.mode != want.mode {
			return "different", fmt.Errorf("%s", ours.difference(theirs))
		}
		if err := c.checkPlaces(a); err != nil {
			return outcome, err
		}
	}
	if ours, theirs := len(ours), len(theirs); ours != theirs {
		return "different", fmt.Errorf("%d files, git leaves %d", ours, theirs)
	}
	return outcome, nil
}

// difference names the reason why a file isn't as git leaves it, "" if there is none. The lines are
// the same in any case.
func (c *gitCase) difference(a *patchAnswer, part *patch.File, ours, theirs string) string {
	zero := slices.Contains(c.apply, "--unidiff-zero")
	switch {
	case part == nil || !sameBytes(ours, theirs):
		return ""
	case joinedByGit(ours, theirs): // which takes a line marked as the file's last for the beginning of any line
		return "joined by git"
	case zero && slices.ContainsFunc(part.Hunks, isMarked): // git goes by the number alone
		return "at the end, as marked"
	case zero && slices.ContainsFunc(part.Hunks, func(h patch.Hunk) bool { return len(oldLines(h)) == 0 }):
		return "not in another hunk" // where git puts an insertion without context if that is its number
	case zero && c.keptOrder(a, part): // git takes the nearest place, though it be before the hunk before
		return "in order"
	case zero && slices.ContainsFunc(part.Hunks, isDeletion): // git looks from the line before the stated one
		return "nearer than by git"
	}
	return ""
}

// sameBytes reports whether texts have the same bytes in any order, line feeds and carriage returns
// aside.
func sameBytes(a, b string) bool {
	sorted := func(text string) string {
		bytes := []byte(strings.NewReplacer("\r", "", "\n", "").Replace(text))
		slices.Sort(bytes)
		return string(bytes)
	}
	return sorted(a) == sorted(b)
}

// joinedByGit reports whether git's text is ours except for one line end.
func joinedByGit(ours, theirs string) bool {
	at := 0
	for at < min(len(ours), len(theirs)) && ours[at] == theirs[at] {
		at++
	}
	return strings.TrimPrefix(strings.TrimPrefix(ours[at:], "\r"), "\n") == theirs[at:] && theirs[at:] != ""
}

// refusedAlone judges a refusal of what git takes: git picks one of several places that are equally
// good.
func (c *gitCase) refusedAlone(a *patchAnswer) (outcome string, err error) {
	if a.Error != "ambiguous_patch" {
		return "refused", fmt.Errorf("git takes it, but: %s: %s", a.Error, a.Message)
	}
	for _, failed := range a.Details.Files {
		name, err := base64.StdEncoding.DecodeString(failed.PathBase64)
		part := c.part(cmp.Or(string(name), failed.Path))
		if part == nil || err != nil {
			return "ambiguous", fmt.Errorf("%q isn't in the patch", failed.Path)
		}
		for _, h := range failed.Hunks {
			if err := c.checkAmbiguous(part, h.Hunk, h.Places); err != nil {
				return "ambiguous", err
			}
		}
	}
	return "ambiguous", nil
}

// isMarked reports whether a hunk which says the file ends without a newline, before or after.
func isMarked(h patch.Hunk) bool {
	return slices.ContainsFunc(h.Lines, func(line patch.HunkLine) bool { return line.NoNewline })
}

// keptOrder reports whether a hunk has a nearer place than its own, before the end of the hunk
// before.
func (c *gitCase) keptOrder(a *patchAnswer, part *patch.File) bool {
	i := slices.IndexFunc(c.parts(), func(f patch.File) bool { return f.Path == part.Path })
	lines, free := c.sourceLines(*part), int64(1)
	for j, h := range part.Hunks {
		went, old := a.Result.Files[i].Hunks[j], oldLines(h)
		stated := went.Line - int64(went.Offset)
		for away := range max(went.Offset, -went.Offset) {
			if before := stated - int64(away); before < free && standsAt(lines, old, before, false) {
				return true
			}
			if before := stated + int64(away); before < free && standsAt(lines, old, before, false) {
				return true
			}
		}
		free = max(free, went.Line+int64(len(old)))
	}
	return false
}

// isDeletion reports whether a hunk leaves no line.
func isDeletion(h patch.Hunk) bool {
	return len(oldLines(h)) == len(h.Lines) && !slices.ContainsFunc(h.Lines, isContext)
}

func isContext(line patch.HunkLine) bool { return line.Op == ' ' }

// part is what the patch says about a file, by its old or its new name; nil if nothing.
func (c *gitCase) part(path string) *patch.File {
	for _, f := range c.parts() {
		if f.Path == path || f.From == path {
			return &f
		}
	}
	return nil
}

func (c *gitCase) parts() []patch.File {
	parsed, err := patch.Parse(c.patch)
	if err != nil {
		return nil
	}
	return parsed.Files
}
