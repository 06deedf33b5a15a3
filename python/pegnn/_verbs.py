"""The commands of pegnn as functions, under the same words."""

from __future__ import annotations

import numpy as np

from pegnn import _columns, _crs, _native, _options, _tables
from pegnn._errors import UsageError
from pegnn._model import Model
from pegnn._talk import Watcher, talk_for, warn

_SHARED = """
    lon, lat : str, optional
        Columns with longitude and latitude in degrees.
    x, y : str, optional
        Columns with projected coordinates. Usual names are found by themselves; the points of a
        GeoDataFrame are taken before all.
    features : list of str, optional
        Columns to learn from; all others that hold numbers by default.
    no_features : bool
        Learn from the coordinates alone.
    weight : str, optional
        Column that says how much a row counts in training; rows with 0 are left out.
    crs : optional
        What the coordinates are in, as pyproj takes it; a GeoDataFrame has its own.
    drop_missing : bool
        Leave out rows with missing values instead of refusing them.
    preset : str
        default, paper or reference.
    threads : int, optional
        All cores by default; the result is the same on any number.
    verbose : int
        1 shows notes and a bar, 2 details too.
    **options
        Every option of the command, with `_` for `-` and `lambda_` for lambda; `options()` lists
        them.
"""


def _shares(function):
    function.__doc__ = function.__doc__.replace("    SHARED\n", _SHARED.lstrip("\n"))
    return function


class _Job:
    """A table with its roles, for one call."""

    def __init__(self, data, target, columns: dict, verbose: int):
        self.talk = talk_for(verbose)
        fold = columns.get("fold")
        self.table = _tables.to_table(data, words=[] if fold is None else [fold])
        crs = columns.pop("crs")
        if crs is not None:
            if self.table.crs.wkt:
                raise UsageError("crs: the table has one; convert it with gdf.to_crs(...)")
            self.table.crs = _crs.to_engine(crs)
        choice = _native.ColumnChoice()
        features = columns.pop("features")
        if features is not None:
            names = _columns.in_order("features", features)
            choice.features = [_options.word("features", name) for name in names]
        choice.no_features = bool(columns.pop("no_features"))
        for name, value in columns.items():
            if value is not None:
                setattr(choice, name, _options.word(name, value))
        choice.target = _options.word("target", target)
        choice.target_option = "target"
        self.roles = _native.resolve_roles(self.table, choice, self.talk)
        if features is None and not choice.no_features:
            self._warn_of_text({choice.target, choice.fold})

    def _warn_of_text(self, known: set[str]) -> None:
        text = [n for n in self.table.names if n not in known and not self.table.is_numeric(n)]
        if text:
            warn(f"columns without numbers are left out: {', '.join(text)}")


@_shares
def train(
    table,
    target: str,
    *,
    lon=None,
    lat=None,
    x=None,
    y=None,
    features=None,
    no_features: bool = False,
    weight=None,
    crs=None,
    drop_missing: bool = False,
    preset: str = "default",
    threads: int | None = None,
    verbose: int = 0,
    callback=None,
    snapshot=None,
    snapshot_every: int = 500,
    resume: bool = False,
    **options,
) -> Model:
    """Learn a model from a table, as `pegnn train` does: the same options and seed, the same bytes.

    Parameters
    ----------
    table : path, DataFrame, GeoDataFrame or mapping of names to arrays
        A path is read by the command's strict CSV reader, vector files by geopandas.
    target : str
        The column to learn.
    SHARED
    callback : function, optional
        Called with a `Progress` as training goes on.
    snapshot : path, optional
        Where the state of training is kept, every `snapshot_every` steps and when interrupted; with
        `resume` the run goes on from there, to the same bits.

    Returns
    -------
    Model

    Examples
    --------
    >>> import pegnn
    >>> model = pegnn.train(pegnn.sample(), "elevation", model="idw", k=8)
    >>> model.info["options"]["k"]
    8
    """
    columns = dict(lon=lon, lat=lat, x=x, y=y, features=features, no_features=no_features,
                   weight=weight, crs=crs)
    job = _Job(table, target, columns, verbose)
    chosen = _options.request(preset, options).options()
    snapshots = _options.snapshots_at(snapshot, snapshot_every, resume)
    with Watcher(callback, verbose) as watcher:
        model, *_ = _native.train(
            job.table,
            job.roles,
            chosen,
            drop_missing,
            snapshots,
            _options.engine_threads(threads),
            job.talk,
            watcher.function(),
        )
    return Model(model)


