import json

import numpy as np
import pytest

import pegnn

pandas = pytest.importorskip("pandas")

TABLES = {
    "california_housing.csv": ("Longitude", "Latitude", "MedHouseVal"),
    "air_temperature.csv": ("longitude", "latitude", "meanT"),
    "election.csv": ("longitude", "latitude", "median_income"),
    "3d_road_sample5000.csv.gz": ("longitude", "latitude", "altitude"),
    "standin_jacksboro_dem.csv.gz": ("longitude", "latitude", "elevation"),
}


def unit_vectors(lonlat):
    lon, lat = np.radians(lonlat).T
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


def by_formula(w, y):
    """Global I, local I and lag of row-standardised libpysal weights, by esda's formulas."""
    w.transform = "r"
    matrix = w.sparse
    z = (y - y.mean()) / y.std()
    lag = matrix @ z
    n = len(y)
    return n / matrix.sum() * (z @ lag) / (z @ z), (n - 1) * z * lag / (z @ z), lag


@pytest.mark.filterwarnings("ignore:The weights matrix")
@pytest.mark.parametrize("metric", ["great-circle", "planar"])
@pytest.mark.parametrize("name", TABLES)
def test_moran_agrees_with_libpysal_weights_and_the_formula(shared_data, name, metric):
    weights = pytest.importorskip("libpysal.weights")
    table = shared_data(name)
    *places, value = TABLES[name]
    # Moved a little, so that no two neighbours are equally far and there is one graph alone.
    moves = np.random.default_rng(3).uniform(-1e-3, 1e-3, (len(table), 2))
    lonlat = table[places].to_numpy() + moves
    y = table[value].to_numpy()
    w = weights.KNN.from_array(unit_vectors(lonlat) if metric == "great-circle" else lonlat, k=5)
    I, Is, lag = by_formula(w, y)
    found = pegnn.moran(lonlat, y, 5, metric=metric, permutations=0)
    assert found.I == pytest.approx(I, rel=1e-9)
    np.testing.assert_allclose(found.lag, lag, atol=1e-9)
    np.testing.assert_allclose(found.Is, Is, atol=1e-9)


def test_golden_moran(golden):
    graph, want = golden["graph"], golden["moran"]
    found = pegnn.moran(graph["lonlat"], graph["y"], graph["k"], weights="binary", permutations=0)
    assert found.I == pytest.approx(want["global_binary"], rel=1e-9)
    np.testing.assert_allclose(found.Is, want["local_binary"], rtol=1e-9)
    row = pegnn.moran(graph["lonlat"], graph["y"], graph["k"], permutations=0)
    assert row.I == pytest.approx(want["global_rowstandardised"], rel=1e-9)


def test_the_result_is_that_of_the_command(airports, command, tmp_path):
    rows = airports.head(600)
    file, local = tmp_path / "airports.csv", tmp_path / "local.csv"
    rows.to_csv(file, index=False)
    words = ["moran", file, "--value", "elevation", "--seed", "7", "--k", "6"]
    told = json.loads(command(*words, "--json"))
    command(*words, "-o", local)
    found = pegnn.moran(rows, "elevation", 6, seed=7)
    for name in ("I", "EI", "p_sim", "z_sim", "permutations", "k", "weights", "alpha", "fdr"):
        assert getattr(found, name) == told[name], name
    theirs, ours = pandas.read_csv(local), found.to_frame()
    for name in ("Is", "lag", "p_sim", "p_fdr"):
        np.testing.assert_allclose(ours[name], theirs[name], rtol=1e-5, atol=1e-8)
    assert ours["q"].tolist() == theirs["q"].tolist()
    assert ours["cluster"].tolist() == theirs["cluster"].tolist()
    assert set(ours["cluster"]) > {"HH", "LL", "ns"}
    counts = {word: int((found.cluster == word).sum()) for word in told["clusters"]}
    assert counts == told["clusters"]


def test_clusters_go_by_p_without_control(airports):
    found = pegnn.moran(airports.head(500), "elevation", fdr="none", alpha=0.01, permutations=199)
    assert ((found.cluster != "ns") == (found.p <= 0.01)).all()
    controlled = pegnn.moran(airports.head(500), "elevation", alpha=0.01, permutations=199)
    assert ((controlled.cluster != "ns") == (controlled.p_fdr <= 0.01)).all()
    assert (controlled.p_fdr >= controlled.p).all()


def test_quadrants_are_those_of_z_and_lag(airports):
    found = pegnn.moran(airports.head(500), "elevation", permutations=0)
    high, among_high = found.z > 0, found.lag > 0
    want = np.select([high & among_high, ~high & among_high, ~high & ~among_high], [1, 2, 3], 4)
    assert (found.q == want).all()


def test_the_same_seed_gives_the_same_p_values_on_any_number_of_threads(airports):
    one = pegnn.moran(airports.head(400), "elevation", seed=3, threads=1)
    three = pegnn.moran(airports.head(400), "elevation", seed=3, threads=3)
    other = pegnn.moran(airports.head(400), "elevation", seed=4)
    assert (one.p == three.p).all() and one.z_sim == three.z_sim
    assert (one.p != other.p).any()


def test_no_permutations_test_nothing(airports):
    found = pegnn.moran(airports.head(100), "elevation", permutations=0)
    assert np.isnan(found.p_sim) and np.isnan(found.p).all() and np.isfinite(found.I)
    assert set(found.cluster) == {""}


