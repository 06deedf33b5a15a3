"""Splitters for scikit-learn that hold out whole spatial blocks.

Rows near each other tell of each other, so that rows held out at random flatter a model that is to
predict elsewhere. These splitters go wherever scikit-learn takes a ``cv``.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from pegnn import _columns, _inputs, _native, _options, _places
from pegnn._errors import DataError, UsageError
from pegnn._moran import one_for_each
from pegnn._options import real_number, whole_number
from pegnn._talk import talk_for
from pegnn._verbs import length_of

__all__ = ["SpatialBlockFold", "SpatialBlockSplit"]

_BLOCKS = """
    block_km, block_size : float, optional
        Size of a block in km, or in the unit of x and y. By default it is chosen from the data: the
        distance at which residuals of a linear model of `y` are no longer alike, by their
        variogram; from the extent of the points without `y`, and where it is not a number in every
        row.
    coords : tuple, optional
        Columns of X with the coordinates, by name or position; found as estimators find them by
        default. The points of a GeoDataFrame are its own.
    crs : optional
        What the coordinates are in, as pyproj takes it; a GeoDataFrame has its own.
    metric : str
        auto; great-circle or planar where it cannot be told from names, values or `crs`.
    random_state : int or RandomState, optional
        What blocks are drawn by; None is 0, so that the split is the same each time.
"""


class _SpatialBlocks(BaseCrossValidator):
    """Blocks of X, drawn into folds by the engine."""

    def __init_subclass__(cls):
        cls.__doc__ = cls.__doc__.replace("    BLOCKS\n", _BLOCKS.lstrip("\n"))

    def get_n_splits(self, X=None, y=None, groups=None) -> int:
        """How many splits there are."""
        return whole_number("n_splits", self.n_splits)

    def _draw(self, X, y, settings, seed: int) -> np.ndarray:
        """In which fold each row is held out; -1 for those that are in none."""
        wanted = _places.Wanted(self.coords, self.crs, self.metric, no_features=False)
        with warnings.catch_warnings():
            # Features only help to find the size of blocks; the estimator says what it leaves out.
            warnings.filterwarnings("ignore", "columns without numbers")
            places = _places.read_places(X, wanted)
        if len(places) == 0:
            raise DataError("X has no rows; there is nothing to split")
        _places.refuse_missing(places)
        plan, features = _whole_columns(places)
        data = _inputs.Observations(
            plan,
            _inputs.Values(places.points, features),
            _columns.new_name("y", plan.names),
            _observed(y, len(places)),
            None,
            "X",
        )
        table = data.table()
        roles = _native.resolve_roles(table, data.choice(), None)
        settings.scheme = "block"
        settings.split_seed = whole_number("random_state", seed, 0)
        settings.block_size = length_of("block", self.block_km, self.block_size, roles)
        return _native.make_folds(table, roles, settings, 0, talk_for(0))["fold"]

    def _seed(self) -> int:
        return _options.engine_seed(None, self.random_state) or 0


class SpatialBlockFold(_SpatialBlocks):
    """Folds of whole spatial blocks, each held out once.

    They are those of ``pegnn evaluate --scheme block --folds N --split-seed S`` for the table of
    the columns of X and y.

    Parameters
    ----------
    n_splits : int
        Number of folds, at least 2.
    BLOCKS

    Examples
    --------
    >>> import pegnn
    >>> from sklearn.model_selection import cross_val_score
    >>> airports = pegnn.sample().head(800)
    >>> X, y = airports[["longitude", "latitude"]], airports["elevation"]
    >>> cv = pegnn.SpatialBlockFold(3, block_km=500)
    >>> cross_val_score(pegnn.KNNRegressor(), X, y, cv=cv).shape
    (3,)
    """

    def __init__(self, n_splits=5, *, block_km=None, block_size=None, coords=None, crs=None,
                 metric="auto", random_state=None):
        self.n_splits = n_splits
        self.block_km = block_km
        self.block_size = block_size
        self.coords = coords
        self.crs = crs
        self.metric = metric
        self.random_state = random_state

    def folds(self, X, y=None) -> np.ndarray:
        """In which fold, from 0, each row of X is held out."""
        settings = _native.EvaluateSettings()
        settings.folds = self.get_n_splits()
        if settings.folds < 2:
            raise UsageError(f"n_splits: {settings.folds} is less than 2")
        return self._draw(X, y, settings, self._seed())

    def _iter_test_indices(self, X=None, y=None, groups=None):
        folds = self.folds(X, y)
        for fold in range(self.get_n_splits()):
            yield np.flatnonzero(folds == fold)


class SpatialBlockSplit(_SpatialBlocks):
    """Blocks that hold a share of the rows, held out together; once, or several times anew.

    Split i is that of ``pegnn evaluate --scheme block --test-share X --split-seed S+i``.

    Parameters
    ----------
    n_splits : int
        How often blocks are drawn.
    test_size : float
        Share of the rows to be held out, as near as whole blocks come to it.
    BLOCKS

    Examples
    --------
    >>> import pegnn
    >>> airports = pegnn.sample().head(800)
    >>> split = pegnn.SpatialBlockSplit(test_size=0.25, block_km=500)
    >>> train, test = next(split.split(airports[["longitude", "latitude"]]))
    >>> len(train) + len(test)
    800
    """

    def __init__(self, n_splits=1, *, test_size=0.2, block_km=None, block_size=None, coords=None,
                 crs=None, metric="auto", random_state=None):
        self.n_splits = n_splits
        self.test_size = test_size
        self.block_km = block_km
        self.block_size = block_size
        self.coords = coords
        self.crs = crs
        self.metric = metric
        self.random_state = random_state

    def _iter_test_indices(self, X=None, y=None, groups=None):
        test_size = real_number("test_size", self.test_size)
        if not 0 < test_size < 1:
            raise UsageError(f"test_size: {self.test_size!r} is not a share between 0 and 1")
        if self.get_n_splits() < 1:
            raise UsageError(f"n_splits: {self.n_splits} is less than 1")
        first = self._seed()
        for number in range(self.get_n_splits()):
            settings = _native.EvaluateSettings()
            settings.folds, settings.test_share = 1, test_size
            yield np.flatnonzero(self._draw(X, y, settings, first + number) == 0)


def _whole_columns(places: _places.Places) -> tuple[_inputs.Plan, np.ndarray]:
    """Features with a number in every row: others, which a pipeline may fill in, cannot help."""
    plan, features = places.plan, places.features
    whole = np.isfinite(features).all(axis=0)
    plan.keep([name for name, is_whole in zip(plan.features, whole) if is_whole])
    return plan, features[:, whole]


def _observed(y, rows: int) -> np.ndarray | None:
    """Numbers to choose the size of blocks by; None where y holds classes or several targets."""
    if y is None:
        return None
    kind = getattr(np.asarray(y), "dtype", np.dtype(object)).kind
    if kind not in "biuf" or np.ndim(y) == 2 and np.shape(y)[1] != 1:
        return None
    numbers = one_for_each(y, rows, "y")
    return numbers if np.isfinite(numbers).all() else None
