#!/usr/bin/env python3
"""What the Python package says of itself holds.

    check_python_docs.py REPO BUILD

The examples in docstrings run and give what they show; estimators.py and docs/python/reference.md
are what their generators write; types agree, where mypy is installed. Skipped (77) where packages
are missing.
"""

import doctest
import importlib
import importlib.util
import os
import pkgutil
import subprocess
import sys
import tempfile
from pathlib import Path

from needs import PACKAGES, skip_without

GENERATORS = ["make_estimators.py", "make_reference.py"]


def examples():
    """Fails and tries of the examples of every module."""
    import pegnn

    failed = tried = 0
    names = [found.name for found in pkgutil.iter_modules(pegnn.__path__, "pegnn.")
             if found.module_finder.find_spec(found.name).origin.endswith(".py")]
    for name in ["pegnn", *names]:
        one = doctest.testmod(importlib.import_module(name))
        failed, tried = failed + one.failed, tried + one.attempted
    print(f"examples: {tried - failed} of {tried} lines do as they say")
    return failed == 0 and tried > 0


def succeeds(what, *words):
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True,
                          check=False)
    print(f"{what}: {'holds' if done.returncode == 0 else done.stdout + done.stderr}")
    return done.returncode == 0


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    skip_without(*PACKAGES)
    sys.dont_write_bytecode = True
    repo, folder = (Path(word).resolve() for word in arguments)
    sys.path.insert(0, str(folder / "python"))
    holds = [succeeds(name, repo / "python" / name, folder / "python", "--check")
             for name in GENERATORS]
    if importlib.util.find_spec("mypy") is None:
        print("types: not looked at, for want of mypy")
    else:
        holds.append(succeeds("types", "-m", "mypy", "--config-file", repo / "pyproject.toml",
                              "--cache-dir", folder / "mypy_cache", repo / "python" / "pegnn"))
    with tempfile.TemporaryDirectory() as temporary:
        os.chdir(temporary)  # what examples write is left there
        holds.append(examples())
        os.chdir(repo)
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
