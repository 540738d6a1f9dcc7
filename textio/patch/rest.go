package patch

import "slices"

// LaterLines is added to the lines of what Rest leaves, so that they aren't taken for those of
// another patch: no patch has as many lines.
const LaterLines = 1 << 20

// Rest is the patch without some of its hunks, given by the lines in which they begin, and without
// whole sections. A section other than an update goes with any of its hunks. count is how many
// hunks are left, and a section without hunks counts as one.
func (p *Patch) Rest(hunks map[int]bool, sections map[*File]bool) (rest *Patch, count int) {
	rest = &Patch{Format: p.Format, Warnings: p.Warnings}
	for i := range p.Files {
		f := p.Files[i]
		fails := func(h Hunk) bool { return hunks[h.Line] }
		left := slices.DeleteFunc(slices.Clone(f.Hunks), fails)
		whole := len(left) == len(f.Hunks)
		if sections[&p.Files[i]] || !whole && (len(left) == 0 || f.Action != Update) {
			continue
		}
		if f.Line < LaterLines {
			f.Line += LaterLines
			for n := range left {
				left[n].Line += LaterLines
			}
		}
		f.Hunks = left
		rest.Files, count = append(rest.Files, f), count+max(1, len(left))
	}
	return rest, count
}

// With is the patch with the sections of another one after its own.
func (p *Patch) With(other *Patch) *Patch {
	return &Patch{Format: other.Format, Files: slices.Concat(p.Files, other.Files), Warnings: slices.Concat(p.Warnings, other.Warnings)}
}
