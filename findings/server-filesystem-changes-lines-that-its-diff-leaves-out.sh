#!/usr/bin/env bash
# @modelcontextprotocol/server-filesystem 2026.8.31: `edit_file` is asked to change one line of a file with CRLF line ends. It changes the
# ends of all lines to LF, and the diff in its answer has that one line only. A byte that isn't UTF-8 in another line becomes three
# (EF BF BD), which the diff shows as a line that stays.
# Seen: "one\n2\nthree\n" where "one\r\ntwo\r\nthree\r\n" was, with a diff of one removed and one added line; "caf" EF BF BD where "caf" E9 was.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm install --silent --no-audit --no-fund @modelcontextprotocol/server-filesystem@2026.8.31 node@22.23.3
mkdir work
printf 'one\r\ntwo\r\nthree\r\n' >work/crlf.txt
printf 'caf\351\ntwo\n' >work/latin1.txt

cat >client.py <<'PY'
import json, subprocess, sys

work = sys.argv[1]
server = subprocess.Popen(["node_modules/.bin/node", "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", work],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8")


def ask(method, **params):
    print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), file=server.stdin, flush=True)
    return json.loads(server.stdout.readline())["result"]


info = ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "client", "version": "1"})
print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), file=server.stdin, flush=True)
for name in "crlf.txt", "latin1.txt":
    answer = ask("tools/call", name="edit_file", arguments={"path": f"{work}/{name}", "edits": [{"oldText": "two", "newText": "2"}]})
    lines = [l for l in answer["content"][0]["text"].split("\n") if l[:1] in "+-" and l[:3] not in ("+++", "---")]
    print(name, [l for l in lines if l], open(f"{work}/{name}", "rb").read())
server.kill()
PY
python3 client.py "$dir/work" | tee seen
diff seen - <<'SEEN'
crlf.txt ['-two', '+2'] b'one\n2\nthree\n'
latin1.txt ['-two', '+2'] b'caf\xef\xbf\xbd\n2\n'
SEEN
