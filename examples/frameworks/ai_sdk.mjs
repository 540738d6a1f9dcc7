// The AI SDK gives a model fsbox's tools. npm install ai @ai-sdk/mcp @ai-sdk/openai-compatible
import { generateText, isStepCount } from "ai";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";

const [project, task] = process.argv.slice(2);
if (!task) {
  console.error("usage: node ai_sdk.mjs WORKSPACE TASK");
  process.exit(2);
}
const { OPENAI_BASE_URL: baseURL = "https://api.openai.com/v1", OPENAI_API_KEY: apiKey, OPENAI_MODEL: model = "gpt-5.5" } = process.env;
const provider = createOpenAICompatible({ name: "openai", baseURL, apiKey });
const box = await createMCPClient({ transport: new Stdio({ command: "fsbox", args: ["mcp", "--root", project, "--allow-write"] }) });
try {
  const { text } = await generateText({ model: provider(model), tools: await box.tools(), stopWhen: isStepCount(100), prompt: task });
  console.log(text);
} finally {
  await box.close();
}
