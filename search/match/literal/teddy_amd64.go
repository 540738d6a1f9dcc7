package literal

// teddyStep is how many positions teddyAVX2 compares at a time. It must be given at least as many.
const teddyStep = 32

// teddyAVX2 gives the first of n positions where the three bytes of some bucket may be, n if there
// is none. It reads n+2 bytes of text.
//
//go:noescape
func teddyAVX2(text *byte, n int, t *[printLen]nibbles) int

// skip gives the first position at or after from that may be a fingerprint's. Those before end have
// all its bytes in text.
func (t *teddy) skip(text []byte, from, end int) int {
	for t.avx2 && end-from >= teddyStep {
		n := min(end-from, kernelSpan)
		at := teddyAVX2(&text[from], n, &t.tables)
		if from += at; at < n {
			break
		}
	}
	return from
}
