#!/usr/bin/env python3
"""Runs the worked examples of docs/guide as they are written.

    run_guide.py REPO PEGNN_BINARY [--keep FOLDER] [PAGE ...]

Every block marked ```sh of a page is run by bash, one after the other, in a folder of the page's own
with `pegnn` on the PATH; a block that fails, fails the page. Then the files that the page shows as
pictures must be there, newly made. A page whose programs or packages are missing is skipped, and says
which: its first line after the title is "Needs: program, program, r:package, npm:package.".
Exit 77 when every page was skipped.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
NEEDS = re.compile(r"^Needs: (.*)\.$", re.MULTILINE)
SECONDS = 900


def missing(needs):
    """Those of the things needed that are not there."""
    gone = []
    for need in needs:
        if need.startswith("r:"):
            code = f"quit(status = !requireNamespace('{need[2:]}', quietly = TRUE))"
            there = shutil.which("Rscript") and subprocess.run(
                ["Rscript", "-e", code], capture_output=True, check=False).returncode == 0
        elif need.startswith("npm:"):
            there = shutil.which("npm") and subprocess.run(
                ["npm", "view", need[4:], "name"], capture_output=True, check=False).returncode == 0
        else:
            there = shutil.which(need)
        if not there:
            gone.append(need)
    return gone


def run_page(page, binary, folder):
    """What went wrong with a page, or nothing."""
    text = page.read_text(encoding="utf-8")
    script = "set -euo pipefail\nexport PATH=" + str(binary.parent) + ":$PATH\n"
    script += "\n".join(BLOCK.findall(text))
    done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    if done.returncode != 0:
        return f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    for picture in PICTURE.findall(text):
        if not (folder / Path(picture).name).is_file():
            return f"{picture} was not made"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("repo", type=Path)
    parser.add_argument("binary", type=Path)
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--keep", type=Path, help="leave what the pages make in this folder")
    arguments = parser.parse_args()
    passed = failed = skipped = 0
    for page in sorted((arguments.repo / "docs" / "guide").glob("*.md")):
        needs = NEEDS.search(page.read_text(encoding="utf-8"))
        if not needs or (arguments.pages and page.stem not in arguments.pages):
            continue
        gone = missing(needs.group(1).split(", "))
        if gone:
            print(f"{page.name}: skipped, for want of {', '.join(gone)}")
            skipped += 1
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = (arguments.keep or Path(temporary)) / page.stem
            folder.mkdir(parents=True, exist_ok=True)
            wrong = run_page(page, arguments.binary.resolve(), folder)
        print(f"{page.name}: {wrong or 'runs as written'}")
        failed += bool(wrong)
        passed += not wrong
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else (77 if passed == 0 else 0)


if __name__ == "__main__":
    sys.exit(main())
