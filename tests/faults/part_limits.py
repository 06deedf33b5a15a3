"""Disks that are full, memory that is limited, folders that may not be written."""

import base64
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

from cases import command_cases, geographic_cases
from preload import QUIET_ENVIRONMENT, Ended
from workplace import Case, Place, Right, judge_files, judge_message, judge_success, plant, tree

MEGABYTE = 1 << 20
ORDINARY = 65534  # the user "nobody"


def chosen(run, *names):
    cases = command_cases() + (geographic_cases() if run.pegnn.has_gdal else [])
    return [case for case in cases if case.name in names and run.wants(case.name)]


def run_plainly(run, case, place, preexec=None, user=None):
    """The command as a user would run it."""
    more = {"user": user, "group": user} if user is not None else {}
    try:
        ended = subprocess.run([run.pegnn.binary, *case.words], cwd=place.folder, env=QUIET_ENVIRONMENT,
                               capture_output=True, timeout=case.seconds, check=False, preexec_fn=preexec,
                               **more)
    except subprocess.TimeoutExpired:
        return Ended(-1, signal.SIGALRM, b"", "no end", None)
    return as_ended(ended.returncode, ended.stdout, ended.stderr.decode(errors="replace"))


def as_ended(code, out, err):
    return Ended(max(code, -1), -code if code < 0 else 0, out, err, None)


def what_is_right(run, case, place):
    plant(place.out, {})
    ended = run_plainly(run, case, place)
    return Right(tree(place.out), ended.out)


def judge(case, before, right, after, ended, promised):
    """Exit 0 and all is there, or the promised code and all is as before."""
    if ended.signal:
        return [f"ended by {signal.Signals(ended.signal).name}: {ended.err[-300:]}"]
    if ended.code == 0:
        return judge_success(right, ended, after)
    if ended.code != promised:
        return [f"exit code {ended.code}: {ended.err[-300:]}"]
    return judge_files(case, before, right, after) + judge_message(ended)


def with_folders(files):
    """Files with the folders they lie in."""
    folders = {f"{name.split('/')[0]}/": b"" for name in files if "/" in name}
    return {**folders, **files}


def mounting():
    """The words that let a process mount disks of its own; None where that is not allowed."""
    for words in (["unshare", "-m"], ["unshare", "-rm"]):
        try:
            test = [*words, "sh", "-c", "mount -t tmpfs -o size=4k none /mnt && umount /mnt"]
            if subprocess.run(test, capture_output=True, check=False).returncode == 0:
                return words
        except FileNotFoundError:
            return None
    return None


def disk_full(run):
    unshare = mounting()
    if unshare is None:
        return run.skip("disk_full", "no right to mount a small disk (unshare -m; mount -t tmpfs)")
    many = Case("predict many", ["predict", "pe-gcn", "many.csv", "-o", "out/p.csv", "--overwrite"], ["p.csv"])
    for case in [many, *chosen(run, "train pe-gcn", "train snapshots", "train kriging", "moran",
                               "predict to gpkg", "map", "moran to shapefile")]:
        place = Place(run.folder / "place", run.inputs)
        right = what_is_right(run, case, place)
        whole = sum(len(data) + 4096 for data in right.files.values()) // 1024
        # Old files take room too; some formats need much more while they are written.
        sizes = sorted({4 * max(1, round(whole * share / 4)) for share in
                        ([0.1, 0.3, 0.6, 0.9, 1.2, 4] if run.quick else [i / 40 for i in range(1, 100)])})
        for before in ({}, case.old()):
            before = with_folders(before)
            row = run.row("disk full", f"{case.name}, {'old files' if before else 'empty folder'}")
            task = {"folder": str(place.folder), "words": [run.pegnn.binary, *case.words], "sizes": sizes,
                    "environment": QUIET_ENVIRONMENT, "seconds": case.seconds,
                    "before": {name: base64.b64encode(data).decode() for name, data in before.items()}}
            said = subprocess.run([*unshare, sys.executable, str(Path(__file__).with_name("small_disk.py"))],
                                  input=json.dumps(task), capture_output=True, text=True, check=False)
            full = 0
            for line in said.stdout.splitlines():
                answer = json.loads(line)
                if answer["code"] is None:
                    continue
                full += answer["code"] == 5
                after = {name: base64.b64decode(data) for name, data in answer["after"].items()}
                ended = as_ended(answer["code"], right.out, answer["said"])
                problems = judge(case, before, right, after, ended, 5)
                row.add([f"{answer['size']} kB: {p}" for p in problems])
            row.note = f"{full} too small"
            if said.returncode != 0 or full == 0:
                row.fail(f"the small disks did not do their work: {said.stderr[-300:]}")
        place.remove()
    return None


def memory_limit(run):
    """Address space of many sizes, from what is just enough to load the program."""
    def limit(size):
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))

    def version_runs(size):
        return subprocess.run([run.pegnn.binary, "--version"], env=QUIET_ENVIRONMENT, capture_output=True,
                              check=False, preexec_fn=limit(size)).returncode == 0

    low = next(size for size in range(8 * MEGABYTE, 4096 * MEGABYTE, 2 * MEGABYTE) if version_runs(size))
    for case in chosen(run, "train pe-gcn", "train two threads", "train default", "train kriging", "train gp",
                       "predict", "predict to standard output", "moran", "evaluate"):
        place = Place(run.folder / "place", run.inputs)
        right = what_is_right(run, case, place)
        row, too_small, enough = run.row("memory limit", case.name), 0, 0
        step = (MEGABYTE if run.quick else MEGABYTE // 8)
        size = low
        while enough < 3 and size < low + 256 * MEGABYTE:
            before = with_folders(case.old() if row.tries % 2 else {})
            place.prepare(before)
            ended = run_plainly(run, case, place, limit(size))
            after = place.look()
            too_small += ended.code == 6
            enough = enough + 1 if ended.code == 0 else 0
            row.add([f"{size // 1024} kB: {p}" for p in judge(case, before, right, after, ended, 6)])
            size += step
        row.note = f"{too_small} too small, from {low // MEGABYTE} MB on"
        place.remove()


def read_only(run):
    """Folders that may be read, not written. Root may write them all the same: another user tries."""
    user = ORDINARY if os.geteuid() == 0 else None
    run.folder.chmod(0o755)
    try:
        subprocess.run([run.pegnn.binary, "--version"], check=True, capture_output=True,
                       **({"user": user} if user else {}))
    except (OSError, subprocess.CalledProcessError):
        return run.skip("read_only", "root may write everywhere, and no other user may run the program")
    for case in command_cases() + (geographic_cases() if run.pegnn.has_gdal else []):
        if not case.results or not run.wants(case.name):
            continue
        place = Place(run.folder / "place", run.inputs)
        right = what_is_right(run, case, place)
        row = run.row("read-only folder", case.name)
        for old in (False, True):
            before = with_folders(case.old() if old else {})
            plant(place.out, before)
            folders = [path for path in place.out.rglob("*") if path.is_dir()] + [place.out]
            for folder in folders:
                folder.chmod(0o555)
            ended = run_plainly(run, case, place, user=user)
            for folder in folders:
                folder.chmod(0o755)
            problems = judge(case, before, right, tree(place.out), ended, 5)
            if ended.code == 0:
                problems.append("what may not be written was written")
            row.add(problems)
        place.remove()
    return None
