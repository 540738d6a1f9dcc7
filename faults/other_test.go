//go:build !linux || !amd64

package faults

import "testing"

func TestFaults(t *testing.T) {
	t.Skip("faults are injected with ptrace, and so far only on Linux with amd64")
}
