"""What the tests of the Python package share. PEGNN_PYTHON_PATH names the folder that holds it."""

import os
import pathlib
import sys

import pytest

if os.environ.get("PEGNN_PYTHON_PATH"):
    sys.path.insert(0, os.environ["PEGNN_PYTHON_PATH"])

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("PEGNN_DATA") or ROOT.parent / "shared" / "data")


@pytest.fixture
def airports():
    """The sample: 7,184 airports with longitude, latitude and elevation."""
    import pegnn

    return pegnn.sample()


@pytest.fixture(scope="session")
def shared_data():
    """Reads a larger real table by the name of its file; the test is skipped where it is not."""
    import pegnn

    def read(name, rows=5000):
        file = DATA / name
        if not file.exists():
            pytest.skip(f"{file} is not there; PEGNN_DATA names the folder that has it")
        table = pegnn.read_table(file)
        return table if len(table) <= rows else table.sample(rows, random_state=0)

    return read


@pytest.fixture(scope="session")
def golden():
    """Values computed by PyTorch Geometric and GPyTorch (tests/golden/README.md)."""
    import json

    return json.loads((ROOT / "tests" / "golden" / "pyg_gpytorch.json").read_text())


@pytest.fixture(scope="session")
def command():
    """The command of this build, run with words; its standard output."""
    import subprocess

    import pegnn

    file = pathlib.Path(pegnn.__file__).parent / "pegnn"
    if not file.exists():
        pytest.skip("the command is not beside the package")

    def run(*words):
        done = subprocess.run([str(file), *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
