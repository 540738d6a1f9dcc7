package commands

import (
	"io"
	"sync"
	"sync/atomic"

	"fsbox/commands/attend"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox"
	"fsbox/sandbox/confine"

	"github.com/go-json-experiment/json/jsontext"
)

// Env is what a call runs in: the workspace, the limits and the operator's settings.
type Env struct {
	Workspace *sandbox.Workspace
	Limits    request.Limits
	tools     []Tool // all that a request can name
	settings  *settings.Loaded
	id        jsontext.Value    // of the call, nil for none
	stdin     io.Reader         // for --content-file -
	warnings  []string          // of the call
	collector *sync.Once        // see collectLate
	abandoned *attend.Abandoned // calls that hang
	slow      *attend.Abandoned // abandoned searches that are still inside a regular expression
	level     confine.Level     // how far the kernel confines the process
	looked    *atomic.Int64     // counts folders and files that walks have opened, nil if nobody asks
}

// maxWarnings is how many warnings an answer has: a patch may have one for each of its files.
const maxWarnings = 50

// Warn adds a warning to the answer of the current call.
func (e *Env) Warn(format string, args ...any) {
	switch text := words.Phrase(format, args...); {
	case len(e.warnings) < maxWarnings-1:
		e.warnings = append(e.warnings, text)
	case len(e.warnings) < maxWarnings:
		e.warnings = append(e.warnings, "there are more warnings than are listed")
	}
}
