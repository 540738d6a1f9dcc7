//go:build !amd64

package literal

func hasAVX2() bool { return false }
