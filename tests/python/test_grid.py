import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import pegnn

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def europe():
    rows = pegnn.sample()
    return rows[rows.longitude.between(-10, 30) & rows.latitude.between(36, 60)].head(400)


@pytest.fixture(scope="module")
def heights(europe):
    """Kriging of the elevation: it gives a deviation."""
    return pegnn.KrigingRegressor().fit(europe[["longitude", "latitude"]], europe["elevation"])


@pytest.fixture(scope="module")
def plane():
    """A model in the plane, of unknown CRS, with a feature."""
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"x": rng.uniform(0, 100, 80), "y": rng.uniform(0, 50, 80)})
    X["slope"] = X["x"] / 10 + rng.normal(size=80)
    return pegnn.GPRegressor().fit(X, X["slope"] * 2 + X["y"])


def centres(grid):
    x, y = np.meshgrid(grid.x, grid.y)
    return np.column_stack([x.ravel(), y.ravel()])


# -- values ---------------------------------------------------------------------------------------


def test_cells_hold_what_the_model_predicts_at_their_centres(heights):
    grid = heights.predict_grid((0, 45, 10, 50), 0.5)
    mean, sd = heights.model_.predict(centres(grid), return_std=True)
    assert grid.values.shape == grid.shape == (10, 20)
    np.testing.assert_array_equal(grid.values.ravel(), mean)
    np.testing.assert_array_equal(grid.deviation.ravel(), sd)
    near = heights.model_.applicability(centres(grid))
    np.testing.assert_array_equal(grid.distance.ravel(), near.distance)
    np.testing.assert_array_equal(grid.applicable.ravel(), near.inside)


def test_estimator_and_model_draw_the_same_map(heights):
    one = heights.predict_grid((0, 45, 5, 48), 1)
    other = heights.model_.predict_grid((0, 45, 5, 48), 1, threads=1)
    np.testing.assert_array_equal(one.values, other.values)


def test_tiles_do_not_show(heights, monkeypatch):
    from pegnn import _grid

    whole = heights.predict_grid((0, 45, 5, 48), 0.25)
    monkeypatch.setattr(_grid, "TILE", 45)
    pieces = heights.predict_grid((0, 45, 5, 48), 0.25)
    np.testing.assert_array_equal(whole.values, pieces.values)
    np.testing.assert_array_equal(whole.applicable, pieces.applicable)


def test_north_is_up(plane):
    grid = plane.predict_grid((0, 0, 100, 50), size=(4, 5), covariates={"slope": np.zeros((5, 4))})
    assert grid.y[0] > grid.y[-1] and grid.x[0] < grid.x[-1]
    assert (grid.values[0] > grid.values[-1]).all()  # the target grows with y


def test_models_without_deviation_or_applicability(europe):
    model = pegnn.KNNRegressor().fit(europe[["longitude", "latitude"]], europe["elevation"])
    grid = model.predict_grid((0, 45, 5, 48), 1, applicability=False)
    assert grid.deviation is None and grid.distance is None and grid.applicable is None
    assert sorted(grid._bands()) == ["pred"]


# -- the grid -------------------------------------------------------------------------------------


def test_the_grid_lies_around_the_training_points_in_round_cells(europe):
    model = pegnn.KNNRegressor().fit(europe[["longitude", "latitude"]], europe["elevation"])
    grid = model.predict_grid(applicability=False)
    west, south, east, north = grid.bounds
    assert west < europe.longitude.min() and east > europe.longitude.max()
    assert south < europe.latitude.min() and north > europe.latitude.max()
    assert grid.cell == (0.05, 0.05) and max(grid.shape) > 500


def test_a_box_with_west_beyond_east_goes_around_180_degrees():
    rng = np.random.default_rng(1)
    lon = np.concatenate([rng.uniform(170, 180, 30), rng.uniform(-180, -170, 30)])
    X = np.column_stack([lon, rng.uniform(-20, 20, 60)])
    model = pegnn.KNNRegressor().fit(X, rng.normal(size=60))
    grid = model.predict_grid((175, -5, -175, 5), 1)
    assert grid.bounds == (175, -5, 185, 5)
    places = centres(grid)
    places[places[:, 0] > 180, 0] -= 360
    np.testing.assert_array_equal(grid.values.ravel(), model.predict(places))
    default = model.predict_grid(res=1)
    assert default.bounds[0] < 171 and 189 < default.bounds[2] < 195


