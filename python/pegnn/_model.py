"""A trained model: what the command writes to `model.safetensors`."""

from __future__ import annotations

import functools
import os
from typing import Any, NamedTuple

import numpy as np

from pegnn import _crs, _native, _options, _words
from pegnn._errors import ApplicabilityWarning, DataError, UsageError
from pegnn._grid import Grid, predict_grid
from pegnn._places import numbers_of, on_the_globe, spread
from pegnn._talk import talk_for, warn

FARTHEST = 1e100  # of planar coordinates, as the engine has it
MODEL_FILE = "model.safetensors"  # in a folder made by `pegnn train`


class Forward(NamedTuple):
    """What a network computes on the way to its predictions, member by member."""

    pred: np.ndarray  # members x rows: the members' own predictions, in the target's units
    encoder: np.ndarray  # members x rows x width: what the encoder says of a place
    embedding: np.ndarray  # members x rows x width: what the heads read
    moran: np.ndarray | None  # members x rows: the auxiliary head; None without that task


class Applicability(NamedTuple):
    """How far places are from what was learned from."""

    distance: np.ndarray  # to the nearest training point: metres on the globe, else units
    inside: np.ndarray  # whether the model may be believed there
    reach: float  # the largest distance that is near enough


class Model:
    """A trained model, as `load` reads it and as estimators hold it in `model_`.

    It is asked with arrays: places (rows x 2, longitude and latitude or x and y) and features
    (rows x features, in the order of `info["features"]`). It can be pickled; what is pickled is the
    bytes of the model file.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample()
    >>> model = pegnn.train(table, target="elevation", model="kriging", no_features=True)
    >>> model.predict([[7.6, 47.6], [-70.0, 42.0]]).round(-1).tolist()
    [240.0, 0.0]
    """

    def __init__(self, native: _native.Model):
        self._native = native
        self._has_warned = False  # of places outside the area of applicability

    @functools.cached_property
    def _about(self) -> _native.ModelInfo:
        return self._native.info()

    def __reduce__(self):
        return Model.from_bytes, (self.to_bytes(),)

    @classmethod
    def load(cls, file: str | os.PathLike) -> Model:
        """Read a model file, or that of a folder made by `pegnn train`."""
        path = os.fspath(file)
        if os.path.isdir(path):
            path = os.path.join(path, MODEL_FILE)
        return cls(_native.Model.load(path))

    def save(self, file: str | os.PathLike) -> None:
        """Write the model file, whole or not at all."""
        self._native.save(os.fspath(file))

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """A model from the bytes of its file."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise UsageError(f"expected the bytes of a model file, not a {type(data).__name__}")
        return cls(_native.Model.from_bytes(bytes(data)))

    def to_bytes(self) -> bytes:
        """The bytes that `save` would write."""
        return self._native.bytes()

    @property
    def info(self) -> dict:
        """What is known of the model, as `pegnn info` tells it."""
        info = self._about
        roles = info.roles
        return {
            "x": roles.x,
            "y": roles.y,
            "geographic": roles.geographic,
            "crs": roles.crs.name or ("longitude and latitude" if roles.geographic else None),
            "target": roles.target,
            "features": roles.features,
            "metric": info.space,
            "table": info.table,
            "table_hash": info.table_hash,
            "rows": info.rows,
            "training_points": info.training_points,
            "parameters": info.parameters,
            "steps": info.steps,
            "best_step": info.best_step,
            "best_validation": info.best_validation,
            "target_range": (info.target_lo, info.target_hi),
            "learned": info.learned,
            "options": {
                _words.python_name(o["name"]): o["value"] for o in info.options.described()
            },
        }

    @property
    def crs(self):
        """Of the coordinates, as a pyproj.CRS; None where it is not known."""
        roles = self._about.roles
        return _crs.from_engine(roles.crs, roles.geographic)

    @property
    def gives_deviation(self) -> bool:
        """Whether predictions come with a standard deviation."""
        return self._native.gives_deviation

    def with_graph(self, graph: str) -> Model:
        """The same network with another graph for prediction, ``"train"`` or ``"test-only"``."""
        return Model(self._native.with_graph(graph))

    def predict(
        self,
        points: Any,
        features: Any = None,
        *,
        return_std: bool = False,
        drop_missing: bool = False,
        threads: int | None = None,
    ) -> Any:
        """Predict at places.

        Warns once, by an `ApplicabilityWarning`, of places unlike those of training; `applicability`
        tells which these are.

        Parameters
        ----------
        points : array-like, rows x 2
        features : array-like, rows x features
            Unscaled; left out where the model has none.
        return_std : bool
            Return a pair: predictions and the standard deviation of an observation.
        drop_missing : bool
            Rows with NaN are predicted as NaN instead of refused.
        threads : int, optional
            All cores by default. The result is the same on any number.
        """
        if return_std and not self.gives_deviation:
            raise UsageError("return_std: this model gives no standard deviation")
        mean, std = self._ask(points, features, return_std, drop_missing, threads)
        return (mean, std) if return_std else mean

    def forward(
        self, points: Any, features: Any = None, *, threads: int | None = None
    ) -> Forward:
        """What a network computes at places: encoder, embedding, auxiliary head, members."""
        points, features = self._rows(points, features)
        found = self._native.activations(
            points, features, _options.engine_threads(threads), talk_for(0)
        )
        return Forward(found["pred"], found["encoder"], found["embedding"], found["moran"])

    def applicability(
        self, points: Any, features: Any = None, *, threads: int | None = None
    ) -> Applicability:
        """How far places are from what was learned from, and whether that is near enough.

        After Meyer and Pebesma (Methods in Ecology and Evolution 12, 2021); every feature counts
        alike, and the ground has a threshold of its own.

        Examples
        --------
        >>> import pegnn
        >>> model = pegnn.train(pegnn.sample(), "elevation", model="knn", no_features=True)
        >>> found = model.applicability([[7.6, 47.6], [-30.0, -50.0]])
        >>> found.inside.tolist(), (found.distance / 1000).round().tolist()
        ([True, False], [5.0, 1947.0])
        """
        points, features = self._rows(points, features)
        return Applicability(
            *self._native.applicability(
                points, features, _options.engine_threads(threads), talk_for(0)
            )
        )

    def predict_grid(
        self,
        bbox=None,
        res=None,
        *,
        size=None,
        crs=None,
        covariates=None,
        extrapolate: bool = False,
        applicability: bool = True,
        threads: int | None = None,
        verbose: int = 0,
    ) -> Grid:
        """Predict on the cells of a grid, which are chosen as `pegnn map` chooses them.

        Parameters
        ----------
        bbox : west, south, east, north, optional
            In `crs`; around the training points by default. On the globe west may be greater than
            east, around 180 degrees.
        res : float or pair, optional
            Size of a cell in units of `crs`; a round number by default.
        size : pair, optional
            Columns and rows, in place of `res`.
        crs : optional
            Of the grid, as pyproj takes it; that of the model by default.
        covariates : mapping, optional
            For each feature of the model its values in the cells: an array of rows and columns,
            north up; an `xarray.DataArray`; or the path of a raster, asked at the centres of the
            cells (``"file.tif#2"`` is its second band). Where nothing else is said of the grid, it
            is that of the first. Cells without a value in each of them are NaN.
        extrapolate : bool
            Allow a map far away from all training points.
        applicability : bool
            Tell the distance to the nearest training point and where the model may be believed.
        threads : int, optional
            All cores by default; the result is the same on any number.
        verbose : int
            1 shows notes and a bar.

        Returns
        -------
        Grid

        Examples
        --------
        >>> import pegnn
        >>> model = pegnn.train(pegnn.sample(), "elevation", model="knn", no_features=True)
        >>> alps = model.predict_grid((5, 44, 16, 48), res=0.5)
        >>> alps
        <pegnn.Grid of 22 x 8 cells: elevation>
        >>> alps.x[0].item(), alps.y[0].item()
        (5.25, 47.75)
        """
        return predict_grid(
            self._native, bbox, res, size, crs, covariates, extrapolate, applicability, threads,
            verbose,
        )

    def __repr__(self) -> str:
        info = self._about
        kind = info.options.described()[0]["value"]
        return (
            f"<pegnn.Model {kind}: '{info.roles.target}' learned from "
            f"{info.training_points:,} points>"
        )

    def _rows(self, points, features) -> tuple[np.ndarray, np.ndarray]:
        info = self._about
        points = numbers_of("points", points)
        if points.ndim != 2 or points.shape[1] != 2:
            raise UsageError(f"points: expected rows of two coordinates, not shape {points.shape}")
        width = len(info.roles.features)
        if features is None:
            if width:
                raise UsageError(
                    f"features: the model needs {', '.join(info.roles.features)} at every place"
                )
            features = np.empty((len(points), 0))
        features = numbers_of("features", features)
        if features.shape != (len(points), width):
            raise UsageError(
                f"features: expected shape {(len(points), width)}, not {features.shape}"
            )
        if info.roles.geographic:
            return on_the_globe(points), features
        with np.errstate(invalid="ignore"):
            far = (np.abs(points) > FARTHEST).any(axis=1)
        if far.any():
            row = int(np.argmax(far))
            raise DataError(f"row {row}: {points[row].tolist()} is beyond {FARTHEST:g}")
        return points, features

    def _ask(self, points, features, deviation, drop_missing, threads, warns=True):
        points, features = self._rows(points, features)
        whole = np.isfinite(points).all(axis=1) & np.isfinite(features).all(axis=1)
        threads = _options.engine_threads(threads)
        if whole.all():
            return self._predict(points, features, deviation, threads, warns)
        if not drop_missing:
            row = int(np.argmin(whole))
            raise DataError(
                f"row {row} has a missing or infinite value, {int((~whole).sum())} of "
                f"{len(whole)} rows do; drop_missing=True predicts NaN for them"
            )
        found = self._predict(points[whole], features[whole], deviation, threads, warns)
        return tuple(None if part is None else spread(part, whole) for part in found)

    def _predict(self, points, features, deviation, threads, warns):
        count_outside = warns and not self._has_warned
        mean, std, warning = self._native.predict_arrays(
            points, features, deviation, count_outside, threads, talk_for(0)
        )
        if warning:
            self._has_warned = True
            warn(f"{warning}; `applicability` tells which of them", ApplicabilityWarning)
        return mean, std


def load(file: str | os.PathLike) -> Model:
    """Read a model that the command or an estimator wrote.

    Parameters
    ----------
    file : path
        A model file, or a folder made by `pegnn train`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pegnn
    >>> table = pegnn.sample()
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "height.safetensors"
    >>> pegnn.train(table, target="elevation", model="knn", no_features=True).save(file)
    >>> pegnn.load(file)
    <pegnn.Model knn: 'elevation' learned from 7,184 points>
    """
    return Model.load(file)
