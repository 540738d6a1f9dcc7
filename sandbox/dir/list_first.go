package dir

import (
	"slices"
	"strings"
)

// A list of very many names is held in part: its first names in order, up to so many bytes. It may have twice as much before it
// is cut, so that it isn't sorted too often.
const (
	maxListed  = 8 << 20
	direntSize = 24 // bytes of a Dirent
)

// FirstNames collects the names of a folder, unsorted: those from one on, and of very many only the first.
type FirstNames struct {
	From  string // what comes before is left out, but for those always listed
	whole bool   // all names are wanted, however many
	Names []Dirent
	size  int    // about how many bytes they take
	Bound string // names that come after it are left out; "" while there are none
}

// isAlwaysListed tells the names that a walk looks for in every folder.
func isAlwaysListed(name string) bool {
	return name == ".git" || name == ".gitignore" || name == ".ignore"
}

// filters reports that not all names are wanted.
func (l *FirstNames) filters() bool { return l.From != "" || l.Bound != "" }

// wants judges a name.
func (l *FirstNames) wants(name []byte) bool {
	return string(name) >= l.From && (l.Bound == "" || string(name) <= l.Bound) || isAlwaysListed(string(name))
}

// weigh counts names[n:], which are new, and leaves the last names out if there are too many.
func (l *FirstNames) weigh(n int) {
	for _, d := range l.Names[n:] {
		l.size += len(d.Name) + direntSize
	}
	if l.size > 2*maxListed && !l.whole {
		l.cut()
	}
}

// cut leaves out the last names.
func (l *FirstNames) cut() {
	slices.SortFunc(l.Names, func(a, b Dirent) int { return strings.Compare(a.Name, b.Name) })
	var kept []Dirent
	size, full := 0, false
	for _, d := range l.Names {
		size += len(d.Name) + direntSize
		if full = full || size > maxListed; !full {
			l.Bound = d.Name
		}
		if !full || isAlwaysListed(d.Name) {
			kept = append(kept, Dirent{strings.Clone(d.Name), d.Type})
		}
	}
	l.Names, l.size = kept, maxListed
	l.Bound = strings.Clone(l.Bound)
}
