"""The layers of the method on numpy arrays, for those who build something else of them.

Backbones and encoders are functions of arrays and of parameters that the caller keeps, in double
and without dropout; parameters have the names and shapes that they have in the model file.

>>> import numpy as np
>>> import pegnn
>>> from pegnn import layers
>>> airports = pegnn.sample().head(100)
>>> points = airports[["longitude", "latitude"]].to_numpy()
>>> scales = dict(scales=4, sigma_min=0.1, sigma_max=360, embedding=8)
>>> place = layers.encoder(points, layers.encoder_parameters(**scales), **scales)
>>> graph = pegnn.knn_graph(points, k=5)
>>> parameters = layers.backbone_parameters("gcn", 8, width=16)
>>> layers.backbone("gcn", place, graph, parameters, width=16).shape
(100, 16)
"""

from __future__ import annotations

import numpy as np

from pegnn import _native, _options
from pegnn._errors import UsageError
from pegnn._graph import as_graph
from pegnn._moran import one_for_each
from pegnn._options import real_number, whole_number
from pegnn._places import numbers_of, rows_of

MOST_SCALES = 4096

__all__ = [
    "backbone",
    "backbone_parameters",
    "encoder",
    "encoder_parameters",
    "local_moran",
    "sinusoidal_transform",
]


def sinusoidal_transform(
    points,
    scales: int = 16,
    sigma_min: float = 1e-6,
    sigma_max: float = 360.0,
    *,
    threads: int | None = None,
) -> np.ndarray:
    """Sine and cosine of the coordinates at several scales: what the encoder `grid` begins with.

    Coordinates are divided by scales in geometric steps from `sigma_min` to `sigma_max`, by default
    those of the published code. They are taken as they are, in degrees or in any unit. Ctrl-C
    cannot interrupt it midway: it takes effect when all rows are done.

    Parameters
    ----------
    points : array-like, rows x 2
    scales : int
        From 1 to 4096.
    sigma_min, sigma_max : float
        Finest and coarsest scale, in the unit of the coordinates.

    Returns
    -------
    array, rows x 4 scales
        By coordinate, then scale, then sine and cosine.

    Examples
    --------
    >>> import pegnn
    >>> pegnn.sinusoidal_transform([[0.0, 90.0]], 2, 1.0, 180.0).round(3).tolist()
    [[0.0, 1.0, 0.0, 1.0, 0.894, -0.448, 0.479, 0.878]]
    """
    return _native.sinusoidal_transform(
        _points(points),
        whole_number("scales", scales, 1, MOST_SCALES),
        real_number("sigma_min", sigma_min),
        real_number("sigma_max", sigma_max),
        _options.engine_threads(threads),
    )


def local_moran(values, graph, *, threads: int | None = None) -> np.ndarray:
    """Local Moran's I with the weights of a graph: the target of the auxiliary task (Eq. 5).

    Parameters
    ----------
    values : array-like
        One for each row of the graph.
    graph : NeighbourGraph or scipy sparse matrix
        Row i holds the weights of the neighbours of i; they are taken as they are.

    Returns
    -------
    array
        All 0 where the values are all equal.

    Examples
    --------
    >>> import pegnn
    >>> graph = pegnn.knn_graph([[0, 0], [1, 0], [9, 0], [10, 0]], k=1, edge_weight="binary")
    >>> pegnn.local_moran([1.0, 2.0, 9.0, 10.0], graph).round(2).tolist()
    [0.73, 0.73, 0.73, 0.73]
    """
    graph = as_graph(graph)
    return _native.local_moran(
        one_for_each(values, len(graph), "values"),
        graph.offsets,
        graph.columns,
        graph.weights,
        _options.engine_threads(threads),
    )


def backbone_parameters(name: str, inputs: int, **options) -> dict[str, np.ndarray]:
    """Parameters of a backbone before training.

    Parameters
    ----------
    name : str
        One that exchanges messages along a graph: gcn, gat, sage, mlp, ...; see
        ``pegnn.parts("backbones")``.
    inputs : int
        Columns of what it will be given.
    **options
        What it shall be like: `layers`, `width`, `heads`, `seed`, ...; those left out are as in the
        preset paper. ``pegnn.options()`` lists them.

    Returns
    -------
    dict
        Name to matrix; weights are outputs x inputs, as PyTorch has them.

    Examples
    --------
    >>> from pegnn import layers
    >>> found = layers.backbone_parameters("gcn", 3, layers=1, width=8)
    >>> {name: matrix.shape for name, matrix in found.items()}
    {'backbone.0.weight': (8, 3), 'backbone.0.bias': (1, 8)}
    """
    return _native.backbone_parameters(
        _requested("backbone", name, options), whole_number("inputs", inputs)
    )