def test_values_are_a_column_a_series_or_a_list(airports):
    rows = airports.head(200)
    want = pegnn.moran(rows, "elevation", permutations=0).I
    for values in (
        rows["elevation"],
        rows["elevation"].tolist(),
        rows["elevation"].to_numpy()[:, None],
        rows["elevation"].astype("Float64"),
    ):
        assert pegnn.moran(rows[["longitude", "latitude"]], values, permutations=0).I == want


def test_a_geodataframe_gives_its_index_back(airports):
    geopandas = pytest.importorskip("geopandas")
    rows = airports.head(100)
    gdf = geopandas.GeoDataFrame(
        rows[["elevation"]],
        geometry=geopandas.points_from_xy(rows["longitude"], rows["latitude"]),
        crs=4326,
    ).set_index(rows.index + 1000)
    found = pegnn.moran(gdf, "elevation", permutations=9)
    assert found.I == pegnn.moran(rows, "elevation", permutations=9).I
    assert found.to_frame().index.equals(gdf.index)
    assert gdf.join(found.to_frame())["Is"].notna().all()


def test_missing_values_are_refused_or_left_out(airports):
    rows = airports.head(50).copy()
    rows.loc[7, "elevation"] = np.nan
    rows.loc[9, "latitude"] = np.nan
    with pytest.raises(pegnn.DataError, match="row 9 .*coordinate"):
        pegnn.moran(rows, "elevation")
    with pytest.raises(pegnn.DataError, match="row 7 .*drop_missing"):
        pegnn.moran(rows.drop(index=9), "elevation")
    found = pegnn.moran(rows, "elevation", permutations=19, drop_missing=True)
    whole = pegnn.moran(rows.drop(index=[7, 9]), "elevation", permutations=19)
    assert found.I == whole.I
    assert np.isnan(found.Is[[7, 9]]).all() and (found.q[[7, 9]] == 0).all()
    assert found.cluster[7] == "" and len(found.to_frame()) == 50
    assert np.delete(found.Is, [7, 9]).tolist() == whole.Is.tolist()


def test_masked_values_and_places_are_missing(airports):
    rows = airports.head(50)
    points, values = rows[["longitude", "latitude"]].to_numpy(), rows["elevation"].to_numpy()
    hidden = np.zeros(50, dtype=bool)
    hidden[[7, 9]] = True
    masked = np.ma.masked_array(np.where(hidden, 1e6, values), hidden)
    with pytest.raises(pegnn.DataError, match="row 7 .* 2 of 50"):
        pegnn.moran(points, masked)
    found = pegnn.moran(points, masked, permutations=19, drop_missing=True)
    want = pegnn.moran(points[~hidden], values[~hidden], permutations=19)
    assert found.I == want.I and np.isnan(found.Is[7])
    whole = np.ma.masked_array(values.astype(int), hidden)  # of whole numbers too
    assert np.isnan(pegnn.moran(points, whole, permutations=0, drop_missing=True).z[9])
    places = np.ma.masked_array(points, np.column_stack([hidden, hidden]))
    placed = pegnn.moran(places, values, permutations=19, drop_missing=True)
    assert placed.I == want.I and placed.q[7] == 0 and placed.cluster[7] == ""
    assert placed.q.dtype == want.q.dtype and placed.cluster.dtype == want.cluster.dtype


def test_constant_values_have_no_moran(airports):
    with pytest.warns(pegnn.PegnnWarning, match="constant"):
        found = pegnn.moran(airports.head(30), np.full(30, 2.5), permutations=9)
    assert np.isnan(found.I) and (found.q == 0).all() and set(found.cluster) == {"ns"}


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_fewer_than_three_rows_are_refused(rows):
    with pytest.raises(pegnn.DataError, match="at least 3 rows"):
        pegnn.moran(np.zeros((rows, 2)), np.zeros(rows))


def test_more_neighbours_than_rows_are_cut_with_a_warning():
    lonlat = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 3.0]]
    with pytest.warns(pegnn.PegnnWarning, match="using 3"):
        found = pegnn.moran(lonlat, [1.0, 2.0, 3.0, 9.0], permutations=0)
    assert found.k == 3


def test_points_in_one_place_and_at_the_pole_work():
    lonlat = [[0.0, 90.0], [90.0, 90.0], [180.0, 90.0], [-180.0, 89.0], [180.0, 89.0]]
    found = pegnn.moran(lonlat, [5.0, 5.5, 6.0, 1.0, 1.2], 1, permutations=0)
    assert found.Is[3] > 0 and found.lag[3] == found.z[4]


@pytest.mark.parametrize(
    "words",
    [
        {"k": 0},
        {"permutations": -1},
        {"permutations": 10**7},
        {"weights": "queen"},
        {"fdr": "holm"},
        {"alpha": 2},
        {"alpha": "a"},
        {"alpha": None},
        {"k": np.inf},
        {"k": 10**30},
        {"k": True},
        {"permutations": np.nan},
        {"seed": -1},
    ],
)
def test_wrong_words_are_refused_by_their_name(airports, words):
    with pytest.raises(pegnn.UsageError, match=next(iter(words))):
        pegnn.moran(airports.head(10), "elevation", **words)


def test_values_that_do_not_fit_are_refused(airports):
    with pytest.raises(pegnn.UsageError, match="expected 10 numbers"):
        pegnn.moran(airports.head(10), [1.0, 2.0])
    with pytest.raises(pegnn.UsageError, match="did you mean 'elevation'"):
        pegnn.moran(airports.head(10), "elevatoin")
    with pytest.raises(pegnn.UsageError, match="DataFrame"):
        pegnn.moran(np.zeros((5, 2)), "elevation")
    with pytest.raises(pegnn.UsageError, match="values: not an array of numbers"):
        pegnn.moran(airports.head(3), ["a", "b", "c"])
