"""A tool loop over the Messages API of Anthropic.

With a real model:  run(anthropic.Anthropic(), "claude-...", "Fix the typo in the greeting.", "path/to/workspace")

The client keeps the etags, so that the model can't overwrite what somebody else changed since it looked: fsbox.py says for which calls.
Run as a script, a scripted model takes the place of the real one:  python3 anthropic_loop.py WORKSPACE
The workspace is an empty directory, which is filled first.
"""
import json

from fsbox import Fsbox, definitions


def run(client, model, task, root, max_turns=20):
    tools = definitions("anthropic", "--allow-write")
    messages = [{"role": "user", "content": task}]
    with Fsbox(root, "--allow-write") as box:
        for _ in range(max_turns):
            reply = client.messages.create(model=model, max_tokens=8192, messages=messages, tools=tools)
            messages.append({"role": "assistant", "content": reply.content})
            if reply.stop_reason != "tool_use":
                return "".join(block.text for block in reply.content if block.type == "text")
            results = [tool_result(box, block) for block in reply.content if block.type == "tool_use"]
            messages.append({"role": "user", "content": results})
    return "too many turns"


def tool_result(box, block):
    answer = box.answer(block.name, block.input)
    # The whole answer, of a failure too: its hint and details are what the model goes on by.
    return {"type": "tool_result", "tool_use_id": block.id, "is_error": not answer["success"],
            "content": json.dumps(answer, ensure_ascii=False)}


if __name__ == "__main__":
    from demo import GREETING, workspace
    from scripted import AnthropicModel
    [root] = workspace("python3 anthropic_loop.py WORKSPACE", 1, GREETING, must_be_empty=True)
    print(run(AnthropicModel(root), "scripted", "Fix the typo in the greeting.", root))
