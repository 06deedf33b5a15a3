#!/usr/bin/env python3
"""Same seed, same bits: same_bits.py PEGNN_BINARY AIRPORTS_CSV [--few]

Any number of threads writes the same model file, for every model of `pegnn list` and the default
preset; a run killed at any moment and resumed writes the same model file as one never killed; a row
predicted alone gets the characters it gets in a file, for every model. With --few it runs every model
on fewer rows and threads, for builds with sanitizers, which look for other faults.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SEED = 20260731  # of the moments of death and of the places predicted


@dataclass
class Extent:
    threads: tuple  # that are compared
    rows: int  # to learn from
    places: int  # to predict
    alone: int  # of these by themselves
    kill_cases: int
    most_kills: int  # per run; then it may finish


# More places than one pass of the prediction takes.
FULL = Extent(threads=(1, 2, 3), rows=2500, places=16500, alone=12, kill_cases=4, most_kills=12)
FEW = Extent(threads=(1, 3), rows=600, places=2000, alone=3, kill_cases=1, most_kills=3)

# Few steps of every kind: small enough to be quick, long enough for dropout, moments and validation.
THREAD_CASES = [
    ("paper", ["--preset", "paper"]),
    ("reference", ["--preset", "reference"]),
    ("all rows in a batch, uncertainty weights",
     ["--model", "pe-gcn", "--batch", "0", "--uncertainty-weights"]),
    ("labels and all rows in a batch, uncertainty weights",
     ["--members", "1", "--far-members", "0", "--choose", "none", "--batch", "0", "--uncertainty-weights"]),
    ("attention among neighbours",
     ["--members", "1", "--far-members", "0", "--choose", "none", "--batch", "256", "--among", "2"]),
    ("heads and edge weights", ["--model", "pe-gat", "--heads", "4", "--edge-attention"]),
    ("largest neighbour", ["--model", "pe-sage", "--aggregation", "max"]),
]
THREAD_STEPS = ["--steps", "12", "--evaluate-every", "6"]

# What keeps every model quick on a few thousand rows.
SMALL = ["--steps", "12", "--evaluate-every", "6", "--gp-rows", "256", "--gp-steps", "12",
         "--inducing", "32", "--trees", "30"]
ALONE = ["--members", "1", "--far-members", "0", "--choose", "none"]
# The default preset with all that belongs to it, on tables with a feature.
DEFAULT = ["--members", "2", "--far-members", "1", *SMALL]
SOME_ROWS, FEW_ROWS = 600, 40

# A snapshot after every step: about half of the time is spent in writing one.
KILL_CASES = [
    ("trials and members of the default preset", "some.csv",
     ["--batch", "256", "--steps", "40", "--members", "2", "--far-members", "1", "--evaluate-every", "10",
      "--snapshot-every", "1"]),
    ("validation and early stopping", "t.csv",
     ["--model", "pe-gcn", "--batch", "512", "--steps", "2000", "--validation", "0.1", "--evaluate-every", "10",
      "--patience", "3", "--learning-rate", "0.02", "--snapshot-every", "1"]),
    ("uncertainty weights and dropout", "t.csv",
     ["--preset", "reference", "--batch", "512", "--steps", "160", "--uncertainty-weights",
      "--evaluate-every", "7", "--snapshot-every", "1"]),
    ("snapshots far apart", "t.csv",
     ["--preset", "paper", "--batch", "512", "--steps", "500", "--snapshot-every", "25",
      "--evaluate-every", "40"]),
]


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def that(self, holds, what, seen=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {what}" + (f": {seen}" if seen else ""))


class Pegnn:
    def __init__(self, binary, folder, extent):
        self.binary, self.folder, self.extent = str(Path(binary).resolve()), folder, extent

    def start(self, *words):
        return subprocess.Popen([self.binary, *map(str, words)], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def __call__(self, *words):
        process = self.start(*words)
        out, err = process.communicate()
        if process.returncode != 0:
            raise RuntimeError(f"pegnn {' '.join(map(str, words))}: exit {process.returncode}: {err}")
        return out

    def train(self, out, *options, table="t.csv"):
        return self("train", table, "--target", "elevation", "-o", out, "-q", "--no-report", *options)

    def models(self):
        """Every name that --model takes and this build can train."""
        parts = json.loads(self("list", "--json"))
        names = [part["name"] for part in parts["baselines"]]
        for part in parts["backbones"]:
            names += [part["name"], "pe-" + part["name"]]
        return [name for name in names if self.has(name)]

    def has(self, name):
        process = self.start("train", "few.csv", "--target", "elevation", "-o", "few", "-q", "--no-report",
                             "--overwrite", "--model", name, *ALONE, *SMALL)
        _, err = process.communicate()
        if process.returncode != 0 and "this build has no" not in err:
            raise RuntimeError(f"--model {name}: exit {process.returncode}: {err}")
        return process.returncode == 0


def check_threads(pegnn, checks):
    cases = [(name, [*options, *THREAD_STEPS], "t.csv") for name, options in THREAD_CASES]
    cases += [(name, ["--model", name, *ALONE, *SMALL], "side.csv") for name in pegnn.models()]
    cases += [("default", DEFAULT, "side.csv")]
    for name, options, table in cases:
        models = {}
        for threads in pegnn.extent.threads:
            out = f"threads{threads}"
            pegnn.train(out, *options, "--threads", threads, "--overwrite", table=table)
            models[threads] = (pegnn.folder / out / "model.safetensors").read_bytes()
        different = [threads for threads, model in models.items() if model != models[1]]
        checks.that(not different, f"threads: {name}", f"{different} threads differ from 1")


def check_maps(pegnn, checks):
    """Raster, style and picture, of a network and of a baseline that gives a deviation."""
    for name in ("pe-gcn", "kriging"):
        pegnn.train("mapped", "--model", name, "--no-features", *SMALL, "--overwrite", table="side.csv")
        files = []
        for threads in pegnn.extent.threads:
            process = pegnn.start("map", "mapped", "-o", "map.tif", "--bbox=-20,30,20,60", "--size",
                                  "530x515", "-q", "--overwrite", "--threads", threads)
            _, err = process.communicate()
            if "has no GDAL module" in err:
                print("maps: skipped, this build has no GDAL module")
                return
            endings = ("tif", "qml", "png")
            files.append([(pegnn.folder / f"map.{ending}").read_bytes() for ending in endings])
        checks.that(all(some == files[0] for some in files), f"threads: map of {name}", "files differ")


def figures(path):
    """The measurements of a run without the time they took."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def state_of(file):
    try:
        return file.stat().st_ino, file.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def wait_for_another(file, before, process):
    """Until the file is another one than `before` said, or the run has ended."""
    while state_of(file) in (before, None) and process.poll() is None:
        time.sleep(0.002)


