"""A client for fsbox. Copy this file into your project; it needs Python 3.9 and nothing else.

    with Fsbox("path/to/workspace", "--allow-write") as box:
        text = box.call("read", path="notes.txt")["content"]

It remembers the etag of every file that it read or wrote, and sends it along with a change: a file that somebody else
changed in between is refused as stale instead of being overwritten.
"""
import contextlib
import json
import subprocess
import threading

CHANGES_ONE_FILE = {"write", "append", "edit", "delete"}


class FsboxError(Exception):
    """A failed call: its code (README.md lists them), message, hint and details."""

    def __init__(self, answer):
        self.code = answer["error"]
        self.hint = answer.get("hint", "")
        self.retryable = answer.get("retryable", False)
        self.details = answer.get("details", {})
        super().__init__(f"{self.code}: {answer['message']}" + (f" ({self.hint})" if self.hint else ""))


class Fsbox:
    """One fsbox process for any number of calls, from any thread, one call at a time."""

    def __init__(self, root, *flags, program="fsbox"):
        self.process = subprocess.Popen([program, "batch", "--format", "json", "--root", root, *flags],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.lock = threading.Lock()
        self.etags = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()  # fsbox ends when its input does
        self.process.stdout.close()
        self.process.wait()

    def answer(self, tool, arguments):
        """The whole answer, also of a call that fails: what a model should see."""
        if tool in CHANGES_ONE_FILE and arguments.get("path") in self.etags:
            arguments = {"if_match": self.etags[arguments["path"]], **arguments}
        with self.lock:
            with contextlib.suppress(BrokenPipeError):  # it could not begin and has ended: it said why
                self.process.stdin.write(json.dumps({"tool": tool, "input": arguments}) + "\n")
                self.process.stdin.flush()
            line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"fsbox ended with status {self.process.wait()}")
        answer = json.loads(line)
        if answer["success"]:
            self._remember(answer["result"])
        elif answer["error"] == "stale":
            self.etags.pop(arguments.get("path"), None)  # it was told; after another look it may go on
        return answer

    def call(self, tool, **arguments):
        """The result of a call; FsboxError if it fails."""
        answer = self.answer(tool, arguments)
        if not answer["success"]:
            raise FsboxError(answer)
        return answer["result"]

    def _remember(self, result):
        self.etags.pop(result.get("from"), None)
        for one in [result, *result.get("files", []), *result.get("restored", [])]:
            if isinstance(one, dict) and ("etag" in one or one.get("deleted")):
                self.etags[one.get("path", one.get("to"))] = one.get("etag")
        self.etags = {path: etag for path, etag in self.etags.items() if etag}


def definitions(form="mcp", *settings, program="fsbox"):
    """The tools that the settings open, as an API takes them: form is mcp, openai, openai-responses or anthropic."""
    run = subprocess.run([program, "schema", "--for", form, "--format", "json", *settings], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return json.loads(run.stdout)["result"]["tools"]
