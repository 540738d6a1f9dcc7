package main

import "strings"

// node runs the hosts that are JavaScript, whatever this machine has.
const node = "node@22.23.3"

type query map[string]any

// found is a query for all tools by their names.
func found(before, prefix string) string {
	return before + prefix + strings.Join(toolNames(), ","+prefix)
}

// catalog has the hosts, those with most users first.
func catalog() []host {
	codex := host{
		name: "codex", title: "Codex, with a model that it lists", packages: []string{"@openai/codex@0.171.0"}, previous: []string{"0.169.0"},
		program: ".bin/codex",
		files:   map[string]string{"{home}/.codex/config.toml": codexConfig},
		env:     []string{"CODEX_KEY=made-up"},
		args:    []string{"exec", "--skip-git-repo-check", "-m", "gpt-5.5", "go"},
		tools:   "mcp__fsbox/NAME", search: "tool_search", query: query{"query": "fsbox " + strings.Join(toolNames(), " "), "limit": 20},
		bound: bound{size: 48000, unit: "bytes"},
	}
	unlisted := codex
	unlisted.name, unlisted.title, unlisted.search, unlisted.query = "codex-unlisted", "Codex, with any other", "", nil
	unlisted.args = []string{"exec", "--skip-git-repo-check", "-m", "scripted", "go"}
	unlisted.bound.size = 12000
	return append([]host{
		{
			name: "claude-code", title: "Claude Code", packages: []string{"@anthropic-ai/claude-code@2.1.332"}, previous: []string{"2.1.331"},
			program: ".bin/claude",
			files:   map[string]string{"{home}/mcp.json": "@mcp/claude_code.mcp.json"},
			env: []string{"ANTHROPIC_BASE_URL={url}", "ANTHROPIC_API_KEY=made-up", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
				"DISABLE_AUTOUPDATER=1"},
			args: []string{"-p", "go", "--model", "claude-sonnet-4-5", "--mcp-config", "{home}/mcp.json", "--strict-mcp-config",
				"--allowedTools", "mcp__fsbox"},
			tools: "mcp__fsbox__NAME", search: "ToolSearch",
			query: query{"query": found("select:", "mcp__fsbox__")},
			bound: bound{size: 50000},
		},
		codex, unlisted,
		{
			name: "gemini-cli", title: "Gemini CLI", packages: []string{"@google/gemini-cli@0.61.0"}, previous: []string{"0.60.0"},
			program: ".bin/gemini",
			files: map[string]string{"{ws}/.gemini/settings.json": "@mcp/gemini.settings.json",
				"{home}/.gemini/settings.json": `{"security": {"auth": {"selectedType": "gemini-api-key"}}}`},
			env:   []string{"GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_API_KEY=made-up", "GEMINI_CLI_TRUST_WORKSPACE=true"},
			args:  []string{"-m", "gemini-2.5-pro", "--yolo", "-p", "go"},
			tools: "mcp_fsbox_NAME", bound: bound{size: 39959},
		},
		{
			name: "copilot", title: "Copilot CLI", packages: []string{"@github/copilot@1.0.102"}, previous: []string{"1.0.92"},
			program: ".bin/copilot-linux-x64",
			files:   map[string]string{"{home}/.copilot/mcp-config.json": "@mcp/copilot.mcp.json"},
			env: []string{"COPILOT_PROVIDER_BASE_URL={url}/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=made-up",
				"COPILOT_MODEL=scripted", "COPILOT_OFFLINE=true"},
			args:  []string{"-p", "go", "--allow-all-tools", "--no-auto-update"},
			tools: "fsbox-NAME", bound: bound{size: 20480, unit: "bytes"},
		},
		{
			name: "opencode", title: "opencode", packages: []string{"opencode-ai@1.18.33"}, previous: []string{"1.18.32"},
			program: ".bin/opencode",
			files:   map[string]string{"{ws}/opencode.json": "@mcp/opencode.json", "{home}/.config/opencode/opencode.json": openProvider},
			env:     []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1"},
			args:    []string{"run", "-m", "scripted/scripted", "go"},
			tools:   "fsbox_NAME", bound: bound{size: 51200, unit: "bytes", lines: 2000},
		},
		{
			name: "qwen-code", title: "Qwen Code", packages: []string{"@qwen-code/qwen-code@0.24.4"}, previous: []string{"0.24.3"},
			program: ".bin/qwen",
			files:   map[string]string{"{ws}/.qwen/settings.json": "@mcp/qwen.settings.json"},
			env:     []string{"OPENAI_BASE_URL={url}/v1", "OPENAI_API_KEY=made-up", "OPENAI_MODEL=scripted"},
			args:    []string{"--auth-type", "openai", "--yolo", "-p", "go"},
			tools:   "mcp__fsbox__NAME", search: "tool_search", through: "tool_call",
			query: query{"query": found("select:", "mcp__fsbox__")},
			bound: bound{size: 27968},
		},
		{
			name: "cline", title: "Cline", packages: []string{"cline@3.0.65"}, previous: []string{"3.0.64"},
			program: ".bin/cline",
			files:   map[string]string{"{home}/.cline/data/settings/cline_mcp_settings.json": "@mcp/cline_mcp_settings.json"},
			before:  []string{"auth", "-p", "openai", "-k", "made-up", "-m", "scripted", "-b", "{url}/v1"},
			args:    []string{"--compaction", "off", "do the work"},
			tools:   "fsbox__NAME", bound: bound{size: 8000, unit: "JSON characters"},
		},
		{
			name: "kilo", title: "Kilo", packages: []string{"@kilocode/cli-linux-x64@7.7.9"}, previous: []string{"7.7.7"},
			program: "@kilocode/cli-linux-x64/bin/kilo",
			files:   map[string]string{"{ws}/kilo.json": "@mcp/kilo.json", "{home}/.config/kilo/kilo.json": openProvider},
			env:     []string{"KILO_DISABLE_AUTOUPDATE=1", "KILO_DISABLE_MODELS_FETCH=1"},
			args:    []string{"run", "--auto", "-m", "scripted/scripted", "go"},
			tools:   "fsbox_NAME", bound: bound{size: 51200, unit: "bytes", lines: 2000},
		},
		{
			name: "continue", title: "Continue", packages: []string{"@continuedev/cli@1.5.47"}, previous: []string{"1.5.45"},
			program: ".bin/cn",
			files:   map[string]string{"{home}/config.yaml": "@mcp/continue.config.yaml\n" + continueModel},
			env:     []string{"CONTINUE_TELEMETRY_ENABLED=0"},
			args:    []string{"--config", "{home}/config.yaml", "--auto", "-p", "go"},
			tools:   "NAME",
		},
	}, frameworks()...)
}

const codexConfig = `model_provider = "scripted"
@mcp/codex.config.toml
default_tools_approval_mode = "approve"
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "CODEX_KEY"
`

// openProvider is what opencode and its fork read.
const openProvider = `{"provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "name": "scripted",
	"options": {"baseURL": "{url}/v1", "apiKey": "made-up"},
	"models": {"scripted": {"name": "scripted", "tool_call": true, "limit": {"context": 1000000, "output": 8000}}}}}}
`

const continueModel = `models:
  - name: scripted
    provider: openai
    model: gpt-4o
    apiKey: made-up
    apiBase: {url}/v1
    roles: [chat]
    capabilities: [tool_use]
    defaultCompletionOptions: {contextLength: 1000000}
`
