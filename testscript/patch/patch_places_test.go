package patch

import (
	"fmt"
	"slices"
	"strings"

	"fsbox/textio/patch"
)

// checkAlone judges what was made of a patch that git refuses: every hunk went to a place that
// can't be mistaken, what is gone was shown in full, and the files that the patch doesn't name are
// as they were.
func (c *gitCase) checkAlone(a *patchAnswer, after fileTree) error {
	named := map[string]bool{}
	for _, f := range c.parts() {
		named[f.Path], named[f.From] = true, true
		if f.Action == patch.Delete && !showsAll(f, c.sourceLines(f)) {
			return fmt.Errorf("%q is gone, and the patch doesn't show all of it: %q", f.Path, c.target[f.Path].data)
		}
	}
	for path, want := range c.target.plain() {
		if !named[path] && after[path] != want {
			return fmt.Errorf("%q isn't named by the patch, and is %q, %v", path, after[path].data, after[path].mode)
		}
	}
	return c.checkPlaces(a)
}

// showsAll reports whether the old lines of a part are the lines of its file, line ends aside.
func showsAll(f patch.File, lines []string) bool {
	var shown []string
	for _, h := range f.Hunks {
		shown = append(shown, oldLines(h)...)
	}
	return len(shown) == len(lines) && standsAt(lines, shown, 1, false)
}

// checkPlaces looks whether every hunk went where its old lines are, and to no other place than the
// nearest.
func (c *gitCase) checkPlaces(a *patchAnswer) error {
	parts := c.parts()
	if len(parts) != len(a.Result.Files) {
		return fmt.Errorf("%d files in the patch, %d in the answer", len(parts), len(a.Result.Files))
	}
	for i, f := range parts {
		if f.Action == patch.Add {
			continue
		}
		lines, free := c.sourceLines(f), int64(1)
		for j, h := range f.Hunks {
			went := a.Result.Files[i].Hunks[j]
			if err := checkPlace(lines, h, went, free); err != nil {
				return fmt.Errorf("%q, hunk %d: %w", f.Path, j, err)
			}
			free = max(free, went.Line+int64(len(oldLines(h))))
		}
	}
	return nil
}

// checkPlace looks at one hunk. The hunks before it end at line free; if it goes after that, no
// other place there is nearer.
func checkPlace(lines []string, h patch.Hunk, went patchedHunk, free int64) error {
	old, exact := oldLines(h), went.Match == "exact"
	if !exact && went.Match != "eol" {
		return fmt.Errorf("match %q", went.Match)
	}
	if !standsAt(lines, old, went.Line, exact) {
		return fmt.Errorf("%q isn't in line %d", old, went.Line)
	}
	if went.Line < free || len(old) == 0 {
		return nil
	}
	stated := went.Line - int64(went.Offset)
	for away := range max(went.Offset, -went.Offset) {
		for _, line := range []int64{stated - int64(away), stated + int64(away)} {
			if line >= free && standsAt(lines, old, line, exact) && (!isMarked(h) || int(line)+len(old) > len(lines)) {
				return fmt.Errorf("%q went to line %d, though line %d is nearer to %d", old, went.Line, line, stated)
			}
		}
	}
	return nil
}

// checkAmbiguous looks whether a hunk's lines are in all of the places.
func (c *gitCase) checkAmbiguous(part *patch.File, hunk int, places []int64) error {
	lines, old := c.sourceLines(*part), oldLines(part.Hunks[hunk])
	for _, line := range places {
		if !standsAt(lines, old, line, false) {
			return fmt.Errorf("%q, hunk %d doesn't fit in line %d", part.Path, hunk, line)
		}
	}
	return nil
}

func (c *gitCase) sourceLines(f patch.File) []string {
	path := f.Path
	if f.From != "" {
		path = f.From
	}
	return slices.Collect(strings.Lines(c.target[path].data))
}

// oldLines are the lines that a hunk needs, with their line ends.
func oldLines(h patch.Hunk) (lines []string) {
	for _, line := range h.Lines {
		switch {
		case line.Op == '+':
		case line.NoNewline:
			lines = append(lines, string(line.Text))
		default:
			lines = append(lines, string(line.Text)+"\n")
		}
	}
	return lines
}

// standsAt compares lines, line ends only if they have to be exact. Line counts from 1.
func standsAt(lines, old []string, line int64, exact bool) bool {
	if line < 1 || int(line)-1+len(old) > len(lines) {
		return len(old) == 0
	}
	return slices.EqualFunc(old, lines[line-1:int(line)-1+len(old)], func(a, b string) bool {
		return a == b || !exact && strings.TrimRight(a, "\r\n") == strings.TrimRight(b, "\r\n")
	})
}
