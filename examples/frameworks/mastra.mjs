// Mastra gives a model fsbox's tools. npm install @mastra/core @mastra/mcp
import { Agent } from "@mastra/core/agent";
import { MCPClient } from "@mastra/mcp";

const [project, task] = process.argv.slice(2);
if (!task) {
  console.error("usage: node mastra.mjs WORKSPACE TASK");
  process.exit(2);
}
const { OPENAI_BASE_URL: url = "https://api.openai.com/v1", OPENAI_API_KEY: apiKey, OPENAI_MODEL: name = "gpt-5.5" } = process.env;
// Its client has the name that the server has here, which tells fsbox nothing: so the bound is given.
const args = ["mcp", "--root", project, "--allow-write", "--max-answer-chars", "262144"];
const client = new MCPClient({ servers: { fsbox: { command: "fsbox", args } } });
try {
  const agent = new Agent({
    id: "files", name: "files", instructions: "Work on the files of one project.",
    model: { id: `openai/${name}`, url, apiKey },
    tools: await client.listTools(),
  });
  const { text } = await agent.generate(task, { maxSteps: 100 });
  console.log(text);
} finally {
  await client.disconnect();
}
