"""What pip calls to build the package: setuptools, the installed one where there is one.

pip builds in an environment of its own, into which it fetches what a project requires. Where
setuptools and wheel are installed beside the interpreter, as Debian's packages are, they do: then
nothing is fetched, and `pip install .` works without a network. Elsewhere pip is asked to fetch them.
"""

import importlib.util
import site
import sys
from pathlib import Path

NEEDED = ["setuptools>=61", "wheel"]


def installed_folders():
    """Where the interpreter's own packages are, which pip hides while it builds."""
    base = Path(sys.base_prefix) / "lib"
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folders = [*site.getsitepackages(), base / version / "site-packages",
               base / "python3" / "dist-packages"]
    return [str(folder) for folder in folders if Path(folder).is_dir()]


def missing():
    """Of what is needed, what neither pip's environment nor the interpreter has."""
    for folder in installed_folders():
        if folder not in sys.path:
            sys.path.append(folder)
    importlib.invalidate_caches()
    names = [need.split(">")[0] for need in NEEDED]
    return [need for need, name in zip(NEEDED, names) if importlib.util.find_spec(name) is None]


def backend():
    """setuptools' own, once it can be imported."""
    missing()
    import setuptools.build_meta

    return setuptools.build_meta


def get_requires_for_build_wheel(config_settings=None):
    return missing()


get_requires_for_build_sdist = get_requires_for_build_wheel
get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return backend().build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    return backend().build_sdist(sdist_directory, config_settings)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return backend().build_editable(wheel_directory, config_settings, metadata_directory)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return backend().prepare_metadata_for_build_wheel(metadata_directory, config_settings)


def prepare_metadata_for_build_editable(metadata_directory, config_settings=None):
    return backend().prepare_metadata_for_build_editable(metadata_directory, config_settings)
