"""SIGKILL and Ctrl-C at random moments; what is resumed must give the same bits."""

import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from cases import ONE_MEMBER
from part_calls import kills_at_writes
from preload import QUIET_ENVIRONMENT
from workplace import Place, is_temporary, plant, same, tree

# A snapshot after every step: much of the time is spent in writing one. Long enough to be hit often.
RUNS = [
    ("pe-gcn", ["--model", "pe-gcn", "--steps", "250", "--snapshot-every", "1", "--validation", "0.2",
                "--evaluate-every", "10"]),
    ("uncertainty weights", ["--preset", "reference", "--steps", "200", "--uncertainty-weights",
                             "--evaluate-every", "7", "--snapshot-every", "1"]),
    ("snapshots far apart", ["--model", "pe-gat", "--steps", "200", "--snapshot-every", "25"]),
    ("default", ["--steps", "40", "--evaluate-every", "10", "--snapshot-every", "1", *ONE_MEMBER]),
]


class Training:
    """One training run in a folder of its own, whole or in pieces."""

    def __init__(self, run, name, options):
        self.run, self.name = run, name
        self.place = Place(run.folder / "place", run.inputs)
        self.words = [run.pegnn.binary, "train", "t.csv", "--target", "elevation", "-o", "out/m", "-q",
                      "--no-report", "--threads", "1", *options]
        plant(self.place.out, {})
        start = time.monotonic()
        subprocess.run(self.words, cwd=self.place.folder, env=QUIET_ENVIRONMENT, check=True)
        self.seconds = time.monotonic() - start
        self.right = tree(self.place.out)

    def start(self, *more):
        return subprocess.Popen([*self.words, *more], cwd=self.place.folder, env=QUIET_ENVIRONMENT, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def judge_end(self):
        """Problems with what is there in the end."""
        found = tree(self.place.out)
        return [f"{name} differs from that of a run never stopped"
                for name in sorted(set(found) | set(self.right))
                if name not in found or name not in self.right
                or not same(name, found[name], self.right[name])]

    def has(self, name):
        return (self.place.out / "m" / name).exists()


def stop_until_done(training, row, stop, wanted):
    """Stops the run at random moments and resumes it, until it is done; `wanted` stops at most."""
    draw, stops, problems = training.run.draw, 0, []
    plant(training.place.out, {})
    while True:
        resume = ["--resume"] if training.has("snapshot.safetensors") else []
        process = training.start(*resume)
        if stops < wanted:
            time.sleep(draw.uniform(0, 0.35 * training.seconds))
            stopped = stop(process)
        out, err = process.communicate()
        if process.returncode == 0:
            break
        # A signal that comes before the program has begun ends it as any other.
        if stops >= wanted or process.returncode not in (-signal.SIGKILL, -signal.SIGINT, 130):
            problems.append(f"after {stops} stops it ended with {process.returncode}: {err[-300:]}")
            break
        stops += 1
        row.tries += 1
        problems += stopped(process.returncode, err)
        if training.has("model.safetensors") and not training.has("snapshot.safetensors"):
            break  # stopped between its last act and its end
    row.add(problems + training.judge_end())
    row.tries -= 1  # the run itself is no try
    return stops


def over_runs(run, fault, stop, wanted):
    """All runs in turn until there were so many stops in each."""
    for name, options in RUNS:
        if not run.wants(name):
            continue
        row, training, stops = run.row(fault, f"train {name}"), None, 0
        training = Training(run, name, options)
        rounds = 0
        while stops < wanted and rounds < 4 * wanted and not row.failures:
            stops += stop_until_done(training, row, stop(training), min(12, wanted - stops))
            rounds += 1
        row.note = f"in {rounds} runs"
        training.place.remove()


def kills(run):
    kills_at_writes(run)

    def stop(_):
        def kill(process):
            process.kill()
            return lambda code, err: []
        return kill
    over_runs(run, "killed at a random moment", stop, 3 if run.quick else 60)


def interrupts(run):
    def once(training):
        def press(process):
            process.send_signal(signal.SIGINT)

            def judge(code, err):
                files = [name for name in tree(training.place.out) if is_temporary(name)]
                return [f"leaves {files}"] if files and "snapshot" in err else []
            return judge
        return press

    def twice(_):
        def press(process):
            process.send_signal(signal.SIGINT)
            time.sleep(0.0005)
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            try:
                process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                pass
            took = time.monotonic() - start
            return lambda code, err: [f"took {took:.1f} s to end"] if took > 2 else []
        return press

    over_runs(run, "Ctrl-C", once, 2 if run.quick else 20)
    over_runs(run, "Ctrl-C twice", twice, 2 if run.quick else 20)


def two_runs(run):
    """Two at once into one place: one is told to wait, or either result is whole."""
    training = Training(run, "pe-gcn", RUNS[0][1])
    row = run.row("two runs", "train into one folder")
    met = 0
    for _ in range(2 if run.quick else 20):
        plant(training.place.out, {})
        first = training.start()
        while first.poll() is None and not training.has("metrics.jsonl"):
            time.sleep(0.002)
        running = first.poll() is None
        first.send_signal(signal.SIGSTOP)  # it must not end before the second has been told
        second = training.start("--overwrite")
        _, said = second.communicate()
        first.send_signal(signal.SIGCONT)
        met += running
        _, err = first.communicate()
        problems = training.judge_end()
        if first.returncode != 0:
            problems.append(f"the first ended with {first.returncode}: {err[-300:]}")
        if running and (second.returncode != 5 or "another run is writing" not in said):
            problems.append(f"the second ended with {second.returncode}: {said[-300:]}")
        row.add(problems)
    if met == 0:
        row.fail("no two runs met")
    training.place.remove()

    place = Place(run.folder / "place", run.inputs)
    row = run.row("two runs", "predict into one file")
    words = {model: [run.pegnn.binary, "predict", model, "t.csv", "-q", "-o", "out/p.csv", "--overwrite"]
             for model in ("pe-gcn", "kriging")}

    def predict(model):
        return subprocess.run(words[model], cwd=place.folder, env=QUIET_ENVIRONMENT, capture_output=True,
                              text=True, check=False)

    right = {}
    for model in words:
        plant(place.out, {})
        predict(model)
        right[model] = tree(place.out)["p.csv"]
    with ThreadPoolExecutor(2) as pool:
        for _ in range(5 if run.quick else 100):
            plant(place.out, {})
            ended = list(pool.map(predict, words))
            problems = [f"exit {e.returncode}: {e.stderr[-300:]}" for e in ended if e.returncode != 0]
            found = tree(place.out)
            if list(found) != ["p.csv"] or found["p.csv"] not in right.values():
                problems.append(f"neither result is whole: {sorted(found)}")
            row.add(problems)
    place.remove()
