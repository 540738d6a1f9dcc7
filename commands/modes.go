package commands

import (
	"fmt"
	"io/fs"

	"fsbox/sandbox/dir"
)

// octal gives permission bits the way chmod takes them.
func octal(mode fs.FileMode) string { return fmt.Sprintf("%04o", dir.UnixBits(mode)) }
