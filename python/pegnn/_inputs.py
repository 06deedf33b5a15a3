"""Which columns of X are what, decided once in `fit` and applied again in `predict`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pegnn import _columns, _crs, _native, _tables
from pegnn._errors import UsageError
from pegnn._talk import warn


@dataclass
class Values:
    """Rows in hand: places and features."""

    points: np.ndarray  # rows x 2
    features: np.ndarray  # rows x features
    geometry: bool = False  # the places are those of a GeoDataFrame

    def __len__(self) -> int:
        return len(self.points)


@dataclass
class Plan:
    """How X is read."""

    names: list[str]  # of the columns used: x, y, features
    columns: list | None  # of a frame: their names there; None: fitted on an array
    positions: list[int]  # of an array
    geographic: bool
    geometry: bool = False  # the places are those of a GeoDataFrame
    by_name: bool = False  # fitted with the target's name
    crs: Any = None  # a pyproj.CRS, where one is known
    guessed: bool = False  # degrees or a plane, from the values alone

    @property
    def features(self) -> list[str]:
        return self.names[2:]

    def describe(self) -> str:
        """What was made of coordinates that say nothing of themselves."""
        taken = "degrees, since all would fit the globe" if self.geographic else "a plane"
        return (
            f"coordinates {self.names[0]}, {self.names[1]} are taken as {taken}; metric='planar', "
            "metric='great-circle' or crs=... say what they are"
        )

    def keep(self, features: list[str]) -> None:
        """Leaves out what a model does not look at."""
        kept = [0, 1, *(i for i in range(2, len(self.names)) if self.names[i] in features)]
        self.names = [self.names[i] for i in kept]
        if self.columns is not None:
            self.columns = [self.columns[i] for i in kept]
        self.positions = [self.positions[i] for i in kept]

    def read(self, X) -> Values:
        """The rows of X. Two columns in order are taken as they lie, without a copy."""
        if self.geometry:
            return self._read_geometry(X)
        if not _tables.is_frame(X):
            return self._read_array(X)
        assert self.columns is not None  # frames are read by plans of frames
        missing = [name for name in self.columns if name not in X.columns]
        if missing:
            raise UsageError(
                f"X: column{'s' if len(missing) > 1 else ''} {', '.join(map(str, missing))} of "
                f"training {'are' if len(missing) > 1 else 'is'} not there"
            )
        numbers = [_columns.numbers(X, name) for name in self.columns]
        return Values(np.column_stack(numbers[:2]), _columns.matrix(numbers[2:], len(X)))

    def warn_of_crs(self, X) -> None:
        """Of places that may not be in the CRS of the model."""
        if not self.geometry:
            return
        given = getattr(X, "crs", None)
        if self.crs is not None and given is None:
            warn(f"X has no CRS; it is taken to be in that of the model, {self.crs.name}")
        if self.crs is None and given is not None:
            warn(
                f"X is in {given.name}, and the model was fitted on geometry without a CRS: the "
                "coordinates are taken as they are"
            )

    def _read_array(self, X: np.ndarray) -> Values:
        if X.shape[1] == 2 and self.positions == [0, 1]:
            return Values(X, np.empty((len(X), 0)))
        return Values(X[:, self.positions[:2]], X[:, self.positions[2:]])

    def _read_geometry(self, X) -> Values:
        if not _tables.is_geo(X):
            raise UsageError("X: the model was fitted on a GeoDataFrame; give one")
        assert self.columns is not None
        if self.crs is not None and X.crs is not None and X.crs != self.crs:
            X = X.to_crs(self.crs)
        x, y = _tables.points_of_geometry(X)
        numbers = [_columns.numbers(X, name) for name in self.columns[2:]]
        return Values(np.column_stack([x, y]), _columns.matrix(numbers, len(X)), geometry=True)


@dataclass
class Observations:
    """Everything a model learns from."""

    plan: Plan
    values: Values
    target: str
    y: np.ndarray | None  # None: no target, for what goes by the places alone
    weight: np.ndarray | None
    source: str
    weight_name: str = "sample_weight"

    def table(self) -> _native.Table:
        plan, values = self.plan, self.values
        table = _native.Table(self.source)
        for position, name in enumerate(plan.names):
            table.add(name, values.points[:, position] if position < 2 else
                      values.features[:, position - 2])
        if self.y is not None:
            table.add(self.target, self.y)
        if self.weight is not None:
            self.weight_name = _columns.new_name(self.weight_name, [*plan.names, self.target])
            table.add(self.weight_name, self.weight)
        if plan.crs is not None:
            table.crs = _crs.to_engine(plan.crs)
        return table

    def choice(self) -> _native.ColumnChoice:
        choice = _native.ColumnChoice()
        plan = self.plan
        if not plan.geometry:
            if plan.geographic:
                choice.lon, choice.lat = plan.names[:2]
            else:
                choice.x, choice.y = plan.names[:2]
        choice.target = "" if self.y is None else self.target
        choice.target_option = "y"
        choice.features = plan.features
        choice.no_features = not plan.features
        if self.weight is not None:
            choice.weight = self.weight_name
        return choice


# -- the target -----------------------------------------------------------------------------------


def name_of(values, otherwise: str) -> str:
    """Of a Series, where it is a word."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else otherwise


