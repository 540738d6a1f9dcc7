//go:build !linux

package systems

func probes() map[string]func() { return nil }
