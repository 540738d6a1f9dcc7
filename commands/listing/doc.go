// Package listing is what ls, glob and grep share, and read and undo in part: cursors
// (cursor.go), how much a page holds and what was left out (state.go), a page of what a walk
// found, in path order or by time or size (page.go), and how one of its entries is written
// (found.go).
package listing
