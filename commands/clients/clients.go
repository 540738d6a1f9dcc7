// Package clients knows how much of one answer the clients of MCP pass on to a model, and how much
// of a question they show to a person, by the names that they give themselves. It is the one place
// for that: docs/hosts.md and docs/approval.md have the same, and tests compare them.
//
// A name proves nothing, and needn't: it decides only how long a page or a question is.
package clients

import (
	"strings"

	"fsbox/textio"
)

// Client is how much a client passes on of one answer, and how it counts.
type Client struct {
	Name   string // as clientInfo has it; one that ends in * is a prefix
	Host   string // the product, and the version that was measured
	Most   int64  // units; 0: it cuts nothing
	Unit   textio.Unit
	Both   bool  // the structured form is passed on, and counted, beside the text
	Listed int64 // Most where the model is one of OpenAI's; 0: as Most

	QuestionRows int // that a dialog shows of a question to a person; 0: as many as fsbox sends
}

// Known are the clients that were measured, in November 2026. Most leaves some free below the bound
// that was found.
func Known() []Client {
	return []Client{
		{Name: "claude-code", Host: "Claude Code 2.1.332", Most: 49_900, Unit: textio.Chars, QuestionRows: 4},
		{Name: "copilot-cli", Host: "Copilot CLI 1.0.102", Most: 20_000, Unit: textio.Bytes, Both: true, QuestionRows: 9},
		{Name: "@cline/core", Host: "Cline 3.0.65", Most: 7_900, Unit: textio.JSONChars, Both: true},
		{Name: "kilo", Host: "Kilo 7.7.9", Most: 51_000, Unit: textio.Bytes},
		{Name: "opencode", Host: "opencode 1.18.33", Most: 51_000, Unit: textio.Bytes},
		{Name: "qwen-cli-mcp-client-*", Host: "qwen-code 0.24.4", Most: 24_900, Unit: textio.Chars, Both: true},
		{Name: "gemini-cli-mcp-client", Host: "gemini-cli 0.61.0", Most: 39_900, Unit: textio.Chars},
		{Name: "codex-mcp-client", Host: "codex 0.171.0", Most: 11_900, Unit: textio.Bytes, Listed: 39_900, QuestionRows: 12},
		{Name: "continue-cli-client", Host: "Continue 1.5.47"},
		{Name: "ai-sdk-mcp-client", Host: "AI SDK 7.0.173"},
		{Name: "@langchain/mcp-adapters", Host: "LangChain 1.1.4"},
	}
}

// Added are the names of members that clients add to the arguments of a call: to what they tell
// their model of each tool, and to what it sends. They are for the client alone.
func Added() []string {
	return []string{"wait_for_previous"} // gemini-cli 0.61.0
}

// Unknown is any other client: most hosts pass on so much.
func Unknown() Client { return Client{Most: 20_000, Unit: textio.Chars, Both: true} }

// Of finds a client by its name. model is the one that the call comes from, "" if the client
// doesn't say.
func Of(name, model string) Client {
	for _, c := range Known() {
		if !c.is(name) {
			continue
		}
		if c.Listed > 0 && isOpenAI(model) {
			c.Most = c.Listed
		}
		return c
	}
	return Unknown()
}

func (c *Client) is(name string) bool {
	if prefix, ok := strings.CutSuffix(c.Name, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return name == c.Name
}

// isOpenAI reports whether a model is one that OpenAI's own client knows, such as gpt-5.5, o3 and
// codex-mini-latest. Open weights, such as gpt-oss-20b, are not.
func isOpenAI(model string) bool {
	for _, family := range [...]string{"gpt-", "o"} {
		if rest, ok := strings.CutPrefix(model, family); ok && rest != "" && '0' <= rest[0] && rest[0] <= '9' {
			return true
		}
	}
	return strings.HasPrefix(model, "codex-")
}
