package commands

import (
	"io/fs"
	"log/slog"

	"fsbox/sandbox/dir"
)

// measures are the figures of an answer that a line of the log has.
type measures struct {
	attrs []slog.Attr
	paths []string // for a request that names none itself
}

func (m *measures) add(name string, n int64) { m.attrs = append(m.attrs, slog.Int64(name, n)) }

// addList adds how many things of a list an answer has, and whether there are more.
func (m *measures) addList(name string, n int, truncated bool) {
	m.add(name, int64(n))
	m.attrs = append(m.attrs, slog.Bool("truncated", truncated))
}

// figured is a result that has figures for the log.
type figured interface{ figures(m *measures) }

// measure takes the figures from a result.
func measure(result any) (m measures) {
	if r, ok := result.(figured); ok {
		r.figures(&m)
	}
	return m
}

// typeName is how answers name a type.
func typeName(kind fs.FileMode) string { return dir.Info{Mode: kind}.Type() }
