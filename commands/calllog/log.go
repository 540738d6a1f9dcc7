package calllog

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"time"

	"fsbox/commands/answer"
	"fsbox/commands/command"
	"fsbox/commands/request"
	"fsbox/commands/settings"
	"fsbox/commands/words"
	"fsbox/sandbox/disk/fserr"
	"fsbox/sandbox/disk/host"
	"fsbox/textio"

	"github.com/go-json-experiment/json/jsontext"
)

// Log writes one JSON line for each call, in one write, so that processes can share a file, and
// without holding up the call. A line says what was asked for and what came of it. It never has
// contents of files: no content, no expected or replacement text, no patch, and of a query only the
// beginning.
//
// Names are those of OpenTelemetry where it has one: gen_ai.operation.name, gen_ai.tool.name,
// gen_ai.tool.call.id, file.path, error.type, and trace_id, span_id and trace_flags as for logs in
// formats of their own. The others are ours.
type Log struct {
	out    *writer
	time   time.Duration // that a call has
	common []slog.Attr
	trace  []slog.Attr    // of the process, or of the current call
	id     jsontext.Value // of the current call, where the protocol has an id and the request has none
}

// Of is the log for a call that has an id and a trace of its own. A trace that is malformed counts
// as none: then that of the process holds.
func (l *Log) Of(id jsontext.Value, traceparent string) *Log {
	own := *l
	own.id = id
	if t, ok := parseTraceparent(traceparent); ok {
		own.trace = t.attrs()
	}
	return &own
}

// Open opens the log that the operator asked for. One that can't be opened ends the program before
// the first call.
func Open(s *settings.Loaded, system settings.Environment) (*Log, *answer.Failure) {
	l := &Log{time: s.Timeout, common: []slog.Attr{slog.String("gen_ai.operation.name", "execute_tool")}}
	l.out = &writer{out: system.Stderr, whole: func() bool { return true }, patience: logPatience}
	if path := s.PathOf(settings.LogName); path != "" {
		file, err := host.Append(path)
		if err != nil {
			return nil, answer.Failf(answer.CodeInvalidInput, "the log file %q can't be written: %v", s.Log, fserr.Bare(err)).
				WithHint("name another file with --log, or - for standard error")
		}
		l.out.out, l.out.whole = file, func() bool { return endsLine(file) }
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			l.out.patience = filePatience
		}
	}
	text, _ := system.Lookup("TRACEPARENT")
	if t, ok := parseTraceparent(text); ok {
		l.trace = t.attrs()
	}
	return l, nil
}

// Flush waits until all lines are written that can be in the time of their calls.
func (l *Log) Flush(ctx context.Context) { l.out.flush(ctx) }

// logEntry is the line of a call under way.
type logEntry struct {
	log   *Log
	start time.Time
	tool  string
	attrs []slog.Attr
	paths []string
}

// Begin takes what a line says about the request, before the call may change the request.
func (l *Log) Begin(id jsontext.Value, c *command.Call) *logEntry {
	e := l.Entry(id, c.Command.Name)
	e.paths = c.Paths()
	if r, ok := c.Request.(command.PathNamer); ok {
		e.paths = r.NamedPaths()
	}
	if query := c.Text("query") + c.Text("pattern"); query != "" { // no tool has both
		e.attrs = append(e.attrs, slog.String("query", textio.FirstRunes(query, maxLogged)))
	}
	if c.IsSet("dry_run") {
		e.attrs = append(e.attrs, slog.Bool("dry_run", true))
	}
	return e
}

func (l *Log) Entry(id jsontext.Value, tool string) *logEntry {
	e := &logEntry{log: l, start: time.Now(), tool: textio.FirstRunes(tool, maxLogged)}
	if id == nil {
		id = l.id
	}
	switch id.Kind() {
	case '"':
		e.attrs = append(e.attrs, slog.String("gen_ai.tool.call.id", textio.FirstRunes(request.Unquoted(id), maxLogged)))
	case '0':
		e.attrs = append(e.attrs, slog.String("gen_ai.tool.call.id", textio.FirstRunes(string(id), maxLogged)))
	}
	return e
}

