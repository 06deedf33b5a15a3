#!/usr/bin/env python3
"""The documentation says what the program does.

    check_docs.py REPO PEGNN            compares the pages with the command PEGNN
    check_docs.py REPO PEGNN --write    first rewrites docs/options.md and the table of docs/presets.md

Every part of `pegnn list --json` has a row in docs/parts.md, and no row is left of one that is gone;
every command and exit code of `pegnn --help` stands in docs/command_line.md; docs/options.md is what
this script makes of `pegnn list options --json`, and the table of docs/presets.md what it makes of
that for every preset; src/README.md lists the folders of src/ in the order of
check_layers.py, and the files that it and paper/README.md name are in their folders; relative links in all Markdown files
lead somewhere.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # a source tree stays as it is
from check_layers import ORDER  # noqa: E402

OPTIONS_HEAD = """# Options

Every model option of `pegnn train` and `pegnn evaluate`, with its default: what a run uses if nothing is said, that is,
with `--preset default`. Other presets, and other models under it, have other defaults: [presets.md](presets.md) lists
them, and `pegnn list options --preset NAME --model NAME` shows all. Made from `pegnn list options --json` by
`tests/house/check_docs.py --write`; do not edit by hand.
"""

ROW = re.compile(r"^\| *`([^`]+)`", re.MULTILINE)
HEADING = re.compile(r"^(#+) +(.+?) *$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(r"`([a-z_]+\.[a-z]+)`")
FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)


class Report:
    """Counts what holds and prints what does not."""

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, complaint):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(complaint)


def run(pegnn, *words):
    return subprocess.run([pegnn, *words], capture_output=True, text=True, check=True).stdout


def run_json(pegnn, *words):
    text = run(pegnn, *words, "--json")
    try:
        # Numbers stay as they are written.
        return json.loads(text, parse_float=str, parse_int=str)
    except json.JSONDecodeError:
        print(f"`pegnn {' '.join(words)} --json` does not print JSON, but: {text[:60]!r}")
        print("0 passed, 1 failed")
        sys.exit(1)


def read(file):
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def section(text, title):
    """What stands under the heading `title`, down to the next heading of its level or above."""
    headings = list(HEADING.finditer(text))
    for i, heading in enumerate(headings):
        if heading[2].lower() == title.lower():
            level = len(heading[1])
            ends = (h.start() for h in headings[i + 1:] if len(h[1]) <= level)
            return text[heading.end():next(ends, len(text))]
    return ""


def check_parts(report, docs, parts):
    text = read(docs / "parts.md")
    for kind, entries in parts.items():
        # Only the first table of a section lists the parts; others may follow.
        rows = ROW.findall(re.split(r"\n\n(?=[^|])", section(text, kind).partition("\n|")[2])[0])
        names = [entry["name"] for entry in entries]
        for name in names:
            report.check(name in rows, f"docs/parts.md: no row `{name}` under '{kind}'")
        for row in rows:
            report.check(row in names, f"docs/parts.md: row `{row}` under '{kind}' is no part")


def check_commands(report, docs, overview):
    text = read(docs / "command_line.md")
    listed = re.search(r"^Commands\n((?:  .*\n)+)", overview, re.MULTILINE)
    commands = re.findall(r"^  (\S+)", listed[1], re.MULTILINE) if listed else []
    report.check(commands, "`pegnn --help` lists no commands")
    headed = re.findall(r"^## `pegnn (\S+)`$", text, re.MULTILINE)
    for name in commands:
        report.check(name in headed, f"docs/command_line.md: no heading '## `pegnn {name}`'")
    for name in headed:
        report.check(name in commands, f"docs/command_line.md: `pegnn {name}` is no command")
    codes = re.findall(r"(\d+) [a-z]", overview.partition("Exit codes:")[2])
    report.check(codes, "`pegnn --help` lists no exit codes")
    documented = re.findall(r"^\| *(\d+) *\|", section(text, "Exit codes"), re.MULTILINE)
    report.check(documented == codes,
                 f"docs/command_line.md: exit codes {documented}, the program has {codes}")


def cell(value):
    """A value as it stands in a table."""
    text = str(value).lower() if isinstance(value, bool) else value
    return text.replace("|", "\\|")


def options_page(options):
    """docs/options.md as it should be."""
    page, group = OPTIONS_HEAD, None
    for option in options:
        if option["group"] != group:
            group = option["group"]
            page += f"\n## {group}\n\n| option | default | allowed | meaning |\n|---|---|---|---|\n"
        page += (f"| `--{option['name']}` | {cell(option['default'])} | {cell(option['allowed'])} "
                 f"| {cell(option['sentence'])} |\n")
    return page


def check_options(report, docs, options, write):
    page = docs / "options.md"
    if write:
        page.write_text(options_page(options), encoding="utf-8")
    report.check(read(page) == options_page(options),
                 "docs/options.md: not what the program has; check_docs.py --write makes it anew")


def preset_table(pegnn, presets):
    """The options in which the presets differ, as a table; default has others for other models."""
    asked = {preset["name"]: ("--preset", preset["name"]) for preset in presets}
    asked["default, `--model pe-gcn`"] = ("--preset", "default", "--model", "pe-gcn")
    lists = [run_json(pegnn, "list", "options", *words) for words in asked.values()]
    table = f"| option | {' | '.join(asked)} |\n|{'---|' * (len(asked) + 1)}\n"
    for options in zip(*lists, strict=True):
        row = [cell(option["default"]) for option in options]
        if len(set(row)) > 1:
            table += f"| `{options[0]['name']}` | {' | '.join(row)} |\n"
    return table


def check_presets(report, repo, pegnn, presets, write):
    page = repo / "docs/presets.md"
    table = preset_table(pegnn, presets)
    if write:
        page.write_text(re.sub(r"^\| option \|.*\n(?:\|.*\n)*", lambda _: table, read(page), count=1,
                               flags=re.MULTILINE), encoding="utf-8")
    report.check(table in read(page),
                 "docs/presets.md: its table is not what the program has; check_docs.py --write "
                 "makes it anew")
    for preset in presets:
        report.check(section(read(page), preset["name"]).strip(),
                     f"docs/presets.md: no section '{preset['name']}'")


def check_map(report, repo):
    folders = sorted(p.name for p in (repo / "src").iterdir() if p.is_dir())
    listed = re.findall(r"^\*\*`([a-z_]+)/`\*\*", read(repo / "src/README.md"), re.MULTILINE)
    report.check(sorted(listed) == folders,
                 f"src/README.md lists {sorted(listed)}, src/ has {folders}")
    report.check(listed == ORDER, f"src/README.md: the order is {listed}, not {ORDER}")


def check_map_files(report, repo):
    """Files that a folder's paragraph in src/README.md names are in that folder, at any depth."""
    for paragraph in read(repo / "src/README.md").split("\n\n"):
        folder = re.match(r"\*\*`([a-z_]+)/`\*\*", paragraph)
        for name in FILE.findall(paragraph) if folder else []:
            report.check(any((repo / "src" / folder[1]).rglob(name)),
                         f"src/README.md: there is no `{name}` in {folder[1]}/")
    for name in FILE.findall(read(repo / "paper/README.md")):
        report.check(any((repo / "paper").rglob(name)), f"paper/README.md: there is no `{name}` in paper/")


