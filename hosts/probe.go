package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"fsbox/hosts/reader"
)

// probes find what a host counts: characters, bytes or lines.
func probes() []reader.Probe {
	return []reader.Probe{{Char: "x", Line: 100}, {Char: "é", Line: 100}, {Char: "x", Line: 3}}
}

// passes is how long an answer may be, by probe.
type passes struct{ Plain, TwoBytes, ShortLines int }

// probe measures what a host passes on whole.
func (h *harness) probe(ctx context.Context, one host) (passes, error) {
	ctx, cancel := context.WithTimeout(ctx, h.limit)
	defer cancel()
	var found []int
	for i, p := range probes() {
		b := reader.NewBisect(p)
		s, err := h.stage(ctx, one, b, fmt.Sprintf("'%s' probe %d", h.self, i), reader.Fill)
		if err != nil {
			return passes{}, err
		}
		output, err := s.play(ctx)
		s.clear()
		if b.Cut-b.Whole > 64 {
			return passes{}, fmt.Errorf("a probe didn't end (%v): %.2000s", err, output)
		}
		found = append(found, b.Whole)
	}
	return passes{found[0], found[1], found[2]}, nil
}

func (p passes) String() string {
	return fmt.Sprintf("%d characters pass whole, %d of two bytes, %d in lines of three", p.Plain, p.TwoBytes, p.ShortLines)
}

// serveProbe is a server that answers with as many characters as its tool is asked for.
func serveProbe(p reader.Probe) int {
	type object = map[string]any
	integer, text := object{"type": "integer"}, object{"type": "string"}
	tool := object{"name": "read", "description": "Read lines.", "annotations": object{"readOnlyHint": true},
		"inputSchema": object{"type": "object", "properties": object{"path": text, "start_line": integer}}}
	requests, replies := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Protocol  string `json:"protocolVersion"`
				Arguments struct {
					Start int `json:"start_line"`
				}
			}
		}
		if requests.Decode(&m) != nil {
			return 0 // the client has gone
		}
		if m.ID == nil {
			continue
		}
		reply := object{"jsonrpc": "2.0", "id": m.ID}
		switch m.Method {
		case "initialize":
			reply["result"] = object{"protocolVersion": m.Params.Protocol, "capabilities": object{"tools": object{}},
				"serverInfo": object{"name": "probe", "version": "1"}}
		case "tools/list":
			reply["result"] = object{"tools": []any{tool}}
		case "tools/call":
			reply["result"] = object{"content": []any{object{"type": "text", "text": p.Text(m.Params.Arguments.Start)}}}
		default:
			reply["error"] = object{"code": -32601, "message": "no method " + m.Method}
		}
		if replies.Encode(reply) != nil {
			return 1
		}
	}
}

// unit tells from the probes what a host counts.
func (p passes) unit() string {
	var all []string
	switch {
	case p.Plain == 0:
		return "not measured"
	case p.Plain > 130000:
		all = append(all, "all of 131,072 characters")
	case p.TwoBytes < p.Plain*3/4:
		all = append(all, thousands(p.Plain)+" bytes")
	default:
		all = append(all, thousands(p.Plain)+" characters")
	}
	switch {
	case p.ShortLines >= p.Plain*9/10:
	case p.ShortLines >= p.Plain*7/10: // three characters take four
		all = append(all, "counted as JSON")
	default:
		all = append(all, thousands(p.ShortLines/3)+" lines")
	}
	return strings.Join(all, ", ")
}

func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
