package policy

import "strings"

// sameText compares paths the way the system does.
func sameText(a, b string) bool { return strings.EqualFold(a, b) }

// foldsCase says whether file names are compared without case.
const FoldsCase = true
