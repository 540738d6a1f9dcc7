// Package tasks replays recorded tasks of agents, a folder each, in every way that an agent can go:
// through fsbox by edit, by anchors or by patch, and through a shell. Its test checks that all ways
// leave the same files, and counts what an agent sends and reads. See bench/README.md.
package tasks
