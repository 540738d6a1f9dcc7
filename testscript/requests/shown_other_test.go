//go:build !linux

package requests

func terminals() map[string]func() { return nil }
