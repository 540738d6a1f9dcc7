package match

const (
	// pairStep is how many positions pairAVX2 looks at at a time: it needs as many.
	pairStep = 64

	// kernelSpan bounds the positions that one call of a kernel looks at, which the scheduler can't interrupt: some 10 µs.
	kernelSpan = 256 << 10
)

// pairAVX2 gives the first of n positions, at least pairStep, where all three bytes are, n if there is none. Text is where
// first stands for position 0. It reads what stands there for the n positions, and nothing else.
//
//go:noescape
func pairAVX2(text *byte, n int, p *pair) int

// skip gives the first position at or after from that may be the pair's. All three bytes lie in text for those before end.
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
