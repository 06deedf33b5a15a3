"""What differs between versions of scikit-learn, in one place."""

from __future__ import annotations

import inspect

import numpy as np
from sklearn.utils import check_array

try:  # from 1.6 on these are functions
    from sklearn.utils.validation import _check_feature_names, _check_n_features, validate_data
except ImportError:  # before, methods of estimators

    def validate_data(estimator, X, **settings):
        return estimator._validate_data(X, **settings)

    def _check_feature_names(estimator, X, *, reset):
        estimator._check_feature_names(X, reset=reset)

    def _check_n_features(estimator, X, *, reset):
        estimator._check_n_features(X, reset=reset)


# 1.6 gave it another name.
_FINITE = next(n for n in inspect.signature(check_array).parameters if n.endswith("_all_finite"))


def checked_array(X, *, allow_nan: bool, **settings) -> np.ndarray:
    """`check_array` of doubles; infinite values are never allowed."""
    settings[_FINITE] = "allow-nan" if allow_nan else True
    return check_array(X, dtype=np.float64, **settings)


def seen_array(estimator, X, *, reset: bool, allow_nan: bool, **settings) -> np.ndarray:
    """The same for X, whose width and names are kept (`reset`) or held against those of fit."""
    settings[_FINITE] = "allow-nan" if allow_nan else True
    return validate_data(estimator, X, reset=reset, dtype=np.float64, **settings)


def see_frame(estimator, X, *, reset: bool) -> None:
    """Keeps width and names of a frame, or holds them against those of fit."""
    _check_feature_names(estimator, X, reset=reset)
    _check_n_features(estimator, X, reset=reset)
