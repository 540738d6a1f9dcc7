// Package move has the command move. What a move and a copy have in common, the answer and
// the hints, is here, and package copy uses it.
package move
