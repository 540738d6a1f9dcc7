#!/usr/bin/env bash
# qwen-code 0.24.4 passes on an MCP tool's answer of 24,000 characters whole. Of one of 30,000 the model gets
# 2,000: the longer answer brings less than a tenth. The rest is in a file below the home folder.
# Seen: 24000 of 24000, then 2000 of 30000 and "Output too large".
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @qwen-code/qwen-code@0.24.4 node@22.23.3

cat >server.py <<'PY'
import json, sys
TOOLS = [{"name": "get", "description": "Get.", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}]


def call(name, args):
    return {"content": [{"type": "text", "text": "#" * args["n"]}]}

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

CALLS = [("tool_call", {"name": "mcp__box__get", "arguments": {"n": n}}) for n in (24000, 30000)]


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        open("requests", "a").write(json.dumps(body) + "\n")
        done = sum(m["role"] == "tool" for m in body["messages"])
        name, args = CALLS[done] if "tool_call" in json.dumps(body.get("tools")) and done < len(CALLS) else (None, None)
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

mkdir home/.qwen
cat >home/.qwen/settings.json <<JSON
{"mcpServers": {"box": {"command": "python3", "args": ["$dir/server.py"]}}}
JSON

run() { # with nothing of this environment
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 OPENAI_BASE_URL=$url/v1 OPENAI_API_KEY=none OPENAI_MODEL=m timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
run qwen --auth-type openai --yolo -p go

python3 - <<'PY'
import json, sys

last = max((json.loads(line)["messages"] for line in open("requests")), key=len)
answers = [m["content"] if isinstance(m["content"], str) else json.dumps(m["content"]) for m in last if m["role"] == "tool"]
kept = [a.count("#") for a in answers]
print("of 24000 and 30000 characters the model gets", kept)
sys.exit(not (kept[0] == 24000 and kept[1] == 2000 and "Output too large" in answers[1]))
PY
