#!/usr/bin/env python3
"""Runs the command-line cases: run_cases.py PEGNN_BINARY CASES_DIR [WORDS_OF_A_NAME]

A case is a `[[case]]` of a .toml file below CASES_DIR. It runs in a fresh folder of its own.

  name          what holds, as a sentence
  files         what lies in the folder: text, or a table of
                  rows = N          a smooth surface: columns lon, lat, a, y
                    place           "europe" (default), "poles", "dateline", "one place", or "plane"
                                    (columns x, y, a, z)
                    target          what stands in column y in place of the surface
                    feature         what stands in column a in place of a random number
                    separator       "," (default), ";", "\\t", "|"
                    line_end        "\\n" (default) or "\\r\\n"
                  text = "..."      the same as plain text
                  gzip = true       the text or the surface, packed
                  latin1 = true     not in UTF-8
  run           a line for the shell, or several to be run in turn; `pegnn` is the command under test
  exit          of the last line (default 0); the lines before it must end with 0
  stdout, stderr            what the last line must say there: pieces of text, or with a leading ~ a
                            regular expression (^ and $ match at line ends)
  not_stdout, not_stderr    what it must not say
  stdout_is, stderr_is      all of what it says
  json          fields of the last line's stdout: { "rows.0.model" = "gcn", "rows.0.mse" = "a number" };
                "null", "a number", "a list" and "a text" stand for what TOML cannot say
  needs         "gdal": skipped, and said so, where the build has no GDAL module; before the first case of a
                file, of all of them: "paper", the same where the build is without the reproduction
  leaves        the files the last line makes, changes or takes away; where it ends with another code
                than 0 and nothing is said: none
"""

import concurrent.futures
import gzip
import hashlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from pathlib import Path

WORKERS = 2
SECONDS = 180  # for one line; the slowest takes about a second, with sanitizers half a minute
KEYS = {"name", "files", "run", "exit", "stdout", "stderr", "not_stdout", "not_stderr", "stdout_is",
        "stderr_is", "json", "leaves", "needs"}


def surface(rows, place="europe", target=None, feature=None, separator=",", line_end="\n"):
    """A table whose column y is a smooth function of the place, plus column a."""
    draw = random.Random(rows)
    lines = [separator.join(["x", "y", "a", "z"] if place == "plane" else ["lon", "lat", "a", "y"])]
    for _ in range(rows):
        u, v, a = draw.random(), draw.random(), round(draw.random(), 3)
        lon, lat = 5 + 10 * u, 45 + 10 * v
        if place == "poles":
            lon, lat = -180 + 360 * u, (90 - 3 * v) * (1 if u < 0.5 else -1)
        elif place == "dateline":
            lon, lat = (178 + 4 * u + 180) % 360 - 180, 10 * v
        elif place == "one place":
            lon, lat = 7.5, 51.5
        elif place == "plane":
            lon, lat = 400000 + 5000 * u, 5700000 + 5000 * v
        y = math.sin(5 * u) + math.cos(4 * v) + a if target is None else target
        cells = [f"{lon:.4f}", f"{lat:.4f}", str(a if feature is None else feature), f"{y:.4f}"]
        lines.append(separator.join(cells))
    return line_end.join(lines) + line_end


def contents(spec):
    """The bytes of a file as a case describes it."""
    if isinstance(spec, str):
        return spec.encode()
    spec = dict(spec)
    pack, latin1 = spec.pop("gzip", False), spec.pop("latin1", False)
    text = spec.pop("text") if "text" in spec else surface(**spec)
    data = text.encode("latin-1" if latin1 else "utf-8")
    return gzip.compress(data, mtime=0) if pack else data


