"""Features of the cells of a map: arrays, xarray's arrays, rasters in files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

import numpy as np

from pegnn import _crs, _native
from pegnn._errors import DataError, ResourceError, UsageError

MOST_CELLS = 1 << 24  # of a raster read at a time
TURN = 360.0  # degrees


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
        return Cells(feature, *_from_xarray(feature, given))
    return Cells(feature, np.asarray(given))


class Cells:
    """Values on the cells of the map itself."""

    def __init__(self, feature: str, values: np.ndarray, x=None, y=None, crs=None):
        if values.ndim != 2:
            raise UsageError(
                f"covariates[{feature!r}]: expected rows and columns of cells, not shape "
                f"{values.shape}"
            )
        self.feature, self.values, self.x, self.y, self.crs = feature, values, x, y, crs

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
        return _native.RasterGrid(self.size, corner, (dx, dy), _crs.to_engine(self.crs))

    def fit(self, grid) -> None:
        """Refuses cells that are not those of the map."""
        if self.size != (grid.width, grid.height):
            raise UsageError(
                f"covariates[{self.feature!r}] has {self.size[0]} x {self.size[1]} cells, the map "
                f"{grid.width} x {grid.height}; give bbox and size of its cells"
            )
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

    def close(self) -> None:
        """Nothing is open."""

    def read(self, top: int, bottom: int, points: np.ndarray) -> np.ndarray:
        return np.asarray(self.values[top:bottom], dtype=np.float64).ravel()


class RasterFile:
    """A band of a raster, asked at places: the cell that each lies in. `FILE#N` is band N."""

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


def _from_xarray(feature: str, array):
    """Values north up, centres of columns and rows, CRS."""
    array = array.squeeze()
    if array.ndim != 2:
        raise UsageError(
            f"covariates[{feature!r}] has the dimensions {', '.join(map(str, array.dims))}; "
            "choose one time or band, so that two are left"
        )
    down, across = array.dims
    if down not in array.coords or across not in array.coords:
        return (np.asarray(array),)
    x, y = (np.asarray(array[name], dtype=np.float64) for name in (across, down))
    values = np.asarray(array)
    if len(y) > 1 and y[0] < y[1]:
        values, y = values[::-1], y[::-1]
    if "_FillValue" in array.attrs:
        values = np.where(values == array.attrs["_FillValue"], np.nan, values)
    reference = array.coords.get("spatial_ref")
    wkt = reference.attrs.get("crs_wkt") if reference is not None else None
    return values, x, y, wkt


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
