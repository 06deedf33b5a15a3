"""Places: where the rows of X lie, and how distance is taken between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pegnn import _inputs, _tables
from pegnn._errors import DataError, UsageError

METRICS = ("auto", "great-circle", "planar", "degrees")


@dataclass
class Wanted:
    """What a caller says of the columns of X, by the words that estimators have for it."""

    coords: object = None
    crs: object = None
    metric: str = "auto"
    features: object = None
    no_features: bool = True


@dataclass
class Places:
    """Rows of X read for their places, and their features where these are wanted."""

    plan: _inputs.Plan
    points: np.ndarray  # rows x 2; longitudes from -180 to 180
    features: np.ndarray  # rows x features
    metric: str  # great-circle, planar or degrees
    index: object  # of a frame; None for an array

    def __len__(self) -> int:
        return len(self.points)


def read_places(X, wanted: Wanted) -> Places:
    """The places of X, found as estimators find them. What is missing stays NaN."""
    if wanted.metric not in METRICS:
        raise UsageError(f"metric: {wanted.metric!r} is none of {', '.join(METRICS)}")
    if _tables.is_frame(X):
        plan = _inputs.plan_for_frame(X, wanted, by_name=False)
        index = X.index
    else:
        X, index = _matrix(X), None
        plan = _inputs.plan_for_array(X, wanted)
    values = plan.read(X)
    points = np.ascontiguousarray(values.points, dtype=np.float64)
    if plan.geographic:
        points = on_the_globe(points)
    return Places(plan, points, values.features, _metric(wanted.metric, plan), index)


def refuse_missing(places: Places) -> None:
    """For those who need every row to lie somewhere."""
    nowhere = ~np.isfinite(places.points).all(axis=1)
    if nowhere.any():
        raise DataError(
            f"X: row {int(np.argmax(nowhere))} has a coordinate that is missing or infinite, "
            f"{int(nowhere.sum())} of {len(places)} rows do; leave them out"
        )


def is_masked(given) -> bool:
    """Whether it has a mask, as an array or as a list of such arrays."""
    if isinstance(given, (list, tuple)):
        return any(isinstance(one, np.ma.MaskedArray) for one in given)
    return isinstance(given, np.ma.MaskedArray)


def numbers_of(word: str, given) -> np.ndarray:
    """An array of float64, in C order; what is masked is NaN. UsageError by the caller's word."""
    try:
        if is_masked(given):
            given = _tables.unmasked(np.ma.asarray(given))
        return np.asarray(given, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError) as error:
        raise UsageError(f"{word}: not an array of numbers: {error}") from None


def rows_of(word: str, given) -> np.ndarray:
    """Numbers as a matrix of coordinates; nothing at all is no rows."""
    rows = numbers_of(word, given)
    return rows.reshape(0, 2) if rows.shape == (0,) else rows


def _matrix(X) -> np.ndarray:
    X = rows_of("X", X)
    if X.ndim != 2 or X.shape[1] < 2:
        raise UsageError(f"X: expected rows of at least two coordinates, not shape {X.shape}")
    return X


def _metric(asked: str, plan: _inputs.Plan) -> str:
    if asked == "auto":
        return "great-circle" if plan.geographic else "planar"
    if asked != "planar" and not plan.geographic:
        raise UsageError(
            f"metric: {asked!r} needs longitude and latitude, and the coordinates are projected; "
            "use metric='planar'"
        )
    return asked


def on_the_globe(points: np.ndarray) -> np.ndarray:
    """Longitudes beyond 180 are brought back; what lies nowhere is refused."""
    with np.errstate(invalid="ignore"):
        lon, lat = points[:, 0], points[:, 1]
        wrong = (np.abs(lat) > 90) | (lon < -180) | (lon > 360)
        far = lon > 180
    if wrong.any():
        row = int(np.argmax(wrong))
        swapped = abs(lon[row]) <= 90 and abs(lat[row]) <= 180
        hint = "; are longitude and latitude swapped?" if swapped else ""
        raise DataError(
            f"row {row}: longitude {lon[row]:g}, latitude {lat[row]:g} is not on the globe{hint}"
        )
    if not far.any():
        return points
    points = points.copy()
    points[far, 0] -= 360
    return points


def spread(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    """Values of some rows as those of all; NaN for the others."""
    out = np.full(len(where), np.nan)
    out[where] = values
    return out