def take_target(X, name: str, word: str = "y"):
    """X without the column of that name, and the column. `word` is what the caller calls it."""
    if not _tables.is_frame(X):
        raise UsageError(
            f"{word}={name!r} names a column: X must be a DataFrame or a GeoDataFrame"
        )
    if name not in X.columns:
        raise UsageError(_columns.no_column(word, name, X.columns))
    if _tables.is_geo(X) and name == _tables.geometry_of(X).name:
        raise UsageError(f"{word}: {name!r} is the geometry")
    return X.drop(columns=name), X[name]


# -- plans ----------------------------------------------------------------------------------------


def plan_for_array(X: np.ndarray, estimator) -> Plan:
    """X without names: columns 0 and 1 are the coordinates unless `coords` says otherwise."""
    width = X.shape[1]
    coords = [0, 1]
    if estimator.coords is not None:
        coords = _columns.positions("coords", estimator.coords, width)
    if len(coords) != 2 or coords[0] == coords[1]:
        raise UsageError(f"coords: {estimator.coords!r} does not name two columns")
    if getattr(estimator, "no_features", False):
        features = []
    elif getattr(estimator, "features", None) is None:
        features = [c for c in range(width) if c not in coords]
    else:
        features = _columns.positions("features", estimator.features, width)
    _columns.refuse_repeats(coords, features)
    positions = [*coords, *features]
    plan = Plan([f"x{c}" for c in positions], None, positions, geographic=False)
    return _place(plan, estimator, X[:, coords])


def plan_for_frame(X, estimator, by_name: bool) -> Plan:
    """X with names: the usual ones of coordinates are known."""
    columns = [c for c in X.columns if not (_tables.is_geo(X) and c == _tables.geometry_of(X).name)]
    if getattr(X.columns, "nlevels", 1) > 1:
        raise UsageError("X: columns of several levels; give them one name each")
    if len({str(c) for c in X.columns}) < len(X.columns):
        raise UsageError("X: two columns have the same name")
    geometry = _tables.is_geo(X)
    if geometry:
        if estimator.coords is not None:
            raise UsageError("coords: the places of a GeoDataFrame are those of its geometry")
        coords = []
    else:
        coords = _frame_coords(X, estimator)
    features = _frame_features(X, columns, coords, estimator)
    _columns.refuse_repeats(coords, features)
    if geometry:
        names = [_native.GEOMETRY_X, _native.GEOMETRY_Y, *map(str, features)]
        plan = Plan(names, [None, None, *features], [-1] * len(names), False, True, by_name)
        return _place(plan, estimator, None, X.crs)
    used = [*coords, *features]
    positions = [X.columns.get_loc(c) for c in used]
    plan = Plan([str(c) for c in used], used, positions, False, by_name=by_name)
    points = np.column_stack([_columns.numbers(X, c) for c in coords])
    return _place(plan, estimator, points)


