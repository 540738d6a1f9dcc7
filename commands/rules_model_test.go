package commands

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fsbox/commands/settings"
	"fsbox/sandbox/policy"
	"fsbox/search/walk"

	"github.com/bmatcuk/doublestar/v4"
)

// TestRulesByEveryWay makes rules of signs, names with signs and absolute paths, and holds each
// list and each way to set one against the others. What a reading of a rule names is closed by it:
// what doublestar matches, and the path that it is to the letter. What approve_allow lets through,
// deny with the same rule denies.
func TestRulesByEveryWay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(37, 4))
	root := t.TempDir()
	config := filepath.Join(t.TempDir(), "config.json")
	closed, refused, allowed := 0, 0, 0
	home := filepath.Dir(root)
	for range sized(800) {
		rule := randomRule(rnd, root)
		if below, ok := strings.CutPrefix(rule, root+"/"); ok && rnd.IntN(2) == 0 {
			rule = "~/" + filepath.Base(root) + "/" + below
		}
		if strings.TrimSpace(rule) == "" {
			continue // an empty line is none
		}
		rules, fail := rulesBy(t, rule, root, "flag", config)
		for _, way := range []string{"line", "list", "file", "write"} {
			if other, fail2 := rulesBy(t, rule, root, way, config); fail2 != fail || !slices.Equal(other, rules) {
				t.Errorf("%q: %q, %v by flag, %q, %v by %s", rule, rules, fail, other, fail2, way)
			}
		}
		deny, err := policy.New(rules, rules)
		if fail || err != nil {
			refused++
			continue
		}
		allow, err := policy.NewAllowance(rules)
		if err != nil {
			t.Errorf("%q: deny takes it, approve_allow doesn't: %v", rule, err)
		}
		excluding := make([]string, len(rules))
		for i := range rules {
			excluding[i] = "!" + rules[i]
		}
		filter, err := walk.NewFilter(excluding)
		if err != nil {
			t.Errorf("%q: deny takes it, an exclusion doesn't: %v", rule, err)
		}
		relative := strings.TrimPrefix(strings.Replace(rule, "~", home, 1), root+"/")
		for range 20 {
			path := randomRulePath(rnd, relative)
			if isNamed(relative, path, relative != rule) {
				closed++
				if !deny.Check(path, false).Blocks() || filter.Match(path) && filter.Match(path+"/") {
					t.Errorf("%q (%q) closes not %q: %v, omitted %v", rule, rules, path, deny.Check(path, false), !filter.Match(path))
				}
				if upper := strings.ToUpper(path); !deny.Check(upper, true).Blocks() && !strings.Contains(rule, "[!") {
					t.Errorf("%q closes %q, and not %q", rule, path, upper)
				}
			}
			if allow.Allows(path, true) {
				allowed++
				if !deny.Check(path, false).Blocks() {
					t.Errorf("%q lets %q through, and doesn't deny it", rule, path)
				}
			}
		}
	}
	if closed == 0 || refused == 0 || allowed == 0 {
		t.Errorf("%d closed, %d refused, %d allowed: the rules don't show it", closed, refused, allowed)
	}
}

var ruleNames = []string{"a", "b", "[id]", "{slug}", "{a,b}", "(x)", "@m", "kß", "k?", "*", "**", "?", "[ab]", "[!a]", `\[id\]`, `\a`, ".",
	"", "a b", "é", "A", "{a,}", "{./a,b}", "{a/b,c}"}

