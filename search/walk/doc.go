// Package walk goes through a tree of folders: with ignore rules, globs, filters and file types.
//
// It touches no disk itself. Its central type is the interface Folder, one open folder, through
// which it gets at everything. It must not look into files, except ignore files, and knows no
// policy beyond a function that says whether a path is blocked.
//
// Order is part of its promise: a walk goes by path, bytewise, component by component. A folder
// comes right before its contents, and all of them before the next name, so "a/x" comes before
// "a.txt". Every run over the same tree gives the same order, which is what lets a walk resume
// after a path.
package walk
