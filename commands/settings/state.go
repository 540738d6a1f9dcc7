package settings

import (
	"path/filepath"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox"
)

// findState decides where backups are kept, "" for nowhere. Requests could write to a state folder
// inside the workspace, so a requested one is refused there. The user's default folder may lie in a
// wide root such as the home folder, or be reached through it, even if this run doesn't use it.
// Then a deny rule closes it to requests, and a guard protects it and the folders and links that
// lead to it, under all their names.
func (s *Settings) findState(system Environment, root string) (dir string, deny []string, guards []sandbox.Guard, fail *answer.Failure) {
	places := userPlaces(system.State, system.Home, filepath.Join(".local", "state"), "fsbox")
	if s.StateDir != "" {
		if dir, fail = ExpandHome(s.StateDir, system); fail != nil {
			return "", nil, nil, fail
		}
		places = append([]string{Absolute(dir)}, places...)
	}
	if len(places) == 0 {
		return "", nil, nil, nil
	}
	for i, place := range places {
		rules, on := guardState(root, place)
		if i == 0 {
			if fail := s.refuseState(root, place, rules); fail != nil {
				return "", nil, nil, fail
			}
		}
		if on {
			guards = append(guards, sandbox.Guard{Path: place, Name: "the state folder", Hidden: true})
		}
		deny = append(deny, slices.DeleteFunc(rules, func(rule string) bool { return rule == ruleFor(".") || slices.Contains(deny, rule) })...)
	}
	return places[0], deny, guards, nil
}

// refuseState refuses a state folder whose contents requests could reach. rules are those that
// would deny it.
func (s *Settings) refuseState(root, place string, rules []string) *answer.Failure {
	switch {
	case slices.Contains(rules, ruleFor(".")) || len(within(place, root)) > 0:
		return answer.Failf(answer.CodeInvalidInput, "the root %q is the state folder, or lies in it", root).
			WithHint("name another folder with --root or --state-dir: what the state folder keeps must be out of reach")
	case s.StateDir != "" && len(rules) > 0:
		return answer.Failf(answer.CodeInvalidInput, "the state folder %q lies inside the workspace", s.StateDir).
			WithHint("move it out: what it keeps must be out of reach")
	}
	return nil
}

// guardState gives the deny rules for a state folder that lies in root, as text and as resolved,
// and tells whether the way to it leads through root.
func guardState(root, dir string) (rules []string, on bool) {
	rules = within(root, dir)
	inside, on := sandbox.OnTheWay(root, dir)
	if rule := ruleFor(inside); inside != "" && !slices.Contains(rules, rule) {
		rules = append(rules, rule)
	}
	return rules, on
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
func ruleFor(rel string) string { return "/" + GlobQuote(rel) + "/**" }
