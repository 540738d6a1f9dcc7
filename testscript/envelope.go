package testscript

import (
	"encoding/json"
	"strings"
)

// FailureEnvelope is the envelope of a failure in the text form, which MCP has alone: its code,
// message and hint, and the first warning.
func FailureEnvelope(text string) string {
	members := map[string]any{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		name, rest, _ := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "["):
		case members["error"] == nil:
			members["success"], members["error"], members["message"] = false, name, rest
		case name == "hint" && members["hint"] == nil:
			members["hint"] = rest
		case name == "warning" && members["warnings"] == nil:
			members["warnings"] = []string{rest}
		}
	}
	return string(must(json.Marshal(members))) // strings and a boolean
}
