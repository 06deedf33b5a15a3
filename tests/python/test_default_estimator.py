"""scikit-learn's own checks of the default network, which takes minutes to train so often."""

import warnings

import pegnn
import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator


@pytest.mark.slow
def test_the_default_network_passes_the_checks_of_scikit_learn_and_skips_none():
    with warnings.catch_warnings():
        warnings.simplefilter("error", SkipTestWarning)
        check_estimator(pegnn.PEGNNRegressor())
