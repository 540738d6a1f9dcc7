"""A tool loop over the Chat Completions API of OpenAI, and of everything that speaks it.

With a real model:  run(openai.OpenAI(), "gpt-...", "Fix the typo in the greeting.", "path/to/workspace")

The model reads the text form of the answers, which costs it fewer tokens than JSON: `batch --format text`.
Run as a script, a scripted model takes the place of the real one:  python3 openai_loop.py WORKSPACE
The workspace is an empty directory, which is filled first.
"""
from fsbox import TextFsbox, definitions


def run(client, model, task, root, max_turns=20):
    tools = definitions("openai", "--allow-write")
    messages = [{"role": "user", "content": task}]
    with TextFsbox(root, "--allow-write") as box:
        for _ in range(max_turns):
            reply = client.chat.completions.create(model=model, messages=messages, tools=tools)
            message = reply.choices[0].message
            if not message.tool_calls:
                return message.content
            messages.append({"role": "assistant", "content": message.content, "tool_calls": [
                {"id": c.id, "type": "function", "function": {"name": c.function.name, "arguments": c.function.arguments}}
                for c in message.tool_calls]})
            for c in message.tool_calls:
                messages.append({"role": "tool", "tool_call_id": c.id, "content": answer(box, c.function)})
    return "too many turns"


def answer(box, function):
    """What the model is to read, of a failure too: it has the code, the reason and a hint. The arguments go in as the text
    that they are: a model can cut its own JSON short, and fsbox tells it so."""
    return box.text(function.name, function.arguments or "{}")


if __name__ == "__main__":
    from demo import GREETING, workspace
    from scripted import OpenAIModel
    [root] = workspace("python3 openai_loop.py WORKSPACE", 1, GREETING, must_be_empty=True)
    print(run(OpenAIModel(), "scripted", "Fix the typo in the greeting.", root))
