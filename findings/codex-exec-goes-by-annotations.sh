#!/usr/bin/env bash
# codex 0.171.0, headless (codex exec) and without a switch, asks nobody and still runs some MCP tools: it
# believes the annotations that a server gives its own tools. A tool that has none is refused, whatever it
# does, as is one that says it is destructive.
# Seen: readOnlyHint runs; destructiveHint false with openWorldHint false runs; the others come to
# "MCP tool call requires approval, but approval policy is never".
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @openai/codex@0.171.0 node@22.23.3

cat >server.py <<'PY'
import json, sys
HINTS = {
    "reads": {"readOnlyHint": True},
    "adds": {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False},
    "destroys": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False},
    "silent": None,
}
TOOLS = [{"name": name, "description": name, "inputSchema": {"type": "object", "properties": {}}} for name in HINTS]
for tool in TOOLS:
    if HINTS[tool["name"]]:
        tool["annotations"] = HINTS[tool["name"]]


def call(name, args):
    open(sys.argv[1], "a").write(name + "\n")
    return {"content": [{"type": "text", "text": "made " + name}]}

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

CALLS = [("reads", {}), ("adds", {}), ("destroys", {}), ("silent", {})]


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
args = ["$dir/server.py", "$dir/calls"]
TOML

run() { # with nothing of this environment
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 KEY=none timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
run codex exec --skip-git-repo-check go

python3 - <<'PY'
import json, sys

called = open("calls").read().split()
last = json.loads(open("requests").read().splitlines()[-1])
results = [json.dumps(i["output"]) for i in last["input"] if i.get("type") == "function_call_output"]
print("called:", called)
print("refused:", [r for r in results if "approval" in r])
sys.exit(not (called == ["reads", "adds"] and len(results) == 4 and sum("requires approval" in r for r in results) == 2))
PY