def test_the_whole_globe_with_both_poles(heights):
    grid = heights.predict_grid((-180, -90, 180, 90), 10)
    assert grid.shape == (18, 36) and np.isfinite(grid.values).all()


def test_a_box_far_from_all_training_points_is_refused_unless_meant(heights):
    with pytest.raises(pegnn.UsageError, match="extrapolate"):
        heights.predict_grid((140, -40, 150, -30), 1)
    with pytest.warns(pegnn.PegnnWarning, match="outside the training points"):
        grid = heights.predict_grid((140, -40, 150, -30), 1, extrapolate=True)
    assert not grid.applicable.any()


@pytest.mark.parametrize(
    "words, match",
    [
        ({"bbox": (0, 50, 10, 40)}, "xmin,ymin,xmax,ymax"),
        ({"bbox": (0, 40, 10)}, "west, south, east, north"),
        ({"bbox": (0, 40, 10, np.nan)}, "is not west, south, east, north"),
        ({"bbox": (0, 40, 10, 95)}, "globe"),
        ({"bbox": (0, 40, 10, 50), "res": -1}, "res"),
        ({"bbox": (0, 40, 10, 50), "res": "fine"}, "res"),
        ({"bbox": (0, 40, 10, 50), "res": 1, "size": (5, 5)}, "size"),
        ({"bbox": (0, 40, 10, 50), "size": (5, 0)}, "size"),
        ({"bbox": (0, 40, 10, 50), "size": 5}, "size"),
        ({"size": (np.inf, 3)}, "size"),
        ({"size": (10**30, 3)}, "size"),
        ({"size": (5, 5, 5)}, "size"),
        ({"res": 10**400}, "res"),
        ({"res": 1e12}, "res: a cell of 1e\\+12 x 1e\\+12 degrees is larger than the globe"),
        ({"res": (1, 181)}, "larger than the globe"),
        ({"bbox": (0, 40, 10, 50), "res": 1e-7}, "too large|memory"),
        ({"covariates": {"rain": np.zeros((2, 2))}}, "no feature"),
        ({"crs": "EPSG:0"}, "crs"),
    ],
)
def test_what_describes_no_map_is_refused(heights, words, match):
    with pytest.raises(pegnn.Error, match=match):
        heights.predict_grid(**words)


def test_a_map_beyond_memory_is_refused_before_it_is_begun(heights):
    with pytest.raises(pegnn.OutOfMemoryError, match="pegnn map"):
        heights.predict_grid((0, 40, 10, 50), 1e-4 / 3)


def test_memory_is_what_is_free_where_the_system_tells(heights, monkeypatch, tmp_path):
    from pegnn import _grid

    (tmp_path / "meminfo").write_text("MemTotal: 99 kB\nMemAvailable: 3 kB\nSwapFree: 7 kB\n")
    assert _grid._free_memory(tmp_path / "meminfo") == 3072
    (tmp_path / "older").write_text("MemTotal: 99 kB\n")
    everything = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for name in ("older", "nowhere"):
        assert _grid._free_memory(tmp_path / name) == everything
    assert _grid._free_memory() <= everything
    monkeypatch.setattr(_grid, "_free_memory", lambda: 3072)
    with pytest.raises(pegnn.OutOfMemoryError, match="free"):
        heights.predict_grid((0, 40, 10, 50), 0.5)


def test_any_truth_value_says_yes_or_no(heights):
    without = heights.predict_grid((0, 45, 5, 48), 1, applicability=None, extrapolate=None)
    assert without.distance is None
    assert heights.predict_grid((0, 45, 5, 48), 1, applicability=1).distance is not None


def test_an_estimator_that_is_not_fitted_draws_no_map():
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        pegnn.KNNRegressor().predict_grid()


# -- other systems --------------------------------------------------------------------------------


