"""One process for each call: rename a word in all files that have it, and say what happened.

    python3 one_shot.py WORKSPACE OLD NEW        an empty directory is filled first
"""
import json
import subprocess
import sys

from demo import workspace


def fsbox(root, tool, **request):
    """One call. The request goes in on stdin: there it may be as long as it needs to be."""
    run = subprocess.run(["fsbox", tool, "-", "--format", "json", "--root", root, "--allow-write"],
                         input=json.dumps(request), stdout=subprocess.PIPE, encoding="utf-8")
    return json.loads(run.stdout)  # an answer in any case; the exit status says no more than "success" in it


def rename(root, old, new):
    """The exit status: 0, or 1 if something failed."""
    status, found, cursor = 0, [], ""
    while True:  # a search that has more than one page says so
        answer = fsbox(root, "grep", query=old, whole_word=True, output_mode="counts", cursor=cursor)
        if not answer["success"]:
            sys.exit(f"{answer['error']}: {answer['message']}; {answer.get('hint', '')}")
        found += answer["result"]["counts"]
        cursor = answer["result"].get("next_cursor", "")
        if not cursor:
            break
    for f in found:  # a name that isn't UTF-8 has its bytes in path_base64
        name = {"path_base64": f["path_base64"]} if "path_base64" in f else {"path": f["file"]}
        answer = fsbox(root, "info", **name)
        if answer["success"]:
            answer = fsbox(root, "edit", **name, expected_text=old, replacement_text=new, replace_all=True, whole_word=True,
                           if_match=answer["result"].get("etag"))
        if answer["success"]:
            print(answer["message"])
        else:
            print(f"{f['file']!r}: {answer['error']}: {answer['message']}; {answer.get('hint', '')}", file=sys.stderr)
            status = 1
    return status


usage = "python3 one_shot.py WORKSPACE OLD NEW"
sys.exit(rename(*workspace(usage, 3, {"a.txt": "old older\n", "sub/b.txt": "an old one\nold\n", "c.txt": "older\n"})))
