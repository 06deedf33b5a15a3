"""Data of the outside world as the engine's tables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from pegnn import _crs, _native
from pegnn._errors import DataError, UsageError

VECTOR_ENDINGS = (".gpkg", ".geojson", ".json", ".shp", ".fgb", ".parquet", ".kml", ".gml")


def is_frame(data) -> bool:
    """Whether it is a pandas DataFrame, without importing pandas."""
    return hasattr(data, "columns") and hasattr(data, "iloc") and hasattr(data, "dtypes")


def is_geo(data) -> bool:
    """Whether it is a GeoDataFrame."""
    return is_frame(data) and hasattr(type(data), "to_crs")


def source_of(data, otherwise: str = "X") -> str:
    """What messages and the model file call it: the file it was read from, where that is known."""
    return str(getattr(data, "attrs", {}).get("source", otherwise))


def read_table(file):
    """A table read by the engine's strict reader of delimited text, as a DataFrame.

    It is the reader of the command, so that a model trained on the frame has the same bytes as one
    trained by `pegnn train` on the file. Columns with text are left out.

    Parameters
    ----------
    file : path
        CSV with a header line, plain or gzip.

    Returns
    -------
    pandas.DataFrame
        Its `attrs["source"]` is the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "places.csv"
    >>> _ = file.write_text("lon,lat,height\\n4.9,52.4,-2\\n5.1,52.1,NA\\n")
    >>> read_table(file)
       lon   lat  height
    0  4.9  52.4    -2.0
    1  5.1  52.1     NaN
    """
    return to_frame(_native.read_table(os.fspath(file)))


def sample():
    """The sample of `pegnn demo`: 7,184 airports and their elevation in metres, as a DataFrame.

    Derived from the database of OpenFlights; data/README.md of the project tells how.

    Examples
    --------
    >>> sample().head(2)
       longitude  latitude  elevation
    0    145.392  -6.08169     1610.0
    1    145.789  -5.20708        6.1
    """
    return to_frame(_native.sample_table())


def to_frame(table: _native.Table):
    """The columns of numbers as a DataFrame that knows where they come from."""
    import pandas

    frame = pandas.DataFrame(
        {name: table.column(name) for name in table.names if table.is_numeric(name)}
    )
    frame.attrs["source"] = table.source
    return frame


def to_table(data, source: str | None = None, words: Sequence[str] = ()) -> _native.Table:
    """A path, a (Geo)DataFrame or a mapping of names to arrays as a table of the engine.

    Of the columns named in `words` the text is kept.
    """
    if isinstance(data, (str, os.PathLike)):
        return _from_file(os.fspath(data), words)
    if is_frame(data):
        return from_frame(data, source or source_of(data, "table"), words)
    if isinstance(data, Mapping):
        table = _native.Table(source or "table")
        for name, values in data.items():
            if str(name) in words:
                import pandas

                _add_column(table, str(name), pandas.Series(np.asarray(values)), True)
            else:
                table.add(str(name), _column_of_numbers(name, values))
        return table
    raise UsageError(
        f"a table is a path, a DataFrame, a GeoDataFrame or a mapping of names to arrays, not a "
        f"{type(data).__name__}"
    )


def _column_of_numbers(name, values) -> np.ndarray:
    try:
        column = np.asarray(unmasked(values), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"column {name!r} holds no numbers: {error}") from None
    if column.ndim != 1:
        raise UsageError(f"column {name!r} has {column.ndim} dimensions, not one")
    return column


def _from_file(file: str, words: Sequence[str] = ()) -> _native.Table:
    if not file.lower().endswith(VECTOR_ENDINGS):
        return _native.read_table(file, list(words))
    try:
        import geopandas
    except ImportError:
        raise UsageError(f"reading {file!r} needs the package geopandas") from None
    return from_frame(geopandas.read_file(file), file, words)


def from_frame(frame, source: str, words: Sequence[str] = ()) -> _native.Table:
    """All columns; of a GeoDataFrame the points of its geometry too, and its CRS."""
    table = _native.Table(source)
    if is_geo(frame):
        x, y = points_of_geometry(frame)
        table.add(_native.GEOMETRY_X, x)
        table.add(_native.GEOMETRY_Y, y)
        table.crs = _crs.to_engine(frame.crs)
    for position, name in enumerate(frame.columns):
        column = frame.iloc[:, position]
        if is_geo(frame) and name == geometry_of(frame).name:
            continue
        _add_column(table, str(name), column, str(name) in words)
    return table


def geometry_of(frame):
    """The geometry of a GeoDataFrame; UsageError where none is set."""
    try:
        return frame.geometry
    except AttributeError:
        raise UsageError(
            "the GeoDataFrame has no active geometry; set one with gdf.set_geometry(...)"
        ) from None


def attributes_of(frame):
    """A frame without the column of its geometry, if it has one."""
    return frame.drop(columns=geometry_of(frame).name) if is_geo(frame) else frame


def unmasked(values):
    """A masked array with NaN where it is masked; anything else as it is."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    return values.astype(np.float64).filled(np.nan)


def points_of_geometry(frame) -> tuple[np.ndarray, np.ndarray]:
    """x and y of the points of a GeoDataFrame; NaN where there is none."""
    geometry = geometry_of(frame)
    missing = (geometry.is_empty | geometry.isna()).to_numpy()
    kinds = geometry.geom_type.to_numpy()
    other = ~missing & (kinds != "Point")
    if other.any():
        row = int(np.argmax(other))
        raise DataError(
            f"row {row} of the GeoDataFrame is a {kinds[row]}, not a Point; "
            "pass gdf.set_geometry(gdf.centroid) to take centroids"
        )
    x = np.full(len(frame), np.nan)
    y = np.full(len(frame), np.nan)
    if not missing.all():
        x[~missing] = geometry[~missing].x.to_numpy()
        y[~missing] = geometry[~missing].y.to_numpy()
    return x, y


def is_date(column) -> bool:
    """Whether a column holds dates or spans of time."""
    return getattr(column.dtype, "kind", "O") in "Mm"


def is_numeric(column) -> bool:
    """Whether a column of a frame holds numbers; True and False are 1 and 0."""
    kind = getattr(column.dtype, "kind", "O")
    if kind in "biuf":
        return True
    # pandas' own nullable numbers
    name = str(column.dtype)
    return name.startswith(("Int", "UInt", "Float", "boolean"))


def numbers_of(column) -> np.ndarray:
    """The numbers of a numeric column; missing ones are NaN."""
    if isinstance(column.dtype, np.dtype):
        return column.to_numpy(dtype=np.float64)
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _add_column(table: _native.Table, name: str, column, keep_words: bool = False) -> None:
    if is_numeric(column):
        table.add(name, numbers_of(column))
        return
    import pandas

    if is_date(column):  # they would become nanoseconds
        column = column.astype(str)
    values = pandas.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    text = np.isnan(values) & column.notna().to_numpy()
    if not text.any():
        table.add(name, values)
        return
    row = int(np.argmax(text))
    words = []
    if keep_words:
        words = [(int(at), str(column.iloc[at])) for at in np.flatnonzero(text)]
    table.add_text(name, values, int(text.sum()), row, str(column.iloc[row])[:40], words)
