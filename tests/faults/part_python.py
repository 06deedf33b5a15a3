"""The Python module with failing memory (python_child.py)."""

import json
import os
import subprocess
import sys

from part_calls import who_asked
from preload import Report

# The package's own module, GDAL's door beside it, and the C++ library on their behalf.
MODULES = "_native:pegnn_gdal:libstdc++"


def interpreter(run):
    """The Python that the module was built for, with numpy; None where there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        test = subprocess.run([python, "-c", "import pegnn"], env=environment(run), capture_output=True,
                              check=False)
        if test.returncode == 0:
            return python
    return None


def environment(run):
    return {**os.environ, "PYTHONPATH": str(run.pegnn.build / "python"), "OPENBLAS_NUM_THREADS": "1"}


def python(run):
    program = interpreter(run)
    if program is None:
        return run.skip("python", "this build has no Python module, or its Python lacks numpy and scikit-learn")
    variables = {**environment(run), "LD_PRELOAD": str(run.pegnn.library), "PEGNN_TORTURE_DISARMED": "1",
                 "PEGNN_TORTURE_FROM": MODULES}
    child = [program, str(run.pegnn.source / "tests" / "faults" / "python_child.py")]
    names = json.loads(subprocess.run([*child, "fit", "--list"], env=variables, capture_output=True, text=True,
                                      check=True).stdout)
    for name in names:
        if run.wants(name):
            over(run, name, child, variables)
    return None


def over(run, name, child, variables):
    """Every fault in one process; another one from the next fault on where it died."""
    report = run.folder / "python.report"
    variables = {**variables, "PEGNN_TORTURE_REPORT": str(report)}
    row, outcomes, first, deaths = run.row("python: allocations", name), {}, run.at or 1, 0
    step = 1 if not run.quick else {"fit": 101, "load": 23}.get(name, 7)
    while first is not None and deaths < 20:
        process = subprocess.Popen([*child, name, "--first", str(first), "--step", str(step)], env=variables,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        begun, first = first, None
        for line in process.stdout:
            said = json.loads(line)
            if "begin" in said:
                begun = said["begin"]
            elif "n" in said:
                outcomes[said["ended"]] = outcomes.get(said["ended"], 0) + 1
                row.add([said["problem"]] if said["problem"] else [], case=name, number=said["n"])
                if run.at is not None:
                    process.kill()
                    break
        _, err = process.communicate()
        if process.returncode != 0 and run.at is None:
            first = begun + step
            module, function = who_asked(run.pegnn, Report.read(report))
            # As in part_calls.py; there is no reserve in a process that is not ours. An object that pybind11
            # cannot note down is destroyed by a destructor that throws.
            library = "JSON" if "json" in function else "pybind11" if "pybind11::" in function else None
            if library is not None:
                word = f"crash: destructor of {library}"
                outcomes[word] = outcomes.get(word, 0) + 1
                row.add([])
                continue
            deaths += 1
            row.add([f"the interpreter ended with {process.returncode} ({module}: {function}): {err[-400:]}"],
                    case=name, number=begun)
    row.note = ", ".join(f"{count} {word}" for word, count in sorted(outcomes.items()))
