package main

import "strings"

// frameworks are libraries that programs of examples/frameworks use.
func frameworks() []host {
	return []host{
		framework("ai-sdk", "AI SDK", "ai_sdk.mjs", "NAME", "7.0.172 2.0.98",
			"ai@7.0.173", "@ai-sdk/mcp@2.0.99", "@ai-sdk/openai-compatible@2.0.92"),
		framework("langchain", "LangChain", "langchain.mjs", "NAME", "1.1.3 1.5.12",
			"@langchain/mcp-adapters@1.1.4", "langchain@1.5.14", "@langchain/core@1.4.0", "@langchain/openai@1.5.8"),
		framework("mastra", "Mastra", "mastra.mjs", "fsbox_NAME", "1.18.0 1.70.0",
			"@mastra/mcp@2.0.0", "@mastra/core@1.71.0"),
		framework("openai-agents", "OpenAI Agents", "openai_agents.mjs", "NAME", "0.19.0",
			"@openai/agents@0.20.0", "zod@4.6.7"),
		framework("adk", "Google ADK", "adk.mjs", "NAME", "", // 1.6.0 needs a package that npm doesn't have
			"@google/adk@2.0.0", "@modelcontextprotocol/sdk@1.26.0"),
	}
}

// framework has in previous what host has there, with blanks between.
func framework(name, title, program, tools, previous string, packages ...string) host {
	return host{
		name: name, title: title, packages: packages, previous: strings.Fields(previous), program: "node",
		files: map[string]string{"{home}/agent.mjs": "@frameworks/" + program},
		env: []string{"OPENAI_BASE_URL={url}/v1", "OPENAI_API_KEY=made-up", "OPENAI_MODEL=scripted", "MASTRA_TELEMETRY_DISABLED=1",
			"GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_API_KEY=made-up"},
		args:  []string{"{home}/agent.mjs", "{ws}", "go"},
		tools: tools,
	}
}
