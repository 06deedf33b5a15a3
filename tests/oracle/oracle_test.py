#!/usr/bin/env python3
"""Other people's programs give the same figures: oracle_test.py PEGNN_COMMAND SHARED_DATA_DIR

Kriging against R's gstat, Moran's I against R's spdep and Python's libpysal, on real tables. Each
oracle is asked where it is installed; with none, or without the tables, the exit code is 77.

On Debian: apt-get install r-cran-gstat r-cran-spdep python3-libpysal
"""

import csv
import gzip
import json
import math
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
TOLERANCE = 1e-6  # of the values' spread; pegnn writes nine digits

# Tables as (file, x, y, z). Degrees are taken for planar coordinates here: only the arithmetic is
# compared, and gstat and spdep measure distances on an ellipsoid where pegnn takes a sphere.
TABLES = [
    ("air_temperature.csv", "longitude", "latitude", "meanT"),
    ("3d_road_sample5000.csv.gz", "longitude", "latitude", "altitude"),
    ("election.csv", "longitude", "latitude", "median_income"),
]

# Range as a part of the extent, sill and nugget as parts of the variance, neighbours.
KRIGING_CASES = [
    ("exponential", 0.20, 1.0, 0.1, 30),
    ("exponential", 0.02, 0.7, 0.0, 8),
    ("exponential", 2.00, 9.0, 0.0, 50),
    ("matern32", 0.05, 0.9, 0.2, 25),
    ("matern52", 0.05, 0.9, 0.2, 25),
    ("gaussian", 0.03, 0.8, 0.3, 20),
]
MORAN_CASES = [(5, "row"), (8, "binary"), (1, "row")]


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def near(self, ours, theirs, spread, what):
        """Holds two lists of figures against each other."""
        if len(ours) != len(theirs):
            worst = math.inf
        else:
            worst = max(abs(a - b) / spread for a, b in zip(ours, theirs))
        holds = worst <= TOLERANCE  # a NaN does not hold
        self.passed += holds
        self.failed += not holds
        print(f"{'ok    ' if holds else 'FAILED'} {what}: {len(ours)} figures, largest difference {worst:.1e}")


