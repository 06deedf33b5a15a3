"""Options of a model: Python values to the words of the engine."""

from __future__ import annotations

import numbers
from collections.abc import Mapping

from pegnn import _native
from pegnn._errors import UsageError


# A word of the language, and a method of estimators.
TAKEN = ("lambda", "fit")


def python_name(option: str) -> str:
    """--learning-rate is learning_rate; words that are taken, --lambda and --fit, end in _."""
    name = option.replace("-", "_")
    return name + "_" if name in TAKEN else name


def engine_name(parameter: str) -> str:
    """And back."""
    return parameter.rstrip("_").replace("_", "-")


def described(preset: str = "default") -> list[dict]:
    """Every option with the value it has in a preset."""
    return _native.preset(preset).described()


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
    import difflib

    near = difflib.get_close_matches(name, sorted(known), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else "; pegnn.options() lists them"
    return f"unknown option {name!r}{hint}"


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


def engine_threads(threads: int | None) -> int:
    """None and -1 are all cores, as scikit-learn's n_jobs has it."""
    if threads is None or threads == -1:
        return 0
    if isinstance(threads, bool) or not isinstance(threads, numbers.Integral) or threads < 0:
        raise UsageError(f"threads: {threads!r} is not a number of threads; None takes all cores")
    return int(threads)


def engine_seed(seed, random_state) -> int | None:
    """One seed of the two words for it; None leaves the preset's."""
    if seed is not None and random_state is not None:
        raise UsageError("seed and random_state are two words for one thing: give one of them")
    given = seed if random_state is None else random_state
    if given is None or isinstance(given, numbers.Integral):
        return None if given is None else int(given)
    from sklearn.utils import check_random_state

    return int(check_random_state(given).randint(2**31 - 1))
