#!/usr/bin/env python3
"""Messages name options neutrally.

    check_messages.py REPO            checks the tree, after checking this script itself
    check_messages.py --self-test     checks this script alone

A text of the library says "<option:drop-na>", never "--drop-na" or "-o": each front end shows options as
its users write them (include/pegnn/option_names.h). A line of the shell in `backquotes` is what it is. The
command's own folder, cli/, has the command's words. Texts for a Log ask it, by `log.option("k")`, and hold
no neutral name.
"""

import re
import sys
from pathlib import Path

# Words of the command, the place where they are made, and colours by the names that CSS gives them.
OTHERS = ("src/cli/", "src/base/option_names.cpp", "src/report/style.cpp")

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
SHELL = re.compile(r"`[^`]*`")
FLAG = re.compile(r"(?<![\w-])(?:--[a-z][a-z-]*|-o)(?![\w-])")
LOGGED = re.compile(r"\blog(?:\(\)|_of\(run\)|_)?\.(?:note|warn|detail)\(([^;]*);")


def without_comments(text):
    """The text with its comments gone, its lines as many as before."""
    return re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*', lambda m: m[0] if m[0][0] == '"' else "", text)


def complaints_of(path, text):
    """All complaints about one file."""
    code = without_comments(text)
    for number, line in enumerate(code.split("\n"), 1):
        if line.lstrip().startswith("#include"):
            continue
        for literal in LITERAL.findall(line):
            for flag in FLAG.findall(SHELL.sub("", literal)):
                yield f"{path}:{number}: '{flag}' is a word of the command; write <option:NAME>"
    for call in LOGGED.finditer(code):
        if "<option:" in call[1]:
            number = code.count("\n", 0, call.start()) + 1
            yield f"{path}:{number}: a text for a log; name the option by log.option(NAME)"


# Made-up lines, and whether they are complained of.
MADE_UP = [
    ('throw Error(kind, "<option:k> is too large");', False),
    ('throw Error(kind, "--k is too large");', True),
    ('fail("choose another place with -o");', True),
    ('fail("see `pegnn list --json`");', False),
    ('fail("`pegnn list` and --json");', True),
    ("--depth;  // as --k says", False),
    ('const char* mark = "a -- b, x--y, -oo";', False),
    ('log.warn(fmt::format("{} {} is too large",\n         log.option("k"), k));', False),
    ('log().warn(fmt::format("<option:k> {} is too large",\n           k));', True),
]


def self_test():
    """How many of the made-up lines were judged well, and what was said of the others."""
    wrong = [f"self-test: {line}" for line, bad in MADE_UP if bool(list(complaints_of("x", line))) != bad]
    return len(MADE_UP) - len(wrong), wrong


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    passed, complaints = self_test()
    if arguments[0] != "--self-test":
        repo = Path(arguments[0]).resolve()
        for root in ("include", "src", "paper"):
            for file in sorted((repo / root).rglob("*")):
                path = file.relative_to(repo).as_posix()
                if file.suffix not in (".h", ".cpp") or path.startswith(OTHERS):
                    continue
                found = list(complaints_of(path, file.read_text(encoding="utf-8")))
                complaints += found
                passed += not found
    for complaint in complaints:
        print(complaint)
    print(f"{passed} passed, {len(complaints)} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
