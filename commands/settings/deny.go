package settings

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fsbox/commands/answer"
	"fsbox/sandbox/disk/filesystem"
	"fsbox/sandbox/policy"
	"fsbox/wildcard"
)

// DenyRules are the deny patterns in force, relative to root, a host path. The defaults come first,
// so that the operator's patterns can override them. Those of systemRules are always added, even if
// the defaults are switched off.
func (s *Settings) DenyRules(root string, system Environment) (deny, denyWrite []string, fail *answer.Failure) {
	if !s.NoDefaultDeny {
		deny = policy.DefaultDeny()
	}
	deny = append(deny, systemRules(root)...)
	denyWrite = policy.DefaultDenyWrite()
	if len(s.Deny)+len(s.DenyWrite) > 0 {
		w := newRuleWriter(root, system)
		deny = w.addAll(deny, "deny", s.Deny)
		denyWrite = w.addAll(denyWrite, "deny_write", s.DenyWrite)
		fail = w.fail
	}
	places := placesOf(root)
	return inRoot(places, deny), inRoot(places, denyWrite), fail
}

// systemRules are those for a root of "/", or another one, such as /host in a container, in which
// proc and sys are of the system: they hold no real files, but memory, keys and switches. A root
// that is itself in one of them was chosen for that.
func systemRules(root string) (rules []string) {
	if isSystemRoot(root) {
		return []string{"/proc/**", "/sys/**"}
	}
	for _, name := range [...]string{"proc", "sys"} {
		if filesystem.IsOfSystem(filepath.Join(root, name)) && !filesystem.IsOfSystem(root) {
			rules = append(rules, name+"/**")
		}
	}
	return rules
}

// GivenRule is a rule that the operator gave, and what it is relative to the root.
type GivenRule struct {
	Setting, Text string
	Relative      []string
}

// GivenRules are the rules of all lists that the operator gave.
func (l *Loaded) GivenRules(system Environment) (all []GivenRule) {
	for _, list := range [...]struct {
		setting string
		rules   []string
	}{{"deny", l.Deny}, {"deny_write", l.DenyWrite}, {"approve_allow", l.ApproveAllow}} {
		for _, rule := range list.rules {
			w := newRuleWriter(l.RootPath, system)
			w.opens = list.setting == "approve_allow"
			all = append(all, GivenRule{list.setting, rule, w.addAll(nil, list.setting, []string{rule})})
		}
	}
	return all
}

// inRoot adds to the rules that begin with "**/" what they close in a root that lies in what they
// name, unless a later "!**/" opens that, as it would in a root far above.
func inRoot(places, rules []string) (all []string) {
	for _, rule := range rules {
		all = append(all, rule)
		below := closedBy(places, rule)
		if below != "" && atAnyDepth(rule) && closedFromAbove(places, rules, strings.TrimPrefix(below, "./")) {
			all = append(all, below)
		}
	}
	return all
}

// closedFromAbove reports whether a name in the root is denied by the rules that close something in
// it, and those that allow at any depth, if they are relative to the top. The name "**" is like
// that of any file: only wildcards match it.
func closedFromAbove(places, rules []string, name string) bool {
	rules = slices.DeleteFunc(slices.Clone(rules), func(rule string) bool {
		return !strings.HasPrefix(rule, "!**") && (!atAnyDepth(rule) || closedBy(places, rule) == "")
	})
	return slices.ContainsFunc(places, func(place string) bool {
		return denies(rules, strings.TrimPrefix(place, "/")+name)
	})
}

// denies reports whether rules deny a path. Those that can't be used do, until the policy says so.
func denies(rules []string, path string) bool {
	p, err := policy.New(rules, nil)
	return err != nil || p.Check(path, false).Blocks()
}

func atAnyDepth(rule string) bool { return strings.HasPrefix(rule, "**/") }

// placesOf are the paths of a root as given and as resolved, folded as rules are, with a slash at
// the end.
func placesOf(root string) []string {
	places := []string{root, RealPath(root)}
	for i, place := range places {
		places[i] = policy.FoldName(filepath.ToSlash(place)) + "/"
	}
	return slices.Compact(places)
}

// closesAll is the rule that inRoot adds for a root that is closed. As a name it is like that of
// any file.
const closesAll = "**"

