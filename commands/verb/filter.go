package verb

import (
	"errors"
	"strings"

	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox/dir"
	"fsbox/search/walk"
)

// Filter compiles globs relative to a folder. A glob with invalid syntax is taken literally if
// something there has exactly that name.
func (e *Env) Filter(folder string, globs []string) (*walk.Filter, error) {
	filter, err := walk.NewFilter(globs)
	if err == nil {
		return filter, nil
	}
	literal := make([]string, len(globs))
	for i, glob := range globs {
		literal[i] = glob
		if _, bad := walk.NewFilter([]string{glob}); bad == nil {
			continue
		}
		if name, excludes := strings.CutPrefix(glob, "!"); e.isName(folder, name) {
			if literal[i] = settings.GlobQuote(name); excludes {
				literal[i] = "!" + literal[i]
			}
		}
	}
	if filter, again := walk.NewFilter(literal); again == nil {
		return filter, nil
	}
	return nil, err
}

// isName reports whether something in a folder has exactly this name, or whether a deny rule covers
// it.
func (e *Env) isName(folder, name string) bool {
	_, err := e.Workspace.Lstat(words.Under(folder, strings.TrimLeft(name, "/")))
	return name != "" && (err == nil || errors.Is(err, dir.ErrBlocked))
}

// Glob compiles one glob in the same way.
func (e *Env) Glob(folder, pattern string, hidden bool) (*walk.Glob, error) {
	glob, err := walk.NewGlob(pattern, hidden)
	if err != nil && e.isName(folder, pattern) {
		return walk.NewGlob(settings.GlobQuote(pattern), hidden)
	}
	return glob, err
}