def test_another_crs_is_converted_to_that_of_the_model(heights):
    pyproj = pytest.importorskip("pyproj")
    grid = heights.predict_grid((3.8e6, 2.6e6, 4.4e6, 3.1e6), 1e5, crs=3035)
    assert grid.crs == pyproj.CRS(3035) and grid.shape == (5, 6)
    to_lonlat = pyproj.Transformer.from_crs(3035, 4326, always_xy=True)
    places = np.column_stack(to_lonlat.transform(*centres(grid).T))
    np.testing.assert_allclose(grid.values.ravel(), heights.model_.predict(places), rtol=1e-9)
    default = heights.predict_grid(res=50000, crs="EPSG:3035")
    assert default.bounds[0] % 50000 == 0


def test_a_model_of_unknown_crs_takes_no_crs(plane):
    with pytest.raises(pegnn.UsageError, match="fit it with crs"):
        plane.predict_grid(crs=3035, covariates={"slope": np.zeros((2, 2))})


def test_a_model_of_a_geodataframe_draws_in_its_crs(europe):
    geopandas = pytest.importorskip("geopandas")
    gdf = geopandas.GeoDataFrame(
        europe[["elevation"]],
        geometry=geopandas.points_from_xy(europe.longitude, europe.latitude),
        crs=4326,
    ).to_crs(3035)
    model = pegnn.KNNRegressor().fit(gdf, y="elevation")
    grid = model.predict_grid(res=100000)
    assert grid.crs.to_epsg() == 3035
    frame = geopandas.GeoDataFrame(
        geometry=geopandas.points_from_xy(*centres(grid).T), crs=3035
    )
    np.testing.assert_array_equal(grid.values.ravel(), model.predict(frame)["pred"])


# -- covariates -----------------------------------------------------------------------------------

BOX = (0, 0, 100, 50)


@pytest.fixture
def slope():
    """North up, 5 x 10 cells of 10 units."""
    values = np.tile(np.arange(10.0), (5, 1))
    values[0] += 3
    values[2, 4] = np.nan
    return values


@pytest.fixture
def drawn(plane, slope):
    return plane.predict_grid(BOX, 10, covariates={"slope": slope})


def test_cells_without_a_covariate_are_nan(plane, slope, drawn):
    assert np.isnan(drawn.values[2, 4]) and np.isnan(drawn.deviation[2, 4])
    assert np.isnan(drawn.distance[2, 4]) and not drawn.applicable[2, 4]
    whole = np.isfinite(slope.ravel())
    want = plane.model_.predict(centres(drawn)[whole], slope.ravel()[whole, None])
    np.testing.assert_array_equal(drawn.values.ravel()[whole], want)


def test_an_array_gives_the_size_of_the_map(plane, slope, drawn):
    grid = plane.predict_grid(BOX, covariates={"slope": slope.tolist()})
    np.testing.assert_array_equal(grid.values, drawn.values)
    with pytest.raises(pegnn.UsageError, match="10 x 5 cells, the map 20 x 10"):
        plane.predict_grid(BOX, 5, covariates={"slope": slope})


def test_an_xarray_gives_the_cells_whichever_way_its_rows_run(plane, slope, drawn):
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(slope, {"y": drawn.y, "x": drawn.x}, ("y", "x"))
    for given in (array, array[::-1], array.expand_dims("band")):
        with pytest.warns(pegnn.PegnnWarning, match="same coordinates"):
            grid = plane.predict_grid(covariates={"slope": given})
        assert grid.bounds == BOX
        np.testing.assert_array_equal(grid.values, drawn.values)
    np.testing.assert_array_equal(
        plane.predict_grid(BOX, 10, covariates={"slope": array}).values, drawn.values
    )
    moved = array.assign_coords(x=drawn.x + 3)
    with pytest.raises(pegnn.UsageError, match="does not lie on the cells"):
        plane.predict_grid(BOX, 10, covariates={"slope": moved})


def test_masked_cells_are_nan(plane, slope, drawn):
    hidden = np.isnan(slope)
    filled = np.where(hidden, 7, slope)
    masked = np.ma.masked_array(filled, hidden)
    for given in (masked, masked.astype(int), list(masked)):
        grid = plane.predict_grid(BOX, 10, covariates={"slope": given})
        np.testing.assert_array_equal(grid.values, drawn.values)
    with pytest.raises(pegnn.UsageError, match="covariates.'slope'.: not an array of numbers"):
        plane.predict_grid(BOX, 10, covariates={"slope": np.full(slope.shape, "steep")})


