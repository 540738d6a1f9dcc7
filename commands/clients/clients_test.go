package clients

import (
	"encoding/json"
	"os"
	"testing"

	"fsbox/textio"
)

// What hosts/ has measured with the programs themselves: each passes on as much as fsbox sends, in
// plain characters and in those of two bytes.
func TestMeasured(t *testing.T) {
	content, err := os.ReadFile("../../hosts/results.json")
	if err != nil {
		t.Fatal(err)
	}
	var hosts map[string]struct {
		Passes struct{ Plain, TwoBytes int64 }
		After  struct{ Client string }
	}
	if err := json.Unmarshal(content, &hosts); err != nil || len(hosts) < 14 {
		t.Fatal(len(hosts), err)
	}
	for name, h := range hosts {
		if h.Passes.Plain == 0 {
			t.Logf("%s wasn't probed", name)
			continue
		}
		c := Of(h.After.Client, "")
		if name == "codex" { // its script names a model of OpenAI's
			c = Of(h.After.Client, "gpt-5.5")
		}
		plain, wide := h.Passes.Plain, h.Passes.TwoBytes
		switch c.Unit {
		case textio.Bytes:
			wide *= 2
		case textio.JSONChars: // measured in lines of 100, whose ends are two characters there
			plain, wide = plain+plain/100, wide+wide/100
		}
		if plain < c.Most || wide < c.Most {
			t.Errorf("%s passes on %d characters, %d of two bytes; fsbox sends %d", name, h.Passes.Plain, h.Passes.TwoBytes, c.Most)
		}
	}
}

// Names that somebody makes up get what any unknown client gets.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		name, model string
		want        int64
	}{
		{"claude-code", "", 49_900},
		{"copilot-cli", "", 20_000},
		{"@cline/core", "", 7_900},
		{"kilo", "", 51_000},
		{"qwen-cli-mcp-client-fsbox", "", 24_900},
		{"qwen-cli-mcp-client", "", 20_000},
		{"gemini-cli-mcp-client", "", 39_900},
		{"codex-mcp-client", "", 11_900},
		{"codex-mcp-client", "gpt-5.5", 39_900},
		{"codex-mcp-client", "gpt-6.1-sol", 39_900},
		{"codex-mcp-client", "o4-mini", 39_900},
		{"codex-mcp-client", "codex-mini-latest", 39_900},
		{"codex-mcp-client", "gpt-oss-20b", 11_900},
		{"codex-mcp-client", "opus", 11_900},
		{"codex-mcp-client", "o", 11_900},
		{"claude-code", "gpt-5.5", 49_900},
		{"continue-cli-client", "", 0},
		{"", "", 20_000},
		{"Claude-Code", "", 20_000},
		{"claude-code-2", "gpt-5", 20_000},
	} {
		if got := Of(tt.name, tt.model); got.Most != tt.want {
			t.Errorf("%q with %q: %d, not %d", tt.name, tt.model, got.Most, tt.want)
		}
	}
}
