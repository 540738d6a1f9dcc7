package calllog

import (
	"log/slog"
	"strings"
)

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
