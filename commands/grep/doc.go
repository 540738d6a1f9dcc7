// Package find has the command grep. Run (grep.go) searches through package search and puts what is
// found into a page (grep_page.go, grep_match.go); grep_nothing.go says which small change of a
// query would find something. A search that is stuck inside one regular expression is left behind,
// and the next one waits for it (awaitSlow). Files is for an edit of many files (grep_files.go).
package grep
