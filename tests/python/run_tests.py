#!/usr/bin/env python3
"""Runs the tests of the Python package by pytest.

    run_tests.py BUILD/python [words for pytest]

The package is imported from the folder given. Skipped (77) where packages are missing or the words
leave no test.
"""

import os
import subprocess
import sys
from pathlib import Path

from needs import PACKAGES, SKIPPED, skip_without

NONE_LEFT = 5  # pytest: no tests were collected


def main(arguments):
    if not arguments:
        sys.exit(__doc__)
    skip_without("pytest", *PACKAGES)
    package = str(Path(arguments[0]).resolve())
    environment = {**os.environ, "PYTHONPATH": package, "PEGNN_PYTHON_PATH": package,
                   "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", Path(__file__).parent,
         *arguments[1:]], env=environment, check=False)
    if done.returncode == NONE_LEFT:
        print(f"skipped: no test is left by {' '.join(arguments[1:])}")
        return SKIPPED
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
