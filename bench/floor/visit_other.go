//go:build !linux

package main

import "errors"

func visit(_, _ string) (int, error) { return 0, errors.New("it needs Linux") }
