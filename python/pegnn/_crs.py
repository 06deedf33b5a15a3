"""Coordinate reference systems between pyproj, which geopandas brings, and the engine."""

from __future__ import annotations

from pegnn import _native
from pegnn._errors import UsageError


def to_engine(crs) -> _native.Crs:
    """Anything pyproj knows as a CRS (an EPSG code, WKT, a pyproj.CRS); None: not known."""
    if crs is None:
        return _native.Crs()
    pyproj = _pyproj("a coordinate reference system")
    try:
        known = pyproj.CRS.from_user_input(crs)
    except pyproj.exceptions.CRSError as error:
        raise UsageError(f"crs: {crs!r} is not known: {error}") from None
    if not (known.is_geographic or known.is_projected):
        raise UsageError(f"crs: {known.name} is neither geographic nor projected")
    authority = known.to_authority(min_confidence=100)
    name = f"{':'.join(authority)} ({known.name})" if authority else known.name
    metres = 1.0 if known.is_geographic else known.axis_info[0].unit_conversion_factor
    return _native.Crs(known.to_wkt("WKT2_2019"), name, known.is_geographic, metres)


def from_engine(crs: _native.Crs, geographic: bool):
    """As a pyproj.CRS; degrees of which nothing more is known are EPSG:4326. None: not known."""
    if not crs.wkt and not geographic:
        return None
    pyproj = _pyproj("a coordinate reference system")
    return pyproj.CRS.from_user_input(crs.wkt or "EPSG:4326")


def _pyproj(what: str):
    try:
        import pyproj
    except ImportError:
        raise UsageError(f"{what} needs the package pyproj, which is not installed") from None
    return pyproj