def train_with_kills(pegnn, out, table, options, longest, draw):
    """Starts the run, kills it after at most `longest` seconds, resumes it, and so on. Every other time
    it is left to store a snapshot first: how long it takes to the first differs between builds.

    Returns how often it died, how often in the middle of writing a file, and how often it continued
    from a snapshot.
    """
    kills = writing = continued = 0
    snapshot = pegnn.folder / out / "snapshot.safetensors"
    while True:
        continued += snapshot.exists()
        before = state_of(snapshot)
        process = pegnn.start("train", table, "--target", "elevation", "-o", out, "-q", "--no-report",
                              "--resume", *options)
        if kills < pegnn.extent.most_kills:
            if kills % 2 == 0:
                wait_for_another(snapshot, before, process)
            time.sleep(draw.uniform(0, longest))
            process.kill()
        _, err = process.communicate()
        if process.returncode == -9:
            kills += 1
            writing += any((pegnn.folder / out).glob("*.tmp"))
            # Killed between its last act and its end, it has nothing left to do.
            if not snapshot.exists() and (pegnn.folder / out / "model.safetensors").exists():
                return kills, writing, continued
        elif process.returncode == 0:
            return kills, writing, continued
        else:
            raise RuntimeError(f"after {kills} kills --resume ended with {process.returncode}: {err}")