def _frame_coords(X, estimator) -> list:
    if estimator.coords is not None:
        coords = _columns.named_columns("coords", estimator.coords, X)
        if len(coords) != 2:
            raise UsageError(f"coords: {estimator.coords!r} does not name two columns")
        return coords
    guessed = _usual_coordinates([c for c in X.columns if isinstance(c, str)])
    if guessed is not None:
        return list(guessed[:2])
    if X.shape[1] < 2:
        raise ValueError(
            f"Found array with {X.shape[1]} feature(s) (shape={X.shape}) while a minimum of 2 is "
            "required: the coordinates are columns of X"
        )
    first = list(X.columns[:2])
    if all(isinstance(c, str) for c in X.columns):
        warn(
            f"no column of X has a usual name of coordinates: {first[0]!r} and {first[1]!r} are "
            "taken; say which they are with coords=(..., ...)"
        )
    return first


def _frame_features(X, columns, coords, estimator) -> list:
    if getattr(estimator, "no_features", False):
        return []
    if getattr(estimator, "features", None) is not None:
        return _columns.named_columns("features", estimator.features, X)
    found, left_out = [], []
    for name in columns:
        if name in coords:
            continue
        if _tables.is_numeric(X[name]) or X[name].dtype == object and _columns.converts(X[name]):
            found.append(name)
        else:
            left_out.append(str(name))
    if left_out:
        warn(
            f"columns without numbers are left out: {', '.join(left_out)}; encode them, or name "
            "the columns to learn from with features=[...]"
        )
    return found


def _place(plan: Plan, estimator, points, frame_crs=None) -> Plan:
    """What the coordinates are in."""
    given = estimator.crs if estimator.crs is not None else frame_crs
    if estimator.crs is not None and frame_crs is not None:
        raise UsageError("crs: the GeoDataFrame has one; convert it with gdf.to_crs(...)")
    if given is not None:
        crs = _crs.to_engine(given)
        plan.crs = _crs.from_engine(crs, crs.geographic)
        plan.geographic = crs.geographic
    elif estimator.metric in ("great-circle", "degrees"):
        plan.geographic = True
    elif plan.geometry:
        plan.geographic = False
    else:
        guessed = _usual_coordinates(plan.names[:2])
        if guessed is not None and list(guessed[:2]) != plan.names[:2]:
            raise UsageError(
                f"coords: {plan.names[0]!r}, {plan.names[1]!r} stand in the wrong order; "
                f"{guessed[0]!r} comes first"
            )
        if guessed is not None:
            plan.geographic = guessed[2]
        else:
            plan.guessed = estimator.metric != "planar"
            plan.geographic = plan.guessed and _fits_globe(points)
    return plan


def _usual_coordinates(names) -> tuple[str, str, bool] | None:
    """The coordinates among these names by the engine's rules, and whether they are degrees."""
    table = _native.Table("X")
    for name in dict.fromkeys(names):
        table.add(name, np.empty(0))
    choice = _native.ColumnChoice()
    choice.no_features = True
    try:
        roles = _native.resolve_roles(table, choice, None)
    except UsageError:
        return None
    return roles.x, roles.y, roles.geographic


def _fits_globe(points: np.ndarray) -> bool:
    """Whether the columns could be longitude and latitude. NaN does not count."""
    if len(points) == 0:
        return True
    with np.errstate(invalid="ignore"):
        beyond = (np.abs(points[:, 1]) > 90) | (points[:, 0] < -180) | (points[:, 0] > 360)
    return not beyond.any()
