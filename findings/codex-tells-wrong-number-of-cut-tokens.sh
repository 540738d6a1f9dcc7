#!/usr/bin/env bash
# codex 0.171.0 cuts the middle out of a long answer of an MCP tool, for a model that it doesn't list at
# 12,000 bytes, and tells the model how much is missing: a number that is far too small.
# Seen: of 40,000 bytes 12,000 are left, and between its halves "…7 tokens truncated…".
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @openai/codex@0.171.0 node@22.23.3

cat >server.py <<'PY'
import json, sys
TOOLS = [{"name": "get", "description": "Get.", "inputSchema": {"type": "object", "properties": {}}, "annotations": {"readOnlyHint": True}}]


def call(name, args):
    return {"content": [{"type": "text", "text": "".join(f"line {n:04} of it\n" for n in range(2500))}]}

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

CALLS = [("get", {})]


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        open("requests", "a").write(json.dumps(body) + "\n")
        done = sum(i.get("type") == "function_call_output" for i in body["input"])
        name, args = CALLS[done] if body.get("tools") and done < len(CALLS) else (None, None)
        item = {"type": "message", "role": "assistant", "id": "m", "content": [{"type": "output_text", "text": "done"}]}
        if name:
            item = {"type": "function_call", "call_id": f"call_{done}", "namespace": "mcp__box", "name": name, "arguments": json.dumps(args)}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        events = [
            ("response.created", {"type": "response.created", "response": {"id": "r"}}),
            ("response.output_item.done", {"type": "response.output_item.done", "item": item}),
            ("response.completed", {"type": "response.completed", "response": {"id": "r", "usage": usage}}),
        ]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for kind, event in events:
            self.wfile.write(f"event: {kind}\ndata: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode())

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

mkdir home/.codex
cat >home/.codex/config.toml <<TOML
model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "$url/v1"
wire_api = "responses"
env_key = "KEY"
[mcp_servers.box]
command = "python3"
args = ["$dir/server.py"]
TOML

run() { # with nothing of this environment
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 KEY=none timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
run codex exec --skip-git-repo-check go

python3 - <<'PY'
import json, sys

items = [i for line in open("requests") for i in json.loads(line)["input"] if i.get("type") == "function_call_output"]
text = "".join(part["text"] for part in items[-1]["output"])
told = text.split("…")[1]
print("sent 40000 bytes, the model gets", len(text.encode()), "and is told", repr(told))
number = int(told.split()[0])
kept = text.count(" of it\n")
sys.exit(not (told.endswith("tokens truncated") and number < 100 and 700 < kept < 800))
PY
