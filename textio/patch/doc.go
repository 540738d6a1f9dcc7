// Package patch reads patches (unified diffs, git's diffs, and the "*** Begin Patch" form) and
// applies them to texts: Parse, then File.Apply for each file. It opens no files, and doesn't judge
// paths: whether one is safe is for the caller to say. Its central type is Patch.
package patch
