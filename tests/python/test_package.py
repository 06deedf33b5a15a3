"""The package as a whole: its version, its command, its names and what importing it costs."""

import ast
import doctest
import importlib.machinery
import importlib.util
import inspect
import pathlib
import subprocess
import sys

import pegnn
import pytest
from pegnn import _native

HEAVY = ("pandas", "geopandas", "xarray", "rasterio", "libpysal", "matplotlib", "pyproj", "shapely")
# Errors are shown where they are raised, results in the example of what gives them.
WITHOUT_EXAMPLE = (BaseException, tuple, _native.Progress)


def run(*words):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


def public_objects():
    for name in pegnn.__all__:
        if not name.startswith("__"):
            yield name


def test_the_module_has_the_version_of_its_command():
    shown = run("-m", "pegnn", "--version")
    assert shown.stdout == f"pegnn {pegnn.__version__}\n"
    assert shown.returncode == 0


def test_the_command_gets_its_words_and_gives_its_exit_code():
    wrong = run("-m", "pegnn", "train", "--no-such-option")
    assert wrong.returncode == 2
    assert "--no-such-option" in wrong.stderr


def test_a_package_without_the_command_says_so(monkeypatch, capsys, tmp_path):
    import pegnn_command

    found = importlib.machinery.ModuleSpec("pegnn", None, is_package=True)
    found.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: found)
    assert pegnn_command.main() == 5
    said = capsys.readouterr().err
    assert str(tmp_path / "pegnn") in said
    assert "pip install" in said


def test_importing_the_package_brings_in_no_heavy_ones():
    shown = run("-c", "import sys, pegnn; print(*sys.modules)")
    assert shown.returncode == 0, shown.stderr
    assert not set(HEAVY) & set(shown.stdout.split())


def test_public_names_are_there_and_are_listed_once():
    assert len(set(pegnn.__all__)) == len(pegnn.__all__)
    for name in pegnn.__all__:
        assert hasattr(pegnn, name), name


@pytest.mark.parametrize("name", public_objects())
def test_a_public_name_is_explained(name):
    thing = getattr(pegnn, name)
    text = inspect.getdoc(thing)
    assert text and text.strip()
    if inspect.isclass(thing) and issubclass(thing, WITHOUT_EXAMPLE):
        return
    examples = doctest.DocTestParser().get_examples(text)
    assert examples, f"{name} has no example"


@pytest.mark.parametrize("name", public_objects())
def test_public_functions_and_methods_are_explained(name):
    thing = getattr(pegnn, name)
    if not inspect.isclass(thing):
        return
    for method, function in inspect.getmembers(thing, inspect.isfunction):
        ours = function.__module__.startswith("pegnn")
        if ours and not method.startswith("_"):
            assert inspect.getdoc(function), f"{name}.{method} has no docstring"


# -- the stub -------------------------------------------------------------------------------------


def stub():
    file = pathlib.Path(pegnn.__file__).parent / "_native.pyi"
    return ast.parse(file.read_text(encoding="utf-8"))


def names_in(body):
    """What a module or a class of the stub declares: names, and classes with theirs."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = names_in(node.body)
        elif isinstance(node, ast.FunctionDef):
            found[node.name] = [argument.arg for argument in
                                [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = None
    return found


def is_alias(node):
    return isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).endswith("TypeAlias")


def members(cls):
    return {name for name in vars(cls) if not name.startswith("_")}


def test_the_stub_names_what_the_native_module_has():
    declared = set(names_in([node for node in stub().body if not is_alias(node)]))
    there = {name for name in vars(_native) if not name.startswith("_")} | {"__version__"}
    assert declared == there


def test_the_classes_of_the_stub_have_the_members_of_the_native_ones():
    for name, declared in names_in(stub().body).items():
        if isinstance(declared, dict):
            public = {member for member in declared if not member.startswith("_")}
            assert public == members(getattr(_native, name)), name


def parameters_in(docstring):
    """The parameters of a native function, which pybind11 writes first: f(a: int, ...)."""
    head = docstring.partition("\n")[0]
    words, depth, start = [], 0, head.index("(") + 1
    for at in range(start, len(head)):
        depth += (head[at] in "([{") - (head[at] in ")]}")
        if depth < 0 or depth == 0 and head[at] == ",":
            words.append(head[start:at].strip())
            start = at + 1
        if depth < 0:
            break
    return [word.partition(":")[0] for word in words if word]


def test_the_functions_of_the_stub_have_the_parameters_of_the_native_ones():
    compared = 0
    for name, declared in names_in(stub().body).items():
        if isinstance(declared, list):
            assert declared == parameters_in(getattr(_native, name).__doc__), name
            compared += 1
        elif isinstance(declared, dict):
            for method, parameters in declared.items():
                function = getattr(getattr(_native, name), method)
                text = function.__doc__ or ""
                if method.startswith("_") or parameters is None or not text.startswith(method):
                    continue
                native = [word for word in parameters_in(text) if word != "self"]
                stubbed = [word for word in parameters if word != "self"]
                assert len(native) == len(stubbed), f"{name}.{method}"
                if "arg0" not in native:
                    assert native == stubbed, f"{name}.{method}"
                compared += 1
    assert compared > 20
