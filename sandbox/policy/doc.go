// Package policy holds the rules about paths: which may not be read, and which may not be changed.
// It is pure: names go in, a Verdict comes out. It must not look at the disk: package sandbox finds
// out where a path leads.
//
// Its central type is Rules, compiled from the operator's patterns.
//
// # The way through
//
// New expands the braces of each pattern, folds its case, lets it begin at the root, and makes it
// a rule for names or for folders with all in them (rules.go). Rules.Check folds a path and goes
// down it from the root: at each name the last rule that matches decides. A walk asks Rules.MayDeny
// first: for most names their first and last bytes tell that no rule matches. fold.go says which
// names count as the same.
package policy
