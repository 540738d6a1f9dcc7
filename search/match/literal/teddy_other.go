//go:build !amd64

package literal

// skip gives the first position that may be a fingerprint's: there is no kernel to tell.
func (t *teddy) skip(_ []byte, from, _ int) int { return from }
