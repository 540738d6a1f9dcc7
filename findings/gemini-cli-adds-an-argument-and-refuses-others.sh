#!/usr/bin/env bash
# gemini-cli 0.61.0 adds a property wait_for_previous to the schema of every MCP tool and passes on what the
# model puts there, so a server gets an argument that it never defined. An argument that neither has defined it
# refuses itself, before the server sees it, if the schema says additionalProperties false.
# Seen: the server gets {"n": 1, "wait_for_previous": true}; {"n": 1, "m": 2} comes to
# "params must NOT have additional properties".
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @google/gemini-cli@0.61.0 node@22.23.3

cat >server.py <<'PY'
import json, sys
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
TOOLS = [{"name": "get", "description": "Get.", "inputSchema": SCHEMA}]


def call(name, args):
    open(sys.argv[1], "a").write(json.dumps(args) + "\n")
    return {"content": [{"type": "text", "text": "here"}]}

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

CALLS = [("mcp_box_get", {"n": 1, "wait_for_previous": True}), ("mcp_box_get", {"n": 1, "m": 2})]


class Model(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        open("requests", "a").write(json.dumps(body) + "\n")
        done = json.dumps(body["contents"]).count('"functionResponse"')
        name, args = CALLS[done] if body.get("tools") and done < len(CALLS) else (None, None)
        part = {"functionCall": {"name": name, "args": args}} if name else {"text": "done"}
        answer = {"index": 0, "finishReason": "STOP", "content": {"role": "model", "parts": [part]}}
        events = [("m", {"candidates": [answer], "usageMetadata": {"totalTokenCount": 2}})]
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

mkdir home/.gemini
cat >home/.gemini/settings.json <<JSON
{"security": {"auth": {"selectedType": "gemini-api-key"}},
 "mcpServers": {"box": {"command": "python3", "args": ["$dir/server.py", "$dir/calls"]}}}
JSON

run() { # with nothing of this environment
    (cd work && env -i HOME="$dir/home" PATH="$dir/node_modules/.bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 GOOGLE_GEMINI_BASE_URL=$url GEMINI_API_KEY=none GEMINI_CLI_TRUST_WORKSPACE=true timeout -k 5 150 "$@" </dev/null >../output 2>&1) || true
}
run gemini -m gemini-2.5-pro --yolo -p go

python3 - <<'PY'
import json, sys

bodies = [json.loads(line) for line in open("requests")]
tools = [f for b in bodies for t in b.get("tools", []) for f in t["functionDeclarations"] if f["name"] == "mcp_box_get"]
offered = sorted(tools[0].get("parametersJsonSchema", tools[0].get("parameters"))["properties"])
got = [json.loads(line) for line in open("calls")]
print("offered:", offered, "the server gets:", got)
refused = "params must NOT have additional properties" in json.dumps(bodies[-1]["contents"])
sys.exit(not (offered == ["n", "wait_for_previous"] and got == [{"n": 1, "wait_for_previous": True}] and refused))
PY
