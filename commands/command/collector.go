package command

import (
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// heapLimit is the soft memory limit of Go's collector, in bytes: the closer the heap comes to it,
// the more often garbage is collected. It is there to keep a process below 52 MiB, of which the
// program itself and RE2 use some 20 MiB.
const heapLimit = 32 << 20

// A call whose data come close to heapLimit would do little else than collect. Where less than
// spareBelow is left after a collection, the limit grows by what is missing, to mostLimit at most.
// With 34 MiB, a grep with 130,000 matches has its peak at 42 MiB, with 36 at 44; a patch of 10,000
// files takes 1 % more processor time (2026-11-30).
const (
	spareBelow = 12 << 20
	mostLimit  = 34 << 20
)

// Percentages as in GOGC: the first one leaves spareHeap bytes of garbage, on the 4 MiB in use that
// are the least the collector reckons with; the second is the lowest percentage ever set.
const (
	spareHeap    = 16 << 20
	firstPercent = 100 * spareHeap / (4 << 20)
	leastPercent = 100
)

// BoundDelay is how long a process runs before BoundHeap, which stops all threads for a moment:
// most calls have ended by then. Until then a heap grows by some 10 MiB at most.
const BoundDelay = 5 * time.Millisecond

// BoundHeap bounds the garbage of a long call or a stream. Go would collect first at 4 MiB, and a
// glob in a directory of 300,000 files would take 15 % more processor time (2026-11-30). Garbage
// may reach spareHeap, or the size of the memory in use if that is larger, and all of the heap some
// heapLimit. What GOGC or GOMEMLIMIT in the environment say is left as it is.
func BoundHeap() {
	var limit int64
	var percent int
	set := func(newLimit int64, newPercent int) {
		if newLimit != limit && os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(newLimit)
		}
		if newPercent != percent && os.Getenv("GOGC") == "" {
			debug.SetGCPercent(newPercent)
		}
		limit, percent = newLimit, newPercent
	}
	set(heapLimit, firstPercent)
	afterCollection(func() {
		var m runtime.MemStats // runtime/metrics is cheaper to ask, but makes every start of the program slower
		runtime.ReadMemStats(&m)
		inUse := int64(m.HeapAlloc + m.Sys - m.HeapSys) // what the limit counts besides garbage
		set(min(max(inUse+spareBelow, heapLimit), mostLimit), int(max(leastPercent, firstPercent*(4<<20)/max(m.HeapAlloc, 4<<20))))
	})
}

// afterCollection calls a function after every collection.
func afterCollection(do func()) {
	runtime.AddCleanup(new([64]byte), func(struct{}) {
		do()
		afterCollection(do)
	}, struct{}{})
}
