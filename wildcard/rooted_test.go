package wildcard

import (
	"errors"
	"strings"
	"testing"
)

func TestRooted(t *testing.T) {
	isAbs := func(p string) bool { return strings.HasPrefix(p, "/") || strings.HasPrefix(p, "~/") }
	under := func(p string) (string, bool) {
		rest, ok := strings.CutPrefix(p, "/r{t")
		return strings.TrimPrefix(rest, "/"), ok && (rest == "" || rest[0] == '/')
	}
	for pattern, want := range map[string]string{
		"a": "a", "{a,b}/c": "{a,b}/c", "{a": "{a", "/r{t/a/{b,c}": "<a/{b,c}", "/r{t": "<",
		`\/r{t/a`: "<a", "/etc/x": ">/etc/x", "~/a": ">~/a", `\/etc`: ">/etc",

		"{/r{t,x}t/a,b}/{c,d}": ">/rtt/a/c >/rtt/a/d >/rxt/a/c >/rxt/a/d b/{c,d}", "{/etc,a}/{c,d}": ">/etc/c >/etc/d a/{c,d}",
		"{{/etc,a},b}": ">/etc a b", "{,x}{/etc,b}": ">/etc b x{/etc,b}",
		`{\/etc,b}`: ">/etc b", `\{/etc,b\}`: `\{/etc,b\}`, "x{/etc,b}": "x{/etc,b}", "/{etc,usr}/x": ">/etc/x >/usr/x",
	} {
		all, err := NewBudget().Rooted(pattern, isAbs, under)
		got := make([]string, len(all))
		for i, a := range all {
			got[i] = a.Glob
			if a.Under {
				got[i] = "<" + a.Glob
			} else if a.Outside {
				got[i] = ">" + a.Glob
			}
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v, want %s", pattern, got, err, want)
		}
	}
	if _, err := NewBudget().Rooted(strings.Repeat("{,}", 20), isAbs, under); !errors.Is(err, ErrBraces) {
		t.Error(err)
	}
}

func TestJoin(t *testing.T) {
	for _, all := range [][]string{{"a"}, {"a,c", "b,c"}, {"{a,b}c", `[,]x\,y`}, {`{a\},b}`, "é,é"}} {
		got, err := NewBudget().Expand(Join(all))
		var want []string
		for _, p := range all {
			for _, spelled := range must(NewBudget().Expand(p)) {
				want = append(want, Unescape(spelled))
			}
		}
		for i := range got {
			got[i] = Unescape(got[i])
		}
		if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q: %q, %v, want %q", all, got, err, want)
		}
	}
}

func must(all []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return all
}
