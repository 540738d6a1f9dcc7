package literal

const (
	// pairStep is how many positions pairAVX2 compares at a time. It must be given at least as
	// many.
	pairStep = 64

	// kernelSpan is the most positions that one call of a kernel looks at, some 10 µs of work: the
	// scheduler can't interrupt a call.
	kernelSpan = 256 << 10
)

// pairAVX2 gives the first of n positions, at least pairStep, where all three bytes are, n if there
// is none. text points at the first byte of the pair for position 0. pairAVX2 reads the three bytes
// of each of the n positions, and nothing else.
//
//go:noescape
func pairAVX2(text *byte, n int, p *pair) int

// skip gives the first position at or after from that may be the pair's. All three bytes lie in
// text for those before end.
func (p *pair) skip(text []byte, from, end int) int {
	if !p.avx2 {
		return from
	}
	for end-from >= pairStep {
		n := min(end-from, kernelSpan)
		at := pairAVX2(&text[from], n, p)
		if from += at; at < n {
			break
		}
	}
	return from
}
