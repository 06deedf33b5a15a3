"""What the tests of the Python side need, and how they are skipped without it."""

import importlib.util
import sys

SKIPPED = 77  # what ctest takes for a test that could not run
PACKAGES = ["numpy", "scipy", "sklearn", "joblib", "pandas", "geopandas", "pyproj", "shapely",
            "xarray", "rasterio", "libpysal", "matplotlib"]


def skip_without(*modules):
    """Ends the program as skipped, with the names of those modules that are not installed."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)} (Debian: the packages of "
              "test_packages in scripts/common.sh)")
        sys.exit(SKIPPED)
