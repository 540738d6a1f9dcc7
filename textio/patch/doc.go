// Package patch reads patches (unified diffs, git's diffs, and the "*** Begin Patch" form) and
// applies them to texts: Parse, then File.Apply for each file. It opens no files, and doesn't check
// whether a path is safe: that is for the caller. Its central type is Patch.
//
// unified.go and begin.go read patches, place.go finds the place of each hunk, build.go makes the
// outcome, and file_plan.go groups sections by file.
package patch
