"""A client for fsbox. Copy this file into your project; it needs Python 3.9 and nothing else.

    with Fsbox("path/to/workspace", "--allow-write") as box:
        text = box.call("read", path="notes.txt")["content"]

It remembers the etag of every file that it looked at or changed, and sends it along with write, append, edit and delete: a
file that somebody else changed in between is refused as stale, until it is looked at again or an if_match is sent. It doesn't
do so for calls about several files (patch, edit with glob), nor for move and copy. A link is a file of its own here.
"""
import contextlib
import json
import subprocess
import threading

# All other names are looked up, for models know these tools by several: write, Edit, str_replace.
NEED_NO_ETAG = {"info", "ls", "glob", "read", "grep", "patch", "mkdir", "copy", "move", "undo", "check", "schema"}


class FsboxError(Exception):
    """A failed call: its code (docs/codes.md lists them), message, hint and details."""

    def __init__(self, answer):
        self.code = answer["error"]
        self.hint = answer.get("hint", "")
        self.retryable = answer.get("retryable", False)
        self.details = answer.get("details", {})
        super().__init__(f"{self.code}: {answer['message']}" + (f" ({self.hint})" if self.hint else ""))


class Process:
    """One fsbox process for any number of calls, from any thread, one call at a time."""

    def __init__(self, root, *flags, form, program="fsbox"):
        self.process = subprocess.Popen([program, "batch", "--format", form, "--root", root, *flags],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.lock = threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()  # fsbox ends when its input does
        self.process.stdout.close()
        self.process.wait()

    def send(self, tool, arguments):
        """One line out, one line in. Arguments are an object, or the JSON text of one."""
        with contextlib.suppress(BrokenPipeError):  # it could not begin and has ended: it said why
            self.process.stdin.write(json.dumps({"tool": tool, "input": arguments}) + "\n")
            self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"fsbox ended with status {self.process.wait()}")
        return json.loads(line)


class TextFsbox(Process):
    """Answers as a model reads them: short, and whole, with the hint of a failure, warnings, and how a long file goes on."""

    def __init__(self, root, *flags, program="fsbox"):
        super().__init__(root, *flags, form="text", program=program)

    def text(self, tool, arguments):
        with self.lock:
            return self.send(tool, arguments)["text"]


class Fsbox(Process):
    """Answers as JSON, for programs, and etags kept."""

    def __init__(self, root, *flags, program="fsbox"):
        super().__init__(root, *flags, form="json", program=program)
        self.etags = {}  # by path, as answers name it

    def answer(self, tool, arguments):
        """The whole answer, also of a call that fails: what a model should see."""
        with self.lock:
            etag = self._etag(tool, arguments)
            answer = self.send(tool, {**arguments, "if_match": etag} if etag else arguments)
            if etag and answer.get("error") in ("stale", "invalid_input") and "etag" not in answer.get("details", {}):
                answer = self.send(tool, arguments)  # no file is there any more: a new one, or a link that is to be deleted
            if answer["success"] and not answer["result"].get("dry_run"):
                self._remember(answer["result"])
        return answer

    def call(self, tool, **arguments):
        """The result of a call; FsboxError if it fails. What else a success says, such as warnings, only answer() has."""
        answer = self.answer(tool, arguments)
        if not answer["success"]:
            raise FsboxError(answer)
        return answer["result"]

    def _etag(self, tool, arguments):
        """The etag that the file of a change had when it was seen last; None without one."""
        if tool in NEED_NO_ETAG or arguments.get("if_match") or not self.etags:
            return None
        path = arguments.get("path")
        if not isinstance(path, str) or path not in self.etags:  # ./a.txt, an absolute path, file_path: a dry run tells which file it is
            path = self.send(tool, {**arguments, "dry_run": True}).get("result", {}).get("path")
        return self.etags.get(path)

    def _remember(self, result):
        for one in [result, *result.get("files", []), *result.get("restored", [])]:
            if isinstance(one, dict) and ("etag" in one or one.get("deleted")):
                self.etags[one.get("path", one.get("to"))] = one.get("etag")
        self.etags = {path: etag for path, etag in self.etags.items() if etag}


def definitions(form="mcp", *settings, program="fsbox"):
    """The tools that the settings open, as an API takes them: form is mcp, openai, openai-responses or anthropic."""
    run = subprocess.run([program, "schema", "--for", form, "--format", "json", *settings], stdout=subprocess.PIPE, encoding="utf-8", check=True)
    return json.loads(run.stdout)["result"]["tools"]
