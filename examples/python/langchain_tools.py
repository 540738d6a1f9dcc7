"""fsbox as LangChain tools, one for each of its verbs.

With LangChain:

    from langchain_core.tools import StructuredTool
    tools = fsbox_tools(Fsbox("path/to/workspace", "--allow-write"), StructuredTool.from_function, "--allow-write")
    agent = create_agent(model, tools)

Run as a script, a stand-in takes the place of LangChain:  python3 langchain_tools.py WORKSPACE
The workspace is an empty folder, which is filled first.
"""
import json

from fsbox import Fsbox, FsboxError, definitions


def fsbox_tools(box, make_tool, *settings):
    return [make_tool(func=caller(box, d["name"]), name=d["name"], description=d["description"], args_schema=d["inputSchema"])
            for d in definitions("mcp", *settings)]


def caller(box, tool):
    def call(**arguments):
        try:
            result = box.call(tool, **arguments)
        except FsboxError as failure:  # for the model to read, not for the program to stop at
            return f"{failure}\n{json.dumps(failure.details, ensure_ascii=False)}"
        return result["content"] if tool == "read" else json.dumps(result, ensure_ascii=False)
    return call


if __name__ == "__main__":
    from demo import GREETING, workspace
    from scripted import LangChainTool, use_langchain_tools
    [root] = workspace("python3 langchain_tools.py WORKSPACE", 1, GREETING, must_be_empty=True)
    with Fsbox(root, "--allow-write") as box:
        print(use_langchain_tools(fsbox_tools(box, LangChainTool, "--allow-write")))