def backbone(name: str, x, graph, parameters, *, threads: int | None = None, **options):
    """What a backbone makes of the rows of `x` on a graph: their embedding.

    Parameters
    ----------
    name : str
    x : array-like, rows x inputs
    graph : NeighbourGraph or scipy sparse matrix
        Row i holds the weights of those that i listens to.
    parameters : mapping of names to arrays
        As `backbone_parameters` names them.
    **options
        As there.

    Returns
    -------
    array, rows x width

    Examples
    --------
    >>> import numpy as np, pegnn
    >>> from pegnn import layers
    >>> graph = pegnn.knn_graph([[0, 0], [1, 0], [2, 0]], k=1, edge_weight="binary")
    >>> identity = {"backbone.0.weight": np.eye(2), "backbone.0.bias": np.zeros(2)}
    >>> x = [[1.0, 0.0], [0.0, 1.0], [3.0, 3.0]]
    >>> layers.backbone("gcn", x, graph, identity, layers=1, width=2).round(6).tolist()
    [[0.5, 0.5], [0.5, 0.5], [1.5, 2.0]]
    """
    graph = as_graph(graph)
    return _native.run_backbone(
        _requested("backbone", name, options),
        graph.offsets,
        graph.columns,
        graph.weights,
        numbers_of("x", x),
        _matrices(parameters),
        _options.engine_threads(threads),
    )


def encoder_parameters(name: str = "grid", **options) -> dict[str, np.ndarray]:
    """Parameters of a positional encoder before training.

    Parameters
    ----------
    name : str
        See ``pegnn.parts("encoders")``.
    **options
        `sigma_min` and `sigma_max`, in the unit of the coordinates, are needed; `scales`,
        `embedding`, `encoder_network`, `encoder_hidden`, `seed` are as in the preset paper where
        left out.

    Examples
    --------
    >>> from pegnn import layers
    >>> found = layers.encoder_parameters(scales=4, sigma_min=0.1, sigma_max=10, embedding=5)
    >>> {name: matrix.shape for name, matrix in found.items()}
    {'encoder.0.weight': (5, 16), 'encoder.0.bias': (1, 5)}
    """
    return _native.encoder_parameters(_encoder(name, options))


def encoder(points, parameters, name: str = "grid", *, threads: int | None = None, **options):
    """What a positional encoder says of places.

    Parameters
    ----------
    points : array-like, rows x 2
    parameters : mapping of names to arrays
        As `encoder_parameters` names them.
    name : str
    **options
        As there.

    Returns
    -------
    array, rows x embedding

    Examples
    --------
    >>> from pegnn import layers
    >>> scales = dict(scales=2, sigma_min=1, sigma_max=10, embedding=3)
    >>> layers.encoder([[4.9, 52.4]], layers.encoder_parameters(**scales), **scales).shape
    (1, 3)
    """
    return _native.run_encoder(
        _encoder(name, options),
        _points(points),
        _matrices(parameters),
        _options.engine_threads(threads),
    )


def _requested(part: str, name: str, options: dict) -> _native.Options:
    """Options as in the preset paper but for those given, of the part that `name` names."""
    if part in options:
        raise UsageError(
            f"{part}: {name!r} is named already; leave out {part}={options[part]!r}, or give it as "
            "the name"
        )
    return _options.request("paper", {part: name, **options}).options()


def _encoder(name: str, options: dict) -> _native.Options:
    """Of an encoder; there is no table here to take the scales from."""
    request = _requested("encoder", name, options)
    missing = [word for word in ("sigma_min", "sigma_max") if not options.get(word)]
    if missing and name != "none":
        raise UsageError(
            f"{' and '.join(missing)}: give the finest scale as sigma_min and the coarsest as "
            "sigma_max, positive numbers in the unit of the coordinates"
        )
    return request


def _points(points) -> np.ndarray:
    points = rows_of("points", points)
    if points.ndim != 2 or points.shape[1] != 2:
        raise UsageError(f"points: expected rows of two coordinates, not shape {points.shape}")
    return points


def _matrices(parameters) -> dict[str, np.ndarray]:
    """Vectors, as PyTorch has biases, are matrices of one row."""
    if not hasattr(parameters, "items"):
        raise UsageError("parameters: expected a mapping of names to arrays")
    found = {}
    for name, values in parameters.items():
        matrix = numbers_of(f"parameters[{name!r}]", values)
        found[str(name)] = matrix[None, :] if matrix.ndim == 1 else matrix
    return found
