"""The shortest way to call fsbox from Python: one process, a line out and a line in for every call.
It works in the directory where it is run, on the file numbers.txt."""
import json
import subprocess

fsbox = subprocess.Popen(["fsbox", "batch", "--format", "json", "--root", ".", "--allow-write"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def call(tool, **arguments):
    print(json.dumps({"tool": tool, "input": arguments}), file=fsbox.stdin, flush=True)
    return json.loads(fsbox.stdout.readline())


print(call("write", path="numbers.txt", content="one\ntwo\n", mode="overwrite")["message"])
print(call("edit", path="numbers.txt", expected_text="two", replacement_text="2")["result"]["diff"])
