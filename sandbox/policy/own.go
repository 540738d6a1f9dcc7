package policy

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Beginnings of the names of temporary files. A TempPrefix name is used for one write after
// another, under the folder's lock, so that the next write into a folder removes what a killed call
// left there. A TransPrefix name belongs to a transaction, whose record says what to do with the
// file.
const (
	TempPrefix  = ".fsbox-tmp-"
	TransPrefix = ".fsbox-txn-"
)

// StagedTemp begins the names of what is still being made in a locked folder. Where the lock is a
// file, AloneMark ends it, and a number follows that is this file's alone: another call that has
// taken the lock, because this one didn't answer for too long, removes such files. So a rename that
// comes late fails, and never takes the other call's file.
const (
	StagedTemp = TempPrefix + "1"
	AloneMark  = "-"
)

// AloneName is a temporary name that ends so.
func AloneName(temp string) string { return fmt.Sprintf("%s%s%016x", temp, AloneMark, rand.Uint64()) }

// OldMark ends the name of a file that was displaced by a transaction, or is to be removed. Other
// machines leave it.
const OldMark = "-old"

// AsideName is such a name that nobody else uses.
func AsideName() string { return fmt.Sprintf("%s%016x%s", TransPrefix, rand.Uint64(), OldMark) }

// LockName is the name of the file that locks the folder it is in: see package dirlock.
const LockName = TempPrefix + "lock"

// IsOwn reports whether this program gives a name to temporary files: a file with such a name is
// removed sooner or later.
func IsOwn(name string) bool {
	name = Fold(name)
	return strings.HasPrefix(name, TempPrefix) || strings.HasPrefix(name, TransPrefix)
}