// What a line repeats at most of texts from a request, in code points.
const maxLogged = 100

// End writes the line. If it can't be written, the answer says so: the call itself may be done.
func (e *logEntry) End(a answer.Answer) answer.Answer {
	name := "execute_tool"
	if e.tool != "" {
		name += " " + e.tool
	}
	record := slog.NewRecord(time.Now(), levelOf(a), name, 0)
	record.AddAttrs(e.log.common...)
	record.AddAttrs(e.log.trace...)
	record.AddAttrs(slog.String("gen_ai.tool.name", e.tool))
	record.AddAttrs(e.attrs...)
	record.AddAttrs(e.outcome(a)...)
	var line bytes.Buffer
	_ = slog.NewJSONHandler(words.VisibleJSON{W: &line}, nil).Handle(context.Background(), record) // a Buffer takes everything
	until := e.start.Add(e.log.time)
	if soon := time.Now().Add(logPatience); until.Before(soon) { // a person was asked, or the call hangs
		until = soon
	}
	if err := e.log.out.write(line.Bytes(), until); err != nil {
		a.Warnings = append(a.Warnings[:len(a.Warnings):len(a.Warnings)], "this call could not be logged: "+fserr.Bare(err).Error())
	}
	return a
}

// levelOf is the level of an answer's line.
func levelOf(a answer.Answer) slog.Level {
	switch {
	case a.Error == answer.CodeInternal:
		return slog.LevelError
	case !a.Success:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

// outcome is the part of a line about the answer.
func (e *logEntry) outcome(a answer.Answer) []slog.Attr {
	var m command.LogStats
	if r, ok := a.Result.(command.StatsLogger); ok {
		r.AddLogStats(&m)
	}
	paths := e.paths
	if len(paths) == 0 {
		paths = m.Paths
	}
	var attrs []slog.Attr
	switch {
	case len(paths) == 1:
		attrs = append(attrs, slog.String("file.path", words.ShortName(paths[0])))
	case len(paths) > 1:
		attrs = append(attrs, slog.Any("file.paths", words.Mapped(paths[:min(len(paths), maxLoggedPaths)], words.ShortName)))
	}
	if why, ok := a.Detail.(command.Consent); ok {
		attrs = append(attrs, slog.String("approval", string(why)))
	}
	attrs = append(attrs, slog.Bool("success", a.Success))
	if !a.Success {
		attrs = append(attrs, slog.String("error.type", string(a.Error)))
	}
	elapsed := float64(time.Since(e.start).Microseconds()) / 1000
	return append(append(attrs, slog.Float64("duration_ms", elapsed)), m.Attrs...)
}

// maxLoggedPaths is how many paths of a call a line names.
const maxLoggedPaths = 1000

// traceContext is what TRACEPARENT says about the trace that this process is a part of, or a
// request of MCP in its _meta about the trace of the call, in the form of the W3C Trace Context:
// version, trace, parent and flags in lower-case hexadecimal digits.
type traceContext struct{ Trace, Span, Flags string }

// parseTraceparent reads a traceparent. ok is false if it is malformed: then there is no trace, as
// the specification asks.
func parseTraceparent(text string) (t traceContext, ok bool) {
	parts := strings.SplitN(text, "-", 5)
	if len(parts) < 4 || len(parts) == 5 && parts[0] == "00" { // later versions may have more parts
		return t, false
	}
	version, t := parts[0], traceContext{Trace: parts[1], Span: parts[2], Flags: parts[3]}
	if !isHex(version, 2) || version == "ff" || !isHex(t.Trace, 32) || !isHex(t.Span, 16) || !isHex(t.Flags, 2) {
		return traceContext{}, false
	}
	if strings.Trim(t.Trace, "0") == "" || strings.Trim(t.Span, "0") == "" {
		return traceContext{}, false
	}
	return t, true
}

func isHex(text string, digits int) bool {
	return len(text) == digits && strings.Trim(text, "0123456789abcdef") == ""
}

// attrs are the names for it in a log.
func (t traceContext) attrs() []slog.Attr {
	return []slog.Attr{slog.String("trace_id", t.Trace), slog.String("span_id", t.Span), slog.String("trace_flags", t.Flags)}
}
