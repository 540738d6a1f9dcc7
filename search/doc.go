// Package search is grep: it runs package match over the files that package walk finds, on all
// cores, and hands the results over in path order, the same on every run.
//
// It touches no disk itself: folders and files come through the interfaces walk.Folder and
// walk.File. It knows no JSON, no flags and no policy beyond a function that says whether a path is
// blocked.
package search
