"""Moran's I, global and local."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pegnn import _inputs, _native, _options, _places, _tables
from pegnn._errors import DataError, UsageError
from pegnn._graph import MOST_NEIGHBOURS
from pegnn._options import real_number, whole_number
from pegnn._places import numbers_of
from pegnn._talk import warn

FEWEST_ROWS = 3
MOST_PERMUTATIONS = 1_000_000


@dataclass(frozen=True, eq=False)
class MoranResult:
    """Moran's I of values on the graph of nearest neighbours, by the names of PySAL's esda.

    Arrays have an entry for every row; in rows that were left out NaN, of `q` 0 and of `cluster`
    an empty word.

    Attributes
    ----------
    I : float
        Global; NaN where the values are all equal.
    EI : float
        Expected without autocorrelation, -1 / (n - 1).
    p_sim : float
        Pseudo p-value of I, of one side; NaN without permutations.
    z_sim : float
        (I - mean of the permutations) / their standard deviation.
    Is : array
        Local I.
    lag : array
        Sum of the neighbours' z by their weights.
    z : array
        (value - mean) / standard deviation.
    p : array
        Local pseudo p-values; `p_sim` of esda's Moran_Local.
    q : array of int
        Quadrant: 1 HH, 2 LH, 3 LL, 4 HL; 0 where there is none.
    p_fdr : array
        p adjusted for as many tests as rows (Benjamini and Hochberg).
    cluster : array of str
        HH, LH, LL, HL where significant, else ns; empty without permutations.
    k, weights, permutations, seed, alpha, fdr : int, str, int, int, float, str
        What was asked for.
    permutations_needed : int
        Where p calls rows significant and p_fdr none, for want of permutations: how many would do;
        0 where more would not help.
    index : object
        Of the frame; None for an array.

    Examples
    --------
    >>> import pegnn
    >>> found = pegnn.moran([[0, 0], [1, 0], [9, 0], [10, 0]], [1.0, 2.0, 9.0, 10.0], k=1, seed=1)
    >>> found
    <pegnn.MoranResult I=0.9692, p_sim=0.322, 4 rows, 1 neighbours>
    >>> found.q.tolist()
    [3, 3, 1, 1]
    """

    I: float  # noqa: E741
    EI: float
    p_sim: float
    z_sim: float
    Is: np.ndarray
    lag: np.ndarray
    z: np.ndarray
    p: np.ndarray
    q: np.ndarray
    p_fdr: np.ndarray
    cluster: np.ndarray
    k: int
    weights: str
    permutations: int
    seed: int
    alpha: float
    fdr: str
    permutations_needed: int
    index: object = None

    def __repr__(self) -> str:
        return (
            f"<pegnn.MoranResult I={self.I:.4g}, p_sim={self.p_sim:.3g}, {len(self.Is):,} rows, "
            f"{self.k} neighbours>"
        )

    def to_frame(self):
        """The local statistics as a DataFrame with the caller's index.

        Columns are those that `pegnn moran -o` adds: Is, lag, p_sim, p_fdr, q and cluster.
        """
        import pandas

        columns = {
            "Is": self.Is,
            "lag": self.lag,
            "p_sim": self.p,
            "p_fdr": self.p_fdr,
            "q": self.q,
            "cluster": self.cluster,
        }
        return pandas.DataFrame(columns, index=self.index)


def moran(
    X,
    values,
    k: int = 5,
    *,
    weights: str = "row",
    permutations: int = 999,
    seed: int = 0,
    alpha: float = 0.05,
    fdr: str = "bh",
    coords=None,
    metric: str = "auto",
    crs=None,
    drop_missing: bool = False,
    threads: int | None = None,
) -> MoranResult:
    """Global and local Moran's I with permutation p-values, as `pegnn moran` gives them.

    Parameters
    ----------
    X : array-like, DataFrame or GeoDataFrame
        Where the values were observed; coordinates are found as estimators find them.
    values : array-like or str
        One for each row, or the name of a column of `X`.
    k : int
        Neighbours of each row.
    weights : str
        row: each neighbour counts 1/k; binary: each 1.
    permutations : int
        Of the tests; 0 for none. p-values are esda's: of one side, double them for two.
    seed : int
        What permutations are drawn from: the same seed, the same p-values.
    alpha : float
        Level of the local tests: up to it a row is in a cluster.
    fdr : str
        bh: clusters go by `p_fdr`, so that few of them are false (Benjamini and Hochberg); none:
        by `p`.
    coords : tuple, optional
        Columns with the coordinates, by name or position.
    metric : str
        auto takes great-circle for longitude and latitude and planar for x and y.
    crs : optional
        What the coordinates are in, as pyproj takes it; a GeoDataFrame has its own.
    drop_missing : bool
        Leave out rows without a value or a place instead of refusing them.
    threads : int, optional
        All cores by default; the result is the same on any number.

    Returns
    -------
    MoranResult

    Examples
    --------
    >>> import pegnn
    >>> airports = pegnn.sample()
    >>> found = pegnn.moran(airports, "elevation", permutations=99)
    >>> round(found.I, 2), found.p_sim
    (0.69, 0.01)
    >>> found.to_frame().columns.tolist()
    ['Is', 'lag', 'p_sim', 'p_fdr', 'q', 'cluster']
    """
    _check_word("weights", weights, ("row", "binary"))
    _check_word("fdr", fdr, ("bh", "none"))
    k = whole_number("k", k, 1, MOST_NEIGHBOURS)
    permutations = whole_number("permutations", permutations, 0, MOST_PERMUTATIONS)
    seed = whole_number("seed", seed, 0, 2**63 - 1)
    alpha = real_number("alpha", alpha)
    if not 0 <= alpha <= 1:
        raise UsageError(f"alpha: {alpha!r} is not between 0 and 1")
    name = values if isinstance(values, str) else "values"
    if isinstance(values, str):
        X, values = _inputs.take_target(X, values, "values")
    places = _places.read_places(X, _places.Wanted(coords, crs, metric))
    numbers = one_for_each(values, len(places), "values")
    used = _usable(places, numbers, drop_missing)
    rows = int(used.sum())
    if k >= rows:
        warn(f"k {k} needs more than {rows} points; using {rows - 1}")
        k = rows - 1
    found = _native.moran(
        places.points[used],
        places.metric,
        numbers[used],
        k,
        weights == "row",
        permutations,
        seed,
        _native.LisaRule(alpha, fdr == "bh"),
        _options.engine_threads(threads),
    )
    if np.isnan(found["I"]):
        warn(f"{name} is constant: Moran's I is undefined")
    names = np.array([_native.cluster_name(number) for number in range(5)])
    cluster = names[found["cluster"]] if permutations else np.full(rows, "", names.dtype)
    return MoranResult(
        I=found["I"],
        EI=found["EI"],
        p_sim=found["p_sim"],
        z_sim=found["z_sim"],
        Is=_everywhere(found["Is"], used),
        lag=_everywhere(found["lag"], used),
        z=_everywhere(found["z"], used),
        p=_everywhere(found["p"], used),
        q=_everywhere(found["q"], used),
        p_fdr=_everywhere(found["p_fdr"], used),
        cluster=_everywhere(cluster, used),
        k=k,
        weights=weights,
        permutations=permutations,
        seed=seed,
        alpha=alpha,
        fdr=fdr,
        permutations_needed=found["permutations_needed"],
        index=places.index,
    )


def one_for_each(values, rows: int, word: str) -> np.ndarray:
    """Numbers as one row of them; UsageError unless there are as many as rows."""
    if hasattr(values, "dtype") and hasattr(values, "to_numpy") and _tables.is_numeric(values):
        values = _tables.numbers_of(values)
    numbers = numbers_of(word, values)
    if numbers.ndim == 2 and numbers.shape[1] == 1:
        numbers = numbers[:, 0]
    if numbers.shape != (rows,):
        raise UsageError(f"{word}: expected {rows} numbers, one for each row, not shape "
                         f"{numbers.shape}")
    return np.ascontiguousarray(numbers)


def _usable(places: _places.Places, numbers: np.ndarray, drop_missing: bool) -> np.ndarray:
    used = np.isfinite(numbers) & np.isfinite(places.points).all(axis=1)
    if not used.all() and not drop_missing:
        _places.refuse_missing(places)
        raise DataError(
            f"values: row {int(np.argmin(used))} has none or an infinite one, "
            f"{int((~used).sum())} of {len(used)} rows do; drop_missing=True leaves them out"
        )
    if used.sum() < FEWEST_ROWS:
        raise DataError(
            f"Moran's I needs at least {FEWEST_ROWS} rows, {int(used.sum())} can be used"
        )
    return used


def _everywhere(values: np.ndarray, used: np.ndarray) -> np.ndarray:
    """For every row; those left out have NaN, 0 or an empty word."""
    if values.dtype.kind == "f":
        return _places.spread(values, used)
    out = np.zeros(len(used), dtype=values.dtype)
    out[used] = values
    return out


def _check_word(name: str, word, known) -> None:
    if word not in known:
        raise UsageError(f"{name}: {word!r} is none of {', '.join(known)}")
