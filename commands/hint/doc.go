// Package hint finds what was meant by a request that is wrong: which path, which glob or query,
// which field or tool of ours has another name elsewhere. It gives paths, queries and sentences for
// the hint of an answer, and never changes what was asked for.
//
// # The way through
//
// A path with nothing at it goes to Tree.Meant. Tree.Respelled undoes one habit of spelling after
// the other (spelled.go) until something is there: quotes, URIs, line numbers, folders above the
// root. If nothing is, Tree.Similar puts all names that are like the missing one into one ranking
// (meant.go), by how like the name is and then by where it lies, and gives the first that exist.
//
// A search or a pattern that found nothing may be meant as one of several others: Queries
// (query.go), MeantGlobs and MeantPatterns (glob.go) list them, the likeliest first. AllAtOnce
// makes one query of them, which the caller searches for; Tree.Nearest looks for all patterns in
// one look around (tree.go), as they are and in other forms of the same names (near.go).
// Tree.LeftOut says why a walk passed a path by.
//
// Names from other programs are in tables: tools.txt for tools, fields.txt for fields. WithoutTools
// (tools.go) shortens a hint for a caller who has fewer tools. messages.txt has what to do about
// messages of the parsers.
//
// # What it must not know
//
// No request, result, code or failure: texts and names go in, sentences come out. It sees the
// workspace only through Tree, in which nothing is that policy denies, and it looks around for a
// bounded time and number of names.
package hint
