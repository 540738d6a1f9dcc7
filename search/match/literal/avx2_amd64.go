package literal

import "sync"

// hasAVX2 says whether the processor and the system have AVX2. It asks at the first search, not at
// start-up as x/sys/cpu does, and asks only for AVX2: in a virtual machine each CPUID instruction
// is an exit to the hypervisor, some 10 µs.
var hasAVX2 = sync.OnceValue(func() bool {
	const (
		osxsave, avx = 1 << 27, 1 << 28 // leaf 1, ECX
		avx2         = 1 << 5           // leaf 7, EBX; where there is OSXSAVE, there is leaf 7
		ymm          = 1<<1 | 1<<2      // XCR0: the system saves both halves of the registers
	)
	if _, c := cpuid(1); c&(osxsave|avx) != osxsave|avx || xgetbv()&ymm != ymm {
		return false
	}
	b, _ := cpuid(7)
	return b&avx2 != 0
})

// cpuid runs the instruction CPUID with subleaf 0, and gives EBX and ECX.
func cpuid(leaf uint32) (b, c uint32)

// xgetbv gives the low half of XCR0.
func xgetbv() (low uint32)