func randomRule(rnd *rand.Rand, root string) string {
	names := make([]string, 1+rnd.IntN(3))
	for i := range names {
		names[i] = ruleNames[rnd.IntN(len(ruleNames))]
	}
	rule := strings.Join(names, "/")
	switch rnd.IntN(12) {
	case 0, 1:
		rule = root + "/" + rule
	case 2:
		rule = "/" + rule
	case 3:
		rule = "./" + rule
	case 4:
		rule += "/**"
	case 5:
		rule += []string{"/", " ", `\`, "[", "}", ","}[rnd.IntN(6)]
	}
	return rule
}

func randomRulePath(rnd *rand.Rand, rule string) string {
	names := strings.Split(rule, "/")
	for i, name := range names {
		if name == "" || name == "." || strings.Contains(name, "*") || rnd.IntN(3) == 0 {
			names[i] = []string{"a", "b", "i", "[id]", "{slug}", "slug", "c", "kß", "kx", "a b", "é"}[rnd.IntN(11)]
		}
	}
	return strings.Trim(strings.Join(names, "/"), "/")
}

// TestOpeningRules makes rules with "!" by every way to set them, behind one that closes all paths.
// Each way opens the same, for reading and writing. What a rule of whole names and "**" opens is
// what a plain model of names says, no less and no more.
func TestOpeningRules(t *testing.T) {
	rnd := rand.New(rand.NewPCG(37, 5))
	root := t.TempDir()
	config := filepath.Join(t.TempDir(), "config.json")
	opened, kept := 0, 0
	for range sized(800) {
		rule := randomRule(rnd, root)
		if rnd.IntN(2) == 0 { // of names that the model knows
			names := make([]string, 1+rnd.IntN(3))
			for i := range names {
				names[i] = []string{"a", "b", "kx", "**"}[rnd.IntN(4)]
			}
			rule = strings.Join(names, "/")
		}
		switch rnd.IntN(4) {
		case 0:
			rule = "**/" + rule
		case 1:
			rule += "/"
		}
		if strings.TrimSpace(rule) == "" || strings.HasPrefix(rule, "!") {
			continue
		}
		rules, fail := rulesBy(t, "!"+rule, root, "flag", config)
		for _, way := range []string{"line", "list", "file", "write"} {
			if other, fail2 := rulesBy(t, "!"+rule, root, way, config); fail2 != fail || !slices.Equal(other, rules) {
				t.Errorf("!%q: %q, %v by flag, %q, %v by %s", rule, rules, fail, other, fail2, way)
			}
		}
		all := append([]string{"**"}, rules...)
		deny, err := policy.New(all, all)
		if fail || err != nil {
			continue
		}
		relative := strings.TrimPrefix(rule, root+"/")
		for range 20 {
			path := randomRulePath(rnd, strings.TrimSuffix(relative, "/**"))
			if rnd.IntN(2) == 0 {
				path += "/" + []string{"a", "b", "kx"}[rnd.IntN(3)]
			}
			open := !deny.Check(path, false).Blocks()
			if open != !deny.Check(path, true).Blocks() {
				t.Errorf("!%q opens %q for reading or writing, not both", rule, path)
			}
			want, plain := opensPlainly(relative, path, relative != rule)
			switch {
			case !plain:
			case open != want:
				t.Errorf("!%q (%q) opens %q: %v", rule, rules, path, open)
			case open:
				opened++
			default:
				kept++
			}
		}
	}
	if opened < 100 || kept < 100 {
		t.Errorf("%d opened, %d kept closed: the rules don't show it", opened, kept)
	}
}

// opensPlainly says by whole names alone whether a rule opens a file, where it consists of letters
// and "**": plain is false for any other.
func opensPlainly(rule, path string, rooted bool) (opens, plain bool) {
	rooted = rooted || strings.Contains(strings.TrimSuffix(rule, "/"), "/")
	want, names := strings.Split(rule, "/"), strings.Split(path, "/")
	for i, name := range want {
		isLetters := name != "" && strings.Trim(name, "abkx") == ""
		if !isLetters && name != "**" && !(name == "" && i == len(want)-1 && i > 0) {
			return false, false
		}
	}
	if want[len(want)-1] == "" {
		return false, true // a folder, and no file
	}
	if !rooted {
		want = append([]string{"**"}, want...)
	}
	return fits(want, names), true
}

func fits(want, names []string) bool {
	switch {
	case len(want) == 0:
		return len(names) == 0
	case want[0] == "**" && len(want) == 1:
		return true // a/** opens a as well
	case want[0] == "**":
		return fits(want[1:], names) || len(names) > 0 && fits(want, names[1:])
	}
	return len(names) > 0 && want[0] == names[0] && fits(want[1:], names[1:])
}

// isNamed reports whether a path is what a rule is to the letter, or what doublestar matches.
func isNamed(rule, path string, rooted bool) bool {
	rule = strings.TrimSuffix(rule, "/")
	rooted = rooted || strings.Contains(rule, "/")
	rule = strings.TrimPrefix(rule, "./")
	if rule == "" || strings.Contains(rule, "//") || strings.HasPrefix(rule, "/") || slices.Contains(strings.Split(rule, "/"), ".") {
		return false
	}
	if rule == path || !rooted && strings.HasSuffix(path, "/"+rule) {
		return true
	}
	ok, err := doublestar.Match(rule, path)
	return ok && err == nil
}

// rulesBy gives the rules in force for one rule that is set in some way; refused says that there
// are none, since it can't be used.
func rulesBy(t *testing.T, rule, root, way, config string) (rules []string, refused bool) {
	t.Helper()
	s := defaultSettings(t)
	s.Root, s.NoDefaultDeny = root, true
	given := map[string]bool{"root": true, "no_default_deny": true}
	list, err := json.Marshal([]string{rule})
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{}
	switch way {
	case "flag":
		s.Deny, given["deny"] = []string{rule}, true
	case "line":
		vars["FSBOX_DENY"] = rule + "\r\n"
	case "list":
		vars["FSBOX_DENY"] = string(list)
	case "write":
		s.DenyWrite, given["deny_write"] = []string{rule}, true
	case "file":
		s.Config = config
		if err := os.WriteFile(config, []byte(`{"deny": `+string(list)+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	system := fakeSystem(vars, filepath.Dir(root), "")
	if fail := s.TakeEnvironment(given, system); fail != nil {
		return nil, true
	}
	l, fail := settings.Load(s, given, system)
	if fail != nil {
		return nil, true
	}
	rules = l.Rules
	if way == "write" {
		rules = l.WriteRules[len(policy.DefaultDenyWrite()):]
	}
	if _, err := policy.New(rules, nil); err != nil {
		return nil, true
	}
	return rules, false
}
