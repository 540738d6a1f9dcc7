// Package tree looks through a folder with everything in it, before it is removed, moved or copied:
// survey.go refuses what the rules don't allow, copy.go copies it. A tag (tag.go) says what has a
// name, a file or a tree, so that any other can be told from it.
package tree