@pytest.mark.parametrize("down, across", [("y", "x"), ("lat", "lon"), ("latitude", "Longitude"),
                                          ("northing", "easting"), ("row", "x"), ("y", "column")])
@pytest.mark.filterwarnings("ignore:the covariates and the model")
def test_an_xarray_is_read_by_the_names_of_its_dimensions(plane, slope, drawn, down, across):
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(slope, {down: drawn.y, across: drawn.x}, (down, across))
    for given in (array, array.transpose(), array[:, ::-1], array.transpose()[::-1, ::-1]):
        grid = plane.predict_grid(covariates={"slope": given})
        assert grid.bounds == BOX and grid.cell == (10, 10)
        np.testing.assert_array_equal(grid.values, drawn.values)
    bare = array.drop_vars([down, across])  # names alone
    for given in (bare, bare.transpose()):
        grid = plane.predict_grid(BOX, 10, covariates={"slope": given})
        np.testing.assert_array_equal(grid.values, drawn.values)


def test_dimensions_of_unknown_names_are_rows_and_columns(plane, slope, drawn):
    xarray = pytest.importorskip("xarray")
    array = xarray.DataArray(slope, dims=("a", "b"))
    grid = plane.predict_grid(BOX, 10, covariates={"slope": array})
    np.testing.assert_array_equal(grid.values, drawn.values)
    with pytest.raises(pegnn.UsageError, match="5 x 10 cells, the map 10 x 5"):
        plane.predict_grid(BOX, 10, covariates={"slope": array.transpose()})


@pytest.fixture(scope="module")
def with_feature(europe):
    """A model of longitude and latitude with a feature."""
    X = europe[["longitude", "latitude"]].assign(f=np.sin(europe.longitude))
    return pegnn.GPRegressor().fit(X, europe["elevation"])


def placed(x, y, crs=None, dims=("y", "x"), mapping="spatial_ref"):
    xarray = pytest.importorskip("xarray")
    pyproj = pytest.importorskip("pyproj")
    coords = {dims[0]: y, dims[1]: x}
    attrs = {} if mapping == "spatial_ref" else {"grid_mapping": mapping}
    if crs is not None:
        coords[mapping] = ((), 0, {"crs_wkt": pyproj.CRS(crs).to_wkt()})
    return xarray.DataArray(np.zeros((len(y), len(x))), coords, dims, attrs=attrs)


@pytest.mark.parametrize("mapping", ["spatial_ref", "crs"])
def test_an_xarray_in_another_crs_than_the_map_is_refused(with_feature, mapping):
    x, y = np.arange(0.5, 5), np.arange(47.5, 45, -1)
    box = {"bbox": (0, 45, 5, 48), "size": (5, 3)}
    other = placed(x, y, 3035, mapping=mapping)
    with pytest.raises(pegnn.UsageError, match="EPSG:3035.*the map in .*4326.*rio.reproject"):
        with_feature.predict_grid(**box, covariates={"f": other})
    with pytest.raises(pegnn.UsageError, match="EPSG:3035"):  # without coordinates too
        with_feature.predict_grid(**box, covariates={"f": other.drop_vars(["x", "y"])})
    same = with_feature.predict_grid(**box, covariates={"f": placed(x, y, 4326, mapping=mapping)})
    plain = with_feature.predict_grid(**box, covariates={"f": np.zeros((3, 5))})
    np.testing.assert_array_equal(same.values, plain.values)
    metres = {"bbox": (3.8e6, 2.6e6, 4.3e6, 2.9e6), "res": 1e5, "crs": 3035}
    degrees = placed(x, y, dims=("lat", "lon"))
    with pytest.raises(pegnn.UsageError, match="in longitude and latitude, the map in EPSG:3035"):
        with_feature.predict_grid(**metres, covariates={"f": degrees})


