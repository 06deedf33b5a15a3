"""What must not matter: the language of the machine, its zone, its clock, the number of threads."""

import os
import shutil
import subprocess

from cases import command_cases, geographic_cases
from preload import QUIET_ENVIRONMENT
from workplace import Place, Right, judge_success, plant, tree

from part_limits import as_ended

# A comma for the point, an i without a dot, another order of letters.
LANGUAGES = ["de_DE.UTF-8", "tr_TR.UTF-8", "fr_FR.ISO-8859-1", "C.UTF-8"]


def languages(run):
    """Variables that switch the machine's language: those installed, or made here for the occasion."""
    found, folder = [], run.folder / "locales"
    folder.mkdir()
    there = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
    for name in LANGUAGES:
        if name in there or name.replace("UTF-8", "utf8") in there:
            found.append({"LC_ALL": name})
            continue
        language, letters = name.split(".")
        made = shutil.which("localedef") and subprocess.run(
            ["localedef", "--no-archive", "-i", language, "-f", letters, str(folder / name)],
            capture_output=True, check=False).returncode in (0, 1) and (folder / name).exists()
        if made:
            found.append({"LC_ALL": name, "LOCPATH": str(folder)})
        else:
            run.skip(f"clock_and_locale: {name}", "not installed, and localedef cannot make it (Debian: locales)")
    return found


def clock_and_locale(run):
    preload = {"LD_PRELOAD": str(run.pegnn.library), "PEGNN_TORTURE_CLOCK": "1"}
    changes = languages(run)
    changes += [{"TZ": zone} for zone in ("Pacific/Kiritimati", "America/St_Johns", "nonsense/zone")]
    changes += [preload, {**preload, "TZ": "Asia/Kathmandu"}]
    cases = command_cases() + (geographic_cases() if run.pegnn.has_gdal else [])
    for case in cases:
        if not run.wants(case.name) or (run.quick and case.name in ("train gp", "predict default")):
            continue
        place = Place(run.folder / "place", run.inputs)

        def once(environment, words):
            plant(place.out, {})
            ended = subprocess.run([run.pegnn.binary, *words], cwd=place.folder, capture_output=True,
                                   env={**QUIET_ENVIRONMENT, **environment}, timeout=case.seconds, check=False)
            return as_ended(ended.returncode, ended.stdout, ended.stderr.decode(errors="replace"))

        ended = once({}, case.words)
        right = Right(tree(place.out), ended.out)
        row = run.row("clock and locale", case.name)
        tries = [(change, case.words) for change in changes]
        # Requests of their own for threads do not matter; nor does a surplus of them.
        tries += [({}, [*without_threads(case.words), "--threads", threads]) for threads in ("2", "3", "7")]
        for change, words in tries:
            if case.name == "info" and words is not case.words:
                continue
            ended = once(change, words)
            problems = judge_success(right, ended, without_names(tree(place.out), right))
            if ended.code != 0:
                problems = [f"exit code {ended.code}: {ended.err[-300:]}"]
            row.add([f"{change or words[-2:]}: {p}" for p in problems])
        place.remove()
    os.sync()


def without_threads(words):
    """The same without --threads N."""
    if "--threads" not in words:
        return words
    at = words.index("--threads")
    return words[:at] + words[at + 2:]


def without_names(found, right):
    """A page tells how it was made, threads and all: only that it is there is compared."""
    return {name: right.files.get(name, b"") if name.endswith(".html") and b"</html>" in data else data
            for name, data in found.items()}
