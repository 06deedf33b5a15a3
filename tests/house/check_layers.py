#!/usr/bin/env python3
"""Who may include whom.

    check_layers.py REPO              checks the tree, after checking this script itself
    check_layers.py --self-test       checks this script alone

A folder of src/ includes only folders before it in ORDER, and itself. encoder, backbone, head and
loss never include each other: model joins them. The command, cli, sees base and flow alone, and public
headers. Public headers include standard headers and each other. A header of an outside library appears only in the files that LIBRARIES names. Files of
python/bindings include public headers, pybind11 and each other; nothing else sees Python. paper/, a
library of its own, includes every folder of src/ but gdal and cli, and its own folder report/ is above the
rest of it; of src/, two verbs of the command see it. Every header begins with #pragma once.
"""

import re
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

# The data flow. A new folder is a word here and a paragraph in src/README.md.
ORDER = ["base", "kernels", "compute", "linalg", "table", "geo", "io", "gdal", "canvas", "graph", "stats", "metric",
         "nn", "encoder", "backbone", "head", "loss", "baseline", "neighbourhood", "model", "train", "predict", "evaluate", "report",
         "parts", "flow", "cli"]
APART = {"encoder", "backbone", "head", "loss"}
# What the command stands on beside public headers: what a user asks for is done below it, by flow, so
# that other front ends can do the same.
COMMAND_SEES = ["base", "flow"]
# The reproduction of the paper: what of src/ includes it, and what it may not include.
PAPER_USERS = ["cli/datasets.cpp", "cli/reproduce.cpp"]
PAPER_SHUNS = {"gdal", "canvas", "cli"}

# Headers from outside, by the beginning of their name, and the files of src/ that may see them.
LIBRARIES = {
    "toml++/": ["cli/config.cpp"],
    # Where JSON is read, and where numbers get their digits. A header may name its types.
    "nlohmann/json_fwd.hpp": ["model/json_field.h"],
    "nlohmann/": ["base/json_writer.cpp", "baseline/tree_learner.cpp", "model/json_field.cpp",
                  "model/safetensors_header.cpp", "paper/run_file.cpp"],
    "fmt/": ["*.cpp"],
    "hwy/": ["baseline/side_correlations.cpp", "geo/box_tree_search.cpp", "geo/chords.cpp", "kernels/cpu/aggregate.cpp", "kernels/cpu/among_softmax.cpp", "kernels/cpu/attention.cpp", "kernels/cpu/epilogue.cpp",
             "kernels/cpu/label_attention.cpp", "kernels/cpu/label_attention_backward.cpp",
             "kernels/cpu/product.cpp", "kernels/cpu/simd.cpp", "linalg/packed_kernel.cpp", "linalg/small_systems.cpp",
             "linalg/substitution.cpp", "linalg/vectors.cpp"],
    "zlib.h": ["io/gzip.cpp"],
    "curl/": ["paper/download.cpp"],
    "dlfcn.h": ["io/module.cpp"],
    "iconv.h": ["io/encoding.cpp"],
    "sys/resource.h": ["base/memory.cpp"],
    # GDAL's headers, seen by its module alone.
    **{name: ["gdal/*"] for name in ("cpl_", "gdal", "ogr", "proj.h")},
    "pango/": ["canvas/cairo_canvas.cpp"],
    "xxhash.h": ["model/safetensors_header.cpp", "paper/training_run.cpp", "train/fit.cpp", "train/fit_network.cpp"],
    "nlopt.h": ["baseline/minimise.cpp"],
    "xgboost/": ["baseline/tree_learner.cpp"],
    # POSIX: files, signals, threads and the terminal.
    "cxxabi.h": ["cli/memory_reserve.cpp"],
    "pthread.h": ["base/held_signals.cpp"],
    "sched.h": ["base/thread_pool.cpp"],
    **dict.fromkeys(["fcntl.h", "unistd.h", "sys/"],
                    ["base/atomic_file.cpp", "base/folder_entries.cpp", "base/leftovers.cpp",
                     "base/staged_files.cpp", "cli/*.cpp", "flow/folder_lock.cpp", "flow/output_folder.cpp"]),
}
BINDINGS = "python/bindings/"
PYTHON = ("pybind11/", "Python.h")  # headers that the bindings alone see

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:<([^>\n]+)>|"([^"\n]+)")', re.MULTILINE)
STANDARD = re.compile(r"[a-z_0-9]+")  # <vector>: no dot, no slash
CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef)\b", re.MULTILINE)


