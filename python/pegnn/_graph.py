"""The graph of nearest neighbours, as the engine builds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pegnn import _native, _options, _places
from pegnn._errors import UsageError

DATA = ("lengths", "weights", "binary")
MOST_NEIGHBOURS = 1024


@dataclass(frozen=True, eq=False)
class NeighbourGraph:
    """Who listens to whom: the edges of row i are ``offsets[i]:offsets[i + 1]``, nearest first.

    Parameters
    ----------
    offsets : array of int64, rows + 1
    columns : array of int32
        The other end of each edge.
    lengths : array
        Metres on the globe, else in the unit of the coordinates.
    weights : array
        What a network sees of the lengths.
    index : optional
        Labels of the rows, those of the frame; None: they are counted from 0.

    Examples
    --------
    >>> import pegnn
    >>> graph = pegnn.knn_graph([[0, 0], [3, 0], [0, 4]], k=1, metric="planar")
    >>> graph
    <pegnn.NeighbourGraph of 3 rows, 3 edges>
    >>> graph.columns.tolist(), graph.lengths.tolist()
    ([1, 0, 0], [3.0, 3.0, 4.0])
    """

    offsets: np.ndarray
    columns: np.ndarray
    lengths: np.ndarray
    weights: np.ndarray
    index: object = None

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return f"<pegnn.NeighbourGraph of {len(self):,} rows, {len(self.columns):,} edges>"

    def to_csr(self, data: str = "lengths"):
        """As a `scipy.sparse.csr_matrix`, row i with the neighbours of i.

        An edge of length or weight 0 is an entry all the same. Neighbours stand nearest first, as
        scikit-learn asks of precomputed graphs; call `sort_indices` for another order.

        Parameters
        ----------
        data : str
            lengths, weights, or binary: 1 for every edge.

        Examples
        --------
        >>> import pegnn
        >>> graph = pegnn.knn_graph([[0, 0], [3, 0], [0, 4]], k=1, metric="planar")
        >>> graph.to_csr().toarray().tolist()
        [[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [4.0, 0.0, 0.0]]
        """
        from scipy.sparse import csr_matrix

        if data not in DATA:
            raise UsageError(f"data: {data!r} is none of {', '.join(DATA)}")
        values = np.ones(len(self.columns)) if data == "binary" else getattr(self, data)
        shape = (len(self), len(self))
        return csr_matrix((values.copy(), self.columns.copy(), self.offsets.copy()), shape=shape)

    def to_libpysal(self):
        """As a `libpysal.weights.W` of binary weights, as `libpysal.weights.KNN` gives it.

        Its ids are the labels of the rows. Set its `transform` to "r" for weights that sum to 1.

        Examples
        --------
        >>> import pegnn
        >>> w = pegnn.knn_graph([[0, 0], [3, 0], [0, 4]], k=1, metric="planar").to_libpysal()
        >>> w[2]
        {0: 1.0}
        """
        try:
            from libpysal.weights import W
        except ImportError:
            raise UsageError("to_libpysal needs the package libpysal") from None
        if len(self) == 0:
            raise UsageError("to_libpysal: libpysal knows no weights without rows")
        ids = range(len(self)) if self.index is None else self.index
        ids = list(ids)
        if len(set(ids)) < len(ids):
            raise UsageError(
                "to_libpysal: labels of rows appear twice in the index, and libpysal needs each "
                "once; reset_index() makes them so"
            )
        ends = self.offsets.tolist()
        neighbours = {
            label: [ids[c] for c in self.columns[ends[i] : ends[i + 1]].tolist()]
            for i, label in enumerate(ids)
        }
        return W(neighbours, id_order=ids)


def knn_graph(
    X,
    k: int = 5,
    *,
    coords=None,
    metric: str = "auto",
    edge_weight: str = "minmax",
    crs=None,
    threads: int | None = None,
) -> NeighbourGraph:
    """The k nearest neighbours of every row among the others, exact, on the globe or in the plane.

    Of neighbours equally far the lower row comes first. Rows in one place are neighbours, at a
    length of 0. Where there are fewer than k other rows, all of them are neighbours. Ctrl-C cannot
    interrupt it midway: it takes effect when the graph is done.

    Parameters
    ----------
    X : array-like, DataFrame or GeoDataFrame
        Coordinates, found as estimators find them: the columns that `coords` names, those with
        usual names, or the first two; of a GeoDataFrame its points.
    k : int
        Neighbours of each row, from 1 to 1024.
    coords : tuple, optional
        Columns with the coordinates, by name or position.
    metric : str
        auto takes great-circle for longitude and latitude and planar for x and y; degrees is
        Euclidean on raw degrees.
    edge_weight : str
        Length to weight: minmax (dmax-d)/(dmax-dmin), gaussian exp(-d2/2l2) with l the median
        length, binary 1.
    crs : optional
        What the coordinates are in, as pyproj takes it; a GeoDataFrame has its own.
    threads : int, optional
        All cores by default; the result is the same on any number.

    Returns
    -------
    NeighbourGraph
        Its `to_csr` gives a scipy matrix, its `to_libpysal` weights of PySAL; `pegnn.layers` take
        it as it is.

    Examples
    --------
    >>> import pegnn
    >>> graph = pegnn.knn_graph([[179.5, 0.0], [-179.5, 0.0], [170.0, 0.0]], k=1)
    >>> graph.columns.tolist()
    [1, 0, 0]
    >>> graph.to_csr()[0, 1].round()
    111195.0
    """
    places = _places.read_places(X, _places.Wanted(coords, crs, metric))
    _places.refuse_missing(places)
    found = _native.neighbour_graph(
        places.points,
        places.metric,
        _options.whole_number("k", k, 1, MOST_NEIGHBOURS),
        str(edge_weight),
        _options.engine_threads(threads),
    )
    return NeighbourGraph(*found, index=places.index)


def as_graph(graph) -> NeighbourGraph:
    """A NeighbourGraph as it is; of a sparse matrix, the entries of row i are the edges of i."""
    if isinstance(graph, NeighbourGraph):
        return graph
    if not hasattr(graph, "tocsr"):
        raise UsageError(
            f"graph: expected what knn_graph gives or a scipy sparse matrix, not a "
            f"{type(graph).__name__}"
        )
    matrix = graph.tocsr()
    if matrix.shape[0] != matrix.shape[1]:
        raise UsageError(f"graph: a matrix of {matrix.shape[0]} x {matrix.shape[1]} is not square")
    weights = np.asarray(matrix.data, dtype=np.float64)
    return NeighbourGraph(
        matrix.indptr.astype(np.int64),
        matrix.indices.astype(np.int32),
        np.full_like(weights, np.nan),
        weights,
    )
