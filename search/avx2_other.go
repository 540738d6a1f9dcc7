//go:build !amd64

package search

func hasAVX2() bool { return false }
