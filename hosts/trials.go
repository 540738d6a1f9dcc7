package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// trial is a host with another setting, and whether all of the work is done with it.
type trial struct {
	host    string
	setting string // for docs/hosts.md
	shows   string // what was seen, there
	whole   bool
	change  func(h *host)
	least   int // bytes of the longest answer; 0: it isn't about that
}

// others are the trials of settings that aren't about how long an answer may be.
func others() []trial {
	return []trial{
		{"codex", "without `default_tools_approval_mode = \"approve\"`", "`codex exec` refuses every edit: \"requires approval\"", false,
			replace("default_tools_approval_mode = \"approve\"\n", ""), 0},
		{"codex", "`FSBOX_ALLOW_WRITE=1` instead of `--allow-write`", "Codex clears the environment, so there is no `edit` tool", false,
			both(replace(`"--allow-write", `, ""), environment("FSBOX_ALLOW_WRITE=1")), 0},
		{"gemini-cli", "neither `--yolo` nor `\"trust\": true`", "headless, the model is offered none of fsbox's tools", false,
			without("--yolo"), 0},
		{"gemini-cli", "`\"trust\": true` in the server's entry, without `--yolo`", "everything works",
			true, both(without("--yolo"), trust), 0},
		{"qwen-code", "`.qwen/settings.json` in the project, without `--yolo`", "headless, fsbox isn't started, even with `\"trust\": true`",
			false, both(without("--yolo"), trust), 0},
		{"qwen-code", "`~/.qwen/settings.json` with `\"trust\": true`, without `--yolo`", "everything works", true,
			both(both(without("--yolo"), trust), move("{ws}/.qwen/settings.json", "{home}/.qwen/settings.json")), 0},
		{"claude-code", "without `--allowedTools mcp__fsbox`", "headless, each call is refused", false,
			without("--allowedTools", "mcp__fsbox"), 0},
		{"copilot", "`--allow-tool fsbox` instead of `--allow-all-tools`", "everything works", true,
			swap("--allow-all-tools", "--allow-tool=fsbox"), 0},
		{"claude-code", "`--structured`", "the model gets the JSON instead of the text", false, structured, 0},
		{"codex", "`--structured`", "the model gets the JSON instead of the text", false, structured, 0},
		{"qwen-code", "`--structured`", "the model gets both, so an answer is twice as long", false, structured, 0},
		{"claude-code", "`MAX_MCP_OUTPUT_TOKENS=5000`", "the model gets none of a full page: Claude Code saves it to a file", false, fewer, 0},
		{"claude-code", "`MAX_MCP_OUTPUT_TOKENS=5000` and `--max-answer-chars 9900`", "everything works", true,
			both(both(fewer, most("9900")), func(h *host) { h.bound = bound{size: 10000} }), 0},
		{"claude-code", "`MAX_MCP_OUTPUT_TOKENS=5000` and `--max-answer-chars 50100`", "everything works", true,
			both(fewer, most("50100")), 0},
	}
}

func fewer(h *host) { environment("MAX_MCP_OUTPUT_TOKENS=5000")(h) }

// most sets fsbox's own bound.
func most(chars string) func(*host) {
	return replace(`"mcp", `, `"mcp", "--max-answer-chars", "`+chars+`", `)
}

const (
	longer = 200_000 // more than the longest answer
	much   = 80_000  // less than it: as many matches as an answer has lines
)

// raised are the trials of the hosts' own settings for how long an answer may be, each with what
// fsbox needs to use it.
func raised() []trial {
	wide := most(fmt.Sprint(longer))
	codexLimit := replace("model_provider = \"", "tool_output_token_limit = 60000\nmodel_provider = \"")
	truncateThreshold := replace(`"mcpServers": {`, `"tools": {"truncateToolOutputThreshold": 201000}, "mcpServers": {`)
	toolOutput := replace(`"mcp": {`, `"tool_output": {"max_lines": 2000, "max_bytes": 201000}, "mcp": {`)
	var all []trial
	for _, t := range []struct {
		host, setting string
		change        func(*host)
	}{
		{"claude-code", "none is needed", func(*host) {}},
		{"codex", "in `config.toml` `tool_output_token_limit = 60000`", codexLimit},
		{"codex-unlisted", "in `config.toml` `tool_output_token_limit = 60000`", codexLimit},
		{"gemini-cli", "in `settings.json` `\"tools\": {\"truncateToolOutputThreshold\": 201000}`", truncateThreshold},
		{"opencode", "in `opencode.json` `\"tool_output\": {\"max_lines\": 2000, \"max_bytes\": 201000}`", toolOutput},
		{"qwen-code", "in `settings.json` `\"tools\": {\"truncateToolOutputThreshold\": 201000}`", truncateThreshold},
		{"cline", "in its environment `CLINE_MESSAGE_BUILDER_MAX_TOOL_RESULT_CHARS=201000`",
			environment("CLINE_MESSAGE_BUILDER_MAX_TOOL_RESULT_CHARS=201000")},
		{"kilo", "in `kilo.json` `\"tool_output\": {\"max_lines\": 2000, \"max_bytes\": 201000}`", toolOutput},
	} {
		all = append(all, trial{t.host, t.setting, "", true, both(wide, t.change), much})
	}
	return all
}

func trust(h *host) { replace(`"command": "fsbox"`, `"trust": true, "command": "fsbox"`)(h) }

// move puts a configuration elsewhere.
func move(from, to string) func(*host) {
	return func(h *host) {
		files := maps.Clone(h.files)
		files[to] = files[from]
		delete(files, from)
		h.files = files
	}
}

func structured(h *host) { replace(`"mcp", `, `"mcp", "--structured", `)(h) }

// replace changes configurations.
func replace(old, with string) func(*host) {
	return func(h *host) {
		before := h.edit
		h.edit = func(content string) string {
			if before != nil {
				content = before(content)
			}
			return strings.ReplaceAll(content, old, with)
		}
	}
}

func environment(variable string) func(*host) {
	return func(h *host) { h.env = append(append([]string{}, h.env...), variable) }
}

func both(one, other func(*host)) func(*host) {
	return func(h *host) { one(h); other(h) }
}

// without leaves arguments out.
func without(args ...string) func(*host) {
	return func(h *host) {
		h.args = slices.DeleteFunc(slices.Clone(h.args), func(a string) bool { return slices.Contains(args, a) })
	}
}

func swap(old, with string) func(*host) {
	return func(h *host) {
		h.args = slices.Clone(h.args)
		h.args[slices.Index(h.args, old)] = with
	}
}

// try runs the trials of the chosen hosts, and says which don't come out as they did.
func (h *harness) try(ctx context.Context, chosen []host) (wrong error) {
	for _, one := range chosen {
		for _, t := range slices.Concat(others(), raised()) {
			if t.host != one.name {
				continue
			}
			changed := one
			t.change(&changed)
			m, err := h.measure(ctx, changed)
			if err != nil {
				return err
			}
			fmt.Printf("%s, %s: whole %v, answers of up to %d bytes\n", one.name, t.setting, m.Whole, m.Longest)
			if m.Whole != t.whole || m.Longest < t.least {
				wrong = errors.Join(wrong, fmt.Errorf("%s with %s: whole %v, at most %d bytes, not as docs/hosts.md says\n%v", one.name, t.setting,
					m.Whole, m.Longest, m))
			}
			if h.keep != "" {
				fmt.Print(m)
			}
		}
	}
	return wrong
}