def check_own(repo, path, folder, name):
    """An include in quotes: a file of ours, in a folder that may be seen."""
    target = name.split("/")[0]
    if target == "paper":
        if path.removeprefix("src/") not in PAPER_USERS:
            return f"{path}: paper/ may be included only by {', '.join(PAPER_USERS)}"
        return None if (repo / name).is_file() else f'{path}: "{name}" is not a file'
    if not any((repo / root / name).is_file() for root in ("src", "include")):
        return f'{path}: "{name}" is not a file under src/ or include/'
    if target in (folder, "pegnn"):
        return None
    before = ORDER.index(target) < ORDER.index(folder) if target in ORDER else False
    if not before or {folder, target} <= APART:
        return f"{path}: {folder}/ may not include {target}/"
    if folder == "cli" and target not in COMMAND_SEES:
        return f"{path}: cli/ may not include {target}/: public headers, base/ and flow/ alone"
    return None


def check_paper(repo, path, name):
    """An include in quotes of a file of paper/."""
    target = name.split("/")[0]
    roots = ["."] if target == "paper" else ["src", "include"]
    if not any((repo / root / name).is_file() for root in roots):
        return f'{path}: "{name}" is not a file under src/, include/ or paper/'
    if target == "paper":
        if name.startswith("paper/report/") and not path.startswith("paper/report/"):
            return f"{path}: paper/ may not include paper/report/"
        return None
    if target == "pegnn" or (target in ORDER and target not in PAPER_SHUNS):
        return None
    return f"{path}: paper/ may not include {target}/"


def check_library(path, name):
    """An include in angle brackets: standard, or a library in a file meant to have it."""
    if STANDARD.fullmatch(name):
        return None
    if name.startswith(PYTHON):
        return f"{path}: <{name}> may be included only by {BINDINGS}*"
    inside = path.removeprefix("src/")
    for prefix, files in LIBRARIES.items():
        if name.startswith(prefix):
            if any(fnmatch(inside, pattern) for pattern in files):
                return None
            return f"{path}: <{name}> may be included only by {', '.join(files)}"
    return f"{path}: <{name}> is a library that check_layers.py does not know"


def check_binding(repo, path, angle, quoted):
    """An include of the bindings: public headers are all they know of us."""
    if angle:
        if STANDARD.fullmatch(angle) or angle.startswith(PYTHON):
            return None
        return f"{path}: the bindings may not include <{angle}>"
    public = quoted.startswith("pegnn/")
    if not public and "/" in quoted:
        return f'{path}: the bindings may not include "{quoted}": public headers and their own alone'
    if not (repo / ("include" if public else BINDINGS) / quoted).is_file():
        return f'{path}: "{quoted}" is not a file under include/ or {BINDINGS}'
    return None


def check_public(path, text):
    """A header of include/pegnn: standard types only, no build options."""
    for angle, quoted in INCLUDE.findall(text):
        if not (STANDARD.fullmatch(angle) if angle else quoted.startswith("pegnn/")):
            yield f"{path}: public headers may not include {angle or quoted}"
    if CONDITION.search(text):
        yield f"{path}: public headers may not depend on build options (#if)"


def check_file(repo, path):
    """All complaints about one file, `path` being relative to the repository."""
    text = (repo / path).read_text(encoding="utf-8")
    if path.endswith(".h") and not text.startswith("#pragma once\n"):
        yield f"{path}: does not begin with #pragma once"
    if path.startswith("include/"):
        yield from check_public(path, text)
        return
    for angle, quoted in INCLUDE.findall(text):
        complaint = None
        if path.startswith(BINDINGS):
            complaint = check_binding(repo, path, angle, quoted)
        elif path.startswith("src/"):
            complaint = (check_library(path, angle) if angle
                         else check_own(repo, path, path.split("/")[1], quoted))
        elif path.startswith("paper/"):
            complaint = check_library(path, angle) if angle else check_paper(repo, path, quoted)
        elif angle.startswith(PYTHON):  # tests see any other library
            complaint = check_library(path, angle)
        if complaint:
            yield complaint


def check_tree(repo):
    """Returns the number of files and folders without a complaint, and all complaints."""
    passed, complaints = 0, []
    for folder in sorted(p.name for p in (repo / "src").iterdir() if p.is_dir()):
        if folder in ORDER:
            passed += 1
        else:
            complaints.append(f"src/{folder}/ has no place in the order of check_layers.py")
    for root in ("include", "src", "paper", "python", "tests"):
        for file in sorted((repo / root).rglob("*")):
            path = file.relative_to(repo).as_posix()
            known = root != "src" or (path.count("/") > 1 and path.split("/")[1] in ORDER)
            if file.suffix not in (".h", ".cpp", ".def") or not known:
                continue
            found = list(check_file(repo, path))
            complaints += found
            passed += not found
    return passed, complaints