_SAID = ("scheme", "folds", "test_share", "block_km", "block_size", "buffer_km", "buffer_size",
         "fold_column", "places", "test_rows", "repeats", "split_seed")


def _said(arguments: dict) -> dict:
    """Of the arguments of a function those that say which rows are held out."""
    said = {name: arguments[name] for name in _SAID}
    _refuse_ignored(said)
    return said


def _settings(job, said: dict, drop):
    """What was said of the scheme, by the names of the parameters."""
    settings = _native.EvaluateSettings()
    folds, test_share = said["folds"], said["test_share"]
    if said["test_rows"] is not None:
        settings.test_rows = _rows_of("test_rows", said["test_rows"], job.table.rows)
    if test_share is not None:
        if folds is not None and folds != 1:
            raise UsageError("test_share holds out rows once, folds in turn; give one of them")
        share, folds = _options.real_number("test_share", test_share), 1
        if not 0.001 <= share <= 0.999:
            raise UsageError(f"test_share: {test_share!r} is not from 0.001 to 0.999")
        settings.test_share = share
    settings.scheme = _options.word("scheme", said["scheme"])
    by_column = said["fold_column"] is not None
    if by_column:
        settings.fold_column = _options.word("fold_column", said["fold_column"])
    if folds is None:
        settings.folds = _native.FOLD_PER_VALUE if by_column else 5
    else:
        settings.folds = _options.whole_number("folds", folds, 1)
    settings.repeats = _options.whole_number("repeats", said["repeats"], 1, 10_000)
    if said["split_seed"] is not None:
        settings.split_seed = _options.whole_number("split_seed", said["split_seed"], 0,
                                                    _options.MOST_SEED)
    settings.drop_missing = bool(drop)
    settings.block_size = length_of("block", said["block_km"], said["block_size"], job.roles)
    settings.buffer = length_of("buffer", said["buffer_km"], said["buffer_size"], job.roles)
    if said["places"] is not None:
        settings.places = _places_of(said["places"], job.roles)
    return settings


def _refuse_ignored(said: dict) -> None:
    """An argument that would do nothing is a misunderstanding."""
    given = {name for name, value in said.items() if value is not None}
    if said["scheme"] == "random":
        given.discard("scheme")
    for saying, others in (
        ("test_rows", ("scheme", "folds", "test_share", "block_km", "block_size", "fold_column",
                       "places", "split_seed")),
        ("fold_column", ("scheme", "block_km", "block_size", "places")),
    ):
        for name in others:
            if saying in given and name in given:
                raise UsageError(f"{saying} says which rows are held out; leave out {name}")
    for names, scheme in ((("block_km", "block_size"), "block"), (("places",), "knndm")):
        for name in names:
            if name in given and said["scheme"] != scheme:
                raise UsageError(f"{name} goes with scheme {scheme}")
    for name in ("test_share", "buffer_km", "buffer_size"):
        if said["scheme"] == "knndm" and name in given:
            raise UsageError("scheme knndm matches how far the rows held out in all folds lie from "
                             f"the others; leave out {name}")


