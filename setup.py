"""Builds the engine by CMake and puts it into the Python package; the rest is in pyproject.toml.

    pip install .                                    into the current environment
    python3 -m build --wheel --no-isolation          dist/pegnn-*.whl, with the distribution's tools

CMake works in build/wheel, or in the folder that the environment variable PEGNN_BUILD_DIR names: a
build that is there is used as it is configured.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.errors import ExecError, SetupError

ROOT = Path(__file__).resolve().parent
FOLDER = Path(os.environ.get("PEGNN_BUILD_DIR") or ROOT / "build" / "wheel").resolve()
PACKAGES = "Debian: apt-get install g++ cmake ninja-build pybind11-dev python3-dev ..., all of " \
    "build_packages in scripts/common.sh"


def version():
    """Of the project, which CMakeLists.txt has."""
    found = re.search(r"project\(pegnn VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    if not found:
        raise SetupError("CMakeLists.txt names no version")
    return found[1]


def cached(name):
    """What CMake has settled on in FOLDER."""
    cache = FOLDER / "CMakeCache.txt"
    text = cache.read_text() if cache.is_file() else ""
    found = re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE)
    return found[1] if found else None


def run(*words):
    try:
        subprocess.run([str(word) for word in words], check=True)
    except FileNotFoundError:
        raise ExecError(f"{words[0]} is not installed ({PACKAGES})") from None
    except subprocess.CalledProcessError as error:
        raise ExecError(
            f"{' '.join(map(str, words[:3]))} ...: exit {error.returncode}; if something was not "
            f"found: {PACKAGES}") from None


def configure():
    """Makes FOLDER ready, or looks whether the build in it will do."""
    if os.environ.get("PEGNN_BUILD_DIR") and cached("CMAKE_PROJECT_NAME") == "pegnn":
        settings = []
    else:
        # PEGNN_PYTHON is asked anew, since pybind11 may have come since.
        settings = ["-DCMAKE_BUILD_TYPE=Release", "-DPEGNN_TESTS=OFF", "-DPEGNN_PAPER=OFF",
                    "-UPEGNN_PYTHON", f"-DPython3_EXECUTABLE={sys.executable}"]
        if shutil.which("ninja") and cached("CMAKE_GENERATOR") is None:
            settings += ["-G", "Ninja"]
    run("cmake", "-S", ROOT, "-B", FOLDER, *settings)
    if cached("PEGNN_PYTHON") != "ON":
        raise SetupError(f"the build in {FOLDER} has no Python module: pybind11 or Python's "
                         f"headers were not found ({PACKAGES}), or -DPEGNN_PYTHON=OFF left it out")


class Build(build):
    """What an earlier build left would go into the wheel as well."""

    def run(self):
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class BuildByCMake(build_ext):
    """The native module, the command and the modules with GDAL and Pango, beside the .py files."""

    def files(self):
        """Where they are built, and where they go."""
        to = Path(self.get_ext_fullpath("pegnn._native")).parent
        names = ["_native" + sysconfig.get_config_var("EXT_SUFFIX"), "pegnn"]
        if cached("PEGNN_GDAL") == "ON":
            names.append("pegnn_gdal.so")
            if cached("PEGNN_PANGO") == "ON":
                names.append("pegnn_canvas.so")
        return [(FOLDER / "python" / "pegnn" / name, to / name) for name in names]

    def run(self):
        configure()
        run("cmake", "--build", FOLDER, "--target", "pegnn_python")
        strip = shutil.which("strip")
        for built, wanted in self.files():
            if not built.is_file():
                raise SetupError(f"{built} was not built: the build in {FOLDER} is for another "
                                 f"Python than {sys.executable}; remove it or name another folder")
            wanted.parent.mkdir(parents=True, exist_ok=True)
            wanted.unlink(missing_ok=True)
            shutil.copy(built, wanted)  # follows links
            if strip:
                run(strip, "--strip-unneeded", wanted)

    def get_outputs(self):
        return [str(wanted) for _, wanted in self.files()]

    def get_output_mapping(self):
        return {str(built): str(wanted) for built, wanted in self.files()} if self.inplace else {}


work = FOLDER / "package"  # of setuptools
work.mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    ext_modules=[Extension("pegnn._native", sources=[])],
    cmdclass={"build": Build, "build_ext": BuildByCMake},
    options={"build": {"build_base": str(work)}, "egg_info": {"egg_base": str(work)},
             "bdist_wheel": {"bdist_dir": str(work / "wheel")}},
)