def test_longitudes_and_latitudes_need_no_warning(with_feature, europe, recwarn):
    x, y = np.arange(0.5, 5), np.arange(47.5, 45, -1)
    degrees = placed(x, y, dims=("lat", "lon"))
    grid = with_feature.predict_grid(covariates={"f": degrees})
    assert not [one for one in recwarn if issubclass(one.category, pegnn.PegnnWarning)]
    assert grid.crs.to_epsg() == 4326 and grid.bounds == (0, 45, 5, 48)
    # And a model in metres is asked where they lie.
    geopandas = pytest.importorskip("geopandas")
    gdf = geopandas.GeoDataFrame(
        europe[["elevation"]].assign(f=np.sin(europe.longitude)),
        geometry=geopandas.points_from_xy(europe.longitude, europe.latitude),
        crs=4326,
    ).to_crs(3035)
    model = pegnn.GPRegressor().fit(gdf, y="elevation")
    found = model.predict_grid(covariates={"f": degrees})
    declared = model.predict_grid(covariates={"f": placed(x, y, 4326)})
    assert found.crs.to_epsg() == 4326
    np.testing.assert_array_equal(found.values, declared.values)
    assert not [one for one in recwarn if issubclass(one.category, pegnn.PegnnWarning)]


def raster(path, values, corner, cell, nodata=-1.0, crs=None, count=1):
    rasterio = pytest.importorskip("rasterio")
    height, width = values.shape
    with rasterio.open(
        path, "w", driver="GTiff", width=width, height=height, count=count, dtype="float64",
        nodata=nodata, crs=crs,
        transform=rasterio.Affine(cell, 0, corner[0], 0, -cell, corner[1]),
    ) as file:
        for band in range(1, count + 1):
            file.write(np.where(np.isnan(values), nodata, values * band), band)
    return path


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
def test_a_raster_is_asked_at_the_centres(plane, slope, drawn, tmp_path):
    file = raster(tmp_path / "slope.tif", slope, (0, 50), 10)
    with pytest.warns(pegnn.PegnnWarning, match="same coordinates"):
        same = plane.predict_grid(covariates={"slope": file})
    np.testing.assert_array_equal(same.values, drawn.values)
    # Finer cells, and some beyond the raster.
    fine = plane.predict_grid((0, 0, 110, 50), 5, covariates={"slope": str(file)})
    whole = plane.predict_grid(
        (0, 0, 100, 50), 5, covariates={"slope": np.repeat(np.repeat(slope, 2, 0), 2, 1)}
    )
    np.testing.assert_array_equal(fine.values[:, :20], whole.values)
    assert np.isnan(fine.values[:, 20:]).all()


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
def test_a_band_is_named_after_the_file(plane, slope, tmp_path):
    file = raster(tmp_path / "slope.tif", slope, (0, 50), 10, count=2)
    second = plane.predict_grid(BOX, 10, covariates={"slope": f"{file}#2"})
    want = plane.predict_grid(BOX, 10, covariates={"slope": slope * 2})
    np.testing.assert_array_equal(second.values, want.values)
    with pytest.raises(pegnn.UsageError, match="2 bands, none 3"):
        plane.predict_grid(BOX, 10, covariates={"slope": f"{file}#3"})


def test_rasters_too_large_for_one_window_are_read_in_parts(plane, slope, tmp_path, monkeypatch):
    from pegnn import _covariates

    file = raster(tmp_path / "slope.tif", slope, (0, 50), 10, crs=None)
    whole = plane.predict_grid(BOX, 4, covariates={"slope": file})
    monkeypatch.setattr(_covariates, "MOST_CELLS", 3)
    np.testing.assert_array_equal(
        plane.predict_grid(BOX, 4, covariates={"slope": file}).values, whole.values
    )


def test_rasters_of_longitudes_to_360_and_in_another_crs_are_found(europe, tmp_path):
    X = europe[["longitude", "latitude"]].assign(f=europe.longitude)
    model = pegnn.GPRegressor().fit(X, europe["elevation"])
    globe = np.tile(np.arange(0.5, 360), (180, 1))
    file = raster(tmp_path / "globe.tif", globe, (0, 90), 1, nodata=-9999, crs="EPSG:4326")
    grid = model.predict_grid((-5, 40, 5, 45), 1, covariates={"f": file}, applicability=False)
    want = np.mod(grid.x, 360)
    found = model.predict_grid(
        (-5, 40, 5, 45), 1, covariates={"f": np.tile(want, (5, 1))}, applicability=False
    )
    np.testing.assert_array_equal(grid.values, found.values)
    other = model.predict_grid((3.9e6, 2.6e6, 4.2e6, 2.9e6), 1e5, crs=3035, covariates={"f": file})
    assert np.isfinite(other.values).all()


