"""DataFrames and GeoDataFrames: columns by name, places by geometry, frames back."""

import warnings

import numpy as np
import pandas as pd
import pegnn
import pytest
from sklearn.model_selection import cross_val_score

geopandas = pytest.importorskip("geopandas", reason="geopandas is not installed")


@pytest.fixture
def table(airports):
    return airports.head(400)


@pytest.fixture
def places(table):
    """The same as points, with an index of its own and a column of text."""
    frame = geopandas.GeoDataFrame(
        {"elevation": table["elevation"], "name": "somewhere"},
        geometry=geopandas.points_from_xy(table["longitude"], table["latitude"]),
        crs="EPSG:4326",
    )
    frame.index = [f"port {i}" for i in range(len(frame))]
    return frame


@pytest.fixture
def europe(airports):
    """Airports of Europe in metres."""
    inside = airports["longitude"].between(-10, 30) & airports["latitude"].between(36, 60)
    some = airports[inside]
    frame = geopandas.GeoDataFrame(
        {"elevation": some["elevation"].to_numpy()},
        geometry=geopandas.points_from_xy(some["longitude"], some["latitude"]),
        crs="EPSG:4326",
    )
    return frame.to_crs("EPSG:3035")


# -- columns by name ------------------------------------------------------------------------------


def test_coordinates_are_found_by_their_usual_names(table):
    shuffled = table.assign(slope=1.0)[["slope", "latitude", "longitude"]]
    model = pegnn.KNNRegressor().fit(shuffled, table["elevation"])
    ordered = pegnn.KNNRegressor().fit(table[["longitude", "latitude"]], table["elevation"])
    assert model.metric_ == "great-circle"
    assert (model.predict(shuffled) == ordered.predict(table[["longitude", "latitude"]])).all()


def test_coordinates_may_have_any_name(table):
    renamed = table.rename(columns={"longitude": "oost", "latitude": "noord"})
    model = pegnn.KNNRegressor(coords=("oost", "noord")).fit(
        renamed[["oost", "noord"]], renamed["elevation"]
    )
    assert model.metric_ == "great-circle"  # all values would fit the globe
    planar = pegnn.KNNRegressor(coords=("oost", "noord"), metric="planar").fit(
        renamed[["oost", "noord"]], renamed["elevation"]
    )
    assert planar.metric_ == "planar"


def test_coordinates_too_large_for_the_globe_are_planar(table):
    X = table[["longitude", "latitude"]].to_numpy() * 1000
    assert pegnn.KNNRegressor().fit(X, table["elevation"]).metric_ == "planar"


def test_coordinates_in_the_wrong_order_are_refused(table):
    with pytest.raises(pegnn.UsageError, match="wrong order; 'longitude' comes first"):
        pegnn.KNNRegressor(coords=("latitude", "longitude")).fit(
            table[["longitude", "latitude"]], table["elevation"]
        )


def test_a_frame_without_usual_names_takes_the_first_two_columns_and_says_so(table):
    X = table[["longitude", "latitude"]].set_axis(["a", "b"], axis=1)
    with pytest.warns(pegnn.PegnnWarning, match="'a' and 'b' are taken"):
        pegnn.KNNRegressor().fit(X, table["elevation"])


def test_columns_of_text_are_left_out_with_a_warning(table):
    X = table[["longitude", "latitude"]].assign(kind="small")
    with pytest.warns(pegnn.PegnnWarning, match="left out: kind"):
        model = pegnn.PEGNNRegressor(model="knn").fit(X, table["elevation"])
    assert model.n_features_in_ == 3 and list(model.feature_names_in_)[-1] == "kind"


