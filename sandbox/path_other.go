//go:build !windows

package sandbox

func reserved(string) bool { return false }
