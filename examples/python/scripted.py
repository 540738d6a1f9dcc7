"""Stand-ins for models, so that the loops run offline. They behave as a model does: they go by what the answers say.

Each looks for a file under a wrong name, takes the right one from the hint, and fixes the typo in it.
"""
import json
import pathlib
import re
from types import SimpleNamespace as Object

TYPO = {"expected_text": "Helo", "replacement_text": "Hello"}


class OpenAIModel:
    """Has the one method of an OpenAI client that the loop calls."""

    def __init__(self):
        self.chat = Object(completions=self)

    def create(self, model, messages, tools):
        assert all(t["type"] == "function" and t["function"]["strict"] for t in tools)
        asked = [c["id"] for m in messages if m["role"] == "assistant" for c in m["tool_calls"]]
        assert asked == [m["tool_call_id"] for m in messages if m["role"] == "tool"], "every call has its answer"
        last = messages[-1]["content"]
        step = len(asked)
        if step == 0:
            return self.call(step, "read", '{"path": "greting.txt", "max_lines": null}')
        if step == 1:
            assert last.startswith("not_found: "), last
            self.path = re.search(r'did you mean "(.+?)"', last).group(1)
            return self.call(step, "read", json.dumps({"path": self.path}))
        if step == 2:
            assert "Helo" in last, last
            return self.call(step, "edit", '{"path": "gree')  # cut short
        if step == 3:
            assert last.startswith("invalid_input: "), last
            return self.call(step, "edit", json.dumps({"path": self.path, **TYPO, "edits": None}))
        assert last.startswith("made 1 replacement"), last
        return Object(choices=[Object(message=Object(content="The greeting is fixed.", tool_calls=None))])

    def call(self, step, name, arguments):
        call = Object(id=f"call_{step}", function=Object(name=name, arguments=arguments))
        return Object(choices=[Object(message=Object(content=None, tool_calls=[call]))])


class AnthropicModel:
    """Has the one method of an Anthropic client that the loop calls. Between two turns somebody else edits the file."""

    def __init__(self, root):
        self.messages, self.root, self.step = self, root, 0

    def create(self, model, max_tokens, messages, tools):
        assert {"name", "description", "input_schema"} == set(tools[0])
        self.step += 1
        if self.step == 1:
            return self.use("grep", {"query": "Helo", "output_mode": "files"})
        result = messages[-1]["content"][0]
        answer = json.loads(result["content"])
        assert result["is_error"] is not answer["success"]
        if self.step == 2:
            return self.use("read", {"path": answer["result"]["files"][0]})
        if self.step == 3:
            self.path = answer["result"]["path"]
            with open(pathlib.Path(self.root, self.path), "a") as file:
                file.write("Somebody else was here.\n")
            return self.use("edit", {"path": self.path, **TYPO})
        if self.step == 4:
            assert answer["error"] == "stale", answer
            return self.use("read", {"path": self.path})
        if self.step == 5:
            return self.use("edit", {"path": self.path, **TYPO})
        assert answer["success"], answer
        return Object(stop_reason="end_turn", content=[Object(type="text", text="The greeting is fixed.")])

    def use(self, name, arguments):
        return Object(stop_reason="tool_use", content=[Object(type="tool_use", id=f"toolu_{self.step}", name=name, input=arguments)])


class LangChainTool:
    """Takes what StructuredTool.from_function takes, as far as it is used here."""

    def __init__(self, func, name, description, args_schema):
        assert description and args_schema["type"] == "object"
        self.func, self.name = func, name

    def invoke(self, arguments):
        return self.func(**arguments)


def use_langchain_tools(tools):
    tool = {t.name: t for t in tools}
    missed = tool["read"].invoke({"path": "greting.txt"})
    assert missed.startswith("not_found: "), missed
    path = re.search(r'did you mean "(.+?)"', missed).group(1)
    assert "Helo" in tool["read"].invoke({"path": path})
    done = tool["edit"].invoke({"path": path, **TYPO})
    assert done.startswith("made 1 replacement"), done
    page = tool["read"].invoke({"path": path, "max_lines": 1})
    assert "continue with start_line 2" in page, page  # a page says that it isn't the whole file
    return done + page
