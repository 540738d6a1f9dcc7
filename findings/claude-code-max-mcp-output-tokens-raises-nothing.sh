#!/usr/bin/env bash
# claude-code 2.1.332: MAX_MCP_OUTPUT_TOKENS, 25,000 by default, doesn't let a longer answer of an MCP tool through:
# one of 57,500 characters is cut to 2,000 with 100,000 tokens as well. What does is "anthropic/maxResultSizeChars"
# in the tool's _meta, and it does so with any MAX_MCP_OUTPUT_TOKENS, also with far too few.
# Seen: with 100000 tokens the plain tool's answer is cut; with 100000 and with 5000 the other one's comes whole.
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code@2.1.332

cat >server.py <<'PY'
import json, sys
TOOLS = [{"name": name, "description": name, "inputSchema": {"type": "object", "properties": {}}} for name in ("plain", "told")]
TOOLS[1]["_meta"] = {"anthropic/maxResultSizeChars": 100_000}


def call(name, args):
    return {"content": [{"type": "text", "text": "".join(f"line {n:05} of the text\n" for n in range(2500))}]}

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

CALLS = [("ToolSearch", {"query": "select:mcp__box__plain,mcp__box__told"})] * 3 + [("mcp__box__plain", {}), ("mcp__box__told", {})]


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
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 ANTHROPIC_BASE_URL=$url ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 MAX_MCP_OUTPUT_TOKENS=$tokens timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
for tokens in 100000 5000; do
    run claude -p go --model m --mcp-config "$dir/mcp.json" --strict-mcp-config --allowedTools mcp__box
    mv requests "with.$tokens"
done

python3 - <<'PY'
import json, sys


def seen(tokens):  # lines of the answers of both tools
    last = json.loads(open(f"with.{tokens}").read().splitlines()[-1])
    results = [json.dumps(b["content"]) for m in last["messages"] if isinstance(m["content"], list) for b in m["content"] if b["type"] == "tool_result"][3:]
    lines = [text.count(" of the text") for text in results]
    print("with", tokens, "tokens, of 2500 lines the model gets", lines[0], "of the plain tool and", lines[1], "of the other")
    return lines

many, few = seen(100000), seen(5000)
sys.exit(not (many[0] < 100 and many[1] == 2500 and few[0] < 500 and few[1] == 2500))
PY