def test_features_can_be_named_and_left_out(table):
    X = table[["longitude", "latitude"]].assign(a=1.5, b=np.arange(len(table)))
    small = dict(model="gcn", preset="paper", steps=3)
    y = table["elevation"]
    assert pegnn.PEGNNRegressor(features=["b"], **small).fit(X, y).features_ == ["b"]
    assert pegnn.PEGNNRegressor(no_features=True, **small).fit(X, y).features_ == []
    with pytest.raises(pegnn.UsageError, match="features: X has no column 'c'"):
        pegnn.PEGNNRegressor(features=["c"], **small).fit(X, y)
    with pytest.raises(pegnn.UsageError, match="'longitude' is a coordinate"):
        pegnn.PEGNNRegressor(features=["longitude"], **small).fit(X, y)


def test_predict_wants_the_columns_of_fit(table):
    X, y = table[["longitude", "latitude"]], table["elevation"]
    model = pegnn.KNNRegressor().fit(X, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(X.rename(columns={"latitude": "lat"}))


def test_the_target_may_be_named(table):
    model = pegnn.KNNRegressor().fit(table, y="elevation")
    assert model.target_ == "elevation"
    # Columns are then found by name: the target may still be there.
    expected = model.predict(table[["latitude", "longitude"]])
    assert (model.predict(table) == expected).all()
    assert model.score(table) == model.score(table, table["elevation"])
    with pytest.raises(pegnn.UsageError, match="did you mean 'elevation'"):
        pegnn.KNNRegressor().fit(table, y="elevatoin")


def test_a_series_gives_the_target_its_name(table):
    model = pegnn.KNNRegressor().fit(table[["longitude", "latitude"]], table["elevation"])
    assert model.model_.info["target"] == "elevation"


def test_two_columns_of_one_name_are_refused(table):
    X = table[["longitude", "latitude", "latitude"]]
    with pytest.raises(pegnn.UsageError, match="same name"):
        pegnn.KNNRegressor().fit(X, table["elevation"])


# -- geometry -------------------------------------------------------------------------------------


def test_a_geodataframe_comes_back_with_its_index_and_crs(places):
    with pytest.warns(pegnn.PegnnWarning, match="left out: name"):
        model = pegnn.PEGNNRegressor(model="kriging").fit(places, y="elevation")
    found = model.predict(places.head(5))
    assert isinstance(found, geopandas.GeoDataFrame)
    assert list(found.index) == list(places.index[:5]) and found.crs == places.crs
    assert {"pred", "pred_sd", "name", "elevation"} <= set(found.columns)
    assert np.isfinite(found["pred"]).all()
    assert model.crs_ == "EPSG:4326" and model.metric_ == "great-circle"


@pytest.mark.filterwarnings("ignore:columns without numbers")
def test_geometry_and_columns_give_the_same_predictions(places, table):
    by_geometry = pegnn.KNNRegressor().fit(places, y="elevation").predict(places)["pred"]
    X = table[["longitude", "latitude"]]
    by_columns = pegnn.KNNRegressor().fit(X, table["elevation"]).predict(X)
    assert (by_geometry.to_numpy() == by_columns).all()


def test_projected_geometry_is_planar_and_other_systems_are_converted(europe):
    model = pegnn.KrigingRegressor().fit(europe, y="elevation")
    assert model.metric_ == "planar" and model.crs_ == "EPSG:3035"
    assert "EPSG:3035" in model.model_.info["crs"]
    there = europe.head(10)
    expected = model.predict(there)["pred"]
    converted = model.predict(there.to_crs("EPSG:4326"))
    assert converted.crs == "EPSG:4326"
    assert np.allclose(converted["pred"], expected, rtol=1e-4, atol=0.05)


def test_an_array_of_targets_gives_arrays_so_that_cross_validation_works(europe):
    X, y = europe[["geometry"]], europe["elevation"]
    model = pegnn.KNNRegressor().fit(X, y)
    assert isinstance(model.predict(X), np.ndarray)
    scores = cross_val_score(pegnn.KNNRegressor(), X, y, cv=3, scoring="neg_mean_squared_error")
    assert np.isfinite(scores).all()


def test_polygons_are_refused_with_what_to_do(europe):
    areas = europe.set_geometry(europe.buffer(1000))
    with pytest.raises(pegnn.DataError, match="row 0 .* Polygon.*centroid"):
        pegnn.KNNRegressor().fit(areas, y="elevation")


def test_missing_geometry_is_a_missing_value(europe):
    from shapely.geometry import Point

    broken = europe.copy()
    broken.loc[broken.index[3], "geometry"] = Point()
    with pytest.raises(ValueError, match="NaN"):
        pegnn.KNNRegressor().fit(broken, y="elevation")
    model = pegnn.KNNRegressor(drop_missing=True).fit(broken, y="elevation")
    found = model.predict(broken)["pred"]
    assert np.isnan(found.iloc[3]) and found.notna().sum() == len(found) - 1


def test_geometry_without_crs_is_planar_or_what_the_caller_says(europe):
    bare = geopandas.GeoDataFrame(
        {"elevation": europe["elevation"]},
        geometry=geopandas.points_from_xy(europe.geometry.x, europe.geometry.y),
    )
    assert pegnn.KNNRegressor().fit(bare, y="elevation").metric_ == "planar"
    told = pegnn.KNNRegressor(crs=3035).fit(bare, y="elevation")
    assert told.crs_ == "EPSG:3035"
    with pytest.warns(pegnn.PegnnWarning, match="X has no CRS"):
        told.predict(bare.head(2))
    with pytest.raises(pegnn.UsageError, match="crs: the GeoDataFrame has one"):
        pegnn.KNNRegressor(crs=3035).fit(europe, y="elevation")


def test_a_model_without_crs_warns_of_geometry_that_has_one(europe):
    bare = geopandas.GeoDataFrame(
        {"elevation": europe["elevation"]},
        geometry=geopandas.points_from_xy(europe.geometry.x, europe.geometry.y),
    )
    model = pegnn.KNNRegressor().fit(bare, y="elevation")
    with pytest.warns(pegnn.PegnnWarning, match="fitted on geometry without a CRS"):
        model.predict(europe.head(2))


def test_longitudes_in_grads_or_from_paris_are_refused(places):
    with pytest.raises(pegnn.UsageError, match="convert to EPSG:4326"):
        pegnn.KNNRegressor().fit(places.to_crs(4807)[["geometry", "elevation"]], y="elevation")


def test_coordinates_in_feet_are_planar(europe):
    model = pegnn.KNNRegressor().fit(europe.to_crs(2263), y="elevation")
    assert model.metric_ == "planar" and np.isfinite(model.predict(europe)["pred"]).all()


def test_geometry_of_any_name_and_other_columns_of_geometry_do(europe):
    y = europe["elevation"].to_numpy()
    model = pegnn.KNNRegressor().fit(europe[["geometry"]].rename_geometry("shape"), y)
    assert model.n_features_in_ == 0
    assert (model.predict(europe[["geometry"]]) == pegnn.KNNRegressor().fit(
        europe[["geometry"]], y).predict(europe[["geometry"]])).all()


def test_a_frame_without_active_geometry_is_refused(europe):
    lost = geopandas.GeoDataFrame(
        europe.rename_geometry("first").assign(second=europe.geometry).drop(columns="first")
    )
    with pytest.raises(pegnn.UsageError, match="no active geometry"):
        pegnn.KNNRegressor().fit(lost, y="elevation")


def test_the_geometry_is_no_target(europe):
    with pytest.raises(pegnn.UsageError, match="'geometry' is the geometry"):
        pegnn.KNNRegressor().fit(europe, y="geometry")


def test_columns_of_several_levels_are_refused(table):
    X = pd.concat({"a": table[["longitude", "latitude"]]}, axis=1)
    with pytest.raises(pegnn.UsageError, match="several levels"):
        pegnn.KNNRegressor().fit(X, table["elevation"])


def test_an_unknown_crs_is_told(table):
    with pytest.raises(pegnn.UsageError, match="crs: 'EPSG:99999' is not known"):
        pegnn.KNNRegressor(crs="EPSG:99999").fit(
            table[["longitude", "latitude"]], table["elevation"]
        )


def test_a_model_of_geometry_wants_geometry(europe):
    model = pegnn.KNNRegressor().fit(europe, y="elevation")
    for other in (np.zeros((2, 2)), pd.DataFrame({"x": [1.0], "y": [2.0]})):
        with pytest.raises(pegnn.UsageError, match="fitted on a GeoDataFrame"):
            model.predict(other)


# -- the functions take the same ------------------------------------------------------------------


def test_train_and_compare_take_frames_mappings_and_geometry(table, places):
    by_frame = pegnn.train(table, "elevation", model="knn")
    by_mapping = pegnn.train(
        {name: table[name].to_numpy() for name in table.columns}, "elevation", model="knn"
    )
    X = table[["longitude", "latitude"]].to_numpy()
    assert (by_frame.predict(X) == by_mapping.predict(X)).all()
    assert (pegnn.train(places, "elevation", model="knn").predict(X) == by_frame.predict(X)).all()
    league = pegnn.compare(places, "elevation", ["knn", "mean"], folds=3)
    assert isinstance(league, pd.DataFrame) and set(league["model"]) == {"knn", "mean"}
    assert league["verdict"].iloc[0] == "best" and league.attrs["folds"] == 3


def test_damaged_numbers_in_a_frame_are_told_with_their_row(table):
    broken = table.assign(slope=["1.5"] * 10 + ["?"] + ["2"] * (len(table) - 11))
    with pytest.raises(pegnn.DataError, match="data row 10, column 'slope': '\\?'"):
        pegnn.train(broken, "elevation", model="boosting")


def test_columns_of_text_in_a_mapping_are_told(table):
    data = {name: table[name].to_numpy() for name in table.columns}
    with pytest.raises(pegnn.UsageError, match="column 'name' holds no numbers"):
        pegnn.train({**data, "name": ["a"] * len(table)}, "elevation")


@pytest.mark.parametrize(
    "wrong, message",
    [
        (dict(folds="5"), "folds: '5'"),
        (dict(folds=2.5), "folds: 2.5"),
        (dict(scheme=None), "scheme: None"),
        (dict(scheme="block", block_km=-1), "block_km: -1"),
        (dict(scheme="block", block_km=float("nan")), "block_km: nan"),
        (dict(scheme="block", block_km=3, block_size=2), "say the same in two units"),
        (dict(scheme="block", block_size=3), "block_size is in the unit of x and y"),
        (dict(block_km=3), "block_km goes with scheme block"),
        (dict(places=[[1, 2]]), "places goes with scheme knndm"),
        (dict(scheme="knndm", buffer_km=3), "leave out buffer_km"),
        (dict(fold_column="name", scheme="block"), "fold_column says .* leave out scheme"),
        (dict(fold_column="nam"), "fold_column: unknown column 'nam'"),
        (dict(buffer_km=0), "buffer_km: 0 is not a positive number"),
        (dict(buffer_km=9000), "a buffer of 9,000 km leaves 0 of the"),
        (dict(split_seed=-5), "split_seed: -5"),
        (dict(test_share=0), "test_share: 0"),
        (dict(test_rows=[1.7]), "test_rows: 1.7"),
        (dict(test_rows=[-1]), "test_rows: -1"),
        (dict(test_rows=[10**9]), "test_rows: 1000000000 is not from 0 to 399"),
        (dict(test_rows=[]), "no row is named"),
        (dict(lon=3, lat="latitude"), "lon: 3"),
        (dict(callback=3), "callback: 3"),
    ],
    ids=str,
)
def test_wrong_words_of_evaluate_are_told(table, wrong, message):
    with pytest.raises(pegnn.UsageError, match=message):
        pegnn.evaluate(table, "elevation", model="knn", **wrong)


def regions_of(table):
    return np.where(table["longitude"] < 0, "west", np.where(table["latitude"] > 40, "b", "a"))


def test_a_fold_column_of_text_or_numbers_tells_the_folds(table, tmp_path):
    with_text = table.assign(region=regions_of(table))
    with_text.to_csv(tmp_path / "t.csv", index=False)
    numbers = with_text.assign(region=with_text["region"].map({"a": 1, "b": 2, "west": 30}))
    mapping = {name: with_text[name].to_numpy() for name in with_text.columns}
    want = with_text["region"].map({"a": 0, "b": 1, "west": 2})
    for data in (with_text, numbers, mapping, tmp_path / "t.csv"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = pegnn.evaluate(data, "elevation", model="knn", fold_column="region")
        assert found["scheme"] == "fold-column" and found["fold_column"] == "region"
        assert found["fold"].tolist() == want.tolist()
        assert len(found["fold_names"]) == 3
    two = pegnn.evaluate(with_text, "elevation", model="knn", fold_column="region", folds=2)
    assert len(two["folds"]) == 2


def test_a_buffer_leaves_out_training_rows(table):
    def rows(**words):
        found = pegnn.evaluate(table, "elevation", model="knn", folds=3, split_seed=1, **words)
        return [fold["train_rows"] for fold in found["folds"]], found["buffer"]

    without, none = rows()
    near, buffer = rows(buffer_km=50)
    assert none == 0 and buffer == 50_000
    assert all(a < b for a, b in zip(near, without))


def test_folds_match_the_distances_of_places(table, places):
    def of(**words):
        return pegnn.evaluate(
            table, "elevation", model="mean", scheme="knndm", folds=4, split_seed=1, **words
        )

    far = np.array([[-150.0, -40.0], [-140.0, -50.0]])
    frame = pd.DataFrame(far, columns=["longitude", "latitude"])
    assert of(places=far)["fold"].tolist() == of(places=frame)["fold"].tolist()
    assert of(places=far)["knndm_w"] > of()["knndm_w"] > 0
    for wrong, match in ((far[:0], "there are none"), (frame.rename(columns=str.upper), "no column"),
                         (far[0], "two columns")):
        with pytest.raises(pegnn.UsageError, match=match):
            of(places=wrong)


def test_a_league_over_several_splits_of_blocks_has_one_verdict(table):
    league = pegnn.compare(
        table, "elevation", ["knn", "mean"], scheme="block", test_share=0.2, repeats=4
    )
    assert league.attrs["repeats"] == 4 and league.attrs["folds"] == 1
    assert set(league["verdict"]) <= {"best", "tied", "worse"} and (league["rmse_sd"] > 0).all()


def test_dates_are_text(table):
    dated = table.assign(day=pd.Timestamp("2020-01-01"))
    with pytest.warns(pegnn.PegnnWarning, match="left out: day"):
        pegnn.train(dated, "elevation", model="boosting", trees=5)


@pytest.mark.filterwarnings("ignore:columns without numbers")
def test_dates_are_no_features(table):
    dated = table.assign(day=pd.Timestamp("2020-01-01"))
    assert pegnn.train(dated, "elevation", model="boosting", trees=5).info["features"] == []


def test_evaluate_says_what_was_held_out(table):
    found = pegnn.evaluate(table, "elevation", model="knn", test_rows=[3, 5, 7])
    assert found["scheme"] == "test-rows" and found["mean"]["rows"] == 3
    assert np.flatnonzero(np.isfinite(found["predicted"])).tolist() == [3, 5, 7]
    with pytest.raises(pegnn.UsageError, match="give one of them"):
        pegnn.evaluate(table, "elevation", model="knn", folds=3, test_share=0.2)


def test_warnings_point_at_the_line_that_called(table):
    X = table[["longitude", "latitude"]].set_axis(["a", "b"], axis=1)
    with pytest.warns(pegnn.PegnnWarning) as seen:
        pegnn.KNNRegressor().fit(X, table["elevation"])
    assert seen[0].filename == __file__
