#!/usr/bin/env python3
"""Faults on purpose: torture.py BUILD_FOLDER [--quick] [--case NAME] [--at N] [--json FILE] [PART...]

Memory that cannot be had, disks that fail, processes that die, clocks that jump: nothing may be lost,
nothing may crash. Without a PART all are run, for up to an hour; --quick takes a sample of each, in
about a minute. --case and --at repeat one command and one fault. Exit code 1 on any failure.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import part_calls
import part_clock
import part_kills
import part_limits
import part_python
from cases import make_inputs

SEED = 20261116
PARTS = {
    "writes": part_calls.writes,
    "kills": part_kills.kills,
    "interrupts": part_kills.interrupts,
    "two_runs": part_kills.two_runs,
    "disk_full": part_limits.disk_full,
    "read_only": part_limits.read_only,
    "memory_limit": part_limits.memory_limit,
    "clock_and_locale": part_clock.clock_and_locale,
    "python": part_python.python,
    "geographic": part_calls.geographic,
    "allocations": part_calls.allocations,
}
MOST_SHOWN = 5  # failures of one row that are told in full


class Pegnn:
    """The build that is tortured."""

    def __init__(self, build):
        self.build = Path(build).resolve()
        self.binary = str(self.build / "pegnn")
        self.library = self.build / "libpegnn_torture.so"
        self.has_gdal = (self.build / "pegnn_gdal.so").exists()
        self.source = Path(__file__).resolve().parents[2]


class Row:
    """One line of the table: a fault on a command."""

    def __init__(self, part, fault, what):
        self.part, self.fault, self.what, self.note = part, fault, what, ""
        self.tries = self.failures = 0
        self.start, self.seconds = time.monotonic(), 0.0

    def add(self, problems, command="", case="", number=None):
        """One try, with what was wrong about it."""
        self.tries += 1
        self.seconds = time.monotonic() - self.start
        if problems:
            self.fail("; ".join(problems), command, case, number)

    def fail(self, problem, command="", case="", number=None):
        self.tries = max(self.tries, 1)
        self.failures += 1
        if self.failures > MOST_SHOWN:
            return
        print(f"FAILED {self.fault}: {self.what}: {problem}")
        if number is not None:
            print(f"  again: {sys.argv[0]} {sys.argv[1]} {self.part} --case '{case}' --at {number}")
        if command:
            print(f"  by hand: {command}")


class Run:
    """What the parts share."""

    def __init__(self, arguments, folder):
        self.pegnn = Pegnn(arguments.build)
        self.quick, self.case, self.at = arguments.quick, arguments.case, arguments.at
        self.folder, self.inputs = folder, folder / "inputs"
        self.draw = random.Random(SEED)
        self.part, self.rows, self.skipped = "", [], []

    def row(self, fault, what):
        self.rows.append(Row(self.part, fault, what))
        return self.rows[-1]

    def skip(self, what, reason):
        print(f"skipped {what}: {reason}")
        self.skipped.append({"what": what, "reason": reason})

    def wants(self, case):
        return self.case is None or self.case == case

    def chosen(self, numbers):
        return [self.at] if self.at is not None else numbers

    def most(self, quick, full=None):
        """How many of the numbers are tried: all of them (None) unless told otherwise."""
        return quick if self.quick else full


def table(rows):
    lines = [("fault", "what", "tries", "failures", "seconds", "")]
    lines += [(r.fault, r.what, str(r.tries), str(r.failures), f"{r.seconds:.1f}", r.note) for r in rows]
    widths = [max(len(line[c]) for line in lines) for c in range(5)]
    for line in lines:
        print("  ".join([line[0].ljust(widths[0]), line[1].ljust(widths[1]),
                         *(line[c].rjust(widths[c]) for c in (2, 3, 4)), line[5]]).rstrip())


def workshop():
    """A folder in memory where there is one: thousands of runs flush their files."""
    memory = Path("/dev/shm")
    parent = memory if os.access(memory, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="pegnn_torture_", dir=parent))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--case")
    parser.add_argument("--at", type=int)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_intermixed_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part '{unknown[0]}'; there are {', '.join(PARTS)}")
    folder = workshop()
    run = Run(arguments, folder)
    stopped = False
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a time limit stops it as Ctrl-C does
    try:
        make_inputs(run.pegnn, run.inputs, run.pegnn.source / "data" / "airports.csv")
        for part in arguments.parts or PARTS:
            run.part, start = part, time.monotonic()
            PARTS[part](run)
            print(f"{part}: {time.monotonic() - start:.0f} s", flush=True)
    except KeyboardInterrupt:
        stopped = True  # what was done until now is told
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    table(run.rows)
    tries, failures = (sum(getattr(r, name) for r in run.rows) for name in ("tries", "failures"))
    print(f"{tries} tries, {failures} failures, {len(run.skipped)} skipped{', stopped early' if stopped else ''}")
    if arguments.json:
        rows = [{key: value for key, value in vars(r).items() if key != "start"} for r in run.rows]
        arguments.json.write_text(json.dumps({"rows": rows, "skipped": run.skipped}, indent=1) + "\n")
    return 1 if failures else 130 if stopped else 0


if __name__ == "__main__":
    sys.exit(main())
