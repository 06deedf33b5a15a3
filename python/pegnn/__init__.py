"""Learn a quantity over geography from a table of points and predict it anywhere.

Estimators in scikit-learn's contract (`PEGNNRegressor` and the baselines), the commands of `pegnn`
as functions (`train`, `evaluate`, `compare`, `moran`), and the parts of the method on numpy arrays
(`knn_graph`, `sinusoidal_transform`, `local_moran`, `layers`). No PyTorch is needed: the engine is
C++.

>>> import pegnn
>>> airports = pegnn.sample()
>>> model = pegnn.KrigingRegressor().fit(airports[["longitude", "latitude"]], airports["elevation"])
>>> model.predict(airports[["longitude", "latitude"]][:3]).shape
(3,)
"""

from pegnn import layers
from pegnn._errors import (
    ApplicabilityWarning,
    DataError,
    Error,
    ModelError,
    OutOfMemoryError,
    PegnnWarning,
    ResourceError,
    TrainingError,
    UsageError,
)
from pegnn._graph import NeighbourGraph, knn_graph
from pegnn._grid import Grid
from pegnn._lists import options, parts
from pegnn._model import Applicability, Forward, Model, load
from pegnn._moran import MoranResult, moran
from pegnn._native import __version__
from pegnn._tables import read_table, sample
from pegnn._talk import Progress, ProgressBar
from pegnn._verbs import compare, evaluate, train
from pegnn.estimators import *  # noqa: F403
from pegnn.estimators import __all__ as _estimators
from pegnn.layers import local_moran, sinusoidal_transform
from pegnn.model_selection import SpatialBlockFold, SpatialBlockSplit

__all__ = [
    *_estimators,
    "Applicability",
    "ApplicabilityWarning",
    "DataError",
    "Error",
    "Forward",
    "Grid",
    "Model",
    "ModelError",
    "MoranResult",
    "NeighbourGraph",
    "OutOfMemoryError",
    "PegnnWarning",
    "Progress",
    "ProgressBar",
    "ResourceError",
    "SpatialBlockFold",
    "SpatialBlockSplit",
    "TrainingError",
    "UsageError",
    "__version__",
    "compare",
    "evaluate",
    "knn_graph",
    "layers",
    "load",
    "local_moran",
    "moran",
    "options",
    "parts",
    "read_table",
    "sample",
    "sinusoidal_transform",
    "train",
]
