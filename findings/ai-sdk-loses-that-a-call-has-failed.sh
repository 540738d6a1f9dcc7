#!/usr/bin/env bash
# @ai-sdk/mcp 2.0.99 with ai 7.0.173: an MCP result with isError reaches the model as a tool message like any other;
# neither the message nor the step says that the call has failed.
# Seen: for isError true and false the same content, and no tool-error part in the step.
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund ai@7.0.173 @ai-sdk/mcp@2.0.99 @ai-sdk/openai-compatible@2.0.92 node@22.23.3

cat >server.py <<'PY'
import json, sys
TOOLS = [{"name": name, "description": name, "inputSchema": {"type": "object", "properties": {}}} for name in ("answer", "fail")]


def call(name, args):
    return {"isError": name == "fail", "content": [{"type": "text", "text": "the same"}]}

for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    if m["method"] == "initialize":
        result = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "box", "version": "1"}}
    elif m["method"] == "tools/list":
        result = {"tools": TOOLS}
    elif m["method"] == "tools/call":
        result = call(m["params"]["name"], m["params"].get("arguments") or {})
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601, "message": "unknown method"}}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": result}), flush=True)
PY

cat >model.py <<'PY'
import http.server, json

CALLS = [("answer", {}), ("fail", {})]


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        open("requests", "a").write(json.dumps(body) + "\n")
        done = sum(m["role"] == "tool" for m in body["messages"])
        name, args = CALLS[done] if body.get("tools") and done < len(CALLS) else (None, None)
        delta = {"role": "assistant", "content": "done"}
        if name:
            call = {"name": name, "arguments": json.dumps(args)}
            delta = {"role": "assistant", "tool_calls": [{"index": 0, "id": f"call_{done}", "type": "function", "function": call}]}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if name else "stop"}
        events = [("m", chunk | {"choices": [{"index": 0, "delta": delta}]}), ("m", chunk | {"choices": [end]}), ("m", "[DONE]")]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for _, event in events:
            self.wfile.write(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode())

    def do_GET(self):
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
open("port", "w").write(str(server.server_port))
server.serve_forever()
PY
python3 model.py &
until [ -s port ]; do sleep 0.1; done
url=http://127.0.0.1:$(cat port)

cat >client.mjs <<'JS'
import { streamText, isStepCount } from "ai";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
const box = await createMCPClient({ transport: new Stdio({ command: "python3", args: ["server.py"] }) });
const model = createOpenAICompatible({ name: "m", baseURL: process.argv[2] + "/v1" })("m");
const run = streamText({ model, tools: await box.tools(), stopWhen: isStepCount(9), prompt: "go" });
const parts = (await run.steps).flatMap((step) => step.content.map((part) => part.type));
console.log(JSON.stringify(parts));
await box.close();
JS
HOME=$dir/home PATH=$dir/node_modules/.bin:$PATH timeout -k 5 120 node client.mjs "$url" >parts

python3 - <<'PY'
import json, sys

last = max((json.loads(line)["messages"] for line in open("requests")), key=len)
answers = [m["content"] for m in last if m["role"] == "tool"]
parts = json.load(open("parts"))
print("the model gets", answers, "the program gets", parts)
sys.exit(not (len(answers) == 2 and answers[0] == answers[1] and parts.count("tool-result") == 2 and "tool-error" not in parts))
PY
