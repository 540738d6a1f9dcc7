#!/usr/bin/env bash
# Google's ADK 2.0.0 starts the MCP server of an MCPToolset on stdio again for each list of tools and for each
# call, so what a server remembers of one call is gone in the next.
# Seen: of three calls each is the first of its process, and none of these processes served the list.
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @google/adk@2.0.0 @modelcontextprotocol/sdk@1.26.0 node@22.23.3

cat >server.py <<'PY'
import json, os, sys
TOOLS = [{"name": "count", "description": "Count.", "inputSchema": {"type": "object", "properties": {}}}]
calls = 0

for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m:
        continue
    if m["method"] == "initialize":
        result = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "box", "version": "1"}}
    elif m["method"] == "tools/list":
        result = {"tools": TOOLS}
    elif m["method"] == "tools/call":
        calls += 1
        result = {"content": [{"type": "text", "text": f"call {calls} of this process"}]}
    else:
        print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -32601, "message": "unknown method"}}), flush=True)
        continue
    open(sys.argv[1], "a").write(f"{os.getpid()} {m['method']}\n")
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": result}), flush=True)
PY

cat >model.py <<'PY'
import http.server, json

CALLS = [("count", {})] * 3


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        open("requests", "a").write(json.dumps(body) + "\n")
        done = json.dumps(body["contents"]).count('"functionResponse"')
        name, args = CALLS[done] if body.get("tools") and done < len(CALLS) else (None, None)
        part = {"functionCall": {"name": name, "args": args}} if name else {"text": "done"}
        answer = {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}
        reply = json.dumps({"candidates": [answer], "usageMetadata": {"totalTokenCount": 2}})
        self.send_response(200)
        stream = "stream" in self.path
        self.send_header("content-type", "text/event-stream" if stream else "application/json")
        self.end_headers()
        self.wfile.write((f"data: {reply}\n\n" if stream else reply).encode())

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
import { InMemoryRunner, LlmAgent, MCPToolset } from "@google/adk";
const box = new MCPToolset({ type: "StdioConnectionParams", serverParams: { command: "python3", args: ["server.py", "calls"] } });
const agent = new LlmAgent({ name: "files", model: "gemini-2.5-pro", instruction: "Count.", tools: [box] });
const run = new InMemoryRunner({ agent }).runEphemeral({ userId: "user", newMessage: { role: "user", parts: [{ text: "go" }] } });
for await (const _ of run);
await box.close();
JS
env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" GOOGLE_GEMINI_BASE_URL="$url" GEMINI_API_KEY=none timeout -k 5 150 node client.mjs >output 2>&1 || true

python3 - <<'PY'
import json, sys

steps = [line.split() for line in open("calls")]
calls = [pid for pid, method in steps if method == "tools/call"]
lists = {pid for pid, method in steps if method == "tools/list"}
last = max((json.dumps(json.loads(line)["contents"]) for line in open("requests")), key=len)
print(len({pid for pid, _ in steps}), "processes for", len(calls), "calls; the model gets \"call 1 of this process\"", last.count("call 1 of this process"), "times")
sys.exit(not (len(calls) == 3 == len(set(calls)) and not lists & set(calls) and last.count("call 1 of this process") == 3))
PY
