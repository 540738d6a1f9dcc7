#!/usr/bin/env bash
# claude-code 2.1.332: an MCP server that sends structuredContent beside its text, as the specification advises
# for older clients, loses the text: the model gets the JSON alone. Of a failure it gets the text alone.
# Seen: {"from":"structured"}, and for the failure "from text".
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code@2.1.332

cat >server.py <<'PY'
import json, sys
TOOLS = [{"name": name, "description": name, "inputSchema": {"type": "object", "properties": {}}} for name in ("answer", "fail")]


def call(name, args):
    return {"isError": name == "fail", "content": [{"type": "text", "text": "from text"}], "structuredContent": {"from": "structured"}}

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

CALLS = [("ToolSearch", {"query": "select:mcp__box__answer,mcp__box__fail"})] * 3 + [("mcp__box__answer", {}), ("mcp__box__fail", {})]


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        open("requests", "a").write(json.dumps(body) + "\n")
        done = json.dumps(body["messages"]).count('"tool_result"')
        name, args = CALLS[done] if "ToolSearch" in json.dumps(body.get("tools")) and done < len(CALLS) else (None, None)
        block, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": "done"}
        if name:
            block = {"type": "tool_use", "id": f"call_{done}", "name": name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(args)}
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": {"input_tokens": 1, "output_tokens": 1}}
        events = [
            ("message_start", {"type": "message_start", "message": message}),
            ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}),
            ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
            ("content_block_stop", {"type": "content_block_stop", "index": 0}),
            ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "tool_use" if name else "end_turn"}, "usage": {"output_tokens": 1}}),
            ("message_stop", {"type": "message_stop"}),
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

cat >mcp.json <<JSON
{"mcpServers": {"box": {"command": "python3", "args": ["$dir/server.py"]}}}
JSON

run() { # with nothing of this environment
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 ANTHROPIC_BASE_URL=$url ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
run claude -p go --model m --mcp-config "$dir/mcp.json" --strict-mcp-config --allowedTools mcp__box

python3 - <<'PY'
import json, sys

last = json.loads(open("requests").read().splitlines()[-1])
results = [json.dumps(b["content"]) for m in last["messages"] if isinstance(m["content"], list) for b in m["content"] if b["type"] == "tool_result"][3:]
print("answer:", results[0], "failure:", results[1])
sys.exit(not ("structured" in results[0] and "from text" not in results[0] and "from text" in results[1] and "structured" not in results[1]))
PY
