package command

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// spareHeap is how much garbage, in bytes, a long walk or a stream may leave before it is
// collected. Most calls end before they reach it. Without it, Go would collect at 4 MiB.
const spareHeap = 16 << 20

// heapLimit is the soft memory limit of Go's collector, in bytes: the closer the heap comes to it,
// the more often garbage is collected. It is there to keep a process below 52 MiB, of which the
// program itself and RE2 use some 20 MiB.
const heapLimit = 32 << 20

// BoundDelay is how long a call runs before BoundHeap sets heapLimit: that stops all threads for a
// moment. Until then a heap grows by some 10 MiB at most.
const BoundDelay = 5 * time.Millisecond

// A call whose data come close to heapLimit would do little else than collect. Where less than
// spareBelow is left after a collection, the limit grows by what is missing, to mostLimit at most.
// With 36 MiB, a grep with 130,000 matches has its peak at 45 MiB, and takes no more processor time
// than with 42, which has it at 49; a patch of 10,000 files takes 2 % more (2026-11-29).
const (
	spareBelow = 12 << 20
	mostLimit  = 36 << 20
)

// BoundHeap sets heapLimit, unless the environment has another one.
func BoundHeap() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetMemoryLimit(heapLimit)
	limit := int64(heapLimit)
	afterCollection(func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		inUse := int64(m.HeapAlloc + m.Sys - m.HeapSys) // what the limit counts besides garbage
		if wanted := min(max(inUse+spareBelow, heapLimit), mostLimit); wanted != limit {
			limit = wanted
			debug.SetMemoryLimit(limit)
		}
	})
}

// Percentages as in GOGC: the first one gives spareHeap of garbage on 4 MiB in use, which is the
// smallest amount that the collector reckons with; the second is the lowest percentage ever set.
const (
	firstPercent = 100 * spareHeap / (4 << 20)
	leastPercent = 100
)

// CollectLate makes the collector start late, once for all calls of a session: each time would add
// another function to run after every collection. After that, garbage may reach spareHeap, or the
// size of the memory in use if that is larger: with more than 16 MiB in use, memory stays within
// twice what is in use. It stops all goroutines for a moment, which a short call would notice. If
// the environment sets GOGC, it does nothing.
func (e *Env) CollectLate() {
	e.Collector.Do(func() {
		if os.Getenv("GOGC") != "" {
			return
		}
		debug.SetGCPercent(firstPercent)
		afterCollection(func() {
			var m runtime.MemStats // runtime/metrics is cheaper to ask, but makes every start of the program slower
			runtime.ReadMemStats(&m)
			debug.SetGCPercent(int(max(leastPercent, firstPercent*(4<<20)/max(m.HeapAlloc, 4<<20))))
		})
	})
}

// afterCollection calls a function after every collection.
func afterCollection(do func()) {
	runtime.AddCleanup(new([64]byte), func(struct{}) {
		do()
		afterCollection(do)
	}, struct{}{})
}
