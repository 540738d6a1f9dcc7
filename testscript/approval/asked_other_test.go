//go:build !linux

package approval

func terminals() map[string]func() { return nil }
