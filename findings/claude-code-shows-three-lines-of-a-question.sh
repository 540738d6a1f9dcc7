#!/usr/bin/env bash
# claude-code 2.1.332: a dialog by which an MCP server asks the user (elicitation, a form with one field) shows three lines
# of the message and "… (+7 more lines)", in a terminal of 40 rows with most of them empty, and there is no key for the rest.
# A message of four lines is shown whole. 2.1.197 showed all lines.
# Seen: of 10 lines "line 1" to "line 3"; of 4 lines all.
set -euo pipefail
dir=$(mktemp -d)
terminal() { tmux -u -S "$dir/tmux" -f /dev/null "$@"; }
trap 'terminal kill-server 2>/dev/null || true; kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @anthropic-ai/claude-code@2.1.332

cat >server.py <<'PY'
import json, sys
FORM = {"type": "object", "properties": {"word": {"type": "string", "title": "Word", "enum": ["one", "two"]}}, "required": ["word"]}


def send(**m):
    print(json.dumps({"jsonrpc": "2.0"} | m), flush=True)

for line in sys.stdin:
    m = json.loads(line)
    if m.get("method") == "initialize":
        send(id=m["id"], result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "box", "version": "1"}})
    elif m.get("method") == "tools/list":
        send(id=m["id"], result={"tools": [{"name": "ask", "description": "Ask.", "inputSchema": {"type": "object", "properties": {}}}]})
    elif m.get("method") == "tools/call":
        call = m["id"]
        text = "\n".join(f"line {n}" for n in range(1, int(sys.argv[1]) + 1))
        send(id="ask", method="elicitation/create", params={"message": text, "requestedSchema": FORM})
    elif m.get("id") == "ask":
        send(id=call, result={"content": [{"type": "text", "text": "answered"}]})
    elif "id" in m:
        send(id=m["id"], error={"code": -32601, "message": "unknown method"})
PY

cat >model.py <<'PY'
import http.server, json

CALLS = [("ToolSearch", {"query": "select:mcp__box__ask"})] * 2 + [("mcp__box__ask", {})]


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

cat >home/.claude.json <<JSON
{"hasCompletedOnboarding": true, "theme": "dark", "projects": {"$dir/work": {"hasTrustDialogAccepted": true}}}
JSON

ask() { # the screen of a question with so many lines, with nothing of this environment
    echo "{\"mcpServers\": {\"box\": {\"command\": \"python3\", \"args\": [\"$dir/server.py\", \"$1\"]}}}" >mcp.json
    terminal new-session -d -s "n$1" -x 100 -y 40 -c "$dir/work" "exec env -i HOME='$dir/home' PATH='$dir/node_modules/.bin:/usr/bin:/bin' TERM=screen-256color LANG=C.UTF-8 \
        ANTHROPIC_BASE_URL=$url ANTHROPIC_AUTH_TOKEN=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 \
        claude go --model m --mcp-config '$dir/mcp.json' --strict-mcp-config --allowedTools mcp__box"
    for _ in $(seq 120); do
        sleep 1
        terminal capture-pane -p -t "n$1" >screen
        grep -q 'line 1$' screen && grep -q Accept screen && break
    done
    cat screen
}
ask 10 >long
ask 4 >short
grep 'line\|Accept' long short
for n in 1 2 3; do grep -q "line $n\$" long; done
! grep -q 'line 4$' long
grep -q '(+7 more lines)' long
for n in 1 2 3 4; do grep -q "line $n\$" short; done
