"""fsbox as LangChain tools, one for each of its verbs.

With LangChain:

    from langchain_core.tools import StructuredTool
    with TextFsbox("path/to/workspace", "--allow-write") as box:
        agent = create_agent(model, fsbox_tools(box, StructuredTool.from_function, "--allow-write"))
        ...

Run as a script, a stand-in takes the place of LangChain:  python3 langchain_tools.py WORKSPACE
The workspace is an empty directory, which is filled first.
"""
from fsbox import TextFsbox, definitions


def fsbox_tools(box, make_tool, *settings):
    return [make_tool(func=caller(box, d["name"]), name=d["name"], description=d["description"], args_schema=d["inputSchema"])
            for d in definitions("mcp", *settings)]


def caller(box, tool):
    def call(**arguments):
        return box.text(tool, arguments)  # all of it, of a failure too: also that a file goes on, warnings and hints
    return call


if __name__ == "__main__":
    from demo import workspace
    from scripted import LangChainTool, use_langchain_tools
    [root] = workspace("python3 langchain_tools.py WORKSPACE", 1, {"greeting.txt": "Helo, world!\nHow are you?\n"}, must_be_empty=True)
    with TextFsbox(root, "--allow-write") as box:
        print(use_langchain_tools(fsbox_tools(box, LangChainTool, "--allow-write")))
