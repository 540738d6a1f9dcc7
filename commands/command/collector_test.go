package command

import (
	"runtime/debug"
	"testing"
)

// TestBoundHeap: the collector gets both bounds, unless the environment has its own.
func TestBoundHeap(t *testing.T) {
	const ownPercent, ownLimit = 77, 1 << 30
	for _, tt := range []struct {
		gogc, limit string
		wantPercent int
		wantLimit   int64
	}{
		{"", "", firstPercent, heapLimit},
		{"77", "", ownPercent, heapLimit},
		{"", "1GiB", firstPercent, ownLimit},
		{"77", "1GiB", ownPercent, ownLimit},
	} {
		t.Setenv("GOGC", tt.gogc)
		t.Setenv("GOMEMLIMIT", tt.limit)
		percent, limit := debug.SetGCPercent(ownPercent), debug.SetMemoryLimit(ownLimit)
		BoundHeap()
		gotPercent, gotLimit := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
		if gotPercent != tt.wantPercent || gotLimit != tt.wantLimit {
			t.Errorf("%+v: %d %% and %d bytes", tt, gotPercent, gotLimit)
		}
	}
}
