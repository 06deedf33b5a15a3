"""scikit-learn's own checks of the default network, which takes minutes to train so often."""

import pegnn
import pytest
from sklearn.utils.estimator_checks import check_estimator


@pytest.mark.slow
def test_the_default_network_passes_the_checks_of_scikit_learn():
    check_estimator(pegnn.PEGNNRegressor())