def test_covariates_that_are_missing_or_nowhere_are_told(plane, slope, tmp_path):
    with pytest.raises(pegnn.UsageError, match="Missing: slope"):
        plane.predict_grid(BOX, 10)
    with pytest.raises(pegnn.UsageError, match="no feature of the model; its features: slope"):
        plane.predict_grid(BOX, 10, covariates={"slope": slope, "rain": slope})
    with pytest.raises(pegnn.UsageError, match="mapping"):
        plane.predict_grid(BOX, 10, covariates=[slope])
    with pytest.raises(pegnn.UsageError, match="shape"):
        plane.predict_grid(BOX, 10, covariates={"slope": slope.ravel()})
    with pytest.raises(pegnn.DataError, match="empty"):
        plane.predict_grid(BOX, 10, covariates={"slope": np.full_like(slope, np.nan)})
    pytest.importorskip("rasterio")
    with pytest.raises(pegnn.ResourceError, match="nowhere.tif"):
        plane.predict_grid(BOX, 10, covariates={"slope": tmp_path / "nowhere.tif"})


# -- what comes of it -----------------------------------------------------------------------------


def test_transform_is_that_of_rasterio(heights):
    affine = pytest.importorskip("affine")
    grid = heights.predict_grid((0, 45, 5, 48), (1, 0.5))
    assert grid.transform == affine.Affine(1, 0, 0, 0, -0.5, 48)
    assert grid.transform * (0.5, 0.5) == (grid.x[0], grid.y[0])


def test_xarray_has_coordinates_crs_and_fill_values(heights):
    pytest.importorskip("xarray")
    grid = heights.predict_grid((0, 45, 5, 48), 1)
    data = grid.to_xarray()
    assert set(data) == {"pred", "pred_sd", "distance", "aoa"}
    for name, band in (("pred", grid.values), ("pred_sd", grid.deviation)):
        assert data[name].dtype == np.float64  # rounded only in files
        np.testing.assert_array_equal(data[name], band)
    assert data["pred"].dims == ("y", "x") and data["x"].values.tolist() == grid.x.tolist()
    assert data["pred"].sel(x=0.5, y=47.5) == grid.values[0, 0]
    reference = data["spatial_ref"].attrs
    assert reference["GeoTransform"] == "0.0 1.0 0.0 48.0 0.0 -1.0"
    pyproj = pytest.importorskip("pyproj")
    assert pyproj.CRS(reference["crs_wkt"]) == grid.crs
    assert data["pred"].attrs["grid_mapping"] == "spatial_ref"
    assert np.isnan(data["pred"].encoding["_FillValue"])


def test_xarray_goes_through_a_file(heights, tmp_path):
    xarray = pytest.importorskip("xarray")
    data = heights.predict_grid((0, 45, 5, 48), 1).to_xarray()
    data.to_netcdf(tmp_path / "map.nc", engine="scipy", format="NETCDF3_64BIT")
    with xarray.open_dataset(tmp_path / "map.nc", engine="scipy") as back:
        xarray.testing.assert_allclose(back["pred"], data["pred"])


def test_a_saved_map_is_read_by_rasterio(heights, plane, slope, drawn, tmp_path):
    rasterio = pytest.importorskip("rasterio")
    grid = heights.predict_grid((0, 45, 5, 48), 1)
    grid.save(tmp_path / "map.tif")
    with rasterio.open(tmp_path / "map.tif") as file:
        assert file.descriptions == ("pred", "pred_sd", "distance", "aoa")
        assert file.crs.to_epsg() == 4326 and file.transform == grid.transform
        np.testing.assert_allclose(file.read(1), grid.values, rtol=1e-6)
        np.testing.assert_array_equal(file.read(4) == 1, grid.applicable)
    drawn.save(tmp_path / "map.tif")  # replaces it
    with rasterio.open(tmp_path / "map.tif") as file:
        assert file.nodata == -9999 and file.crs is None
        assert file.read(1, masked=True).mask[2, 4] and file.read(1, masked=True).count() == 49
    assert os.listdir(tmp_path) == ["map.tif"]
    with pytest.raises(pegnn.ResourceError, match="cannot write"):
        grid.save(tmp_path / "no" / "such" / "map.tif")


