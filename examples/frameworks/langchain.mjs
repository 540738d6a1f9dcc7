// LangChain gives a model fsbox's tools. npm install langchain @langchain/openai @langchain/mcp-adapters
import { createAgent } from "langchain";
import { ChatOpenAI } from "@langchain/openai";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const [project, task] = process.argv.slice(2);
if (!task) {
  console.error("usage: node langchain.mjs WORKSPACE TASK");
  process.exit(2);
}
const { OPENAI_BASE_URL: baseURL, OPENAI_MODEL: model = "gpt-5.5" } = process.env;
const client = new MultiServerMCPClient({
  mcpServers: { fsbox: { transport: "stdio", command: "fsbox", args: ["mcp", "--root", project, "--allow-write"] } },
});
try {
  const agent = createAgent({ model: new ChatOpenAI({ model, configuration: { baseURL } }), tools: await client.getTools() });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content: task }] }, { recursionLimit: 200 });
  console.log(messages.at(-1).text);
} finally {
  await client.close();
}
