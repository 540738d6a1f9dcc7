package commands

import (
	"os"
	"runtime"
	"runtime/debug"
)

// In percent of what is in use, as GOGC. The collector first runs at 4 MiB times this over 100.
const (
	lateCollection  = 400
	usualCollection = 100
)

// collectLate has the collector begin late, for a long walk in a process that answers one call: most end before there is
// anything worth collecting. Once it has run it goes on as usual, so that memory stays within twice of what is in use. It stops
// everything for a moment, which would show in a short walk.
func collectLate() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(lateCollection)
	runtime.AddCleanup(new([64]byte), func(percent int) { debug.SetGCPercent(percent) }, usualCollection)
}