def _places_of(given, roles: _native.Roles) -> np.ndarray:
    """Finite places of a table with the coordinates of the rows, or of an array of x and y."""
    if hasattr(given, "shape") and not hasattr(given, "columns"):
        points = np.asarray(given, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 2:
            raise UsageError("places: an array has two columns, x and y (longitude and latitude)")
    else:
        table = _tables.to_table(given, "places")
        names = (roles.x, roles.y)
        geo = _native.GEOMETRY_X in table.names
        if geo:
            names = (_native.GEOMETRY_X, _native.GEOMETRY_Y)
            if table.crs.wkt and roles.crs.wkt and table.crs.wkt != roles.crs.wkt:
                raise UsageError("places: another CRS than that of the rows; convert them with "
                                 "gdf.to_crs(...)")
        missing = [name for name in names if name not in table.names]
        if missing:
            raise UsageError(f"places: no column {missing[0]!r}; they are told as the rows are")
        points = np.column_stack([table.column(name) for name in names])
    points = points[np.isfinite(points).all(axis=1)]
    if len(points) == 0:
        raise UsageError("places: there are none")
    return np.ascontiguousarray(points)


def _rows_of(word: str, given, rows: int) -> list[int]:
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise UsageError(f"{word}: expected numbers of rows, not {given!r}")
    numbers = [_options.whole_number(word, row, 0, rows - 1) for row in given]
    if not numbers:
        raise UsageError(f"{word}: no row is named")
    return numbers


def length_of(what: str, km, size, roles: _native.Roles) -> float:
    """The size of a block or the width of a buffer in the unit of distances; 0: not said."""
    said = []
    for name, value in ((f"{what}_km", km), (f"{what}_size", size)):
        said.append(0.0 if value is None else _options.real_number(name, value))
        if value is not None and not said[-1] > 0:
            raise UsageError(f"{name}: {value!r} is not a positive number")
    in_km, in_units = said
    return _native.length_of(in_km, in_units, roles, what)


_SCHEME = """
    scheme : str
        random: any row may be held out; block: whole spatial blocks are, which tells how the model
        does away from its data; knndm: rows as far from the others as `places` are.
    folds : int, optional
        Parts held out in turn, 5 by default; 1 holds out `test_share` once.
    test_share : float, optional
        Hold out this share once, instead of folds.
    block_km, block_size : float, optional
        Size of a block, in km or in the unit of x and y; chosen from the data by default.
    buffer_km, buffer_size : float, optional
        Training rows nearer than this to a row held out are left out.
    fold_column : str, optional
        Rows with one value in this column, of numbers or text, are held out together: a fold for
        each value, or `folds` of them. It is no feature.
    places : path, DataFrame, GeoDataFrame, mapping or array of x and y, optional
        For scheme knndm: where predictions will be asked for; a regular grid over the extent of the
        rows by default.
    test_rows : list of int, optional
        Hold out these rows, counted from 0.
    repeats : int
        Do it all this often, each time with the next seed: folds and blocks are drawn anew, one
        random split and `test_rows` stay.
    split_seed : int, optional
        What folds are drawn from; the seed by default.
"""


def _schemes(function):
    function.__doc__ = function.__doc__.replace("    SCHEME\n", _SCHEME.lstrip("\n"))
    return function


@_schemes
@_shares
def evaluate(
    table,
    target: str,
    *,
    scheme: str = "random",
    folds: int | None = None,
    test_share: float | None = None,
    block_km: float | None = None,
    block_size: float | None = None,
    buffer_km: float | None = None,
    buffer_size: float | None = None,
    fold_column: str | None = None,
    places=None,
    test_rows=None,
    repeats: int = 1,
    split_seed: int | None = None,
    lon=None,
    lat=None,
    x=None,
    y=None,
    features=None,
    no_features: bool = False,
    weight=None,
    crs=None,
    drop_missing: bool = False,
    preset: str = "default",
    threads: int | None = None,
    verbose: int = 0,
    callback=None,
    **options,
) -> dict:
    """Train and score a model on rows held out, as `pegnn evaluate` does.

    Parameters
    ----------
    table : path, DataFrame, GeoDataFrame or mapping of names to arrays
    target : str
    SCHEME
    SHARED

    Returns
    -------
    dict
        `mean` and `sd` of the metrics over folds, `folds` one by one, `predicted` for every row
        held out, in which `fold`, `residual_moran`, `seconds`.

    Examples
    --------
    >>> import pegnn
    >>> found = pegnn.evaluate(pegnn.sample(), "elevation", model="knn", scheme="block", folds=3)
    >>> found["scheme"], len(found["folds"])
    ('block', 3)
    """
    columns = dict(lon=lon, lat=lat, x=x, y=y, features=features, no_features=no_features,
                   weight=weight, crs=crs, fold=fold_column)
    said = _said(locals())
    job = _Job(table, target, columns, verbose)
    settings = _settings(job, said, drop_missing)
    with Watcher(callback, verbose) as watcher:
        return _native.evaluate(
            job.table,
            job.roles,
            _options.request(preset, options).options(),
            settings,
            _options.engine_threads(threads),
            job.talk,
            watcher.function(),
        )


@_schemes
@_shares
def compare(
    table,
    target: str,
    models=None,
    *,
    scheme: str = "random",
    folds: int | None = None,
    test_share: float | None = None,
    block_km: float | None = None,
    block_size: float | None = None,
    buffer_km: float | None = None,
    buffer_size: float | None = None,
    fold_column: str | None = None,
    places=None,
    test_rows=None,
    repeats: int = 1,
    split_seed: int | None = None,
    lon=None,
    lat=None,
    x=None,
    y=None,
    features=None,
    no_features: bool = False,
    weight=None,
    crs=None,
    drop_missing: bool = False,
    preset: str = "default",
    threads: int | None = None,
    verbose: int = 0,
    callback=None,
    **options,
):
    """A league table: models on the same folds, and which leads are more than chance.

    Parameters
    ----------
    table : path, DataFrame, GeoDataFrame or mapping of names to arrays
    target : str
    models : list of str, optional
        Words of `model`, and default, paper and reference; ``["all"]`` for every one there is. By
        default all baselines, a plain graph network, those with an encoder, and the default.
    SCHEME
    SHARED

    Returns
    -------
    pandas.DataFrame
        A row for each model, from the lowest mean squared error up: metrics, their standard
        deviation over folds (`..._sd`), seconds, the verdict (best, tied, worse, not trained), its
        `lead`, `p` and `p_holm`. `attrs` has the scheme and the warnings.

    Examples
    --------
    >>> import pegnn
    >>> league = pegnn.compare(pegnn.sample(), "elevation", ["mean", "knn", "kriging"], folds=3)
    >>> league["model"].tolist()
    ['kriging', 'knn', 'mean']
    """
    import pandas

    columns = dict(lon=lon, lat=lat, x=x, y=y, features=features, no_features=no_features,
                   weight=weight, crs=crs, fold=fold_column)
    said = _said(locals())
    if isinstance(models, str):
        raise UsageError(f"models: expected a list of names, not the one word {models!r}")
    models = [_options.word("models", name) for name in models or []]
    if "model" in options:
        raise UsageError("model: compare takes several of them, as models=[...]")
    job = _Job(table, target, columns, verbose)
    settings = _settings(job, said, drop_missing)
    with Watcher(callback, verbose) as watcher:
        found = _native.compare(
            job.table,
            job.roles,
            models,
            _options.request(preset, options),
            settings,
            _options.engine_threads(threads),
            job.talk,
            watcher.function(),
        )
    if found["interrupted"]:
        raise KeyboardInterrupt
    rows = []
    for row in found["rows"]:
        flat = {"model": row["model"], "verdict": row["verdict"]}
        flat.update({name: row["mean"][name] for name in METRICS})
        flat.update({f"{name}_sd": row["sd"][name] for name in METRICS})
        flat.update({name: row[name] for name in ("residual_moran", "lead", "p", "p_holm")})
        flat.update(seconds=row["seconds"], reason=row["reason"])
        rows.append(flat)
    frame = pandas.DataFrame(rows)
    frame.attrs.update({n: found[n] for n in ("scheme", "block_size", "buffer", "fold_column",
                                              "knndm_w", "folds", "repeats", "split_seed",
                                              "warnings")})
    return frame


METRICS = ("mse", "rmse", "mae", "r2", "bias", "mse_minmax", "mae_minmax", "crps", "log_score",
           "coverage_90", "width_90")
