package sandbox

import "strings"

// Names of files that are on their way. The first is used again and again, under the folder's lock, so that the next write
// into a folder removes what a kill left there; the second belongs to a transaction whose record says what is to be done.
const (
	tempPrefix  = ".fsbox-tmp-"
	transPrefix = ".fsbox-txn-"
)

// isOwnName reports a name that this program gives to files on their way: what stands there is removed sooner or later.
func isOwnName(name string) bool {
	name = fold(name)
	return strings.HasPrefix(name, tempPrefix) || strings.HasPrefix(name, transPrefix)
}
