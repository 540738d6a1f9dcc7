// Package system has tests that need many modules: it is a module of its own, so that the program's
// go.mod stays small. They make the packages for Debian, Red Hat and Alpine that goreleaser would
// make, with the library that goreleaser uses (nfpm), and install them; make the image and run it;
// and look at the workflow of GitHub Actions as its linter does.
package system
