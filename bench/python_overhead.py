#!/usr/bin/env python3
"""What the Python layer costs: the same training by the command and by an estimator, in turn.

    python3 bench/python_overhead.py BUILD TABLE TARGET [--rounds N] [--option VALUE ...]

Both read the table, train and write the model, as processes of their own on all cores. Printed are
medians and, in brackets, the least and the most: of the command, of the estimator without and with
the start of the interpreter and its imports, and of the processor time of both. Options are the
command's; by default a network of the paper as published. The models must have the same bytes.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DEFAULT = ["--model", "pe-gcn", "--preset", "reference", "--lambda", "0.25"]

SCRIPT = """
import sys, time
begin = time.perf_counter()
import pegnn
from pegnn import _words
ready = time.perf_counter()
file, target, out, *words = sys.argv[1:]
names = [w[2:] for w in words[::2]]
given = {_words.python_name(n): v for n, v in zip(names, words[1::2])}
table = pegnn.read_table(file)
model = pegnn.PEGNNRegressor(**given).fit(table.drop(columns=target), table[target])
model.save(out)
print(time.perf_counter() - ready)
"""


def measured(words, **settings):
    """Seconds by the clock and of the processor, and what was printed."""
    begin, before = time.perf_counter(), os.times()
    done = subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True,
                          **settings)
    after = os.times()
    used = (after.children_user - before.children_user
            + after.children_system - before.children_system)
    return time.perf_counter() - begin, used, done.stdout


def shown(values):
    return f"{statistics.median(values):7.2f} s  ({min(values):.2f} to {max(values):.2f})"


def main(words):
    rounds = 5
    if "--rounds" in words:
        at = words.index("--rounds")
        rounds = int(words[at + 1])
        del words[at:at + 2]
    if len(words) < 3:
        sys.exit(__doc__)
    build, table, target, *options = words
    options = options or DEFAULT
    times = {name: [] for name in ("command", "estimator", "with imports", "command cpu",
                                   "with imports cpu")}
    environment = {**os.environ, "PYTHONPATH": str(Path(build).resolve() / "python")}
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "python.safetensors", Path(folder) / "model"
        for _ in range(rounds):
            wall, used, _ = measured([Path(build) / "pegnn", "train", table, "--target", target,
                                      "-o", theirs, "--overwrite", "-q", "--no-report", *options])
            times["command"].append(wall)
            times["command cpu"].append(used)
            wall, used, printed = measured([sys.executable, "-W", "ignore", "-c", SCRIPT, table,
                                            target, ours, *options], env=environment)
            times["with imports"].append(wall)
            times["with imports cpu"].append(used)
            times["estimator"].append(float(printed))
        same = ours.read_bytes() == (theirs / "model.safetensors").read_bytes()
    for name, values in times.items():
        print(f"{name:18}{shown(values)}")
    ratio = statistics.median(times["estimator"]) / statistics.median(times["command"]) - 1
    print(f"overhead {100 * ratio:.1f} %; the same bytes: {'yes' if same else 'NO'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
