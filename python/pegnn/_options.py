"""Options of a model: Python values to the words of the engine."""

from __future__ import annotations

import numbers
import os
from collections.abc import Mapping

from pegnn import _native
from pegnn._errors import UsageError
from pegnn._words import engine_name, python_name


def described(preset: str = "default") -> list[dict]:
    """Every option with the value it has in a preset."""
    return _native.preset(word("preset", preset)).described()


def request(preset: str, given: Mapping[str, object]) -> _native.OptionRequest:
    """What is asked for: a preset and options that differ from it. None leaves an option as it is.

    Raises UsageError for a name that is no option.
    """
    known = {python_name(option["name"]) for option in described()}
    entries = []
    for name, value in given.items():
        if name not in known:
            raise UsageError(_unknown(name, known))
        if value is not None:
            entries.append(_native.GivenOption(engine_name(name), _text(name, value), name))
    return _native.OptionRequest(str(preset), entries)


def _unknown(name: str, known: set[str]) -> str:
    return f"unknown option {name!r}; {near(name, known) or 'pegnn.options() lists them'}"


def near(name: object, known) -> str:
    """A hint at the known word that looks like it; empty where none does."""
    import difflib

    found = difflib.get_close_matches(str(name), sorted(map(str, known)), n=1)
    return f"did you mean {found[0]!r}? " if found else ""


def _text(name: str, value: object) -> str:
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a numpy scalar
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    if isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
        return ",".join(word.replace("_", "-") for word in value)
    raise UsageError(f"{name}: {value!r} is neither a number, a word nor True or False")


MOST_THREADS = 1024  # as the command has it
MOST_SEED = 9 * 10**15  # as the engine has it


def whole_number(name: str, value, lowest: int = -(2**63), highest: int = 2**63 - 1) -> int:
    """An int, or something like one, that is neither less nor more; UsageError otherwise."""
    try:
        number = int(value)
        if number != value or isinstance(value, bool) or type(value).__name__ == "bool_":
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name}: {value!r} is not a whole number") from None
    if not lowest <= number <= highest:
        raise UsageError(f"{name}: {number} is not from {lowest} to {highest}")
    return number


def real_number(name: str, value) -> float:
    """A finite number, or something like one; UsageError otherwise."""
    try:
        number = float(value)
        if isinstance(value, (bool, str)) or not abs(number) < float("inf"):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name}: {value!r} is not a number") from None
    return number


def word(name: str, value: object) -> str:
    """A word; UsageError for anything else."""
    if not isinstance(value, str):
        raise UsageError(f"{name}: {value!r} is not a word")
    return value


def engine_threads(threads: int | None) -> int:
    """None and -1 are all cores, as scikit-learn's n_jobs has it."""
    if threads is None or threads == -1:
        return 0
    return whole_number("threads", threads, 0, MOST_THREADS)


def engine_seed(seed, random_state) -> int | None:
    """One seed of the two words for it; None leaves the preset's."""
    if seed is not None and random_state is not None:
        raise UsageError("seed and random_state are two words for one thing: give one of them")
    name, given = ("seed", seed) if random_state is None else ("random_state", random_state)
    if given is None:
        return None
    if isinstance(given, numbers.Number):
        return whole_number(name, given, 0, MOST_SEED)
    from sklearn.utils import check_random_state

    return int(check_random_state(given).randint(2**31 - 1))


def snapshots_at(file, every: int, resume: bool) -> _native.Snapshots:
    """Where the state of a run is kept. One that was not finished is not written over."""
    if file is None:
        if resume:
            raise UsageError("resume: say with snapshot=... where the run was kept")
        return _native.Snapshots()
    path = os.fspath(file)
    if os.path.exists(path) and not resume:
        raise UsageError(
            f"snapshot: {path!r} is there, of a run that was not finished; resume=True goes on "
            "with it, remove it to begin anew"
        )
    return _native.Snapshots(path, whole_number("snapshot_every", every, 0), bool(resume))