def anchors(text):
    """The anchors GitHub makes of headings."""
    words = (re.sub(r"[^\w\- ]", "", h[2].lower()) for h in HEADING.finditer(text))
    return {word.replace(" ", "-") for word in words}


def check_links(report, repo):
    hidden = {"build", "out", "node_modules"}
    for file in sorted(repo.rglob("*.md")):
        path = file.relative_to(repo)
        if any(part in hidden or part.startswith(".") for part in path.parts[:-1]):
            continue
        text = FENCE.sub("", read(file))
        for link in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            goal = (file.parent / target) if target else file
            holds = goal.exists()
            if holds and anchor and goal.suffix == ".md":
                holds = anchor in anchors(FENCE.sub("", read(goal)))
            report.check(holds, f"{path}: the link {link} leads nowhere")


def main(arguments):
    write = "--write" in arguments
    places = [word for word in arguments if word != "--write"]
    if len(places) != 2:
        sys.exit(__doc__)
    repo, pegnn = Path(places[0]).resolve(), str(Path(places[1]).resolve())
    docs = repo / "docs"
    report = Report()
    parts, options = run_json(pegnn, "list"), run_json(pegnn, "list", "options")
    check_options(report, docs, options, write)
    check_presets(report, repo, pegnn, parts["presets"], write)
    check_parts(report, docs, parts)
    check_commands(report, docs, run(pegnn, "--help"))
    check_map(report, repo)
    check_map_files(report, repo)
    check_links(report, repo)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
