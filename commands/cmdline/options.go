package cmdline

// Batch reads requests for all tools from stdin, one JSON object a line. It isn't a tool, and
// neither is MCP.
type Batch struct {
	MaxCalls int `json:"max_calls" default:"0" placeholder:"N" help:"Answer at most N requests, then call_limit (0: no limit)."`
}

// MCP serves the Model Context Protocol on stdin and stdout. The protocol is the work of package
// mcp; here are the tools that it offers.
type MCP struct {
	Structured bool `json:"structured" help:"Answer JSON beside the text, with schemas: for hosts that compute with results."`
	MaxCalls   int  `json:"max_calls" default:"0" placeholder:"N" help:"Carry out at most N calls, then call_limit (0: no limit)."`
}
