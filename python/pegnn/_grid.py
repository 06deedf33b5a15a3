"""Predictions on the cells of a grid."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from dataclasses import dataclass

import numpy as np

from pegnn import _covariates, _crs, _native, _options
from pegnn._errors import DataError, OutOfMemoryError, ResourceError, UsageError
from pegnn._options import real_number, whole_number
from pegnn._talk import Progress, Watcher, talk_for

TILE = 1 << 18  # cells predicted at a time
NODATA = -9999.0  # in files, as the command writes it
GLOBE = (360.0, 180.0)  # degrees across and down


@dataclass(frozen=True, eq=False)
class Grid:
    """What a model predicts on the cells of a map, north up.

    Arrays are rows x columns, NaN in cells without a value.

    Attributes
    ----------
    values : array
        Predictions, in the target's units.
    deviation : array or None
        Standard deviation of an observation there; None where the model gives none.
    distance : array or None
        To the nearest training point: metres on the globe, else in units of the coordinates.
    applicable : array of bool or None
        Whether the model may be believed there.
    corner : pair of float
        North-west, of the outermost cell.
    cell : pair of float
        Width and height of a cell.
    crs_wkt : str
        The CRS as text; empty: not known.
    name : str
        What was predicted.

    Examples
    --------
    >>> import pegnn
    >>> airports = pegnn.sample()
    >>> model = pegnn.KNNRegressor().fit(airports[["longitude", "latitude"]], airports["elevation"])
    >>> pacific = model.predict_grid((170, -20, -170, 0), res=1)
    >>> pacific.bounds
    (170.0, -20.0, 190.0, 0.0)
    >>> pacific.values.shape, bool(pacific.applicable.all())
    ((20, 20), False)
    >>> sorted(pacific.to_xarray())
    ['aoa', 'distance', 'pred']
    """

    values: np.ndarray
    deviation: np.ndarray | None
    distance: np.ndarray | None
    applicable: np.ndarray | None
    corner: tuple[float, float]
    cell: tuple[float, float]
    crs_wkt: str
    name: str

    def __repr__(self) -> str:
        height, width = self.shape
        return f"<pegnn.Grid of {width} x {height} cells: {self.name}>"

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        height, width = self.values.shape
        return height, width

    @property
    def x(self) -> np.ndarray:
        """Centres of the columns, from west to east; east of 180 degrees they go on."""
        return self.corner[0] + (np.arange(self.shape[1]) + 0.5) * self.cell[0]

    @property
    def y(self) -> np.ndarray:
        """Centres of the rows, from north to south."""
        return self.corner[1] - (np.arange(self.shape[0]) + 0.5) * self.cell[1]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north."""
        height, width = self.shape
        (x, y), (dx, dy) = self.corner, self.cell
        return x, y - height * dy, x + width * dx, y

    @property
    def transform(self):
        """From columns and rows to coordinates: an affine.Affine, or its six numbers."""
        numbers = (self.cell[0], 0.0, self.corner[0], 0.0, -self.cell[1], self.corner[1])
        try:
            from affine import Affine  # type: ignore
        except ImportError:
            return numbers
        return Affine(*numbers)

    @property
    def crs(self):
        """As a pyproj.CRS; None where it is not known."""
        return _crs.from_wkt(self.crs_wkt)

    def _bands(self) -> dict[str, np.ndarray]:
        """By the names that the command gives them; NaN for nothing."""
        bands = {"pred": self.values, "pred_sd": self.deviation, "distance": self.distance}
        if self.applicable is not None:
            bands["aoa"] = np.where(np.isnan(self.values), np.nan, self.applicable)
        return {name: band for name, band in bands.items() if band is not None}

    def to_xarray(self):
        """As an `xarray.Dataset` of pred, pred_sd, distance and aoa, that rioxarray can place.

        Its numbers are those of the grid, in double precision.
        """
        import xarray

        reference = {"GeoTransform": self._geotransform()}
        axes = ({"axis": "X"}, {"axis": "Y"})
        if self.crs_wkt:
            reference.update(self.crs.to_cf(), spatial_ref=self.crs_wkt, crs_wkt=self.crs_wkt)
            axes = _axes(self.crs.is_geographic)
        data = {
            name: (("y", "x"), band, {"grid_mapping": "spatial_ref"})
            for name, band in self._bands().items()
        }
        dataset = xarray.Dataset(
            data,
            coords={
                "x": ("x", self.x, axes[0]),
                "y": ("y", self.y, axes[1]),
                "spatial_ref": ((), 0, reference),
            },
            attrs={"title": f"{self.name}, predicted by pegnn"},
        )
        for name in data:
            dataset[name].encoding["_FillValue"] = np.nan
        return dataset

    def save(self, path) -> None:
        """Write a GeoTIFF with the bands of the command, whole or not at all; needs rasterio.

        As the command does, it rounds numbers to single precision.
        """
        rasterio = _covariates.rasterio_for("a GeoTIFF")
        bands = self._bands()
        height, width = self.shape
        folder, name = os.path.split(os.path.abspath(os.fspath(path)))
        try:
            with tempfile.TemporaryDirectory(prefix=".pegnn-", dir=folder) as place:
                new = os.path.join(place, name)
                with rasterio.open(
                    new, "w", driver="GTiff", width=width, height=height, count=len(bands),
                    dtype="float32", nodata=NODATA, crs=self.crs_wkt or None,
                    transform=rasterio.Affine(*tuple(self.transform)[:6]), tiled=True,
                    compress="deflate", predictor=3, BIGTIFF="IF_SAFER",
                ) as file:
                    for number, (band, cells) in enumerate(bands.items(), start=1):
                        cells = np.where(np.isnan(cells), NODATA, cells).astype(np.float32)
                        file.write(cells, number)
                        file.set_band_description(number, band)
                os.replace(new, os.path.join(folder, name))
        except OSError as error:
            raise ResourceError(f"cannot write {os.fspath(path)}: {error}") from None

    def plot(self, ax=None, **options):
        """A picture by matplotlib; `options` are those of `imshow`. Returns the axes."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.gca()
        west, south, east, north = self.bounds
        image = ax.imshow(self.values, **{"extent": (west, east, south, north), **options})
        ax.figure.colorbar(image, ax=ax, label=self.name)
        return ax

    def _geotransform(self) -> str:
        (x, y), (dx, dy) = self.corner, self.cell
        return " ".join(repr(float(n)) for n in (x, dx, 0, y, 0, -dy))


def predict_grid(
    native: _native.Model, bbox, res, size, crs, covariates, extrapolate, applicability, threads,
    verbose,
) -> Grid:
    """What `Model.predict_grid` gives; it tells of the parameters."""
    talk = talk_for(verbose)
    extrapolate, applicability = bool(extrapolate), bool(applicability)
    if native.needs_all_rows:
        talk("note", "the model links new points among themselves; for a map they attach to the "
                     "training points (graph='train')")
        native = native.with_graph("train")
    roles = native.info().roles
    given = _covariates.in_order(covariates, roles.features)
    with contextlib.ExitStack() as files:
        sources = []
        for feature, one in zip(roles.features, given):
            sources.append(_covariates.open_covariate(feature, one))
            files.callback(sources[-1].close)
        grid = _choose_cells(native, sources, bbox, res, size, crs, extrapolate, talk)
        for source in sources:
            source.fit(grid)
        own = _crs.own_wkt(roles)
        to_model = _crs.converter(grid.crs.wkt, own) if grid.crs.wkt and own else None
        applicability = applicability and len(_native.training_points(native)) > 0
        layers = _layers(grid, native.gives_deviation, applicability)
        cells = _native.CellPredictor(
            native, native.gives_deviation, applicability, _options.engine_threads(threads), talk
        )
        watcher = files.enter_context(Watcher(None, verbose))
        _predict_tiles(grid, cells, sources, to_model, layers, watcher.function())
    values, deviation, distance, inside = layers
    if np.isnan(values).all():
        raise DataError(
            "the map would be empty: no cell has "
            + ("a value in every covariate" if sources else "a place in the CRS of the model")
            + "; compare bbox with where they lie"
        )
    cells.finish()
    return Grid(
        values,
        deviation,
        distance,
        None if inside is None else inside == 1,
        (grid.x, grid.y),
        (grid.dx, grid.dy),
        grid.crs.wkt,
        roles.target,
    )


def _choose_cells(native, sources, bbox, res, size, crs, extrapolate, talk):
    roles = native.info().roles
    own = _crs.own_wkt(roles)
    if crs is not None and not own:
        raise UsageError(
            "crs: the model does not know the coordinate reference system of its training points; "
            "fit it with crs=..."
        )
    if all(said is None for said in (bbox, res, size, crs)) and sources:
        grid = sources[0].grid()
        if grid is not None:
            grid = _placed(grid, sources[0].degrees, roles, talk)
            points = _training_points(native, own, grid.crs.wkt)
            _native.check_map_place(native, grid, points, extrapolate, talk)
            return grid
    wanted = _native.Crs() if crs is None else _crs.to_engine(crs)
    if res is None and size is None:
        size = next((s.size for s in sources if isinstance(s, _covariates.Cells)), None)
    geographic = wanted.geographic if wanted.wkt else roles.geographic
    return _native.choose_map_grid(
        native,
        _several("bbox", bbox, (4,), "west, south, east, north"),
        _resolution(res, geographic),
        _size(size),
        wanted,
        _training_points(native, own, wanted.wkt),
        extrapolate,
        talk,
    )


def _placed(grid, degrees: bool, roles, talk):
    """The cells of a covariate in a CRS: that of the model, where it does not say its own."""
    own = _crs.own_wkt(roles)
    if grid.crs.wkt and own:
        return grid
    if degrees and own:
        # Of which datum is not said: that of the model, or the usual one.
        return _in_crs(grid, own if roles.geographic else _native.lonlat_wkt())
    if grid.crs.wkt and grid.crs.geographic:
        raise UsageError(
            f"the covariates are in {grid.crs.name}, and the model has projected coordinates of "
            "unknown reference system; fit it with crs=..."
        )
    talk("warning", "the covariates and the model are taken to be in the same coordinates: not "
                    "both say in which")
    return grid if grid.crs.wkt or not own else _in_crs(grid, own)


def _in_crs(grid, wkt: str):
    return _native.RasterGrid(
        (grid.width, grid.height), (grid.x, grid.y), (grid.dx, grid.dy), _crs.to_engine(wkt)
    )


def _training_points(native, own: str, wkt: str) -> np.ndarray:
    points = _native.training_points(native)
    convert = _crs.converter(own, wkt) if own and wkt else None
    if convert is None or len(points) == 0:
        return points
    points = convert(points)
    points[~np.isfinite(points).all(axis=1)] = np.nan
    return points


def _layers(grid, deviation: bool, applicability: bool) -> list:
    """Room for the results; OutOfMemoryError where there is none."""
    wanted = [True, deviation, applicability, applicability]
    needed = 8 * grid.width * grid.height * (sum(wanted) + 1)
    there = _free_memory()
    if needed > there:
        raise OutOfMemoryError(
            f"a map of {grid.width} x {grid.height} cells needs {needed / 2**30:.1f} GB of memory, "
            f"{there / 2**30:.1f} are free; choose a coarser res, or let `pegnn map` write the "
            "file, which needs little"
        )
    return [np.full((grid.height, grid.width), np.nan) if want else None for want in wanted]


def _free_memory(meminfo: str = "/proc/meminfo") -> int:
    """Bytes that can be had without swapping; all there are where the system does not tell."""
    with contextlib.suppress(OSError, ValueError):
        with open(meminfo, encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _predict_tiles(grid, cells, sources, to_model, layers, progress) -> None:
    """Some rows of the grid at a time, so that memory does not grow with it."""
    start = time.monotonic()
    x = grid.x + (np.arange(grid.width) + 0.5) * grid.dx
    rows = max(1, TILE // grid.width)
    for top in range(0, grid.height, rows):
        bottom = min(grid.height, top + rows)
        y = grid.y - (np.arange(top, bottom) + 0.5) * grid.dy
        points = np.column_stack([np.tile(x, bottom - top), np.repeat(y, grid.width)])
        features = np.empty((len(points), len(sources)))
        for number, source in enumerate(sources):
            features[:, number] = source.read(top, bottom, points)
        found = cells.ask(points if to_model is None else to_model(points), features)
        for layer, part in zip(layers, found):
            if layer is not None:
                layer[top:bottom] = part.reshape(bottom - top, grid.width)
        if progress is not None:
            seconds = time.monotonic() - start
            progress(Progress(bottom, grid.height, seconds=seconds, part="rows"))


def _several(word: str, given, counts, what: str):
    """So many floats."""
    if given is None:
        return None
    try:
        numbers = [real_number(word, n) for n in np.ravel(given).tolist()]
    except ValueError:  # UsageError is one
        numbers = []
    if len(numbers) not in counts:
        raise UsageError(f"{word}: {given!r} is not {what}")
    return numbers


def _resolution(given, geographic: bool):
    """Width and height of a cell; one number stands for both."""
    cell = _several("res", given, (1, 2), "the size of a cell, or two for x and y")
    if cell is None:
        return None
    cell = cell * 2 if len(cell) == 1 else cell
    if geographic and any(GLOBE[i] < cell[i] < np.inf for i in (0, 1)):
        raise UsageError(
            f"res: a cell of {cell[0]:g} x {cell[1]:g} degrees is larger than the globe; give "
            "degrees, or a crs in metres"
        )
    return cell


def _size(given):
    if given is None:
        return None
    try:
        width, height = (whole_number("size", n, 1) for n in given)
    except (TypeError, ValueError):  # UsageError is one
        raise UsageError(
            f"size: {given!r} is not a pair of columns and rows, such as (800, 600)"
        ) from None
    return width, height


def _axes(geographic: bool):
    if geographic:
        return (
            {"axis": "X", "standard_name": "longitude", "units": "degrees_east"},
            {"axis": "Y", "standard_name": "latitude", "units": "degrees_north"},
        )
    return (
        {"axis": "X", "standard_name": "projection_x_coordinate"},
        {"axis": "Y", "standard_name": "projection_y_coordinate"},
    )
