package commands

import (
	"fmt"
	"io/fs"

	"fsbox/sandbox/dir"
)

// typeName is how answers name a type.
func typeName(kind fs.FileMode) string { return dir.Info{Mode: kind}.Type() }

// octal gives permission bits the way chmod takes them.
func octal(mode fs.FileMode) string { return fmt.Sprintf("%04o", dir.UnixBits(mode)) }
