// Package policy holds the rules about paths: which may not be read, and which may not be changed. It is pure: names go in, a
// Verdict comes out. It must not look at the disk; what a path leads to, and how a file system spells its names, is found out above.
//
// Its central type is Rules, compiled from the patterns of the operator.
package policy
