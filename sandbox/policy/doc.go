// Package policy holds the rules about paths: which may not be read, and which may not be changed.
// It is pure: names go in, a Verdict comes out. It must not look at the disk: package sandbox finds
// out where a path leads.
//
// Its central type is Rules, compiled from the operator's patterns.
package policy
