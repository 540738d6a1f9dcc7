package commands

import (
	"log/slog"
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

// measure takes the figures from a result.
func measure(result any) (m measures) {
	switch r := result.(type) {
	case *ReadResult:
		m.add("bytes", int64(len(r.Content)))
		m.addList("lines", int(r.EndLine-r.StartLine+1), r.Truncated)
	case *GrepResult:
		m.addList("matches", len(r.Matches)+len(r.Files)+len(r.Counts), r.Truncated)
	case *GlobResult:
		m.addList("entries", r.Count, r.Truncated)
	case *LsResult:
		m.addList("entries", r.Count, r.Truncated)
	default:
		m.takeChange(result)
	}
	return m
}

// takeChange takes the figures from the result of a change.
func (m *measures) takeChange(result any) {
	switch r := result.(type) {
	case *WriteResult:
		m.add("bytes", r.BytesWritten)
		m.add("lines", int64(r.Additions+r.Deletions))
	case *AppendResult:
		m.add("bytes", r.BytesAppended)
	case *EditResult:
		m.add("bytes", r.BytesWritten)
		m.add("lines", int64(r.Additions+r.Deletions))
		m.add("matches", int64(r.Replacements))
	case *PatchResult:
		lines := 0
		for _, f := range r.Files {
			lines += f.Additions + f.Deletions
			m.paths = append(m.paths, f.Path)
		}
		m.add("lines", int64(lines))
	case *UndoResult:
		m.paths = mapped(r.Restored, func(f RestoredPath) string { return f.Path })
	}
}
