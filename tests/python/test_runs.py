"""Runs: the same bytes as the command, stopped and resumed, side by side."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import pandas
import pegnn
import pytest

COMMAND = pathlib.Path(pegnn.__file__).parent / "pegnn"
SMALL = dict(preset="paper", model="pe-sage", steps=120, width=8, embedding=8, scales=4)


@pytest.fixture
def file(airports, tmp_path):
    path = tmp_path / "airports.csv"
    airports.head(900).to_csv(path, index=False)
    return path


def flags(options):
    words = []
    for name, value in options.items():
        words += [f"--{name.rstrip('_').replace('_', '-')}", str(value)]
    return words


@pytest.mark.parametrize(
    "options",
    [
        dict(SMALL, lambda_=0.4, seed=3),
        dict(model="kriging", fit_="variogram"),
        dict(model="boosting_labels", trees=20),
        dict(steps=20, members=2, far_members=1, seed=1),
    ],
    ids=["pe-sage", "kriging", "boosting", "default"],
)
def test_python_and_the_command_train_models_of_the_same_bytes(file, tmp_path, options):
    subprocess.run(
        [COMMAND, "train", file, "--target", "elevation", "-o", tmp_path / "m", "-q", "--no-report",
         *flags(options)],
        check=True,
    )
    expected = (tmp_path / "m" / "model.safetensors").read_bytes()
    table = pegnn.read_table(file)
    estimator = pegnn.PEGNNRegressor(**options).fit(table.drop(columns="elevation"),
                                                    table["elevation"])
    assert estimator.model_.to_bytes() == expected
    assert pegnn.train(file, "elevation", **options).to_bytes() == expected


def test_each_loads_what_the_other_saves(file, tmp_path):
    table = pegnn.read_table(file)
    X = table[["longitude", "latitude"]]
    estimator = pegnn.PEGNNRegressor(**SMALL).fit(X, table["elevation"])
    estimator.save(tmp_path / "python.safetensors")
    subprocess.run(
        [COMMAND, "predict", tmp_path / "python.safetensors", file, "-o", tmp_path / "out.csv", "-q"],
        check=True,
    )
    found = pegnn.read_table(tmp_path / "out.csv")["pred"].to_numpy()
    assert abs(found / estimator.predict(X) - 1).max() < 1e-7  # nine digits are written
    subprocess.run(
        [COMMAND, "train", file, "--target", "elevation", "-o", tmp_path / "m", "-q", *flags(SMALL)],
        check=True,
    )
    assert (pegnn.load(tmp_path / "m").predict(X) == estimator.predict(X)).all()


def test_weighted_models_have_the_same_bytes_too(airports, tmp_path):
    path = tmp_path / "weighted.csv"
    airports.head(300).assign(w=range(300)).to_csv(path, index=False)
    subprocess.run(
        [COMMAND, "train", path, "--target", "elevation", "--weight", "w", "-o", tmp_path / "m", "-q",
         "--no-report", *flags(SMALL)],
        check=True,
    )
    table = pegnn.read_table(path)
    X = table[["longitude", "latitude"]]
    estimator = pegnn.PEGNNRegressor(**SMALL).fit(X, table["elevation"], sample_weight=table["w"])
    expected = (tmp_path / "m" / "model.safetensors").read_bytes()
    assert estimator.model_.to_bytes() == expected
    assert pegnn.train(path, "elevation", weight="w", **SMALL).to_bytes() == expected


def test_evaluate_gives_the_numbers_of_the_command(file):
    import json

    words = ["--model", "knn", "--scheme", "block", "--folds", "4", "--seed", "2"]
    text = subprocess.run(
        [COMMAND, "evaluate", file, "--target", "elevation", "--json", "-q", *words],
        check=True, capture_output=True, text=True,
    ).stdout
    row = json.loads(text)["rows"][0]
    found = pegnn.evaluate(file, "elevation", model="knn", scheme="block", folds=4, seed=2)
    assert found["mean"]["mse"] == pytest.approx(row["mse"], rel=1e-12)


# -- stopped and resumed --------------------------------------------------------------------------


class Enough(Exception):
    pass


def test_a_run_that_was_stopped_goes_on_to_the_same_bytes(airports, tmp_path):
    X, y = airports[["longitude", "latitude"]], airports["elevation"]
    options = dict(SMALL, evaluate_every=20)
    whole = pegnn.PEGNNRegressor(**options).fit(X, y).model_.to_bytes()

    def stop(progress):
        if progress.step >= 60:
            raise Enough

    kept = tmp_path / "run.snapshot"
    with pytest.raises(Enough):
        pegnn.PEGNNRegressor(**options).fit(X, y, callback=stop, snapshot=kept, snapshot_every=25)
    assert kept.exists()
    steps = []
    resumed = pegnn.PEGNNRegressor(**options).fit(
        X, y, snapshot=kept, resume=True, callback=lambda p: steps.append(p.step)
    )
    assert resumed.model_.to_bytes() == whole and min(steps) > 25


@pytest.mark.parametrize(
    "call",
    [
        lambda t: pegnn.PEGNNRegressor(steps=10**6).fit(t[["longitude", "latitude"]], t["elevation"]),
        lambda t: pegnn.train(t, "elevation", model="svgp", gp_steps=10**6),
        lambda t: pegnn.compare(t, "elevation", ["pe-gcn"], preset="reference", steps=10**6),
    ],
    ids=["fit", "train", "compare"],
)
def test_ctrl_c_ends_a_run_soon(airports, call):
    threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call(airports)
    assert time.monotonic() - begin < 30  # a moment here, longer under sanitizers


def test_an_interrupted_run_keeps_a_snapshot(airports, tmp_path):
    kept = tmp_path / "run.snapshot"
    X, y = airports[["longitude", "latitude"]], airports["elevation"]
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        pegnn.PEGNNRegressor(**dict(SMALL, steps=10**6)).fit(
            X, y, snapshot=kept, snapshot_every=0
        )
    assert kept.exists()


def test_the_snapshot_of_an_unfinished_run_is_not_written_over(airports, tmp_path):
    kept = tmp_path / "run.snapshot"
    kept.write_bytes(b"of another run")
    with pytest.raises(pegnn.UsageError, match="resume=True goes on"):
        pegnn.train(airports, "elevation", **SMALL, snapshot=kept)
    assert kept.read_bytes() == b"of another run"
    with pytest.raises(pegnn.UsageError, match="resume: say with snapshot"):
        pegnn.train(airports, "elevation", **SMALL, resume=True)


def test_what_the_handler_of_a_signal_raises_comes_out(airports):
    def ring(number, frame):
        raise Enough

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.7)
        with pytest.raises(Enough):
            pegnn.compare(airports, "elevation", ["knn", "pe-gcn"], preset="reference", steps=10**6)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


LEFT_RUNNING = """
import threading, time, pegnn
t = pegnn.sample()
X, y = t[["longitude", "latitude"]], t["elevation"]
def work():
    while True:
        pegnn.PEGNNRegressor(preset="paper", steps=10**6, validation=0, threads=1).fit(X, y)
