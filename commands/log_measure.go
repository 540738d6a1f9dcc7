package commands

import (
	"log/slog"
)

// measures are the figures of an answer that a line of the log has. Those that a result doesn't
// have are negative.
type measures struct {
	bytes, lines, matches, entries int64
	truncated                      *bool
	paths                          []string // for a request that names none itself
}

// measure takes the figures from a result.
func measure(result any) measures {
	m := measures{bytes: -1, lines: -1, matches: -1, entries: -1}
	switch r := result.(type) {
	case *ReadResult:
		m.bytes, m.lines, m.truncated = int64(len(r.Content)), r.EndLine-r.StartLine+1, &r.Truncated
	case *GrepResult:
		m.matches, m.truncated = int64(len(r.Matches)+len(r.Files)+len(r.Counts)), &r.Truncated
	case *GlobResult:
		m.entries, m.truncated = int64(r.Count), &r.Truncated
	case *LsResult:
		m.entries, m.truncated = int64(r.Count), &r.Truncated
	default:
		m.takeChange(result)
	}
	return m
}

// takeChange takes the figures from the result of a change.
func (m *measures) takeChange(result any) {
	switch r := result.(type) {
	case *WriteResult:
		m.bytes, m.lines = r.BytesWritten, int64(r.Additions+r.Deletions)
	case *AppendResult:
		m.bytes = r.BytesAppended
	case *EditResult:
		m.bytes, m.lines, m.matches = r.BytesWritten, int64(r.Additions+r.Deletions), int64(r.Replacements)
	case *PatchResult:
		m.lines = 0
		for _, f := range r.Files {
			m.lines += int64(f.Additions + f.Deletions)
			m.paths = append(m.paths, f.Path)
		}
	case *UndoResult:
		for _, f := range r.Restored {
			m.paths = append(m.paths, f.Path)
		}
	}
}

// attrs are the figures that there are.
func (m *measures) attrs() (all []slog.Attr) {
	for _, one := range [...]struct {
		name  string
		value int64
	}{{"bytes", m.bytes}, {"lines", m.lines}, {"matches", m.matches}, {"entries", m.entries}} {
		if one.value >= 0 {
			all = append(all, slog.Int64(one.name, one.value))
		}
	}
	if m.truncated != nil {
		all = append(all, slog.Bool("truncated", *m.truncated))
	}
	return all
}
