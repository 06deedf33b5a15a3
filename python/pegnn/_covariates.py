"""Features of the cells of a map: arrays, xarray's arrays, rasters in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import numpy as np

from pegnn import _crs, _native
from pegnn._errors import DataError, ResourceError, UsageError
from pegnn._places import is_masked, numbers_of

MOST_CELLS = 1 << 24  # of a raster read at a time
TURN = 360.0  # degrees

# Usual names of the dimensions of xarray's arrays.
DEGREES_EAST = ("lon", "longitude")
DEGREES_NORTH = ("lat", "latitude")
ACROSS = (*DEGREES_EAST, "x", "easting")
DOWN = (*DEGREES_NORTH, "y", "northing")


def in_order(given, features: list[str]) -> list:
    """What was given for each feature of a model, in its order."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise UsageError("covariates: expected a mapping of features to arrays or rasters")
    unknown = [str(name) for name in given if name not in features]
    if unknown:
        raise UsageError(
            f"covariates: {unknown[0]!r} is no feature of the model; "
            + (f"its features: {', '.join(features)}" if features else "it has none")
        )
    missing = [name for name in features if name not in given]
    if missing:
        raise UsageError(
            f"the model was trained with {', '.join(features)}; a map needs values of each in "
            f"every cell. Missing: {', '.join(missing)}. Give covariates={{{missing[0]!r}: ...}}, "
            "or train with no_features=True"
        )
    return [given[name] for name in features]


def open_covariate(feature: str, given):
    """A source of values by what it is; sources have `read(top, bottom, points)`."""
    if isinstance(given, (str, os.PathLike)):
        return RasterFile(feature, os.fspath(given))
    if hasattr(given, "dims") and hasattr(given, "coords"):
        return _from_xarray(feature, given)
    return Cells(feature, np.ma.asarray(given) if is_masked(given) else np.asarray(given))


class Cells:
    """Values on the cells of the map itself."""

    def __init__(
        self, feature: str, values: np.ndarray, x=None, y=None, crs=None, degrees: bool = False
    ):
        if values.ndim != 2:
            raise UsageError(
                f"covariates[{feature!r}]: expected rows and columns of cells, not shape "
                f"{values.shape}"
            )
        self.feature, self.values, self.x, self.y = feature, values, x, y
        self.crs = _crs.to_engine(crs)
        self.degrees = degrees  # longitudes and latitudes, of whatever datum

    @property
    def size(self) -> tuple[int, int]:
        height, width = self.values.shape
        return width, height

    def grid(self) -> _native.RasterGrid | None:
        """The cells, where the coordinates of their centres are known."""
        if self.x is None:
            return None
        (dx, dy) = (_step(self.feature, self.x), -_step(self.feature, self.y))
        corner = (self.x[0] - dx / 2, self.y[0] + dy / 2)
        return _native.RasterGrid(self.size, corner, (dx, dy), self.crs)

    def fit(self, grid) -> None:
        """Refuses cells that are not those of the map."""
        if self.size != (grid.width, grid.height):
            raise UsageError(
                f"covariates[{self.feature!r}] has {self.size[0]} x {self.size[1]} cells, the map "
                f"{grid.width} x {grid.height}; give bbox and size of its cells"
            )
        self._refuse_other_crs(grid)
        mine = self.grid()
        if mine is None:
            return
        apart = max(
            abs(mine.x - grid.x) / grid.dx,
            abs(mine.y - grid.y) / grid.dy,
            abs(mine.dx / grid.dx - 1) * grid.width,
            abs(mine.dy / grid.dy - 1) * grid.height,
        )
        if apart > 1e-3:
            raise UsageError(
                f"covariates[{self.feature!r}] does not lie on the cells of the map; leave out "
                "bbox, res, size and crs to take its cells, or bring it there with interp"
            )

    def _refuse_other_crs(self, grid) -> None:
        if not grid.crs.wkt:
            return
        if self.crs.wkt:
            same = _crs.converter(self.crs.wkt, grid.crs.wkt) is None
        else:
            same = grid.crs.geographic or not self.degrees
        if not same:
            raise UsageError(
                f"covariates[{self.feature!r}] is in {self.crs.name or 'longitude and latitude'}, "
                f"the map in {grid.crs.name}; leave out bbox, res, size and crs to take its cells "
                "where it is the first covariate, or bring it there with rio.reproject"
            )

    def close(self) -> None:
        """Nothing is open."""

    def read(self, top: int, bottom: int, points: np.ndarray) -> np.ndarray:
        return numbers_of(f"covariates[{self.feature!r}]", self.values[top:bottom]).ravel()


