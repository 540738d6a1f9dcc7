package commands

import (
	"path/filepath"
	"slices"
	"strings"

	"fsbox/sandbox"
)

// findState settles where backups are kept, "" for nowhere. A folder inside the workspace could be written by those whose
// changes it keeps: one that was asked for is refused there. The user's own may lie in a root as wide as the home, or have its way
// through it: then a rule closes it to requests and shows that in listings, and a guard keeps it and the way there, by whatever names.
func (s *Settings) findState(system environment, root string) (dir string, deny []string, guards []sandbox.Guard, fail *Failure) {
	dir = s.StateDir
	if dir == "" {
		base, err := system.state()
		if err != nil || !filepath.IsAbs(base) {
			return "", nil, nil, nil
		}
		dir = filepath.Join(base, "fsbox")
	} else if dir, fail = expandHome(dir, system); fail != nil {
		return "", nil, nil, fail
	}
	dir = absolute(dir)
	inside, on := sandbox.OnTheWay(root, dir)
	if inside == "." || len(within(dir, root)) > 0 {
		return "", nil, nil, failf(CodeInvalidInput, "the root %q is the state folder, or lies in it", root).
			hint("name another folder with --root or --state-dir: what the state folder keeps must be out of reach")
	}
	deny = within(root, dir)
	if inside != "" {
		if rule := ruleFor(inside); !slices.Contains(deny, rule) {
			deny = append(deny, rule)
		}
	}
	if s.StateDir != "" && len(deny) > 0 {
		return "", nil, nil, failf(CodeInvalidInput, "the state folder %q lies inside the workspace", s.StateDir).
			hint("move it out: what it keeps must be out of reach")
	}
	if on {
		guards = []sandbox.Guard{{Path: dir, Name: "the state folder", Hidden: true}}
	}
	return dir, deny, guards, nil
}

// within gives the deny rule for a path that lies in root, or none.
func within(root, path string) []string {
	if rel := relative(root, path); rel != "" {
		return []string{ruleFor(rel)}
	}
	return nil
}

// relative writes a path that lies in root relative to it, as text; "" for any other.
func relative(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// ruleFor denies a path relative to the root, and all that lies there.
func ruleFor(rel string) string { return "/" + globQuote(rel) + "/**" }

// backupID is how answers name a backup: null where none is kept.
func backupID(id string) *string {
	if id == "" {
		return nil
	}
	return &id
}