def test_a_map_can_be_drawn_and_pickled(heights):
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    grid = heights.predict_grid((0, 45, 5, 48), 1)
    axes = grid.plot(ax=plt.figure().add_subplot(), cmap="terrain")
    assert axes.images[0].get_extent() == (0, 5, 45, 48)
    plt.close("all")
    back = pickle.loads(pickle.dumps(grid))
    assert back.bounds == grid.bounds and (back.values == grid.values).all()


def test_verbose_shows_a_bar(heights, capsys):
    heights.predict_grid((0, 45, 5, 48), 1, verbose=1)
    assert "3/3" in capsys.readouterr().err


# -- the command ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, options",
    [
        (["--bbox", "0,45,10,50", "--res", "0.25"], {"bbox": (0, 45, 10, 50), "res": 0.25}),
        (["--size", "60x40"], {"size": (60, 40)}),
        (["--bbox", "0,40,20,50", "--size", "37x11"], {"bbox": (0, 40, 20, 50), "size": (37, 11)}),
        (["--res", "0.5,0.3"], {"res": (0.5, 0.3)}),
        (["--crs", "EPSG:3035", "--res", "40000"], {"crs": 3035, "res": 40000}),
        (
            ["--bbox", "120,-40,-70,40", "--res", "3", "--extrapolate"],
            {"bbox": (120, -40, -70, 40), "res": 3, "extrapolate": True},
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:the map")
def test_the_map_is_that_of_the_command(heights, command, tmp_path, words, options):
    rasterio = pytest.importorskip("rasterio")
    heights.save(tmp_path / "model.safetensors")
    try:
        files = [tmp_path / "model.safetensors", "-o", tmp_path / "map.tif"]
        command("map", *files, *words, "--no-preview")  # no band for styles
    except AssertionError as error:
        if "GDAL" in str(error):
            pytest.skip("the command is without GDAL")
        raise
    grid = heights.predict_grid(**options)
    with rasterio.open(tmp_path / "map.tif") as file:
        assert (file.height, file.width) == grid.shape
        assert file.transform.almost_equals(grid.transform, 1e-9)
        assert file.descriptions == tuple(grid._bands())
        for number, band in enumerate(grid._bands().values(), start=1):
            theirs = file.read(number, masked=True).filled(np.nan)
            if options.get("crs") and number == 4:
                continue  # places on the border of the area may differ in the last digit
            np.testing.assert_allclose(band, theirs, rtol=1e-6, atol=1e-5)


def test_a_map_with_covariates_is_that_of_the_command(europe, command, tmp_path):
    rasterio = pytest.importorskip("rasterio")
    X = europe[["longitude", "latitude"]].assign(f=np.sin(europe.longitude))
    model = pegnn.GPRegressor().fit(X, europe["elevation"])
    model.save(tmp_path / "model.safetensors")
    values = np.sin(np.linspace(-12, 32, 88))[None, :] + np.linspace(0, 1, 30)[:, None]
    values[16, 40:44] = np.nan
    file = raster(tmp_path / "f.tif", values, (-12, 60), 0.5, nodata=-99, crs="EPSG:4326")
    for words, options in (
        ([], {}),
        (["--bbox", "0,47,11,53", "--res", "0.3"], {"bbox": (0, 47, 11, 53), "res": 0.3}),
        (["--crs", "EPSG:3035", "--res", "60000"], {"crs": 3035, "res": 60000}),
    ):
        try:
            command("map", tmp_path / "model.safetensors", "-o", tmp_path / "map.tif",
                    "--covariates", f"f={file}", "--overwrite", *words)
        except AssertionError as error:
            if "GDAL" in str(error):
                pytest.skip("the command is without GDAL")
            raise
        grid = model.predict_grid(covariates={"f": file}, **options)
        with rasterio.open(tmp_path / "map.tif") as drawn:
            theirs = drawn.read(1, masked=True).filled(np.nan)
            np.testing.assert_allclose(grid.values, theirs, rtol=1e-6, atol=1e-5)
            assert np.isnan(theirs).any() and drawn.transform.almost_equals(grid.transform, 1e-9)


def test_ctrl_c_stops_a_map(heights):
    def interrupt():
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        heights.predict_grid((0, 40, 20, 55), 0.004, threads=1)
    assert time.monotonic() - start < 20
    thread.join()
