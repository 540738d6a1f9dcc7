//go:build !linux && !darwin

package literal

import "testing"

// guarded gives some memory, to be used from its begin, and from its end.
func guarded(*testing.T) (low, high []byte) {
	return make([]byte, 4096), make([]byte, 4096)
}
