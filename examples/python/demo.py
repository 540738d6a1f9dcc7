"""What the examples that run as scripts have in common: a directory to work in, which they fill themselves if it is empty."""
import sys

from fsbox import Fsbox


def workspace(usage, arguments, files, must_be_empty=False):
    """The arguments of the command line, the workspace first. Without the right number of them it prints the usage and ends with status 2."""
    if len(sys.argv) != 1 + arguments:
        print("usage: " + usage, file=sys.stderr)
        sys.exit(2)
    with Fsbox(sys.argv[1], "--allow-write", "--create-root") as box:
        is_empty = not box.call("ls", include_hidden=True)["entries"]
        if must_be_empty and not is_empty:
            print(f"{sys.argv[1]} is not empty: the scripted model knows only what this example puts there", file=sys.stderr)
            sys.exit(2)
        for path, content in files.items() if is_empty else ():
            box.call("write", path=path, content=content)
    return sys.argv[1:]


GREETING = {"greeting.txt": "Helo, world!\n"}
