"""The command `pegnn`: `python -m pegnn`, and the script that a wheel installs."""

from __future__ import annotations

import os
import sys

COMMAND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pegnn")
RESOURCE = 5  # the command's exit code for a file that is not there


def main() -> int:
    """Becomes the command that stands beside this file, with the words it was given."""
    try:
        os.execv(COMMAND, ["pegnn", *sys.argv[1:]])
    except OSError as error:
        print(
            f"pegnn: the command is not at {COMMAND} ({error.strerror}); this package was installed "
            "without it: build it (cmake --build FOLDER --target pegnn_python) or install the "
            "package again (pip install .)",
            file=sys.stderr,
        )
    return RESOURCE


if __name__ == "__main__":
    sys.exit(main())