// closedBy is the pattern for what a rule closes in the root with these places, seen from a folder
// far above it: "**" if the root lies in the folder that the rule names, "./config" for
// **/.git/config in .git. It is "" for nothing, for "./name", which is in the root itself, and for
// rules with other wildcards. Classes and braces are read to the letter here.
func closedBy(places []string, rule string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(rule, "**/"), "**"), "/")
	if name == "" || strings.ContainsAny(name, `*?\`) {
		return ""
	}
	folder, last := path.Split(policy.FoldName("/" + name))
	for _, place := range places {
		switch {
		case strings.Contains(place, folder+last+"/"):
			return closesAll
		case folder != "/" && strings.HasSuffix(place, folder):
			return "./" + wildcard.Quote(last)
		}
	}
	return ""
}

// allowRules are the patterns of approve_allow relative to the root.
func (s *Settings) allowRules(root string, system Environment) ([]string, *answer.Failure) {
	if len(s.ApproveAllow) == 0 {
		return nil, nil
	}
	w := newRuleWriter(root, system)
	w.opens = true
	rules := w.addAll(nil, "approve_allow", s.ApproveAllow)
	return rules, w.fail
}

// warnClosedRoot warns of a root that lies in what a rule denies at any depth, while it is closed.
func (l *Loaded) warnClosedRoot() {
	for _, rules := range [...][]string{l.Rules, l.WriteRules} {
		if !slices.Contains(rules, closesAll) || !denies(rules, closesAll) {
			continue
		}
		places := placesOf(l.RootPath)
		for _, rule := range rules {
			if atAnyDepth(rule) && closedBy(places, rule) == closesAll {
				l.Warnings = append(l.Warnings, fmt.Sprintf("the root lies in what the rule %q denies", rule))
			}
		}
	}
}

// NotHere are the rules that would deny the root, or a folder that it lies in, if they were
// relative to a folder above.
func (l *Loaded) NotHere() []string {
	places := placesOf(l.RootPath)
	return slices.DeleteFunc(slices.Concat(l.Deny, l.DenyWrite), func(rule string) bool {
		return atAnyDepth(rule) || closedBy(places, rule) != closesAll
	})
}

// ruleWriter writes the operator's patterns relative to the root.
type ruleWriter struct {
	root   string // host path, as given
	system Environment
	budget *wildcard.Budget
	opens  bool            // patterns without a "!" open something
	fail   *answer.Failure // the first
}

func newRuleWriter(root string, system Environment) *ruleWriter {
	return &ruleWriter{root: root, system: system, budget: wildcard.NewBudget()}
}

func (w *ruleWriter) addAll(rules []string, setting string, patterns []string) []string {
	for _, pattern := range patterns {
		relative, err := w.relative(pattern)
		if err != nil && w.fail == nil {
			w.fail = answer.Failf(answer.CodeInvalidInput, "%q: %s", setting, err.Message).WithHint("%s", err.Hint)
		}
		rules = append(rules, relative...)
	}
	return rules
}

// relative takes the root off a pattern that is an absolute path, or has one among its
// alternatives. Any other pattern stays as it is.
func (w *ruleWriter) relative(pattern string) ([]string, *answer.Failure) {
	glob, allow, err := wildcard.CutExclusion(pattern)
	if err != nil {
		return []string{pattern}, nil // the policy reports that
	}
	if strings.HasPrefix(glob, "~/") && w.system.Home == "" {
		return nil, answer.Failf(answer.CodeInvalidInput, "the rule %q begins with ~, and there is no home directory", glob)
	}
	all, err := w.budget.Rooted(glob, IsAbsolute, w.cut)
	if err != nil || len(all) == 1 && all[0] == (wildcard.Alternative{Glob: glob}) {
		return []string{pattern}, nil
	}
	opens := allow != w.opens
	var globs []string
	for _, a := range all {
		switch {
		case a.Outside:
			return nil, answer.Failf(answer.CodeInvalidInput, "the rule %q is an absolute path outside the root", pattern).
				WithHint("rules are relative to the root: ./name is a name in the root itself, name without a slash one at any depth")
		case a.Under && a.Glob == "" && allow: // it would open what any other rule closes
			return nil, answer.Failf(answer.CodeInvalidInput, "the rule %q names the root itself", pattern).
				WithHint("name what is in it, such as !./docs/**")
		case a.Under && a.Glob == "":
			globs = append(globs, "./**")
		case opens && strings.HasSuffix(a.Glob, "/") && !strings.HasSuffix(glob, "/"): // as in "secrets/{public,}": see policy
		case a.Under || opens:
			globs = append(globs, "./"+strings.TrimPrefix(a.Glob, "./"))
		default:
			globs = append(globs, a.Glob)
		}
	}
	for i := range globs {
		if allow {
			globs[i] = "!" + globs[i]
		}
	}
	return globs, nil
}

// cut takes the root, as given or as resolved, off an absolute pattern; of the root itself nothing
// is left. The pattern may have the root's special characters as they are or escaped.
func (w *ruleWriter) cut(glob string) (rest string, under bool) {
	if below, ok := strings.CutPrefix(glob, "~/"); ok {
		if w.system.Home == "" {
			return "", false
		}
		glob = GlobQuote(filepath.ToSlash(Absolute(w.system.Home))) + "/" + below
	}
	glob = filepath.ToSlash(glob)
	for _, root := range [...]func() string{func() string { return w.root }, func() string { return RealPath(w.root) }} {
		root := filepath.ToSlash(root())
		for _, written := range [...]string{root, GlobQuote(root), strings.ReplaceAll(GlobQuote(root), "]", `\]`)} {
			if rest, ok := policy.CutRoot(glob, written); ok {
				return strings.TrimLeft(rest, "/"), true
			}
		}
	}
	return "", false
}

// IsAbsolute reports whether a pattern begins at the root of the file system, or at the home
// directory.
func IsAbsolute(glob string) bool {
	return strings.HasPrefix(glob, "/") || strings.HasPrefix(glob, "~/") || filepath.IsAbs(glob)
}
