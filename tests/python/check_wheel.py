#!/usr/bin/env python3
"""A wheel made of a build works in a fresh environment.

    check_wheel.py REPO BUILD

Builds the wheel, installs it into a new virtual environment that sees the distribution's packages,
asks the installed command for its version, compares it with the module's, has it read the module's
model and draw a map, and runs docs/python/tutorial.py. Skipped (77) where the tools are missing.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from needs import PACKAGES, skip_without

TOOLS = ["build", "setuptools", "wheel", "venv", "ensurepip", "pip"]

# Run by the new environment's interpreter: where it imports from, and a model for the command.
ASK = """
import pathlib, sys
import pegnn
assert pathlib.Path(pegnn.__file__).is_relative_to(sys.prefix), pegnn.__file__
table = pegnn.sample().head(300)
model = pegnn.KNNRegressor().fit(table[["longitude", "latitude"]], table["elevation"])
model.save("model.safetensors")
print(pegnn.__version__)
"""


def run(*words, **settings):
    """Standard output of a command that succeeds; else its words and what it said, and the end."""
    done = subprocess.run(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False, **settings)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout


def check(holds, complaint):
    if not holds:
        sys.exit(complaint)


def has_gdal(folder):
    return (folder / "pegnn_gdal.so").is_file()


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__)
    skip_without(*TOOLS, *PACKAGES)
    repo, folder = (Path(word).resolve() for word in arguments)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        # Not in the source tree, whose folder build/ would stand before the module of that name.
        settings = {"env": {**environment, "PEGNN_BUILD_DIR": str(folder)}, "cwd": place}
        run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", place, repo,
            **settings)
        settings["env"] = environment
        run(sys.executable, "-m", "venv", "--system-site-packages", place / "fresh", **settings)
        programs = place / "fresh" / "bin"
        run(programs / "pip", "install", "--no-deps", "--no-index", *place.glob("*.whl"),
            **settings)
        module = run(programs / "python", "-c", ASK, **settings).strip()
        command = run(programs / "pegnn", "--version", **settings).strip()
        check(command == f"pegnn {module}", f"the command is {command}, the module {module}")
        check("knn" in run(programs / "pegnn", "info", "model.safetensors", **settings),
              "the command does not know the model of the module")
        if has_gdal(folder):
            run(programs / "pegnn", "map", "model.safetensors", "-o", "map.tif",
                "--bbox", "0,40,10,50", "--res", "1", **settings)
        tutorial = repo / "docs" / "python" / "tutorial.py"
        if tutorial.is_file():
            (place / "tutorial").mkdir()
            run(programs / "python", tutorial, place / "tutorial", env=environment,
                cwd=place / "tutorial")
        print(f"{command} from a wheel: module, command"
              f"{', map' if has_gdal(folder) else ''}{', tutorial' if tutorial.is_file() else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
