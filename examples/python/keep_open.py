"""One process for many calls, with etags kept and failures handled: put a header on top of every Python file.

    python3 keep_open.py WORKSPACE        an empty directory is filled first
"""
import sys

from demo import workspace
from fsbox import Fsbox, FsboxError

HEADER = "# Part of the demo.\n"


def add_header(box, path):
    page = box.call("read", path=path, max_lines=1)
    if page["content"] == HEADER:
        return "has it"
    if page["content"] == "":
        return "is empty"
    box.call("edit", path=path, expected_text=page["content"], replacement_text=HEADER + page["content"], expected_count=1)
    return "done"


def python_files(box):
    """All of them: a list that has more than one page says so."""
    files, cursor = [], ""
    while cursor is not None:
        page = box.call("glob", pattern="**/*.py", cursor=cursor)
        files += page["files"]
        cursor = page.get("next_cursor")
    return files


[root] = workspace("python3 keep_open.py WORKSPACE", 1, {
    "a.py": "import os\n", "b.py": "x = 1\ny = 2\nx = 1\n", "empty.py": "", "README.md": "text\n"})
failed = False
with Fsbox(root, "--allow-write") as box:
    for path in python_files(box):
        try:
            print(path, add_header(box, path))
        except FsboxError as failure:
            if failure.code == "count_mismatch":  # the first line is there again further down: say where it is
                page = box.call("read", path=path)
                box.call("write", path=path, content=HEADER + page["content"], mode="overwrite")
                print(path, "rewritten")
            else:  # the message names what is wrong, the hint what to do
                print(path, failure)
                failed = True
    try:
        box.call("read", path="REDAME.md")
    except FsboxError as failure:
        print(failure.code, failure.details.get("similar"))
sys.exit(1 if failed else 0)
