package diff

import (
	"strings"
	"testing"
)

func TestUnifiedMatches(t *testing.T) {
	lines := func(words string) string { return strings.ReplaceAll(words, " ", "\n") + "\n" }
	for _, tt := range []struct{ name, old, new, want string }{
		{"lines that occur once hold a text together", "f { x } g { y }", "f { x } h { z } g { y }", "{ x } +h +{ +z +} g { y"},
		{"what moved is taken from one place", "one two three four", "three one two four", "+three one two -three four"},
		{"the longest order wins", "1 2 3 4 5", "5 1 2 3 4", "+5 1 2 3 4 -5"},
		{"repeated lines are matched between others", "a } b } c", "a } x b } c", "a } +x b } c"},
		{"and within what is left", "s a } a } e", "s q } q } e", "s -a +q } -a +q } e"},
		{"a line that occurs once between two others", "s x p r x e", "s y p q y e x x", "s -x +y p -r -x +q +y e +x +x"},
		{"nothing in common", "a b", "c d", "-a -b +c +d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := Unified("f", []byte(lines(tt.old)), []byte(lines(tt.new)), false, 0)
			body := strings.Split(strings.TrimSuffix(d.Text, "\n"), "\n")[3:]
			for i := range body {
				body[i] = strings.TrimPrefix(body[i], " ")
			}
			if got := strings.Join(body, " "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
