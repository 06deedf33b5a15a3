"""Runs the benchmark program and reads what it measured; reads the words of the programs that do so."""

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

WRONG = 2  # exit status of errors; 1 is kept for "slower"
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Case:
    """The repetitions of one case: seconds on the wall, of all threads together, and counters."""

    def __init__(self, name):
        self.name, self.wall, self.cpu, self.counters = name, [], [], {}

    def add(self, entry):
        unit = SECONDS[entry["time_unit"]]
        self.wall.append(entry["real_time"] * unit)
        self.cpu.append(entry["cpu_time"] * unit)
        if "calls" in entry:
            self.counters["calls"] = entry["calls"]
        for counter in ("flops", "rows"):  # given per second; per iteration they are always the same
            if counter in entry:
                self.counters[counter] = entry[counter] * self.wall[-1]

    @property
    def median(self):
        return statistics.median(self.wall)

    @property
    def least(self):
        return min(self.wall)

    @property
    def spread(self):
        return spread(self.wall)


def spread(values):
    """Median absolute deviation from the median, as a share of the median."""
    middle = statistics.median(values)
    return statistics.median(abs(v - middle) for v in values) / middle if middle else 0.0


def fail(message):
    print(message, file=sys.stderr)
    sys.exit(WRONG)


def positive(number):
    """Reads a word as a positive number of this type; for argparse."""
    def read(word):
        try:
            value = number(word)
        except ValueError:
            value = 0
        if not 0 < value < float("inf"):
            raise argparse.ArgumentTypeError(f"'{word}' is not a positive number")
        return value
    return read


def new_file(word):
    """The path of a file that can be written; for argparse, so that one hears of it before the work."""
    path = Path(word)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"'{word}' cannot be written")
    return path


def runs(path):
    return Path(path).is_file() and os.access(path, os.X_OK)


def program(place):
    """The words that start the benchmarks: of a build folder, a file or a command line."""
    path = Path(place)
    if path.is_dir():
        path = path / "pegnn_bench"
    if runs(path):
        return [str(path.resolve())]
    try:
        words = shlex.split(str(place))
    except ValueError:  # a quotation mark without its fellow
        words = []
    if not words or not runs(words[0]):
        fail(f"'{place}' is neither a build folder with pegnn_bench in it nor a program; build with "
             "-DPEGNN_BENCH=ON")
    return words


def measure(command, pattern, repetitions, seconds, threads, extra=(), environment=None):
    """Runs the cases that match `pattern`, interleaved; returns the context and {name: Case}."""
    words = [*command, f"--benchmark_filter={pattern}", f"--benchmark_repetitions={repetitions}",
             f"--benchmark_min_time={seconds}", "--benchmark_enable_random_interleaving=true",
             "--benchmark_format=json", f"--threads={threads}", *extra]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **(environment or {})})
    except OSError as error:
        fail(f"{words[0]} cannot be run: {error.strerror}")
    if done.returncode == 0 and "Failed to match" in done.stderr:
        fail(f"{command[-1]}: no case matches '{pattern}'")
    if done.returncode != 0 or not done.stdout.startswith("{"):
        fail(f"{' '.join(words)}\nended with {done.returncode}: {done.stderr.strip()}")
    result, cases = json.loads(done.stdout), {}
    # Repetitions come shuffled; cases are given back in the order of the program.
    for entry in sorted(result["benchmarks"], key=lambda e: e["family_index"]):
        if entry.get("error_occurred"):
            fail(f"{entry['name']}: {entry.get('error_message')}")
        if entry["run_type"] == "iteration":
            name = re.sub("/(process_time|real_time)", "", entry["run_name"])
            cases.setdefault(name, Case(name)).add(entry)
    return result["context"], cases


def duration(seconds):
    """A time with three digits and the unit that suits it."""
    for unit in ("s", "ms", "us"):
        if seconds >= SECONDS[unit]:
            break
    else:
        unit = "ns"
    return f"{seconds / SECONDS[unit]:.3g} {unit}"


def rows_of_text(header, rows):
    """A table in plain text: the first column to the left, the others to the right."""
    cells = [header, *rows]
    widths = [max(len(row[c]) for row in cells) for c in range(len(header))]
    lines = ["  ".join(cell.ljust(w) if c == 0 else cell.rjust(w)
                       for c, (cell, w) in enumerate(zip(row, widths))).rstrip() for row in cells]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
