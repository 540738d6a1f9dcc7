//go:build !linux

package dir

func readAttributes(int) (Attributes, error) { return nil, nil }

func writeAttributes(int, Attributes) (Attributes, error) { return nil, nil }
