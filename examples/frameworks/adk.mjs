// Google's ADK gives a model fsbox's tools. npm install @google/adk @modelcontextprotocol/sdk
import { InMemoryRunner, LlmAgent, MCPToolset } from "@google/adk";

const [project, task] = process.argv.slice(2);
if (!task) {
  console.error("usage: node adk.mjs WORKSPACE TASK");
  process.exit(2);
}
const { GEMINI_MODEL: model = "gemini-2.5-pro" } = process.env; // GEMINI_API_KEY is read by the library
// Its client is called MCPClient, which tells fsbox nothing: so the bound is given.
const args = ["mcp", "--root", project, "--allow-write", "--max-answer-chars", "262144"];
const serverParams = { command: "fsbox", args };
const box = new MCPToolset({ type: "StdioConnectionParams", serverParams });
try {
  const agent = new LlmAgent({ name: "files", model, instruction: "Work on the files of one project.", tools: [box] });
  const runner = new InMemoryRunner({ agent });
  for await (const event of runner.runEphemeral({ userId: "user", newMessage: { role: "user", parts: [{ text: task }] } })) {
    for (const part of event.content?.parts ?? []) {
      if (part.text) console.log(part.text);
    }
  }
} finally {
  await box.close();
}
