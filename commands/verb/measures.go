package verb

import (
	"io/fs"
	"log/slog"

	"fsbox/sandbox/dir"
)

// Measures are the figures of an answer that a line of the log has.
type Measures struct {
	Attrs []slog.Attr
	Paths []string // for a request that names none itself
}

func (m *Measures) Add(name string, n int64) { m.Attrs = append(m.Attrs, slog.Int64(name, n)) }

// AddList adds how many things of a list an answer has, and whether there are more.
func (m *Measures) AddList(name string, n int, truncated bool) {
	m.Add(name, int64(n))
	m.Attrs = append(m.Attrs, slog.Bool("truncated", truncated))
}

// Figured is a result that has figures for the log.
type Figured interface{ Figures(m *Measures) }

// TypeName is how answers name a type.
func TypeName(kind fs.FileMode) string { return dir.Info{Mode: kind}.Type() }