# A made-up tree: file, content, and the complaint it must raise (none: it is as it should be).
MADE_UP = [
    ("src/base/text.h", "#pragma once\n#include <string>\n", None),
    ("src/base/text.cpp", '#include "base/text.h"\n#include <fmt/core.h>\n', None),
    ("src/nn/linear.h", '#pragma once\n#include "base/text.h"\n', None),
    ("src/backbone/gcn.h", '#pragma once\n#include "nn/linear.h"\n', None),
    ("src/model/net.cpp", '#include "backbone/gcn.h"\n// #include "cli/list.h"\n', None),
    ("src/cli/config.cpp", '#include <toml++/toml.h>\n#include "pegnn/model.h"\n', None),
    ("include/pegnn/model.h", '#pragma once\n#include <vector>\n#include "pegnn/geo.h"\n', None),
    ("include/pegnn/geo.h", "#pragma once\n", None),
    ("src/head/mean.cpp", '#include "backbone/gcn.h"\n',
     "src/head/mean.cpp: head/ may not include backbone/"),
    ("src/loss/mse.cpp", '  #  include "head/mean.h"\n',
     "src/loss/mse.cpp: loss/ may not include head/"),
    ("src/head/mean.h", "#pragma once\n", None),
    ("src/kernels/fast.cpp", '#include "nn/linear.h"\n',
     "src/kernels/fast.cpp: kernels/ may not include nn/"),
    ("src/geo/sphere.cpp", '#include "geo/gone.h"\n',
     'src/geo/sphere.cpp: "geo/gone.h" is not a file under src/ or include/'),
    ("src/geo/up.cpp", '#include "../src/base/text.h"\n',
     "src/geo/up.cpp: geo/ may not include ../"),
    ("src/train/log.cpp", "#include <toml++/toml.h>\n",
     "src/train/log.cpp: <toml++/toml.h> may be included only by cli/config.cpp"),
    ("src/model/json_field.h", "#pragma once\n#include <nlohmann/json_fwd.hpp>\n", None),
    ("src/model/state.h", "#pragma once\n#include <nlohmann/json_fwd.hpp>\n",
     "src/model/state.h: <nlohmann/json_fwd.hpp> may be included only by model/json_field.h"),
    ("src/cli/list.cpp", "#include <nlohmann/json.hpp>\n",
     "src/cli/list.cpp: <nlohmann/json.hpp> may be included only by base/json_writer.cpp, "
     "baseline/tree_learner.cpp, model/json_field.cpp, model/safetensors_header.cpp, paper/run_file.cpp"),
    ("src/io/net.cpp", "#include <boost/asio.hpp>\n",
     "src/io/net.cpp: <boost/asio.hpp> is a library that check_layers.py does not know"),
    ("src/io/late.h", "// words first\n#pragma once\n",
     "src/io/late.h: does not begin with #pragma once"),
    ("src/table/shown.h", "#pragma once\n#include <fmt/core.h>\n",
     "src/table/shown.h: <fmt/core.h> may be included only by *.cpp"),
    ("include/pegnn/leak.h", '#pragma once\n#include "base/text.h"\n',
     "include/pegnn/leak.h: public headers may not include base/text.h"),
    ("include/pegnn/lib.h", "#pragma once\n#include <omp.h>\n",
     "include/pegnn/lib.h: public headers may not include omp.h"),
    ("include/pegnn/cond.h", "#pragma once\n#ifdef PEGNN_X\n#endif\n",
     "include/pegnn/cond.h: public headers may not depend on build options (#if)"),
    ("python/bindings/bind.h", "#pragma once\n#include <pybind11/numpy.h>\n", None),
    ("python/bindings/model.cpp", '#include <Python.h>\n#include "bind.h"\n#include "pegnn/geo.h"\n',
     None),
    ("python/bindings/deep.cpp", '#include "base/text.h"\n',
     'python/bindings/deep.cpp: the bindings may not include "base/text.h": public headers and '
     "their own alone"),
    ("python/bindings/words.cpp", "#include <fmt/core.h>\n",
     "python/bindings/words.cpp: the bindings may not include <fmt/core.h>"),
    ("python/bindings/gone.cpp", '#include "pegnn/gone.h"\n',
     'python/bindings/gone.cpp: "pegnn/gone.h" is not a file under include/ or python/bindings/'),
    ("src/parts/snake.cpp", "#include <pybind11/pybind11.h>\n",
     "src/parts/snake.cpp: <pybind11/pybind11.h> may be included only by python/bindings/*"),
    ("tests/parts/snake_test.cpp", "#include <rapidcheck.h>\n#include <Python.h>\n",
     "tests/parts/snake_test.cpp: <Python.h> may be included only by python/bindings/*"),
    ("paper/claim.h", '#pragma once\n#include "base/text.h"\n#include "pegnn/geo.h"\n', None),
    ("paper/download.cpp", "#include <curl/curl.h>\n", None),
    ("paper/report/page.h", '#pragma once\n#include "paper/claim.h"\n#include "report/axis.h"\n', None),
    ("src/report/axis.h", "#pragma once\n", None),
    ("src/cli/reproduce.cpp", '#include "cli/list.h"\n#include "paper/report/page.h"\n', None),
    ("src/cli/list.h", "#pragma once\n", None),
    ("src/cli/predict.cpp", '#include "base/text.h"\n#include "cli/list.h"\n#include "flow/input.h"\n'
     '#include "pegnn/model.h"\n', None),
    ("src/cli/moran.cpp", '#include "report/axis.h"\n',
     "src/cli/moran.cpp: cli/ may not include report/: public headers, base/ and flow/ alone"),
    ("src/flow/input.h", '#pragma once\n#include "report/axis.h"\n', None),
    ("src/flow/said.cpp", '#include "cli/list.h"\n', "src/flow/said.cpp: flow/ may not include cli/"),
    ("tests/paper/claim_test.cpp", '#include "paper/claim.h"\n', None),
    ("paper/shown.cpp", '#include "paper/report/page.h"\n',
     "paper/shown.cpp: paper/ may not include paper/report/"),
    ("paper/verb.cpp", '#include "cli/list.h"\n', "paper/verb.cpp: paper/ may not include cli/"),
    ("paper/gone.cpp", '#include "paper/gone.h"\n',
     'paper/gone.cpp: "paper/gone.h" is not a file under src/, include/ or paper/'),
    ("paper/fetch.cpp", "#include <curl/curl.h>\n",
     "paper/fetch.cpp: <curl/curl.h> may be included only by paper/download.cpp"),
    ("paper/late.h", "// words first\n#pragma once\n", "paper/late.h: does not begin with #pragma once"),
    ("src/report/league.cpp", '#include "paper/claim.h"\n',
     "src/report/league.cpp: paper/ may be included only by cli/datasets.cpp, cli/reproduce.cpp"),
    ("src/cli/train.cpp", '#include "paper/claim.h"\n',
     "src/cli/train.cpp: paper/ may be included only by cli/datasets.cpp, cli/reproduce.cpp"),
    ("src/cli/datasets.cpp", '#include "paper/sets.h"\n',
     'src/cli/datasets.cpp: "paper/sets.h" is not a file'),
    ("python/bindings/claim.cpp", '#include "paper/claim.h"\n',
     'python/bindings/claim.cpp: the bindings may not include "paper/claim.h": public headers and '
     "their own alone"),
    ("include/pegnn/paper.h", '#pragma once\n#include "paper/claim.h"\n',
     "include/pegnn/paper.h: public headers may not include paper/claim.h"),
    ("src/misc/thing.cpp", "int x;\n", "src/misc/ has no place in the order of check_layers.py"),
]


def self_test():
    """Feeds the check a made-up tree; returns passed and what it said wrongly."""
    with tempfile.TemporaryDirectory() as folder:
        repo = Path(folder)
        for path, content, _ in MADE_UP:
            (repo / path).parent.mkdir(parents=True, exist_ok=True)
            (repo / path).write_text(content, encoding="utf-8")
        said = check_tree(repo)[1]
    wanted = [complaint for _, _, complaint in MADE_UP if complaint]
    wrong = [f"self-test: did not say '{c}'" for c in wanted if c not in said]
    wrong += [f"self-test: should not say '{c}'" for c in said if c not in wanted]
    return len(MADE_UP) - len(wrong), wrong


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    passed, complaints = self_test()
    if arguments[0] != "--self-test":
        more, found = check_tree(Path(arguments[0]).resolve())
        passed, complaints = passed + more, complaints + found
    for complaint in complaints:
        print(complaint)
    print(f"{passed} passed, {len(complaints)} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
