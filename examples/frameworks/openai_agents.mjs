// OpenAI's Agents SDK gives a model fsbox's tools. npm install @openai/agents zod
import { Agent, MCPServerStdio, OpenAIProvider, Runner } from "@openai/agents";

const [project, task] = process.argv.slice(2);
if (!task) {
  console.error("usage: node openai_agents.mjs WORKSPACE TASK");
  process.exit(2);
}
const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, OPENAI_MODEL: model = "gpt-5.5" } = process.env;
// Its client has the name that is given here, which tells fsbox nothing: so the bound is given, too.
const args = ["mcp", "--root", project, "--allow-write", "--max-answer-chars", "262144"];
const server = new MCPServerStdio({ name: "fsbox", command: "fsbox", args });
await server.connect();
try {
  const agent = new Agent({ name: "files", instructions: "Work on the files of one project.", model, mcpServers: [server] });
  const runner = new Runner({ modelProvider: new OpenAIProvider({ baseURL, apiKey }), tracingDisabled: true });
  const { finalOutput } = await runner.run(agent, task, { maxTurns: 100 });
  console.log(finalOutput);
} finally {
  await server.close();
}
