"""Folders in which commands are tortured, what they hold before and after, and whether that is right."""

import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

OLD = b"what was there before\n"


def tree(folder):
    """Every file below `folder`, by its name relative to it; folders end with a slash."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_dir():
            found[name + "/"] = b""
        else:
            found[name] = path.read_bytes()
    return found


def plant(folder, files):
    """Makes `folder`, which may be a disk of its own, hold exactly `files`."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def without_times(name, data):
    """What does not depend on how long a run took, nor on when it was."""
    if name.endswith(".jsonl"):
        lines = [json.loads(line) for line in data.splitlines()]
        return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]
    if name.endswith((".html", ".json", "stdout")):
        return re.sub(rb"[0-9.e+-]+ *", b"#", data)
    if name.endswith(".gpkg"):  # the time of its last change is in it
        return re.sub(rb"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ", b"", data)
    return data


def same(name, one, other):
    try:
        return without_times(name, one) == without_times(name, other)
    except ValueError:  # a line of JSON that was cut off
        return False


@dataclass
class Case:
    """A command whose results all go into out/ of its folder."""
    name: str
    words: list
    results: list  # files below out/ that it writes
    extras: list = field(default_factory=list)  # what an interrupted run may leave there to go on from
    logs: list = field(default_factory=list)  # written line by line; what a killed run leaves of them is lost
    seconds: int = 60
    geographic: bool = False  # through GDAL

    def old(self):
        return {name: OLD for name in self.results}


@dataclass
class Right:
    """What the command gives when nothing goes wrong."""
    files: dict
    out: bytes


def is_temporary(name):
    return re.search(r"\.pegnn-\d+(-\d+)?\.tmp(/|$)", name) is not None


def judge_files(case, before, right, after, killed=False):
    """Problems with the files found afterwards: each is the old one or the new one, none is new to us."""
    problems = []
    for name, data in after.items():
        if name.endswith("/"):
            inside = [other for other in after if other.startswith(name) and other != name]
            if name in before or name in right.files or (killed and is_temporary(name)):
                if inside or name in before or killed:
                    continue
            problems.append(f"the folder {name} is left")
        elif name in case.extras or (killed and (is_temporary(name) or name in case.logs)):
            continue
        elif name not in before and name not in right.files:
            problems.append(f"{name} is left behind")
        elif not (before.get(name) == data or same(name, data, right.files.get(name, b""))):
            problems.append(f"{name} is neither the old file nor the new one")
    may_go = case.extras + (case.logs if killed else [])
    problems += [f"{name} is gone" for name in before if name not in after and name not in may_go]
    return problems


def mixed(case, before, right, after):
    """True when some results are old and some new: each is whole, but they do not belong together."""
    names = [name for name in case.results if name not in case.extras + case.logs]
    new = [name for name in names if name in after and after[name] != before.get(name)]
    return 0 < len(new) < len(names)


def judge_message(ended):
    """One line of ours, which says what to do about it or at least what cannot be done."""
    ours = [line for line in ended.err.splitlines() if line.startswith("pegnn: ")]
    if len(ours) != 1:
        return [f"{len(ours)} messages in place of one: {ended.err[-300:]!r}"]
    wanted = "memory" if ended.code == 6 else r"cannot|No space left|Input/output"
    if re.search(wanted, ours[0], re.IGNORECASE) is None or len(ours[0]) < 30:
        return [f"a message that helps nobody: {ours[0]!r}"]
    return []


def judge_success(right, ended, after):
    problems = []
    for name in sorted(set(right.files) | set(after)):
        if name not in after or name not in right.files or not same(name, after[name], right.files[name]):
            problems.append(f"ends with 0, and {name} is not what it should be")
    if not same("stdout", ended.out, right.out):
        problems.append("ends with 0, and standard output is not what it should be")
    return problems


class Place:
    """The folder of a case: inputs in it, results in out/."""

    def __init__(self, folder, inputs):
        self.folder = Path(folder)
        shutil.copytree(inputs, self.folder)
        self.out = self.folder / "out"
        self.holds = None

    def prepare(self, files):
        if self.holds != files or not self.out.exists():
            plant(self.out, files)

    def remove(self):
        shutil.rmtree(self.folder)

    def look(self):
        self.holds = tree(self.out)
        return self.holds
