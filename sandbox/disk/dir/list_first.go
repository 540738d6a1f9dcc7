package dir

import (
	"context"
	"slices"
	"strings"
)

// Of a folder with very many names only the first ones in order are held, up to maxListed bytes.
// The list may grow to twice that before it is cut, so that it isn't sorted too often.
const (
	maxListed  = 8 << 20
	direntSize = 24 // bytes of a Dirent
)

// FirstNames collects the names of a folder, unsorted: those from From on. If there are very many,
// it keeps only the first of them in order, unless whole is set. Names that are always listed are
// in it in any case.
type FirstNames struct {
	From   string // names before it are left out, except those always listed
	Share  int    // hold no more than this part of maxListed: 4 is a quarter; 0 is all of it
	Fresh  bool   // the folder has not been listed since it was opened
	whole  bool   // all names are wanted, however many
	Names  []Dirent
	size   int    // about how many bytes the names take
	passed int    // the same of those that are left out
	Bound  string // names after it are left out; "" if none are
}

// isAlwaysListed reports whether a walk looks for a name in every folder.
func isAlwaysListed(name string) bool {
	return name == ".git" || name == ".gitignore" || name == ".ignore"
}

func (l *FirstNames) wantsAll() bool { return l.From == "" && l.Bound == "" }

// wants reports whether a name is to be listed.
func (l *FirstNames) wants(name []byte) bool {
	if string(name) >= l.From && (l.Bound == "" || string(name) <= l.Bound) || isAlwaysListed(string(name)) {
		return true
	}
	l.passed += len(name) + direntSize
	return false
}

// NameBytes is about how many bytes the names of a folder take in a list, which isn't made. Of a
// folder with very many names a list has a part only, of at most MaxNameBytes.
func NameBytes(ctx context.Context, in Folder) (int, error) {
	l := FirstNames{From: strings.Repeat("\xff", 256)} // after any name
	err := in.ListFirst(ctx, &l)
	return l.passed + l.size, err
}

// MaxNameBytes is the most that a list of names takes.
const MaxNameBytes = 2 * maxListed

// weigh adds the size of names[n:], which are new, and cuts the list if it is too long.
func (l *FirstNames) weigh(n int) {
	for _, d := range l.Names[n:] {
		l.size += len(d.Name) + direntSize
	}
	if l.size > 2*l.most() && !l.whole {
		l.cut()
	}
}

// most is how many bytes of names are held.
func (l *FirstNames) most() int { return maxListed / max(l.Share, 1) }

// cut leaves out the last names, in order.
func (l *FirstNames) cut() {
	slices.SortFunc(l.Names, func(a, b Dirent) int { return strings.Compare(a.Name, b.Name) })
	var kept []Dirent
	size, full := 0, false
	for _, d := range l.Names {
		size += len(d.Name) + direntSize
		if full = full || size > l.most(); !full {
			l.Bound = d.Name
		}
		if !full || isAlwaysListed(d.Name) {
			kept = append(kept, Dirent{strings.Clone(d.Name), d.Type})
		}
	}
	l.Names, l.size = kept, l.most()
	l.Bound = strings.Clone(l.Bound)
}
