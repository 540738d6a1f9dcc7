#!/usr/bin/env bash
# @mastra/mcp 2.0.0 drops the arguments that a tool's schema doesn't name, and makes the call with the others:
# no failure, no word. A guard that a server takes without defining it, such as dry_run, is gone on the way.
# Seen: {"name": "a", "dry_run": true} comes to the server as {"name": "a"}.
set -euo pipefail
dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$dir"' EXIT
cd "$dir"
mkdir home work
npm install --silent --no-audit --no-fund @mastra/mcp@2.0.0 @mastra/core@1.71.0 node@22.23.3

cat >server.py <<'PY'
import json, sys
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": False}
TOOLS = [{"name": "remove", "description": "Remove.", "inputSchema": SCHEMA}]


def call(name, args):
    return {"content": [{"type": "text", "text": json.dumps(args)}]}

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

cat >client.mjs <<'JS'
import { MCPClient } from "@mastra/mcp";
const client = new MCPClient({ servers: { box: { command: "python3", args: ["server.py"] } } });
const { box_remove } = await client.listTools();
const answer = await box_remove.execute({ name: "a", dry_run: true }, {});
console.log(JSON.stringify(answer));
process.exit();
JS
HOME=$dir/home PATH=$dir/node_modules/.bin:$PATH timeout -k 5 120 node client.mjs >answer
cat answer
grep -q '\\"name\\"' answer && ! grep -q dry_run answer