class RasterFile:
    """A band of a raster, asked at places: the cell that each lies in. `FILE#N` is band N."""

    degrees = False  # but for what its CRS says

    def __init__(self, feature: str, place: str):
        rasterio = rasterio_for(f"covariates[{feature!r}], a raster in a file,")
        name, _, band = place.rpartition("#")
        self.place, self.band = (name, int(band)) if name and band.isdigit() else (place, 1)
        try:
            self.raster = rasterio.open(self.place)
        except rasterio.errors.RasterioIOError as error:
            raise ResourceError(f"covariates[{feature!r}]: {error}") from None
        if not 1 <= self.band <= self.raster.count:
            raise UsageError(
                f"covariates[{feature!r}]: {self.place} has {self.raster.count} bands, none "
                f"{self.band}"
            )
        self.convert: Callable[[np.ndarray], np.ndarray] | None = None

    def grid(self) -> _native.RasterGrid:
        t = self.raster.transform
        if t.b != 0 or t.d != 0 or not t.a > 0 or not t.e < 0:
            raise DataError(
                f"the rows of {self.place} do not run from west to east and from north to south; "
                "bring it into that order with gdalwarp"
            )
        size = (self.raster.width, self.raster.height)
        return _native.RasterGrid(size, (t.c, t.f), (t.a, -t.e), _crs.to_engine(self._wkt()))

    def fit(self, grid) -> None:
        """Made ready for places in the CRS of the map."""
        if self._wkt() and grid.crs.wkt:
            self.convert = _crs.converter(grid.crs.wkt, self._wkt())

    def close(self) -> None:
        self.raster.close()

    def read(self, top: int, bottom: int, points: np.ndarray) -> np.ndarray:
        places = points if self.convert is None else self.convert(points)
        columns, rows = self._cells(places)
        values = np.full(len(points), np.nan)
        inside = np.flatnonzero(
            (columns >= 0) & (columns < self.raster.width)
            & (rows >= 0) & (rows < self.raster.height)
        )
        self._fill(values, inside, columns, rows)
        return values * self.raster.scales[self.band - 1] + self.raster.offsets[self.band - 1]

    def _cells(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        inverse = ~self.raster.transform
        x, y = places.T
        if self.raster.crs is not None and self.raster.crs.is_geographic:
            # Rasters run from -180 to 180, or from 0 to 360.
            x = self.raster.bounds.left + np.mod(x - self.raster.bounds.left, TURN)
        with np.errstate(invalid="ignore"):
            columns = np.floor(inverse.a * x + inverse.b * y + inverse.c)
            rows = np.floor(inverse.d * x + inverse.e * y + inverse.f)
        return columns, rows

    def _fill(self, values, which, columns, rows) -> None:
        """Reads the window around some of the places; halves of them where it is too large."""
        if len(which) == 0:
            return
        left, up = int(columns[which].min()), int(rows[which].min())
        width, height = int(columns[which].max()) - left + 1, int(rows[which].max()) - up + 1
        if width * height > MOST_CELLS:
            half = len(which) // 2
            self._fill(values, which[:half], columns, rows)
            self._fill(values, which[half:], columns, rows)
            return
        window = ((up, up + height), (left, left + width))
        cells = self.raster.read(self.band, window=window, masked=True)
        cells = np.ma.filled(cells.astype(np.float64), np.nan)
        values[which] = cells[rows[which].astype(int) - up, columns[which].astype(int) - left]

    def _wkt(self) -> str | None:
        return self.raster.crs.to_wkt() if self.raster.crs is not None else None


def _from_xarray(feature: str, array) -> Cells:
    """North up and west left, whichever way its dimensions run."""
    array = array.squeeze()
    if array.ndim != 2:
        raise UsageError(
            f"covariates[{feature!r}] has the dimensions {', '.join(map(str, array.dims))}; "
            "choose one time or band, so that two are left"
        )
    array = array.transpose(*_down_and_across(array.dims))
    down, across = array.dims
    wkt = _declared_crs(array)
    x = y = None
    if down in array.coords and across in array.coords:
        array = array.isel({down: _order(array[down], False), across: _order(array[across], True)})
        x, y = (numbers_of(f"covariates[{feature!r}].{n}", array[n]) for n in (across, down))
    values = np.asarray(array)
    if "_FillValue" in array.attrs:
        values = np.where(values == array.attrs["_FillValue"], np.nan, values)
    degrees = _usual(across, DEGREES_EAST) and _usual(down, DEGREES_NORTH)
    return Cells(feature, values, x, y, wkt, degrees)


def _down_and_across(dims) -> tuple:
    """By their names; as they stand where these are not known."""
    first, second = dims
    turned = _usual(first, ACROSS) or _usual(second, DOWN)
    right = _usual(first, DOWN) or _usual(second, ACROSS)
    return (second, first) if turned and not right else (first, second)


def _usual(dimension, names) -> bool:
    return str(dimension).lower() in names


def _order(centres, growing: bool) -> slice:
    """Of a dimension, so that its coordinates grow, or fall."""
    centres = np.asarray(centres)
    falls = bool((centres[:1] > centres[-1:]).any())
    return slice(None, None, -1 if falls == growing else 1)


def _declared_crs(array) -> str | None:
    """What the variable that CF calls the grid mapping says, as rioxarray leaves it."""
    name = array.encoding.get("grid_mapping", array.attrs.get("grid_mapping", "spatial_ref"))
    reference = array.coords.get(name)
    if reference is None:
        return None
    return reference.attrs.get("crs_wkt") or reference.attrs.get("spatial_ref")


def _step(feature: str, centres: np.ndarray) -> float:
    if len(centres) < 2:
        raise UsageError(f"covariates[{feature!r}] has one row or column of cells: of what size?")
    step = (centres[-1] - centres[0]) / (len(centres) - 1)
    if not np.allclose(np.diff(centres), step, rtol=1e-3, atol=0):
        raise UsageError(f"covariates[{feature!r}]: its cells are not of one size")
    return float(step)


def rasterio_for(what: str):
    try:
        import rasterio
        import rasterio.errors
    except ImportError:
        raise UsageError(f"{what} needs the package rasterio, which is not installed") from None
    return rasterio
