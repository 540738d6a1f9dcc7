package dir

import (
	"fmt"
	"slices"
	"testing"
)

// A folder with more names than are held gives the first of them in order, and what every walk
// looks for.
func TestFirstNamesAreCut(t *testing.T) {
	var l FirstNames
	padding := fmt.Sprintf("%0230d", 0)
	const count = 80_000 // some 20 MB
	for n := count - 1; n >= 0; n-- {
		if name := fmt.Sprintf("n%06d%s", n, padding); l.wants([]byte(name)) {
			l.Names = append(l.Names, Dirent{Name: name})
			l.weigh(len(l.Names) - 1)
		}
	}
	l.Names = append(l.Names, Dirent{Name: "z"}, Dirent{Name: ".gitignore"})
	l.cut()
	if l.Bound == "" {
		t.Fatalf("nothing was cut from %d names", len(l.Names))
	}
	if l.Names[0].Name != ".gitignore" {
		t.Errorf("%.20q is first: what is always listed is gone", l.Names[0].Name)
	}
	names := l.Names[1:]
	for n, d := range names {
		if want := fmt.Sprintf("n%06d%s", n, padding); d.Name != want {
			t.Fatalf("name %d is %.20q, want %.20q", n, d.Name, want)
		}
	}
	if last := names[len(names)-1].Name; last != l.Bound || len(names)*(len(last)+direntSize) > maxListed {
		t.Errorf("%d names are held, the last is %.20q, the bound %.20q", len(names), last, l.Bound)
	}
	for name, want := range map[string]bool{l.Bound: true, l.Bound + "0": false, ".git": true, "a": true} {
		if got := l.wants([]byte(name)); got != want {
			t.Errorf("wants %.20q: %v", name, got)
		}
	}
	shared := FirstNames{Share: 8}
	for n := range count {
		shared.Names = append(shared.Names, Dirent{Name: fmt.Sprintf("n%06d%s", n, padding)})
	}
	if shared.weigh(0); len(shared.Names) == 0 || shared.size > maxListed/8 || shared.Bound != shared.Names[len(shared.Names)-1].Name {
		t.Errorf("of a list that is one of eight, %d names are held, of %d bytes up to %.20q", len(shared.Names), shared.size, shared.Bound)
	}
	whole := FirstNames{whole: true, Names: slices.Repeat([]Dirent{{Name: padding}}, count)}
	if whole.weigh(0); len(whole.Names) != count {
		t.Error("a list that is to be whole was cut")
	}
}
