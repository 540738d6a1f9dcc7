// Package layout holds tests about the source tree itself: which package may import which, who may
// touch the disk, how long lines, comments and lists of files may get, and that comments name files
// that exist. It has no code of its own.
package layout
