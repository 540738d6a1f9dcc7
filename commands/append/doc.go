// Package append has the command append: it adds to the end of a file, in place. Package
// write uses it for the mode append.
package append
