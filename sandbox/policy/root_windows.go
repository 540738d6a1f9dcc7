package policy

import "strings"

// sameText compares paths as the system does.
func sameText(a, b string) bool { return strings.EqualFold(a, b) }

// FoldsCase says whether file names are compared without case.
const FoldsCase = true
