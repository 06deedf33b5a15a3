#!/usr/bin/env python3
"""Tables with a line of 100 million characters, or 100,000 columns: long_lines_test.py PEGNN_BINARY

Each is refused with exit code 3 and one short line, within seconds and in memory of a few times the
file. The columns are those that a table may have at most, and more.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

LENGTH = 100_000_000
SECONDS = 60  # of one command, on a busy machine
MEMORY = 4 * LENGTH + (200 << 20)
HEAD = "lon,lat,y\n1,2,3\n"


def tables():
    """A name, the pieces of the file, and what the message must say."""
    yield "a number", [HEAD, "1,2,", "9" * LENGTH, "\n3,4,5\n"], "line 3"
    yield "a text", [HEAD, "1,2,", "x" * LENGTH, "\n3,4,5\n"], "line 3, column 'y'"
    yield "a quoted text", [HEAD, '1,2,"', "x" * LENGTH, '"\n3,4,5\n'], "line 3, column 'y'"
    yield "an open quote", [HEAD, '1,2,"', "x\n" * (LENGTH // 2)], "line 3: a quote is opened"
    yield "commas", [HEAD, "," * LENGTH, "\n"], "line 3: 100000001 fields"
    yield "a name", ["lon,lat,", "y" * LENGTH, "\n1,2,3\n"], "line 1: column 3 has a name of"
    yield "a quoted name", ['lon,lat,"', "y" * LENGTH, '"\n1,2,3\n'], "line 1: column 3 has a name of"
    columns = ",".join(f"f{i}" for i in range(100_000))
    yield "columns", ["lon,lat,y,", columns, "\n1,2,3", ",0" * 100_000, "\n"], "more than 16384 columns"


def main():
    binary, failures, count = sys.argv[1], [], 0
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "t.csv"
        for name, pieces, expected in tables():
            count += 1
            with table.open("w") as out:
                out.writelines(pieces)
            done = subprocess.run(
                [binary, "train", str(table), "--target", "y", "--model", "knn", "-o", f"{folder}/m"],
                capture_output=True, text=True, timeout=SECONDS, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY)))
            good = done.returncode == 3 and expected in done.stderr and len(done.stderr) < 500
            if not good or Path(f"{folder}/m").exists():
                failures.append(f"{name}: exit code {done.returncode}, {done.stderr[:300]}")
    for failure in failures:
        print(failure)
    print(f"{count} tables, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