threading.Thread(target=work, daemon=True).start()
time.sleep(0.7)
"""


def test_an_interpreter_ends_while_another_thread_trains():
    done = subprocess.run(
        [sys.executable, "-c", LEFT_RUNNING], capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(COMMAND.parent.parent)}, check=False,
    )
    assert done.returncode == 0, done.stderr


# -- side by side ---------------------------------------------------------------------------------


def test_two_threads_fit_two_models_at_once(airports):
    X, y = airports[["longitude", "latitude"]], airports["elevation"]

    def fit(seed):
        return pegnn.PEGNNRegressor(**SMALL, seed=seed, threads=2).fit(X, y).model_.to_bytes()

    alone = [fit(1), fit(2)]
    found = [None, None]
    threads = [
        threading.Thread(target=lambda i=i: found.__setitem__(i, fit(i + 1))) for i in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_one_model_is_asked_by_several_threads(airports):
    X, y = airports[["longitude", "latitude"]].to_numpy(), airports["elevation"]
    model = pegnn.PEGNNRegressor(**SMALL).fit(X, y)
    expected = model.predict(X)
    wrong = []

    def ask():
        for _ in range(3):
            if not (model.predict(X) == expected).all():
                wrong.append(1)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_python_goes_on_while_a_model_learns(airports):
    X, y = airports[["longitude", "latitude"]], airports["elevation"]
    options = dict(SMALL, steps=400, threads=1)
    thread = threading.Thread(target=lambda: pegnn.PEGNNRegressor(**options).fit(X, y))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        time.sleep(0.001)
    assert turns > 20


# -- files that are not as they should be ---------------------------------------------------------


def test_a_damaged_model_is_refused_wherever_a_byte_changes(airports, tmp_path):
    data = pegnn.train(airports.head(50), "elevation", model="knn").to_bytes()
    with pytest.raises(pegnn.ModelError, match="truncated"):
        pegnn.Model.from_bytes(data[:-3])
    for at in range(0, len(data), 97):
        damaged = bytearray(data)
        damaged[at] ^= 0x10
        with pytest.raises(pegnn.ModelError):
            pegnn.Model.from_bytes(bytes(damaged))


def test_files_that_cannot_be_read_or_written_are_os_errors(airports, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        pegnn.load(tmp_path / "nowhere")
    model = pegnn.train(airports.head(50), "elevation", model="knn")
    with pytest.raises(pegnn.ResourceError):
        model.save(tmp_path / "no" / "folder" / "m.safetensors")
    with pytest.raises(pegnn.ResourceError):
        pegnn.read_table(tmp_path / "nowhere.csv")


def test_the_command_and_the_module_say_the_same_of_a_model(file, tmp_path):
    model = pegnn.train(file, "elevation", model="kriging")
    model.save(tmp_path / "m.safetensors")
    text = subprocess.run([COMMAND, "info", tmp_path / "m.safetensors"], check=True,
                          capture_output=True, text=True).stdout
    assert model.info["learned"] in text
    assert sys.version_info >= (3, 9)


def test_messages_name_options_in_words_of_python(airports):
    rows = airports.head(60)
    with pytest.raises(pegnn.UsageError, match="^sigma_min must not be larger than sigma_max"):
        pegnn.train(rows, "elevation", preset="paper", sigma_min=5, sigma_max=1)
    with pytest.warns(pegnn.PegnnWarning, match="^k 80 needs more than"):
        pegnn.train(rows, "elevation", model="knn", k=80)


def test_so_do_the_reasons_and_warnings_of_a_league(airports):
    rows = pandas.concat([airports.head(40)] * 2, ignore_index=True)
    with pytest.warns(pegnn.PegnnWarning) as warned:
        league = pegnn.compare(rows, "elevation", ["mean", "gat"], folds=2, width=8, heads=3)
    reason = league.set_index("model").loc["gat", "reason"]
    assert "take width 6 or 9, or heads that divide the width" in reason
    assert any("; scheme block keeps such rows together" in text for text in league.attrs["warnings"])
    for text in [reason, *league.attrs["warnings"], *(str(one.message) for one in warned)]:
        assert "--" not in text and "<option" not in text