def check_kills(pegnn, checks, draw):
    for name, table, options in KILL_CASES[:pegnn.extent.kill_cases]:
        start = time.monotonic()
        pegnn.train("whole", *options, "--overwrite", table=table)
        seconds = time.monotonic() - start
        if "early" in name:
            info = json.loads(pegnn("info", "whole", "--json"))
            checks.that(info["best_step"] < info["steps"] < 2000, f"kills: {name}: it stops early",
                        f"steps {info['steps']}, best {info['best_step']}")
        try:
            for longest in (0.5, 0.25, 0.12, 0.06):  # of the time it took: it may be quicker now
                shutil.rmtree(pegnn.folder / "killed", ignore_errors=True)
                kills, writing, continued = train_with_kills(pegnn, "killed", table, options,
                                                             longest * seconds, draw)
                if continued >= 2:
                    break
        except RuntimeError as problem:
            checks.that(False, f"kills: {name}", problem)
            continue
        print(f"kills: {name}: {seconds:.1f} s, killed {kills} times, {writing} of them while writing a "
              f"file, continued from {continued} snapshots")
        whole, killed = pegnn.folder / "whole", pegnn.folder / "killed"
        same = all((whole / file).read_bytes() == (killed / file).read_bytes()
                   for file in ("model.safetensors", "options.toml"))
        checks.that(same, f"kills: {name}", f"another model after {kills} kills")
        checks.that(continued >= 2, f"kills: {name}: it is continued at least twice", continued)
        checks.that(figures(whole / "metrics.jsonl") == figures(killed / "metrics.jsonl"),
                    f"kills: {name}: the measurements are the same")
        files = sorted(path.name for path in killed.iterdir())
        checks.that(files == ["metrics.jsonl", "model.safetensors", "options.toml"],
                    f"kills: {name}: nothing else is left", files)


def with_side(table):
    """The table's places with a feature beside them: header, rows without and with the target."""
    lines = table.splitlines()[1:]
    rows = [f"{row.rsplit(',', 1)[0]},{i % 7}" for i, row in enumerate(lines)]
    learn = [f"{row},{line.rsplit(',', 1)[1]}" for row, line in zip(rows, lines)]
    return "longitude,latitude,side", rows, learn


def check_rows(pegnn, checks, table, draw):
    """Some rows alone, all of them together, and all of them backwards."""
    header, rows, _ = with_side(table)
    rows = rows[:pegnn.extent.places // 2]
    awkward = [f"{lon},{lat},3" for lon, lat in ((180, 0), (-180, 0), (0, 90), (77, 90), (0, -90))]
    places = [f"{draw.uniform(-180, 180):.5f},{draw.uniform(-90, 90):.5f},{draw.randrange(7)}"
              for _ in range(pegnn.extent.places - len(rows))]
    everything = awkward + rows + places
    chosen = [everything[0], everything[-1], everything[-116], *awkward, *draw.sample(rows, 4)]
    chosen = chosen[:pegnn.extent.alone]

    def predict(some):
        (pegnn.folder / "places.csv").write_text("\n".join([header, *some]) + "\n")
        return pegnn("predict", "model", "places.csv", "-q").splitlines()[1:]

    cases = [(model, ["--model", model, *ALONE, *SMALL]) for model in pegnn.models()]
    cases += [("default", DEFAULT), ("among", ["--among", "1", *ALONE, *SMALL])]
    for model, options in cases:
        pegnn.train("model", "--overwrite", *options, "--graph", "train", table="side.csv")
        together = dict(zip(everything, predict(everything)))
        backwards = dict(zip(everything[::-1], predict(everything[::-1])))
        checks.that(together == backwards, f"rows: {model}: the order of rows does not matter")
        different = [row for row in chosen if predict([row]) != [together[row]]]
        checks.that(not different, f"rows: {model}: a row alone", different)
        if model.startswith("pe-") or model == "default":
            checks.that(len({line.rsplit(",", 1)[1] for line in together.values()}) > 500,
                        f"rows: {model}: predictions differ from place to place")


def main():
    words = [word for word in sys.argv[1:] if word != "--few"]
    if len(words) != 2:
        sys.exit(__doc__)
    extent = FULL if words == sys.argv[1:] else FEW
    folder = Path(tempfile.mkdtemp(prefix="pegnn_same_bits_"))
    checks = Checks()
    try:
        table = Path(words[1]).read_text(encoding="utf-8")
        (folder / "t.csv").write_text(table, encoding="utf-8")
        header, _, learn = with_side(table)
        for name, count in (("side.csv", extent.rows), ("some.csv", SOME_ROWS), ("few.csv", FEW_ROWS)):
            some = [header + ",elevation", *learn[:count]]
            (folder / name).write_text("\n".join(some) + "\n", encoding="utf-8")
        pegnn = Pegnn(words[0], folder, extent)
        check_threads(pegnn, checks)
        check_maps(pegnn, checks)
        check_kills(pegnn, checks, random.Random(SEED))
        check_rows(pegnn, checks, table, random.Random(SEED))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
