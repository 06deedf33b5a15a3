"""The command `pegnn` that stands in the package: for the script of a wheel, and `python -m pegnn`.

A module of its own, since importing the package takes longer than many commands do.
"""

from __future__ import annotations

import importlib.util
import os
import sys

RESOURCE = 5  # the command's exit code for a file that is not there


def main() -> int:
    """Becomes the command, with the words it was given."""
    package = importlib.util.find_spec("pegnn")
    folders = (package.submodule_search_locations if package else None) or ["."]
    command = os.path.join(folders[0], "pegnn")
    try:
        os.execv(command, ["pegnn", *sys.argv[1:]])
    except OSError as error:
        print(
            f"pegnn: the command is not at {command} ({error.strerror}); this package was installed "
            "without it: build it (cmake --build FOLDER --target pegnn_python) or install the "
            "package again (pip install .)",
            file=sys.stderr,
        )
    return RESOURCE
