//go:build !amd64

package match

func hasAVX2() bool { return false }
