package policy

import (
	"strings"

	"fsbox/wildcard"
)

// MayMatchBelow reports whether a pattern of Rules might match a path below a folder, names
// compared without case. It looks at no disk, so it says yes where only the names in the folder
// could tell.
func MayMatchBelow(pattern, folder string) bool {
	if folder == "." {
		return true // the root: everything is below it
	}
	pattern, _ = strings.CutPrefix(pattern, "!")
	alternatives, err := wildcard.Expand(FoldName(pattern))
	if err != nil {
		return true
	}
	rooted := strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	names := strings.Split(FoldName(folder), "/")
	for _, glob := range alternatives {
		if glob = fromRoot(glob, rooted); glob != "" && mayReach(wildcard.Components(glob), names) {
			return true
		}
	}
	return false
}

// mayReach reports whether the components of a pattern fit the names of a folder as far as both go.
func mayReach(parts, names []string) bool {
	for i := range min(len(parts), len(names)) {
		if strings.ContainsAny(parts[i], `[\`) || strings.Contains(parts[i], "**") {
			return true
		}
		if p := wildcard.CompileName(parts[i]); !p.Match(names[i], names[i]) {
			return false
		}
	}
	return true
}
