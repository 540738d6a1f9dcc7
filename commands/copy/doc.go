// Package copy has the command copy, for a file or a folder with all in it. Its answer and
// its hints are those of package move.
package copy
