"""The Python module with failing memory, in one process: python_child.py, told by arguments.

Counting is on only while a call of ours runs, and only memory that our modules ask for is refused. A
line of JSON for every fault: its number, and what is wrong. The n of the fault that runs is written
down first, so that the driver knows it should the interpreter die.
"""

import argparse
import ctypes
import json
import os
import sys
import tempfile

import numpy as np

import pegnn


def operations(folder):
    """Calls with what they give, comparable."""
    draw = np.random.default_rng(3)
    X = np.column_stack([draw.uniform(5, 15, 40), draw.uniform(45, 55, 40), draw.normal(size=40)])
    y = np.sin(X[:, 0]) + X[:, 2]
    small = {"steps": 2, "members": 1, "far_members": 0, "choose": "none"}
    net = pegnn.PEGNNRegressor(**small).fit(X, y)
    file = os.path.join(folder, "m.safetensors")

    def fit():
        return pegnn.PEGNNRegressor(**small).fit(X, y).predict(X[:3]).tobytes()

    def predict():
        return net.predict(X).tobytes()

    def save():
        net.save(file)
        with open(file, "rb") as saved:
            return saved.read()

    def load():
        return pegnn.load(file).predict(X[:, :2], X[:, 2:]).tobytes()

    def moran():
        return pegnn.moran(X[:, :2], y, permutations=19).I

    save()
    return {"fit": fit, "predict": predict, "save": save, "load": load, "moran": moran}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("operation")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    torture = ctypes.CDLL(None)
    torture.pegnn_torture_fired.restype = ctypes.c_int64
    with tempfile.TemporaryDirectory() as folder:
        calls = operations(folder)
        if arguments.list:
            print(json.dumps(list(calls)))
            return
        call = calls[arguments.operation]
        right = call()
        n = arguments.first
        while True:
            print(json.dumps({"begin": n}), flush=True)
            problem, ended = None, "did without"
            torture.pegnn_torture_plan(f"allocation:{n}".encode())
            torture.pegnn_torture_arm(1)
            try:
                found = call()
            except MemoryError:
                found, ended = right, "MemoryError"
            except Exception as error:  # whatever it is, it is the wrong one
                found, problem = right, f"{type(error).__name__}: {error}"
            finally:
                torture.pegnn_torture_arm(0)
            fired = torture.pegnn_torture_fired()
            left = [name for name in os.listdir(folder) if name != "m.safetensors"]
            if found != right:
                problem = "another result in place of an error"
            elif left:
                problem = f"left behind: {left}"
            elif call() != right:
                problem = "afterwards the same call gives another result"
            if not fired:
                print(json.dumps({"end": n - 1}), flush=True)
                return
            print(json.dumps({"n": n, "problem": problem, "ended": ended}), flush=True)
            n += arguments.step


if __name__ == "__main__":
    sys.exit(main())
