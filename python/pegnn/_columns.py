"""Columns of X: by name or position, as numbers."""

from __future__ import annotations

import numpy as np

from pegnn import _options, _tables
from pegnn._errors import UsageError


def in_order(word: str, given) -> list:
    """Several columns in a list or tuple."""
    if isinstance(given, (str, bytes, set, frozenset, dict)) or not hasattr(given, "__iter__"):
        raise UsageError(f"{word}: expected a list of columns, not {given!r}")
    return list(given)


def _is_position(one) -> bool:
    return isinstance(one, (int, np.integer)) and not isinstance(one, bool)


def positions(word: str, given, width: int) -> list[int]:
    positions = []
    for one in in_order(word, given):
        if isinstance(one, str):
            raise UsageError(f"{word}: {one!r} is a name, and X has none; give the position")
        if not _is_position(one):
            raise UsageError(f"{word}: {one!r} is not the position of a column")
        if not -width <= one < width:
            raise UsageError(f"{word}: X has {width} columns, none at {one}")
        positions.append(int(one) % width)
    return positions


def named_columns(word: str, given, X) -> list:
    columns = []
    for one in in_order(word, given):
        if one is not None and one in X.columns:
            columns.append(one)
        elif _is_position(one) and -X.shape[1] <= one < X.shape[1]:
            columns.append(X.columns[one])
        else:
            raise UsageError(no_column(word, one, X.columns))
    return columns


def no_column(word: str, name, columns) -> str:
    names = [str(c) for c in columns]
    hint = _options.near(name, names)
    return f"{word}: X has no column {name!r}; {hint}columns: {', '.join(names)}"


def refuse_repeats(coords, features) -> None:
    if len(set(coords)) < len(coords):
        raise UsageError(f"coords: {coords[0]!r} is named twice")
    for name in features:
        if name in coords:
            raise UsageError(f"features: {name!r} is a coordinate")
        if features.count(name) > 1:
            raise UsageError(f"features: {name!r} is named twice")


def converts(column) -> bool:
    """Whether a column of objects holds numbers after all."""
    try:
        _from_objects(column)
    except (TypeError, ValueError):
        return False
    return True


def _from_objects(column) -> np.ndarray:
    import pandas

    return pandas.to_numeric(column).to_numpy(dtype=np.float64, na_value=np.nan)


def numbers(X, name) -> np.ndarray:
    column = X[name]
    if _tables.is_numeric(column):
        return _tables.numbers_of(column)
    if _tables.is_date(column):
        raise UsageError(f"X: column {name!r} holds dates; make numbers of them first")
    try:
        return _from_objects(column)
    except (TypeError, ValueError) as error:
        raise UsageError(f"X: column {name!r} holds no numbers: {error}") from None


def matrix(columns: list[np.ndarray], rows: int) -> np.ndarray:
    return np.column_stack(columns) if columns else np.empty((rows, 0))


def new_name(wanted: str, taken) -> str:
    name = wanted
    while name in taken:
        name += "_"
    return name
