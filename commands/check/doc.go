// Package check has the command check: the settings in force, and where each comes from;
// rules.go says what the deny rules match.
package check
