package commands

import (
	"os"
	"runtime"
	"runtime/debug"
)

// spareHeap is how much garbage may gather in a long walk or a stream, in bytes, before it is collected: most calls end before
// there is as much. The collector alone would begin at 4 MiB.
const spareHeap = 16 << 20

// heapLimit is what the collector works the harder for the nearer it comes, in bytes, so that garbage doesn't take a process past
// 64 MiB: the program itself and RE2 have some 20 of them.
const heapLimit = 40 << 20

// boundHeap sets heapLimit, unless the environment has another one.
func boundHeap() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(heapLimit)
	}
}

// In percent of what is in use, as GOGC: what makes spareHeap of the 4 MiB that the collector takes for in use at least, and the least.
const (
	firstPercent = 100 * spareHeap / (4 << 20)
	leastPercent = 100
)

// collectLate is the function of that name, once for all calls: each would add another look after every collection.
func (e *Env) collectLate() { e.collector.Do(collectLate) }

// collectLate has the collector begin late, and then leave spareHeap each time, or as much as is in use if that is more: so that
// memory stays within twice of that. It stops everything for a moment, which would show in a short call. A GOGC of the environment
// is left alone.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(firstPercent)
	afterCollection(func() {
		var m runtime.MemStats // runtime/metrics would tell for less, but costs every start of the program
		runtime.ReadMemStats(&m)
		debug.SetGCPercent(int(max(leastPercent, firstPercent*(4<<20)/max(m.HeapAlloc, 4<<20))))
	})
}

// afterCollection calls a function after every collection.
func afterCollection(do func()) {
	runtime.AddCleanup(new([64]byte), func(struct{}) {
		do()
		afterCollection(do)
	}, struct{}{})
}
