package main

// frameworks are libraries that programs of examples/frameworks use.
func frameworks() []host {
	return []host{
		framework("ai-sdk", "AI SDK", "ai_sdk.mjs", "NAME", "ai@7.0.173", "@ai-sdk/mcp@2.0.99", "@ai-sdk/openai-compatible@2.0.92"),
		framework("langchain", "LangChain", "langchain.mjs", "NAME",
			"@langchain/mcp-adapters@1.1.4", "langchain@1.5.14", "@langchain/core@1.4.0", "@langchain/openai@1.5.8"),
		framework("mastra", "Mastra", "mastra.mjs", "fsbox_NAME", "@mastra/mcp@2.0.0", "@mastra/core@1.71.0"),
		framework("openai-agents", "OpenAI Agents", "openai_agents.mjs", "NAME", "@openai/agents@0.20.0", "zod@4.6.7"),
		framework("adk", "Google ADK", "adk.mjs", "NAME", "@google/adk@2.0.0", "@modelcontextprotocol/sdk@1.26.0"),
	}
}

func framework(name, title, program, tools string, packages ...string) host {
	return host{
		name: name, title: title, packages: packages, program: "node",
		files: map[string]string{"{home}/agent.mjs": "@frameworks/" + program},
		env: []string{"OPENAI_BASE_URL={url}/v1", "OPENAI_API_KEY=made-up", "OPENAI_MODEL=scripted", "MASTRA_TELEMETRY_DISABLED=1",
			"GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_API_KEY=made-up"},
		args:  []string{"{home}/agent.mjs", "{ws}", "go"},
		tools: tools,
	}
}
