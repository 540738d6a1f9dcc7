//go:build !linux

package sandbox

func readAttributes(int) (attributes, error) { return nil, nil }
func writeAttributes(int, attributes) error  { return nil }
