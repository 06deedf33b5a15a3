"""What all estimators have in common: scikit-learn's contract around the engine."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from pegnn import _columns, _inputs, _native, _options, _tables
from pegnn._errors import DataError, UsageError
from pegnn._model import Applicability, Model
from pegnn._places import spread
from pegnn._sklearn import checked_array, see_frame, seen_array
from pegnn._talk import Progress, Watcher, talk_for

Self = TypeVar("Self", bound="SpatialRegressor")

FEWEST_ROWS = 3  # one to predict, one to learn from, one to be its neighbour
PREDICTION, DEVIATION = "pred", "pred_sd"


class SpatialRegressor(RegressorMixin, BaseEstimator):
    """Base of the estimators; not made by itself. Coordinates are columns of X."""

    # What `--model` would say; None leaves it to the options.
    _engine_model: str | None = None
    # What scikit-learn's checks should know of it.
    _engine_tags: dict = {}
    # Parameters that are no options of the engine.
    _own_parameters = (
        "coords",
        "features",
        "no_features",
        "crs",
        "drop_missing",
        "threads",
        "verbose",
        "random_state",
        "seed",
        "preset",
    )

    # -- learning ---------------------------------------------------------------------------------

    def fit(
        self: Self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        callback: Callable[[Progress], object] | None = None,
        snapshot: str | os.PathLike | None = None,
        snapshot_every: int = 500,
        resume: bool = False,
    ) -> Self:
        """Learn `y` at the places of `X`.

        Parameters
        ----------
        X : array-like, DataFrame or GeoDataFrame
            A row for each observation. Coordinates are columns of it (see `coords`), or the points
            of a GeoDataFrame's geometry, in its CRS.
        y : array-like or str
            What is to be learned, or the name of a column of `X` that holds it.
        sample_weight : array-like, optional
            How much each row counts in what training minimises; rows of weight 0 are left out.
        callback : function, optional
            Called with a `pegnn.Progress` as training goes on. What it raises ends the run.
        snapshot : path, optional
            A file in which the state of a network's training is kept every `snapshot_every` steps,
            and when it is interrupted.
        resume : bool
            Go on from the snapshot of a run that was not finished, to the same bits.

        Returns
        -------
        self
        """
        snapshots = _options.snapshots_at(snapshot, snapshot_every, resume)
        return self._fit(X, y, sample_weight, callback, snapshots)

    def _fit(self: Self, X, y, sample_weight, callback, snapshots: _native.Snapshots) -> Self:
        before = dict(self.__dict__)
        try:
            self._learn(X, y, sample_weight, callback, snapshots)
        except BaseException:  # what was fitted before is left as it was
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        return self

    def _learn(self, X, y, sample_weight, callback, snapshots: _native.Snapshots) -> None:
        verbose = _options.whole_number("verbose", self.verbose, 0)
        data = self._read(X, y, sample_weight)
        options = _options.request(self._preset(), self._given_options()).options()
        table = data.table()
        roles = _native.resolve_roles(table, data.choice(), None)
        if data.plan.guessed:
            talk_for(verbose)("note", data.plan.describe())
        with Watcher(callback, verbose) as watcher:
            model, curve, shown, seconds = _native.train(
                table,
                roles,
                options,
                bool(self.drop_missing),
                snapshots,
                _options.engine_threads(self.threads),
                talk_for(verbose),
                watcher.function(),
            )
        self._inputs = data.plan
        self._set_model(Model(model))
        self.curve_ = [_measurement(p) for p in curve if p.measured]
        self.shown_ = shown
        self.fit_seconds_ = seconds

    def _preset(self) -> str:
        return getattr(self, "preset", "default")

    def _given_options(self) -> dict[str, object]:
        parameters = self.get_params(deep=False)
        given = {n: v for n, v in parameters.items() if n not in self._own_parameters}
        if self._engine_model is not None:
            given["model"] = self._engine_model
        given["seed"] = _options.engine_seed(
            parameters.get("seed"), parameters.get("random_state")
        )
        return given

    def _read(self, X, y, sample_weight):
        """The data in hand, checked, and the plan by which other data are read later."""
        by_name = isinstance(y, str)
        target = y if by_name else _inputs.name_of(y, "y")
        if by_name:
            X, y = _inputs.take_target(X, y)
        allow_nan = bool(self.drop_missing)
        if _tables.is_frame(X):
            see_frame(self, _tables.attributes_of(X), reset=True)
            plan = _inputs.plan_for_frame(X, self, by_name)
        else:
            X = seen_array(
                self, _tables.unmasked(X), reset=True, allow_nan=allow_nan, ensure_min_features=2
            )
            plan = _inputs.plan_for_array(X, self)
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        values = plan.read(X)
        self._check_values(values, FEWEST_ROWS)
        y = column_or_1d(_tables.unmasked(y), warn=True)
        if y.dtype.kind in "Mm":
            raise UsageError("y: these are dates; make numbers of them first")
        y = checked_array(y, allow_nan=allow_nan, ensure_2d=False, estimator=self, input_name="y")
        if len(y) != len(values):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: "
                f"{[len(values), len(y)]}"
            )
        weight = None if sample_weight is None else _weights(sample_weight, values.points)
        return _inputs.Observations(
            plan,
            values,
            target if by_name else _columns.new_name(target, plan.names),
            y,
            weight,
            _tables.source_of(X),
            _inputs.name_of(sample_weight, "sample_weight"),
        )

    def _check_values(self, values: _inputs.Values, fewest: int) -> None:
        """Rows enough, and numbers everywhere unless they may be missing."""
        allow_nan = bool(self.drop_missing)
        nowhere = np.isnan(values.points).any(axis=1)
        if values.geometry and not allow_nan and nowhere.any():
            raise DataError(
                f"X: row {int(np.argmax(nowhere))} has no geometry, which counts as NaN; "
                "drop_missing=True leaves such rows out"
            )
        for part in (values.points, values.features):
            if part.shape[1]:
                checked_array(
                    part,
                    allow_nan=allow_nan,
                    ensure_min_samples=fewest,
                    estimator=self,
                    input_name="X",
                )

    def _set_model(self, model: Model) -> None:
        info = model.info
        self.model_ = model
        self._inputs.keep(info["features"])
        self.features_ = list(info["features"])
        self.target_ = info["target"]
        self.metric_ = info["metric"]
        self.crs_ = self._inputs.crs
        self.best_step_ = info["best_step"]

    # -- asking -----------------------------------------------------------------------------------

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict at the places of `X`.

        Warns once, by an `ApplicabilityWarning`, of rows unlike those of training; `applicability`
        tells which these are.

        Parameters
        ----------
        X : array-like, DataFrame or GeoDataFrame
            Rows with the columns of training. A GeoDataFrame is converted to the CRS of training.
        return_std : bool
            Give the standard deviation of an observation too, where the model has one.

        Returns
        -------
        array, or a pair of arrays with `return_std`
            One prediction per row; NaN for rows with missing values under `drop_missing`. A
            GeoDataFrame comes back as one, with columns `pred` and `pred_sd`, where the model was
            fitted with the target's name (``fit(gdf, y="price")``).
        """
        check_is_fitted(self)
        frame_out = self._inputs.by_name and _tables.is_geo(X)
        deviation = return_std or (frame_out and self.model_.gives_deviation)
        if return_std and not self.model_.gives_deviation:
            raise UsageError(
                f"return_std: {type(self).__name__} gives no standard deviation with these options"
            )
        mean, std = self._answers(X, deviation)
        if not frame_out:
            return (mean, std) if return_std else mean
        columns = {PREDICTION: mean}
        if std is not None:
            columns[DEVIATION] = std
        return X.assign(**columns)

    def applicability(self, X: Any) -> Applicability:
        """How far the places of `X` are from those of training, and whether that is near enough.

        Parameters
        ----------
        X : array-like, DataFrame or GeoDataFrame
            As for `predict`.

        Returns
        -------
        Applicability
            Arrays `distance`, in metres on the globe, else in units, and `inside`, and the largest
            distance that is near enough, `reach`. Rows with missing values under `drop_missing` have
            the distance NaN and are not inside.
        """
        check_is_fitted(self)
        values = self._new_rows(X)
        points, features = values.points, values.features
        whole = np.isfinite(points).all(axis=1) & np.isfinite(features).all(axis=1)
        if whole.all():
            return self.model_.applicability(points, features, threads=self.threads)
        found = self.model_.applicability(points[whole], features[whole], threads=self.threads)
        inside = np.zeros(len(whole), dtype=bool)
        inside[whole] = found.inside
        return Applicability(spread(found.distance, whole), inside, found.reach)

    def predict_grid(self, bbox=None, res=None, *, size=None, crs=None, covariates=None,
                     extrapolate=False, applicability=True, threads=None, verbose=0):
        """Predict on the cells of a grid, as `Model.predict_grid` does.

        Parameters
        ----------
        bbox : west, south, east, north, optional
            Around the training points by default.
        res : float or pair, optional
            Size of a cell; a round number by default.
        size : pair, optional
            Columns and rows, in place of `res`.
        crs : optional
            Of the grid, as pyproj takes it; that of training by default.
        covariates : mapping, optional
            For each of `features_` its values in the cells: an array, north up, an
            `xarray.DataArray` or the path of a raster.
        extrapolate : bool
            Allow a map far away from all training points.
        applicability : bool
            Tell the distance to the nearest training point and where the model may be believed.
        threads : int, optional
            Those of the estimator by default.
        verbose : int
            1 shows notes and a bar.

        Returns
        -------
        Grid
            Predictions north up, with `to_xarray` and `save`.
        """
        check_is_fitted(self)
        return self.model_.predict_grid(
            bbox, res, size=size, crs=crs, covariates=covariates, extrapolate=extrapolate,
            applicability=applicability, threads=self.threads if threads is None else threads,
            verbose=verbose,
        )

    def _answers(self, X, deviation: bool, warns: bool = True):
        values = self._new_rows(X)
        return self.model_._ask(
            values.points, values.features, deviation, bool(self.drop_missing), self.threads, warns
        )

    def _new_rows(self, X):
        plan = self._inputs
        if _tables.is_frame(X) and plan.columns is not None:
            if not plan.by_name:
                see_frame(self, _tables.attributes_of(X), reset=False)
        elif plan.geometry:
            raise UsageError(
                "X: the model was fitted on a GeoDataFrame; give one, or points and features to "
                "model_.predict"
            )
        else:  # checked as it is taken
            X = seen_array(
                self, _tables.unmasked(X), reset=False, allow_nan=bool(self.drop_missing)
            )
            return plan.read(X)
        values = plan.read(X)
        plan.warn_of_crs(X)
        self._check_values(values, 1)
        return values

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The coefficient of determination R² of predictions at `X`.

        `y` is an array or the name of a column of `X`; by default the name used in `fit`. Under
        `drop_missing` rows with missing values do not count.
        """
        check_is_fitted(self)
        if y is None and self._inputs.by_name:
            y = self.target_
        if isinstance(y, str):
            _, y = _inputs.take_target(X, y)
        predicted = self._answers(X, False, warns=False)[0]  # the error itself will tell
        if self.drop_missing:  # what is missing cannot be judged
            kept = np.isfinite(predicted) & np.isfinite(np.asarray(y, dtype=np.float64))
            y, predicted = np.asarray(y)[kept], predicted[kept]
            sample_weight = None if sample_weight is None else np.asarray(sample_weight)[kept]
        return float(r2_score(y, predicted, sample_weight=sample_weight))

    # -- files ------------------------------------------------------------------------------------

    def save(self, file: str | os.PathLike) -> None:
        """Write the model to a file that the command and `pegnn.load` read."""
        check_is_fitted(self)
        self.model_.save(file)

    # -- scikit-learn -----------------------------------------------------------------------------

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self):  # from 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = bool(self.drop_missing)
        tags.regressor_tags.poor_score = bool(self._engine_tags.get("poor_score", False))
        return tags

    def _more_tags(self):  # before
        return {"allow_nan": bool(self.drop_missing), **self._engine_tags}


class UnweightedRegressor(SpatialRegressor):
    """Base of those that cannot weigh rows."""

    def fit(  # type: ignore[override]
        self: Self,
        X: Any,
        y: Any = None,
        *,
        callback: Callable[[Progress], object] | None = None,
    ) -> Self:
        """Learn `y` at the places of `X`.

        Parameters
        ----------
        X : array-like, DataFrame or GeoDataFrame
            A row for each observation. Coordinates are columns of it (see `coords`), or the points
            of a GeoDataFrame's geometry, in its CRS.
        y : array-like or str
            What is to be learned, or the name of a column of `X` that holds it.
        callback : function, optional
            Called with a `pegnn.Progress` as training goes on. What it raises ends the run.

        Returns
        -------
        self
        """
        return self._fit(X, y, None, callback, _native.Snapshots())


def _weights(given, points: np.ndarray) -> np.ndarray:
    weights = _check_sample_weight(given, points, dtype=np.float64)
    if (weights < 0).any():
        row = int(np.argmax(weights < 0))
        raise DataError(f"sample_weight: {weights[row]:g} in row {row} is negative")
    if not weights.any():
        raise DataError("sample_weight: every row has weight 0")
    return weights


def _measurement(progress) -> dict:
    return {
        "part": progress.part,
        "step": progress.step,
        "loss": progress.loss,
        "main": progress.main,
        "auxiliary": progress.auxiliary,
        "validation": progress.validation,
        "seconds": progress.seconds,
    }
