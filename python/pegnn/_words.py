"""Options by the words of the command and by those of Python."""

from __future__ import annotations

from pegnn import _native


def python_name(option: str) -> str:
    """--learning-rate is learning_rate; words that are taken, --lambda and --fit, end in _."""
    return _native.option_name(option)


def engine_name(parameter: str) -> str:
    """And back."""
    return parameter.rstrip("_").replace("_", "-")
