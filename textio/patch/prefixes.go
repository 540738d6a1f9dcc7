package patch

import (
	"slices"
	"strings"
)

// prefixes are what the names of a patch have before the paths of files, as the sections with two
// names show it. It holds for the sections that don't show it by themselves: those with one name,
// of new and deleted files, and those with the same name twice.
type prefixes struct {
	old, new []string // longest first
	bare     bool     // at least one section has the same name twice, and none shows a prefix
	deep     bool     // no section shows a prefix of one component, or none: it may have several
}

// findPrefixes looks at the names of all sections.
func findPrefixes(files []unifiedFile) *prefixes {
	p := new(prefixes)
	same := false
	for i := range files {
		switch pair, ok := files[i].header.shown(pairNames); {
		case ok && pair.prefixed():
			p.add(pair)
		case ok:
			same = true
		}
	}
	shows := len(p.old)+len(p.new) > 0
	if p.deep = !shows && !same; p.deep {
		for i := range files {
			if pair, ok := files[i].header.shown(pairDeep); ok {
				p.add(pair)
			}
		}
	}
	p.bare = same && !shows
	for _, side := range [...][]string{p.old, p.new} {
		slices.SortFunc(side, func(a, b string) int { return len(b) - len(a) })
	}
	return p
}

// shown returns what the two names of a section have in common.
func (h *diffFileHeader) shown(form func(old, new string) (namePair, bool)) (pair namePair, ok bool) {
	if !h.old.isFile() || !h.new.isFile() {
		return namePair{}, false
	}
	return form(h.old.name, h.new.name)
}

// mostPrefixes is how many different ones are remembered of each side: more than one is rare, and
// each is compared with each name.
const mostPrefixes = 100

func (p *prefixes) add(pair namePair) {
	if pair.old != "" && len(p.old) < mostPrefixes && !slices.Contains(p.old, pair.old) {
		p.old = append(p.old, pair.old)
	}
	if pair.new != "" && len(p.new) < mostPrefixes && !slices.Contains(p.new, pair.new) {
		p.new = append(p.new, pair.new)
	}
}

// withoutPrefix takes the prefix off the only name of a section: one of those that other sections
// show for this side, or the usual one, unless the patch has none.
func (p *prefixes) withoutPrefix(name string, shown []string, usual string) string {
	if p.bare {
		return name
	}
	if path, ok := cutAnyPrefix(name, shown); ok {
		return path
	}
	return strings.TrimPrefix(name, usual)
}

// common takes a prefix off a name that a section has twice, if other sections show that prefix.
func (p *prefixes) common(name string) string {
	for _, shown := range [...][]string{p.new, p.old} {
		if path, ok := cutAnyPrefix(name, shown); ok {
			return path
		}
	}
	return name
}

func cutAnyPrefix(name string, prefixes []string) (path string, ok bool) {
	for _, prefix := range prefixes {
		if path, ok := strings.CutPrefix(name, prefix); ok && path != "" {
			return path, true
		}
	}
	return "", false
}

// decides reports whether some section shows what is before the path in a name such as this one,
// which is the only one of its section.
func (p *prefixes) decides(name string, shown []string) bool {
	if !strings.Contains(name, "/") || p.bare {
		return true
	}
	_, ok := cutAnyPrefix(name, shown)
	return ok
}