def snapshot(folder):
    """Every file below the folder, and every empty folder, with what is in it."""
    seen = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if path.is_dir():
            if not any(path.iterdir()):
                seen[name + "/"] = ""
        elif path.is_file():
            seen[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return seen


def changes(before, after):
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def holds(wanted, text):
    return re.search(wanted[1:], text, re.MULTILINE) if wanted.startswith("~") else wanted in text


def field(value, path):
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def same(seen, wanted):
    if wanted == "null":
        return seen is None
    if wanted == "a number":
        return isinstance(seen, (int, float)) and not isinstance(seen, bool)
    if wanted in ("a list", "a text"):
        return isinstance(seen, list if wanted == "a list" else str)
    return seen == wanted


def judge(case, code, out, err, changed):
    """What is wrong with how the last line ended."""
    wrong = []
    wanted = case.get("exit", 0)
    if code != wanted:
        wrong.append(f"expected exit {wanted}, saw {code}")
    for stream, text in (("stdout", out), ("stderr", err)):
        if "<option:" in text:
            wrong.append(f"an option without the command's name for it on {stream}")
        for piece in case.get(stream, []):
            if not holds(piece, text):
                wrong.append(f"expected on {stream}: {piece!r}")
        for piece in case.get("not_" + stream, []):
            if holds(piece, text):
                wrong.append(f"not expected on {stream}: {piece!r}")
        whole = case.get(stream + "_is")
        if whole is not None and text != whole:
            wrong.append(f"expected all of {stream} to be {whole!r}")
    if "json" in case:
        try:
            result = json.loads(out)
            for path, value in case["json"].items():
                try:
                    if not same(field(result, path), value):
                        wrong.append(f"expected {path} = {value!r}, saw {field(result, path)!r}")
                except (KeyError, IndexError, TypeError, ValueError):
                    wrong.append(f"expected {path} in the JSON")
        except json.JSONDecodeError as problem:
            wrong.append(f"expected JSON on stdout: {problem}")
    leaves = case.get("leaves", [] if wanted != 0 else None)
    if leaves is not None and changed != sorted(leaves):
        wrong.append(f"expected to change {sorted(leaves) or 'nothing'}, changed {changed or 'nothing'}")
    return wrong


def run_line(line, folder, environment):
    """Exit code, stdout and stderr of a line; a line that hangs is ended and told so."""
    process = subprocess.Popen(["/bin/sh", "-c", line], cwd=folder, env=environment, text=True,
                               errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        out, err = process.communicate()
        return None, out, err + f"\n(ended after {SECONDS} s)"
    return process.returncode, out, err


def run_case(case, environment):
    """None when all is as expected, else the lines that tell what is not."""
    folder = Path(tempfile.mkdtemp(prefix="pegnn_case_"))
    try:
        for name, spec in case.get("files", {}).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents(spec))
        lines = [case["run"]] if isinstance(case["run"], str) else case["run"]
        for line in lines[:-1]:
            code, out, err = run_line(line, folder, environment)
            if code != 0:
                return [f"expected exit 0 of: {line}", f"saw {code}", *told("stdout", out),
                        *told("stderr", err)]
        before = snapshot(folder)
        code, out, err = run_line(lines[-1], folder, environment)
        wrong = judge(case, code, out, err, changes(before, snapshot(folder)))
        if not wrong:
            return None
        return [*wrong, f"command: {lines[-1]}", *told("stdout", out), *told("stderr", err)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def told(stream, text, most=12):
    lines = text.splitlines()
    if len(lines) > most:
        lines = lines[: most // 2] + ["..."] + lines[-most // 2 :]
    return [f"{stream}: {line}" for line in lines]


def read_cases(folder):
    """(file, case) of every case; a case that cannot be meant as it stands ends the program."""
    found, names = [], set()
    for path in sorted(Path(folder).rglob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        for case in content["case"]:
            if "needs" in content:
                case.setdefault("needs", content["needs"])
            unknown = case.keys() - KEYS
            key = (path, case.get("name"))
            if unknown or "name" not in case or "run" not in case or key in names:
                sys.exit(f"{path}: case {case.get('name')!r}: unknown key {sorted(unknown)}, no `name`, "
                         "no `run`, or a second case of that name")
            names.add(key)
            found.append((path.stem, case))
    if not found:
        sys.exit(f"no cases in {folder}")
    return found


def leave_out(cases, binary):
    """The cases that this build can run; says how many it cannot."""
    gdal = any(binary.parent.glob("pegnn_gdal.*")) or any(binary.parent.glob("../lib/pegnn/pegnn_gdal.*"))
    help_page = subprocess.run([binary, "reproduce", "--help"], capture_output=True, check=False)
    has = {"gdal": gdal, "paper": help_page.returncode == 0}
    able = [(file, case) for file, case in cases if has.get(case.get("needs"), True)]
    if len(able) < len(cases):
        lacks = " and ".join(need for need, there in has.items() if not there)
        print(f"{len(cases) - len(able)} skipped: the build is without {lacks}")
    return able


def take_a_core(cores):
    # One core each: cases are small, and two of them with all threads would only wait for each other.
    if hasattr(os, "sched_setaffinity") and cores:
        os.sched_setaffinity(threading.get_native_id(), {cores.pop()})


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    binary = Path(sys.argv[1]).resolve()
    cases = [(file, case) for file, case in read_cases(sys.argv[2])
             if len(sys.argv) == 3 or sys.argv[3] in case["name"]]
    cases = leave_out(cases, binary)
    tools = Path(tempfile.mkdtemp(prefix="pegnn_cases_"))
    (tools / "pegnn").symlink_to(binary)
    environment = dict(os.environ, PATH=f"{tools}{os.pathsep}{os.environ.get('PATH', '')}")
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    failed = 0
    try:
        with concurrent.futures.ThreadPoolExecutor(WORKERS, initializer=take_a_core,
                                                   initargs=(cores,)) as workers:
            results = workers.map(lambda item: run_case(item[1], environment), cases)
            for (file, case), wrong in zip(cases, results):
                if wrong is None:
                    continue
                failed += 1
                print(f"FAILED {file}: {case['name']}")
                for line in wrong:
                    print(f"    {line}")
    finally:
        shutil.rmtree(tools, ignore_errors=True)
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
