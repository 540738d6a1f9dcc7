#!/usr/bin/env bash
# Copilot CLI 1.0.102 joins the text blocks of an MCP answer with nothing between them, not even a line end,
# leaves a resource_link out without a word, and takes U+FEFF and U+202E out of texts, so a name that has one
# can't be copied from what the model sees.
# Seen: blocks "one", a resource_link, "two" and "t<U+202E>hree" come as "onetwothree".
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @github/copilot@1.0.102

cat >server.py <<'PY'
import json, sys
TOOLS = [{"name": "get", "description": "Get.", "inputSchema": {"type": "object", "properties": {}}}]
BLOCKS = [{"type": "text", "text": "one"}, {"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt"},
          {"type": "text", "text": "two"}, {"type": "text", "text": "t\u202ehree"}]


def call(name, args):
    return {"content": BLOCKS}

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

CALLS = [("box-get", {})]


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        open("requests", "a").write(json.dumps(body) + "\n")
        done = sum(m["role"] == "tool" for m in body["messages"])
        name, args = CALLS[done] if "box-get" in json.dumps(body.get("tools")) and done < len(CALLS) else (None, None)
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

cat >mcp.json <<JSON
{"mcpServers": {"box": {"type": "local", "command": "python3", "args": ["$dir/server.py"], "tools": ["*"]}}}
JSON

run() { # with nothing of this environment
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 COPILOT_PROVIDER_BASE_URL=$url/v1 COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_API_KEY=none COPILOT_MODEL=m COPILOT_OFFLINE=true timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
run copilot -p go --allow-all-tools --no-auto-update --additional-mcp-config "@$dir/mcp.json"

python3 - <<'PY'
import json, sys

last = max((json.loads(line)["messages"] for line in open("requests")), key=len)
answers = [m["content"] for m in last if m["role"] == "tool"]
print("the model gets", ascii(answers))
sys.exit(answers != ["onetwothree"])
PY
