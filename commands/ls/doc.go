// Package ls has the command ls. How a page is filled from a walk, and the text form of its
// entries, is in package listing.
package ls
