package policy

import "strings"

// Names of files that are on their way. The first is used again and again, under the folder's lock, so that the next write
// into a folder removes what a kill left there; the second belongs to a transaction whose record says what is to be done.
const (
	TempPrefix  = ".fsbox-tmp-"
	TransPrefix = ".fsbox-txn-"
)

// IsOwn reports a name that this program gives to files on their way: what stands there is removed sooner or later.
func IsOwn(name string) bool {
	name = Fold(name)
	return strings.HasPrefix(name, TempPrefix) || strings.HasPrefix(name, TransPrefix)
}
