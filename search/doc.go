// Package search walks folders and finds things in them: the walker with its
// ignore rules, path filters, the line matcher, and grep on top of them.
//
// It touches no disk itself: folders and files come through the Folder and File
// interfaces. It knows no JSON, no flags and no policy beyond a function that
// says whether a path is blocked.
//
// Order is part of the contract: a walk goes by path, bytewise, component by
// component. A folder comes right before its contents, and all of them before
// the next name, so "a/x" comes before "a.txt". Every run over the same tree
// gives the same order, which is what lets a walk resume behind a path.
package search
