#!/usr/bin/env python3
"""The command given damaged model files: damaged_models_test.py PEGNN_BINARY TABLE [TRIES]

Truncated, flipped, edited and spliced at random, and files of other kinds. Every one must end with
exit code 4 within seconds, name the file and what is wrong with it on one line of stderr, print
nothing on stdout and write nothing.
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 30  # of one command, on a busy machine
MODELS = {
    "network": ["--preset", "paper", "--model", "pe-gcn", "--steps", "2", "--width", "4", "--embedding", "2"],
    "default": ["--steps", "4", "--members", "1", "--far-members", "0", "--choose", "none", "--width", "4"],
    "idw": ["--model", "idw"],
    "kriging": ["--model", "kriging"],
}
PART = re.compile(r"header|tensor '|metadata '|model file")


def command(binary, *words):
    return subprocess.run([binary, *words], capture_output=True, text=True, timeout=SECONDS)


def damage(whole, other, rng):
    """Other bytes than those of either file, and a word for what was done."""
    at = rng.randrange(min(len(whole), 2000)) if rng.random() < 0.5 else rng.randrange(len(whole))
    size = rng.randrange(1, 65)
    how = rng.choice(["truncated", "flipped", "edited", "doubled", "spliced"])
    if how == "truncated":
        return whole[:at], how
    if how == "flipped":
        return whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:], how
    if how == "edited":
        return whole[:at] + rng.randbytes(size) + whole[at + size:], how
    if how == "doubled":
        return whole[:at] + whole[at:at + size] + whole[at:], how
    return whole[:at] + other[at:], how


def oddities(table):
    """Files that are no models at all."""
    yield "empty", b""
    yield "a byte", b"{"
    yield "a table", table.read_bytes()
    yield "zeros", bytes(4096)
    yield "a pickle", b"\x80\x04\x95" + bytes(range(200))
    yield "a length beyond all", b"\xff" * 8 + b"{}" * 50
    yield "a header of brackets", (1 << 20).to_bytes(8, "little") + b"[" * (1 << 20)
    yield "JSON", b'{"learner": {"trees": []}}' * 40


def main():
    binary, table = sys.argv[1], Path(sys.argv[2])
    tries = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    rng, failures = random.Random(2026), []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        small = folder / "small.csv"
        small.write_text("".join(table.read_text().splitlines(keepends=True)[:61]))
        whole = []
        for name, options in MODELS.items():
            done = command(binary, "train", str(small), "--target", "elevation", "-o", str(folder / name), *options)
            if done.returncode != 0:
                sys.exit(f"{name} was not trained: {done.stderr}")
            whole.append(next((folder / name).glob("*.safetensors")).read_bytes())
        cases = list(oddities(table))
        while len(cases) < tries:
            one, other = rng.choice(whole), rng.choice(whole)
            bytes_, how = damage(one, other, rng)
            if bytes_ not in (one, other):
                cases.append((how, bytes_))
        model, out = folder / "m.safetensors", folder / "out.csv"
        for number, (how, bytes_) in enumerate(cases):
            model.write_bytes(bytes_)
            words = [["info", model], ["info", model, "--json"],
                     ["predict", model, small, "-o", out]][number % 3]
            try:
                done = command(binary, *map(str, words))
            except subprocess.TimeoutExpired:
                failures.append(f"{number} ({how}), {words[0]}: more than {SECONDS} s")
                continue
            lines = done.stderr.strip().splitlines()
            wrong = [what for holds, what in [
                (done.returncode == 4, f"exit code {done.returncode}"),
                (done.stdout == "", "words on stdout"),
                (len(lines) == 1, f"{len(lines)} lines on stderr"),
                (str(model) in done.stderr, "the file is not named"),
                (PART.search(done.stderr), "no part is named"),
                (not out.exists(), "something was written"),
            ] if not holds]
            if wrong:
                failures.append(f"{number} ({how}), {words[0]}: {', '.join(wrong)}\n  {done.stderr[:300]}")
    for failure in failures:
        print(failure)
    print(f"{len(cases)} damaged files, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
