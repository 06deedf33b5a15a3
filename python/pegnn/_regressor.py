"""What all estimators have in common: scikit-learn's contract around the engine."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, column_or_1d

from pegnn import _inputs, _native, _options, _tables
from pegnn._errors import UsageError
from pegnn._model import Model
from pegnn._sklearn import checked_array, see_frame, seen_array
from pegnn._talk import Watcher, talk_for

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

    def fit(self, X, y=None, sample_weight=None, *, callback=None, **resuming):
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
        snapshot, snapshot_every, resume : path, int, bool
            A file in which the state of a network's training is kept every so many steps, and when
            it is interrupted; with ``resume=True`` it is continued from there, to the same bits.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, callback, **resuming)

    def _fit(self, X, y, sample_weight, callback, *, snapshot="", snapshot_every=500, resume=False):
        data = self._read(X, y, sample_weight)
        given = self._given_options()
        options = _options.request(self._preset(), given).options()
        table = data.table()
        with Watcher(callback, self._verbosity()) as watcher:
            model, curve, shown, seconds = _native.train(
                table,
                _native.resolve_roles(table, data.choice(), None),
                options,
                bool(self.drop_missing),
                _native.Snapshots(snapshot or "", snapshot_every, resume),
                _options.engine_threads(self.threads),
                talk_for(self._verbosity()),
                watcher.function(),
            )
        self._inputs = data.plan
        self._set_model(Model(model))
        self.curve_ = [_measurement(p) for p in curve if p.measured]
        self.shown_ = shown
        self.fit_seconds_ = seconds
        return self

    def _preset(self) -> str:
        return getattr(self, "preset", "default")

    def _verbosity(self) -> int:
        return int(self.verbose)

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
        target = _inputs.target_name(X, y)
        if by_name:
            X, y = _inputs.take_target(X, y)
        if _tables.is_frame(X):
            see_frame(self, X, reset=True)
            plan = _inputs.plan_for_frame(X, self, by_name)
        else:
            X = seen_array(
                self, X, reset=True, allow_nan=bool(self.drop_missing), ensure_min_features=2
            )
            plan = _inputs.plan_for_array(X, self)
        if y is None:
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        values = plan.read(X)
        settings = dict(allow_nan=bool(self.drop_missing), estimator=self)
        checked_array(
            values.array,
            ensure_min_samples=FEWEST_ROWS,
            ensure_min_features=0,
            input_name="X",
            **settings,
        )
        y = checked_array(column_or_1d(y, warn=True), ensure_2d=False, input_name="y", **settings)
        if len(y) != len(values.array):
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: "
                f"{[len(values.array), len(y)]}"
            )
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, values.array, dtype=np.float64)
        return _inputs.Observations(plan, values, target, y, sample_weight, _tables.source_of(X))

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

    def predict(self, X, return_std: bool = False):
        """Predict at the places of `X`.

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

    def _answers(self, X, deviation: bool):
        values = self._new_rows(X)
        return self.model_._ask(
            values.points, values.features, deviation, bool(self.drop_missing), self.threads
        )

    def _new_rows(self, X):
        plan = self._inputs
        if _tables.is_frame(X) and plan.columns is not None:
            if not plan.by_name:
                see_frame(self, X, reset=False)
        elif plan.geometry:
            raise UsageError(
                "X: the model was fitted on a GeoDataFrame; give one, or points and features to "
                "model_.predict"
            )
        else:  # checked as it is taken
            return plan.read(
                seen_array(self, X, reset=False, allow_nan=bool(self.drop_missing))
            )
        values = plan.read(X)
        plan.warn_of_crs(X)
        checked_array(
            values.array,
            allow_nan=bool(self.drop_missing),
            ensure_min_features=0,
            estimator=self,
            input_name="X",
        )
        return values

    def score(self, X, y=None, sample_weight=None) -> float:
        """The coefficient of determination R² of predictions at `X`.

        `y` is an array or the name of a column of `X`; by default the name used in `fit`.
        """
        check_is_fitted(self)
        if y is None and self._inputs.by_name:
            y = self.target_
        if isinstance(y, str):
            _, y = _inputs.take_target(X, y)
        return float(r2_score(y, self._answers(X, False)[0], sample_weight=sample_weight))

    # -- files ------------------------------------------------------------------------------------

    def save(self, file) -> None:
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

    def fit(self, X, y=None, *, callback=None):
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
        return self._fit(X, y, None, callback)


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
