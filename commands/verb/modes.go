package verb

import (
	"fmt"
	"io/fs"

	"fsbox/sandbox/dir"
)

// Octal gives permission bits the way chmod takes them.
func Octal(mode fs.FileMode) string { return fmt.Sprintf("%04o", dir.UnixBits(mode)) }