def read_table(path):
    with (gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")) as file:
        return list(csv.DictReader(file))


def read_columns(path, *names):
    """Columns of numbers."""
    rows = read_table(path)
    return [[float(row[name]) for row in rows] for name in names]


def write_table(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(",".join(header) + "\n")
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)


def places(data, table):
    """Rows (x, y, z), one for each place, so that no two coincide.

    Each is moved by less than a ten-thousandth of a degree, differently, so that no two neighbours are
    equally far: which of them comes first is every program's own choice (air_temperature has such a
    pair), and gstat compares squared distances in single precision, so that a smaller move would
    leave ties to it. All programs read the moved coordinates.
    """
    file, x, y, z = table
    distinct = {}
    for row in read_table(data / file):
        distinct.setdefault((float(row[x]), float(row[y])), row[z])
    golden, silver = (math.sqrt(5) - 1) / 2, math.sqrt(2) - 1  # multiples of these never meet modulo 1
    return [(px + 1e-4 * (i * golden % 1), py + 1e-4 * (i * silver % 1), value)
            for i, ((px, py), value) in enumerate(distinct.items())]


def variance(values):
    mean = sum(values) / len(values)
    return sum((v - mean) ** 2 for v in values) / len(values)


def has_r(package):
    if shutil.which("Rscript") is None:
        return False
    ask = f"quit(status = !requireNamespace('{package}', quietly = TRUE))"
    return subprocess.run(["Rscript", "-e", ask], capture_output=True).returncode == 0


def has_libpysal():
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import libpysal.weights  # noqa: F401
        return True
    except ImportError:
        return False


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout


def check_kriging(pegnn, rows, name, folder, checks):
    """One place in five is predicted from the others."""
    train = [row for i, row in enumerate(rows) if i % 5]
    queries = [row[:2] for i, row in enumerate(rows) if i % 5 == 0]
    write_table(folder / "train.csv", "xyz", train)
    write_table(folder / "queries.csv", "xy", queries)
    x, y, z = ([float(row[c]) for row in train] for c in range(3))
    extent = math.hypot(max(x) - min(x), max(y) - min(y))
    spread = variance(z)
    for kernel, part, sill, nugget, k in KRIGING_CASES:
        given = [part * extent, sill * spread, nugget * spread, k]
        options = [w for pair in zip(("--range", "--sill", "--nugget", "--k"), given) for w in pair]
        run(pegnn, "train", folder / "train.csv", "--target", "z", "--no-features", "--model", "kriging",
            "--kernel", kernel, *options, "-o", folder / "model", "--overwrite", "-q", "--no-report")
        run(pegnn, "predict", folder / "model", folder / "queries.csv", "-o", folder / "ours.csv",
            "--overwrite", "-q")
        run("Rscript", HERE / "gstat_kriging.R", folder / "train.csv", folder / "queries.csv",
            folder / "theirs.csv", kernel, *given)
        mean, deviation = read_columns(folder / "ours.csv", "pred", "pred_sd")
        their_mean, their_variance = read_columns(folder / "theirs.csv", "mean", "variance")
        case = f"kriging, gstat: {name}, {kernel}, k = {k}"
        checks.near(mean, their_mean, math.sqrt(spread), f"{case}, mean")
        checks.near([d * d for d in deviation], their_variance, spread, f"{case}, variance")


def libpysal_moran(rows, k, weights):
    """Global and local I from libpysal's neighbours."""
    import numpy
    from libpysal.weights import KNN
    table = numpy.array(rows, dtype=float)
    lists = KNN.from_array(table[:, :2], k=k, silence_warnings=True)
    lists.transform = "r" if weights == "row" else "b"
    z = table[:, 2] - table[:, 2].mean()
    lag = lists.sparse @ z
    total = (z * z).sum()
    return [len(z) / lists.s0 * (z * lag).sum() / total, *((len(z) - 1) * z * lag / total)]


def check_moran(pegnn, rows, name, oracles, folder, checks):
    write_table(folder / "table.csv", "xyz", rows)
    for k, weights in MORAN_CASES:
        text = run(pegnn, "moran", folder / "table.csv", "--value", "z", "--k", k, "--weights", weights,
                   "--permutations", 0, "--json", "-o", folder / "local.csv", "--overwrite", "-q")
        ours = [json.loads(text)["I"], *read_columns(folder / "local.csv", "Is")[0]]
        for oracle in oracles:
            if oracle == "spdep":
                run("Rscript", HERE / "spdep_moran.R", folder / "table.csv", folder / "theirs.csv", k,
                    "W" if weights == "row" else "B")
                theirs = read_columns(folder / "theirs.csv", "I")[0]
            else:
                theirs = libpysal_moran(rows, k, weights)
            case = f"Moran's I, {oracle}: {name}, k = {k}, {weights} weights"
            checks.near(ours[:1], theirs[:1], abs(theirs[0]), f"{case}, global")
            checks.near(ours[1:], theirs[1:], math.sqrt(variance(theirs[1:])), f"{case}, local")


def main(pegnn, data):
    oracles = [name for name, there in (("gstat", has_r("gstat")), ("spdep", has_r("spdep")),
                                        ("libpysal", has_libpysal())) if there]
    for name in ("gstat", "spdep", "libpysal"):
        if name not in oracles:
            print(f"skipped: {name} is not installed")
    tables = [table for table in TABLES if (data / table[0]).is_file()]
    if not tables:
        print(f"skipped: no tables in {data}")
    if not oracles or not tables:
        return SKIPPED
    checks = Checks()
    for table in tables:
        rows = places(data, table)
        name = table[0].partition(".")[0]
        with tempfile.TemporaryDirectory() as folder:
            if "gstat" in oracles:
                check_kriging(pegnn, rows, name, Path(folder), checks)
            check_moran(pegnn, rows, name, [o for o in oracles if o != "gstat"], Path(folder), checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
