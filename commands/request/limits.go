package request

import (
	"time"
)

// Limits bound what one request may ask for and get. Sizes are in bytes.
type Limits struct {
	MaxReadBytes   int64         `json:"max_read_bytes"`
	MaxOutputBytes int64         `json:"max_output_bytes"`
	MaxWriteBytes  int64         `json:"max_write_bytes"`
	MaxResults     int64         `json:"max_results"`
	Timeout        time.Duration `json:"-"`
}

// MaxContext is the most lines around a match. Each match carries its own, so this bounds an
// answer's work.
const MaxContext = 500

// of gives the limit that a cap tag names, 0 if there is none. See field.
func (l *Limits) of(cap string) (limit int64, name string) {
	switch {
	case l == nil:
		return 0, ""
	case cap == "results":
		return l.MaxResults, "max_results"
	case cap == "context":
		return MaxContext, ""
	case cap == "output":
		return l.MaxOutputBytes, "max_output_bytes"
	}
	return 0, ""
}
