//go:build !linux

package systems

func lack() {}

func probes() map[string]func() { return nil }
