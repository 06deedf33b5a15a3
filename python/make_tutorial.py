"""Runs docs/python/tutorial.py cell by cell and writes docs/python/tutorial.md with what it printed.

    python3 python/make_tutorial.py build/release/python

The figures go beside it. A cell begins with `# %%`; one that begins with `# %% [markdown]` is text.
"""

import contextlib
import io
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent.parent / "docs" / "python"


def cells(source: str):
    """Pairs: whether it is text, and the lines."""
    for part in re.split(r"^# %%", source, flags=re.M)[1:]:
        head, body = part.split("\n", 1)
        yield "[markdown]" in head, body.strip("\n")


def render(source: str, folder: pathlib.Path) -> str:
    sys.argv = ["tutorial.py", str(folder)]
    names: dict = {"__name__": "__main__"}
    page = []
    for is_text, body in cells(source):
        if is_text:
            page.append("\n".join(line[2:] for line in body.split("\n")))
            continue
        page.append(f"```python\n{body}\n```")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(body, "tutorial.py", "exec"), names)  # noqa: S102
        text = "\n".join(line.rstrip() for line in printed.getvalue().rstrip().split("\n"))
        if text:
            page.append(f"```text\n{text}\n```")
    return "\n\n".join(page) + "\n"


def main() -> int:
    sys.path[0] = sys.argv[1]  # instead of this folder, whose package has no native module
    page = render((FOLDER / "tutorial.py").read_text(), FOLDER)
    (FOLDER / "europe.safetensors").unlink(missing_ok=True)
    (FOLDER / "tutorial.md").write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
