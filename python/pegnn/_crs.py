"""Coordinate reference systems between pyproj, which geopandas brings, and the engine."""

from __future__ import annotations

import numpy as np

from pegnn import _native
from pegnn._errors import UsageError

LONLAT = "EPSG:4326"


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
    if known.is_geographic and not _in_degrees(known):
        raise UsageError(
            f"crs: {known.name} counts longitude and latitude in another unit, or from another "
            "meridian, than degrees from Greenwich; convert to EPSG:4326 first"
        )
    authority = known.to_authority(min_confidence=100)
    name = f"{':'.join(authority)} ({known.name})" if authority else known.name
    metres = 1.0 if known.is_geographic else known.axis_info[0].unit_conversion_factor
    return _native.Crs(known.to_wkt("WKT2_2019"), name, known.is_geographic, metres)


def _in_degrees(crs) -> bool:
    degree = 0.017453292519943295
    units = all(abs(axis.unit_conversion_factor - degree) < 1e-12 for axis in crs.axis_info[:2])
    meridian = crs.prime_meridian
    return units and (meridian is None or meridian.longitude == 0)


def from_engine(crs: _native.Crs, geographic: bool):
    """As a pyproj.CRS; degrees of which nothing more is known are EPSG:4326. None: not known."""
    return from_wkt(crs.wkt or (LONLAT if geographic else ""))


def from_wkt(wkt: str):
    """As a pyproj.CRS; None where there is none."""
    if not wkt:
        return None
    return _pyproj("a coordinate reference system").CRS.from_user_input(wkt)


def own_wkt(roles: _native.Roles) -> str:
    """Of the coordinates of a model, as text; empty: not known."""
    return roles.crs.wkt or (_native.lonlat_wkt() if roles.geographic else "")


def converter(from_wkt, to_wkt):
    """A function of points (rows x 2) from one CRS to another; None where they are the same.

    What has no place in the other becomes infinite. x is always the longitude or the easting.
    """
    if from_wkt == to_wkt:
        return None
    pyproj = _pyproj("points in two coordinate reference systems")
    one, other = pyproj.CRS.from_user_input(from_wkt), pyproj.CRS.from_user_input(to_wkt)
    if one.equals(other, ignore_axis_order=True):
        return None
    transformer = pyproj.Transformer.from_crs(one, other, always_xy=True)

    def convert(points: np.ndarray) -> np.ndarray:
        return np.column_stack(transformer.transform(points[:, 0], points[:, 1]))

    return convert


def _pyproj(what: str):
    try:
        import pyproj
    except ImportError:
        raise UsageError(f"{what} needs the package pyproj, which is not installed") from None
    return pyproj
