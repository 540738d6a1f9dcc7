// Package system has the calls about files that systems have in different forms, or that have to be
// repeated: locks, syncs, renames that never replace, the clock of files. What is here for one
// system only is used by files for that system.
package system
