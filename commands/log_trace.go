package commands

import (
	"log/slog"
	"strings"
)

// traceContext is what TRACEPARENT says about the trace that this process is a part of, or a
// request of MCP in its _meta about the trace of the call, in the form of the W3C Trace Context:
// version, trace, parent and flags in lower-case hexadecimal digits.
type traceContext struct{ trace, span, flags string }

// parseTraceparent reads a traceparent. ok is false if it is malformed: then there is no trace, as
// the specification asks.
func parseTraceparent(text string) (t traceContext, ok bool) {
	parts := strings.SplitN(text, "-", 5)
	if len(parts) < 4 || len(parts) == 5 && parts[0] == "00" { // later versions may have more parts
		return t, false
	}
	version, t := parts[0], traceContext{trace: parts[1], span: parts[2], flags: parts[3]}
	if !isHex(version, 2) || version == "ff" || !isHex(t.trace, 32) || !isHex(t.span, 16) || !isHex(t.flags, 2) {
		return traceContext{}, false
	}
	if strings.Trim(t.trace, "0") == "" || strings.Trim(t.span, "0") == "" {
		return traceContext{}, false
	}
	return t, true
}

func isHex(text string, digits int) bool {
	return len(text) == digits && strings.Trim(text, "0123456789abcdef") == ""
}

// attrs are the names for it in a log.
func (t traceContext) attrs() []slog.Attr {
	return []slog.Attr{slog.String("trace_id", t.trace), slog.String("span_id", t.span), slog.String("trace_flags", t.flags)}
}
