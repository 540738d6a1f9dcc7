// Package grep has the command grep. Run (grep.go) searches through package search and puts what is
// found into a page (page.go, match.go); nothing.go says which small change of a
// query would find something. A search that is stuck inside one regular expression is left behind,
// and the next one waits for it (awaitSlow). Files is for an edit of many files (files.go).
package grep
