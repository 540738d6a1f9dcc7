//go:build !linux

package rights

func ReadAttributes(int) (Attributes, error) { return nil, nil }

func WriteAttributes(int, Attributes) (Attributes, error) { return nil, nil }
