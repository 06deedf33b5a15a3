#!/usr/bin/env python3
"""Our training step beside the same work in PyTorch Geometric, on this machine, in alternation.

    run.py --ours BUILD [--peer FILE] [--backbones gcn,gat,sage] [--rows 2048,16512] [--threads 1,2,16]
           [--rounds 3] [--seconds 1.0] [--json FILE]

BUILD is a build folder with pegnn_bench in it, the program, or a command line that starts it (such as the
launcher that pack.sh writes). FILE is a program with a function

    time_steps(backbone, n, f_in, dev, steps=, warm=, k=, lam=, full=) -> (median seconds, least seconds)

and defaults to pyg_step.py beside this one. It needs PyTorch and PyTorch Geometric; ours needs neither.

Both are pinned to the same cores, as many as there are threads, and take turns. Every program starts anew
in each round, so that neither inherits the other's caches or threads. The table gives medians over the
rounds, the spread between them, the peer's time over ours, and our step over its matrix products alone.
Each measurement is told on the standard error as it comes, and kept in the file of --json at once.
Exit status 2: an error.
"""

import argparse
import importlib.util
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # a source tree stays as it is
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from measure import (duration, fail, measure, new_file, positive, program,  # noqa: E402
                     rows_of_text, spread)

FULL, FEATURES = 16512, 6


def environment(threads):
    """For the peer: as many threads for every library, and OpenBLAS's kernels for AVX-512.

    Debian's OpenBLAS does not know newer processors and falls back to code for SSE3; naming the family
    is what a user who minds speed would do. It is set only where the processor has those instructions.
    """
    words = {name: str(threads) for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS",
                                             "OPENBLAS_NUM_THREADS")}
    try:
        if " avx512bw " in Path("/proc/cpuinfo").read_text():
            words["OPENBLAS_CORETYPE"] = "SkylakeX"
    except OSError:
        pass
    return words


def pinned(threads):
    """The words that keep a program on the first cores this process may use."""
    cores = sorted(os.sched_getaffinity(0))[:threads]
    if shutil.which("taskset") is None:
        fail("taskset was not found (package util-linux)")
    return ["taskset", "--cpu-list", ",".join(map(str, cores))]


def child(file, backbone, rows, threads, steps):
    """Runs inside a process of its own: one measurement of the peer, printed as JSON."""
    spec = importlib.util.spec_from_file_location("peer", file)
    peer = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(peer)
    except ImportError as error:
        fail(f"{Path(file).name} needs PyTorch and PyTorch Geometric: {error}")
    about = {}
    if "torch" in sys.modules:
        torch = sys.modules["torch"]
        torch.set_num_threads(threads)
        about["torch"] = torch.__version__
    if "torch_geometric" in sys.modules:
        about["torch_geometric"] = sys.modules["torch_geometric"].__version__
    median, least = peer.time_steps(backbone, rows, FEATURES, "cpu", steps=steps, full=FULL)
    print(json.dumps({"median": median, "least": least, "about": about}))


def run_peer(file, backbone, rows, threads, steps):
    words = [*pinned(threads), sys.executable, str(Path(__file__).resolve()), "--child", str(file),
             backbone, str(rows), str(threads), str(steps)]
    done = subprocess.run(words, capture_output=True, text=True,
                          env={**os.environ, **environment(threads)})
    if done.returncode != 0:
        fail(f"the peer failed: {done.stderr.strip()[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def run_ours(command, backbone, rows, threads, seconds):
    """Median seconds of the step and of its products, interleaved in one process."""
    cases = measure([*pinned(threads), *command], f"^(step|products)/{backbone}/{rows}/", 5,
                    seconds / 10, threads)[1]
    return cases[f"step/{backbone}/{rows}"].median, cases[f"products/{backbone}/{rows}"].median


def processor():
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown processor"


def counts(words):
    return [positive(int)(word) for word in words.split(",")]


def peer_file(word):
    path = Path(word)
    if path.suffix != ".py" or not path.is_file():
        raise argparse.ArgumentTypeError(f"'{word}' is not a program in Python")
    return path


def keep(file, cells, about):
    record = [{"backbone": backbone, "rows": rows, "threads": threads, "peer": peer, "step": step,
               "products": products}
              for (threads, rows, backbone), (peer, step, products) in cells.items()]
    file.write_text(json.dumps({"about": about, "processor": processor(), "cells": record},
                               indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--peer", type=peer_file, default=HERE / "pyg_step.py")
    parser.add_argument("--backbones", default="gcn,gat,sage")
    parser.add_argument("--rows", type=counts, default="2048,16512")
    parser.add_argument("--threads", type=counts, default="1,2,16")
    parser.add_argument("--rounds", type=positive(int), default=3)
    parser.add_argument("--seconds", type=positive(float), default=1.0,
                        help="for each program and round")
    parser.add_argument("--json", type=new_file, help="keep all measurements in this file")
    options = parser.parse_args()
    command = program(options.ours)
    cores = len(os.sched_getaffinity(0))

    cells, about = {}, {}
    for number in range(options.rounds):
        for threads in sorted({min(count, cores) for count in options.threads}):
            for rows in options.rows:
                for backbone in options.backbones.split(","):
                    print(f"round {number + 1}: {backbone}, {rows:,} rows, threads: {threads}: ",
                          end="", file=sys.stderr, flush=True)
                    # Enough steps for the time asked for at the speeds seen: 10 us a row.
                    steps = max(5, int(options.seconds / (1e-5 * rows)))
                    peer = run_peer(options.peer, backbone, rows, threads, steps)
                    about.update(peer["about"])
                    step, products = run_ours(command, backbone, rows, threads, options.seconds)
                    cell = cells.setdefault((threads, rows, backbone), ([], [], []))
                    for values, value in zip(cell, (peer["median"], step, products)):
                        values.append(value)
                    print(f"peer {duration(peer['median'])}, ours {duration(step)}, "
                          f"products {duration(products)}", file=sys.stderr)
                    if options.json:
                        keep(options.json, cells, about)

    table = []
    for (threads, rows, backbone), (peer, step, products) in cells.items():
        ratio = statistics.median(p / s for p, s in zip(peer, step))
        floor = statistics.median(s / p for s, p in zip(step, products))
        table.append([backbone, f"{rows:,}", str(threads), duration(statistics.median(peer)),
                      f"{100 * spread(peer):.0f} %", duration(statistics.median(step)),
                      f"{100 * spread(step):.0f} %", f"{ratio:.1f}",
                      duration(statistics.median(products)), f"{floor:.2f}"])
    libraries = ", ".join(f"{name} {version}" for name, version in about.items())
    print(f"{processor()}, {cores} cores; {libraries}; {options.rounds} rounds; "
          f"peer: {options.peer.name}\n")
    print(rows_of_text(["backbone", "rows", "threads", "peer", "spread", "ours", "spread",
                        "peer / ours", "products", "ours / products"], table))
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 7 and sys.argv[1] == "--child":
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6]))
    else:
        sys.exit(main())
