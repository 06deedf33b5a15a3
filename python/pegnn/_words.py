"""Options by the words of the command and by those of Python."""

from __future__ import annotations

import re

# A word of the language, and a method of estimators.
TAKEN = ("lambda", "fit")
# An option in a sentence, not in the midst of a word.
FLAG = re.compile(r"(?:^|(?<=[ (`'\"/,]))--([a-z][a-z-]*)")


def python_name(option: str) -> str:
    """--learning-rate is learning_rate; words that are taken, --lambda and --fit, end in _."""
    name = option.replace("-", "_")
    return name + "_" if name in TAKEN else name


def engine_name(parameter: str) -> str:
    """And back."""
    return parameter.rstrip("_").replace("_", "-")


def in_python(message: str) -> str:
    """A message of the engine, which names options as the command has them."""
    return FLAG.sub(lambda flag: python_name(flag[1]), message)
