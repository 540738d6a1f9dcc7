package check

import (
	"context"
	"slices"
	"strings"

	"fsbox/commands/command"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox/policy"
	"fsbox/search/walk"
)

// check compares so many rules with so many names.
const (
	mostRules = 200
	mostNames = 100_000
)

// warnUnmatched names the rules that the operator gave and that match nothing which is there at
// present: a name may be misspelt, or written for another program.
func (r *Result) warnUnmatched(ctx context.Context, env *command.Env, given []settings.GivenRule) {
	rules := rulesToMatch(given)
	if len(rules) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, env.Limits.Timeout/command.ProbeShare)
	defer cancel()
	tree := env.Hints()
	root, err := tree.Open(".")
	if err != nil {
		return
	}
	defer root.Close()
	left := mostNames
	_, err = walk.Walk(ctx, root, walk.Options{Path: ".", Recursive: true, IncludeHidden: true, NoIgnore: true}, func(e walk.Entry) error {
		rules = slices.DeleteFunc(rules, func(rule ruleToMatch) bool { return rule.matches(e.Path) })
		if left--; left < 0 || len(rules) == 0 {
			return walk.ErrStop
		}
		return nil
	})
	among := "that exists at present"
	if err != nil || left < 0 {
		among = "among the names that were looked at: the tree is too large to look at all of them"
	}
	for _, rule := range rules {
		r.warn(true, words.Phrase("%q: the rule %q matches nothing ", rule.Setting, rule.Text)+among)
	}
}

// ruleToMatch is a rule that has matched nothing so far.
type ruleToMatch struct {
	settings.GivenRule
	policy *policy.Rules
}

func (r *ruleToMatch) matches(path string) bool { return r.policy.Check(path, false).Blocks() }

func rulesToMatch(given []settings.GivenRule) (rules []ruleToMatch) {
	for _, g := range given[:min(len(given), mostRules)] {
		patterns := words.Mapped(g.Relative, func(rule string) string { return strings.TrimPrefix(rule, "!") })
		if p, err := policy.New(patterns, nil); err == nil {
			rules = append(rules, ruleToMatch{g, p})
		}
	}
	return rules
}
