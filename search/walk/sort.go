package walk

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
)

// fewNames are sorted by comparing them whole.
const fewNames = 1000

// sortNames sorts names in place, bytewise. Names of a large folder often begin alike, and looking
// at each of them again and again takes more time than listing them does: of 300,000 names, sorting
// took a third of the processor time of a glob. So of many names the first bytes after what all
// have in common are sorted, as numbers, which takes half of that (2026-11-28).
func sortNames(names []Dirent) []Dirent {
	if len(names) <= fewNames {
		slices.SortFunc(names, func(a, b Dirent) int { return strings.Compare(a.Name, b.Name) })
		return names
	}
	same := len(commonStart(names))
	keys := make([]nameKey, len(names))
	for i := range names {
		keys[i] = newNameKey(names[i].Name[same:], i)
	}
	slices.SortFunc(keys, func(a, b nameKey) int {
		if a.start != b.start {
			return cmp.Compare(a.start, b.start)
		}
		return strings.Compare(names[a.at].Name[same:], names[b.at].Name[same:])
	})
	arrange(names, keys)
	return names
}

// nameKey has the first eight bytes of a name, as a number with the first one on top, and where the
// name is.
type nameKey struct {
	start uint64
	at    int32
}

func newNameKey(name string, at int) nameKey {
	var first [8]byte
	copy(first[:], name)
	return nameKey{binary.BigEndian.Uint64(first[:]), int32(at)}
}

// commonStart is what all names begin with.
func commonStart(names []Dirent) string {
	same := names[0].Name
	for i := range names {
		for !strings.HasPrefix(names[i].Name, same) {
			same = same[:len(same)-1]
		}
	}
	return same
}

// arrange puts names into the order of their keys, in place. It uses the keys up.
func arrange(names []Dirent, keys []nameKey) {
	for i := range keys {
		from := int(keys[i].at)
		if from < 0 {
			continue
		}
		moved := names[i]
		to := i
		for from != i {
			names[to] = names[from]
			keys[to].at = -1
			to, from = from, int(keys[from].at)
		}
		names[to], keys[to].at = moved, -1
	}
}
