#!/usr/bin/env bash
# opencode 1.18.33 sends notifications/cancelled for MCP calls that its server has answered already, each time
# some moments after the answer has come. The specification wants it for requests that are still under way.
# Seen: tools/call, answer, and then notifications/cancelled with the id of that call.
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund opencode-ai@1.18.33

cat >server.py <<'PY'
import json, sys
TOOLS = [{"name": "get", "description": "Get.", "inputSchema": {"type": "object", "properties": {}}}]


def call(name, args):
    return {"content": [{"type": "text", "text": "here"}]}

for line in sys.stdin:
    m = json.loads(line)
    open(sys.argv[1], "a").write(line)
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

CALLS = [("box_get", {})] * 4


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

cat >work/opencode.json <<JSON
{"provider": {"scripted": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "$url/v1", "apiKey": "none"}, "models": {"m": {}}}},
 "mcp": {"box": {"type": "local", "command": ["python3", "$dir/server.py", "$dir/calls"]}}}
JSON

run() { # with nothing of this environment
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
run opencode run -m scripted/m go

python3 - <<'PY'
import json, sys

sent = [json.loads(line) for line in open("calls")]
called = [m["id"] for m in sent if m["method"] == "tools/call"]
cancelled = [m["params"]["requestId"] for m in sent if m["method"] == "notifications/cancelled"]
last = max((json.loads(line)["messages"] for line in open("requests")), key=len)
answers = [m["content"] for m in last if m["role"] == "tool"]
print("called", called, "cancelled", cancelled, "answers that the model got", answers)
sys.exit(not (answers == ["here"] * 4 and len(set(cancelled) & set(called)) >= 2))
PY
