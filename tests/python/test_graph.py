import numpy as np
import pytest

import pegnn

pandas = pytest.importorskip("pandas")

RADIUS = 6371008.8
TABLES = [
    "california_housing.csv",
    "air_temperature.csv",
    "election.csv",
    "3d_road_sample5000.csv.gz",
    "standin_jacksboro_dem.csv.gz",
]


def neighbours_of(graph, row):
    return graph.columns[graph.offsets[row] : graph.offsets[row + 1]].tolist()


def lengths_of(graph, row):
    return graph.lengths[graph.offsets[row] : graph.offsets[row + 1]]


def coordinates(table):
    names = {name.lower(): name for name in table.columns}
    return table[[names["longitude"], names["latitude"]]].to_numpy()


def unit_vectors(lonlat):
    lon, lat = np.radians(np.asarray(lonlat, dtype=float)).T
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


def arcs(lonlat, row, others):
    """Great-circle distances by the haversine formula."""
    lon, lat = np.radians(np.asarray(lonlat, dtype=float)).T
    dlon, dlat = lon[others] - lon[row], lat[others] - lat[row]
    h = np.sin(dlat / 2) ** 2 + np.cos(lat[row]) * np.cos(lat[others]) * np.sin(dlon / 2) ** 2
    return 2 * RADIUS * np.arcsin(np.sqrt(h))


# -- against libpysal -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_neighbours_in_the_plane_are_those_of_libpysal_but_for_ties(shared_data, name):
    weights = pytest.importorskip("libpysal.weights")
    xy = coordinates(shared_data(name)) * 1000
    graph = pegnn.knn_graph(xy, 5, metric="planar")
    theirs = weights.KNN.from_array(xy, k=5)
    equal = 0
    for row in range(len(xy)):
        ours, other = neighbours_of(graph, row), theirs.neighbors[row]
        equal += set(ours) == set(other)
        # Those of one may be others of the same distance.
        np.testing.assert_allclose(
            np.sort(np.hypot(*(xy[ours] - xy[row]).T)),
            np.sort(np.hypot(*(xy[other] - xy[row]).T)),
            rtol=1e-9,
            atol=1e-9,
        )
    assert equal > 0.5 * len(xy)


@pytest.mark.parametrize("name", TABLES)
def test_neighbours_on_the_globe_are_those_of_unit_vectors_but_for_ties(shared_data, name):
    weights = pytest.importorskip("libpysal.weights")
    lonlat = coordinates(shared_data(name))
    graph = pegnn.knn_graph(lonlat, 5)
    theirs = weights.KNN.from_array(unit_vectors(lonlat), k=5)
    equal = 0
    for row in range(len(lonlat)):
        ours, other = neighbours_of(graph, row), theirs.neighbors[row]
        equal += set(ours) == set(other)
        np.testing.assert_allclose(
            np.sort(arcs(lonlat, row, ours)), np.sort(arcs(lonlat, row, other)), atol=0.5
        )
        np.testing.assert_allclose(lengths_of(graph, row), arcs(lonlat, row, ours), atol=0.01)
    assert equal > 0.5 * len(lonlat)


def test_lengths_are_the_arcs_of_libpysal(airports):
    weights = pytest.importorskip("libpysal.weights")
    lonlat = airports[["longitude", "latitude"]].head(400).to_numpy()
    theirs = weights.KNN.from_array(lonlat, k=4, distance_metric="arc", radius=6371.0088)
    graph = pegnn.knn_graph(lonlat, 4)
    for row in range(len(lonlat)):
        np.testing.assert_allclose(
            np.sort(arcs(lonlat, row, theirs.neighbors[row])), lengths_of(graph, row), atol=0.5
        )


def test_golden_neighbours_and_metres(golden):
    for case in golden["knn"]:
        graph = pegnn.knn_graph(case["lonlat"], case["k"])
        want = np.asarray(case["metres"])
        np.testing.assert_allclose(graph.lengths.reshape(want.shape), want, rtol=1e-9, atol=1e-3)
        assert graph.columns.reshape(want.shape).tolist() == case["neighbours"], case["name"]


def test_golden_edge_weights(golden):
    case = golden["graph"]
    graph = pegnn.knn_graph(case["lonlat"], case["k"], metric="great-circle")
    want = np.asarray(case["edge_weight"])
    np.testing.assert_allclose(graph.weights.reshape(want.shape), want, atol=1e-6)


# -- conversions ----------------------------------------------------------------------------------


def test_a_libpysal_w_has_the_index_of_the_frame_and_binary_weights():
    pytest.importorskip("libpysal")
    frame = pandas.DataFrame(
        {"x": [0.0, 1.0, 5.0], "y": [0.0, 0.0, 0.0]}, index=["here", "near", "far"]
    )
    w = pegnn.knn_graph(frame, 1).to_libpysal()
    assert w.id_order == ["here", "near", "far"]
    assert w.neighbors == {"here": ["near"], "near": ["here"], "far": ["near"]}
    assert all(weights == [1.0] for weights in w.weights.values())
    assert w.n == 3 and w.s0 == 3


def test_a_libpysal_w_equals_that_of_libpysal(airports):
    weights = pytest.importorskip("libpysal.weights")
    xy = airports[["longitude", "latitude"]].head(500).drop_duplicates()
    ours = pegnn.knn_graph(xy, 5, metric="planar").to_libpysal()
    theirs = weights.KNN.from_array(xy.to_numpy(), k=5)
    same = sum(
        set(ours.neighbors[label]) == {xy.index[j] for j in theirs.neighbors[i]}
        for i, label in enumerate(xy.index)
    )
    assert same >= len(xy) - 2  # ties


def test_labels_that_appear_twice_are_refused_by_to_libpysal():
    pytest.importorskip("libpysal")
    frame = pandas.DataFrame({"x": [0.0, 1.0], "y": [0.0, 0.0]}, index=["a", "a"])
    with pytest.raises(pegnn.UsageError, match="reset_index"):
        pegnn.knn_graph(frame, 1).to_libpysal()


def test_csr_keeps_explicit_zeros_of_coincident_points():
    matrix = pegnn.knn_graph([[5.0, 5.0], [5.0, 5.0], [5.0, 6.0]], 1).to_csr()
    assert matrix.nnz == 3
    assert matrix[0].indices.tolist() == [1] and matrix[0].data.tolist() == [0.0]
    assert matrix[2].indices.tolist() == [0]


def test_csr_rows_are_nearest_first(airports):
    matrix = pegnn.knn_graph(airports.head(300), 6).to_csr()
    assert matrix.shape == (300, 300)
    data = matrix.data.reshape(300, 6)
    assert (np.diff(data, axis=1) >= 0).all()


def test_csr_of_weights_and_binary(airports):
    graph = pegnn.knn_graph(airports.head(50), 3)
    assert graph.to_csr("weights").data.tolist() == graph.weights.tolist()
    assert graph.to_csr("binary").sum(axis=1).tolist() == [[3.0]] * 50
    with pytest.raises(pegnn.UsageError, match="lengths, weights, binary"):
        graph.to_csr("distance")


def test_changing_the_csr_leaves_the_graph_alone():
    graph = pegnn.knn_graph([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]], 2)
    before = graph.columns.copy()
    matrix = graph.to_csr()
    matrix.sort_indices()
    matrix.data[:] = 0
    assert (graph.columns == before).all() and graph.lengths[0] > 0


def test_scikit_learn_takes_the_csr_as_precomputed(airports):
    neighbours = pytest.importorskip("sklearn.neighbors")
    rows = airports.head(200)
    matrix = pegnn.knn_graph(rows, 5).to_csr()
    model = neighbours.KNeighborsRegressor(4, metric="precomputed").fit(matrix, rows["elevation"])
    assert np.isfinite(model.predict(matrix)).all()


# -- places ---------------------------------------------------------------------------------------


def test_neighbours_across_the_antimeridian():
    graph = pegnn.knn_graph([[179.9, 10.0], [-179.9, 10.0], [170.0, 10.0]], 1)
    assert graph.columns.tolist() == [1, 0, 0]


def test_180_east_and_west_are_one_place():
    graph = pegnn.knn_graph([[180.0, 0.0], [-180.0, 0.0], [179.0, 0.0]], 1)
    assert graph.columns[:2].tolist() == [1, 0]
    assert graph.lengths[:2].tolist() == [0.0, 0.0]


def test_every_longitude_at_a_pole_is_one_place():
    graph = pegnn.knn_graph([[0.0, 90.0], [120.0, 90.0], [0.0, 80.0]], 1)
    assert graph.lengths[:2].tolist() == [0.0, 0.0]


def test_neighbours_across_a_pole():
    graph = pegnn.knn_graph([[0.0, -89.0], [180.0, -89.0], [0.0, -80.0]], 1)
    assert graph.columns.tolist() == [1, 0, 0]
    assert graph.lengths[0] == pytest.approx(np.radians(2) * RADIUS)


def test_longitudes_to_360_are_brought_back():
    graph = pegnn.knn_graph([[359.5, 0.0], [0.5, 0.0], [350.0, 0.0]], 1)
    assert graph.columns.tolist() == [1, 0, 0]


def test_planar_metric_does_not_go_around_the_globe():
    graph = pegnn.knn_graph([[179.9, 0.0], [-179.9, 0.0], [0.0, 0.0]], 1, metric="planar")
    assert graph.columns.tolist() == [2, 2, 0]


def test_degrees_are_euclidean_on_raw_degrees():
    graph = pegnn.knn_graph([[0.0, 80.0], [3.0, 80.0], [0.0, 82.0]], 1, metric="degrees")
    assert graph.columns[0] == 2 and graph.lengths[0] == pytest.approx(2.0)
    assert pegnn.knn_graph([[0.0, 80.0], [3.0, 80.0], [0.0, 82.0]], 1).columns[0] == 1


def test_ties_go_to_the_lower_row():
    graph = pegnn.knn_graph([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]], 1, metric="planar")
    assert graph.columns[0] == 1


def test_duplicates_are_neighbours_of_each_other_and_never_of_themselves():
    graph = pegnn.knn_graph([[7.0, 50.0]] * 6, 5)
    for row in range(6):
        assert sorted(neighbours_of(graph, row)) == [i for i in range(6) if i != row]
    assert (graph.lengths == 0).all()


def test_fewer_rows_than_k_take_all_others():
    graph = pegnn.knn_graph([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], 10)
    assert graph.offsets.tolist() == [0, 2, 4, 6]


def test_one_row_has_no_neighbours():
    graph = pegnn.knn_graph([[1.0, 2.0]], 3)
    assert len(graph) == 1 and graph.columns.size == 0
    assert graph.to_csr().shape == (1, 1) and graph.to_csr().nnz == 0


@pytest.mark.parametrize("nothing", [[], np.empty((0, 2)), pandas.DataFrame({"x": [], "y": []})])
def test_no_rows_make_an_empty_graph(nothing):
    graph = pegnn.knn_graph(nothing, 3)
    assert len(graph) == 0 and graph.offsets.tolist() == [0]
    assert graph.to_csr().shape == (0, 0)


# -- inputs ---------------------------------------------------------------------------------------


def same(a, b):
    return (a.columns == b.columns).all() and (a.lengths == b.lengths).all()


def test_lists_float32_and_fortran_order_are_the_same_graph(airports):
    array = airports[["longitude", "latitude"]].head(300).to_numpy().astype(np.float32)
    want = pegnn.knn_graph(array.astype(np.float64), 4)
    for X in (array, np.asfortranarray(array), array.tolist(), array[::-1][::-1]):
        assert same(pegnn.knn_graph(X, 4), want)


def test_frames_are_read_by_usual_names_whatever_their_order(airports):
    want = pegnn.knn_graph(airports[["longitude", "latitude"]].to_numpy(), 3)
    assert same(pegnn.knn_graph(airports[["elevation", "latitude", "longitude"]], 3), want)


def test_coords_name_the_columns(airports):
    renamed = airports.rename(columns={"longitude": "east_ish", "latitude": "north_ish"})
    with pytest.warns(pegnn.PegnnWarning, match="coords"):
        pegnn.knn_graph(renamed[["elevation", "east_ish", "north_ish"]], 3)
    named = pegnn.knn_graph(
        renamed[["elevation", "east_ish", "north_ish"]], 3, coords=("east_ish", "north_ish")
    )
    assert same(named, pegnn.knn_graph(airports, 3))


def test_a_geodataframe_is_read_by_its_points_and_crs(airports):
    geopandas = pytest.importorskip("geopandas")
    places = geopandas.points_from_xy(airports["longitude"], airports["latitude"])
    gdf = geopandas.GeoDataFrame(airports[["elevation"]], geometry=places, crs=4326)
    assert same(pegnn.knn_graph(gdf, 3), pegnn.knn_graph(airports, 3))
    gdf = gdf[gdf.geometry.y.abs() < 80]
    projected = pegnn.knn_graph(gdf.to_crs(3857), 3)
    assert not same(projected, pegnn.knn_graph(gdf, 3))  # in the plane


def test_a_crs_says_whether_it_is_the_globe():
    square = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    assert pegnn.knn_graph(square, 1, crs=28992).lengths[0] == 1.0
    assert pegnn.knn_graph(square, 1, crs=4326).lengths[0] > 1e5


def test_the_number_of_threads_changes_nothing(airports):
    one, three = (pegnn.knn_graph(airports, 8, threads=n) for n in (1, 3))
    assert same(one, three) and (one.weights == three.weights).all()


@pytest.mark.parametrize(
    "X, match",
    [
        ([[0.0], [1.0]], "two coordinates"),
        ([1.0, 2.0, 3.0], "two coordinates"),
        ([["a", "b"]], "numbers"),
    ],
)
def test_wrong_shapes_are_told(X, match):
    with pytest.raises(pegnn.UsageError, match=match):
        pegnn.knn_graph(X, 1)


def test_missing_coordinates_are_refused_with_the_row():
    with pytest.raises(pegnn.DataError, match="row 1 .* 1 of 3"):
        pegnn.knn_graph([[0.0, 0.0], [np.nan, 1.0], [1.0, 1.0]], 1)


def test_masked_coordinates_are_missing():
    rows = [[0.0, 0.0], [2.0, 1.0], [1.0, 1.0]]
    masked = np.ma.masked_array(rows, [[False, False], [True, False], [False, False]])
    for given in (masked, list(masked)):
        with pytest.raises(pegnn.DataError, match="row 1 .* 1 of 3"):
            pegnn.knn_graph(given, 1)
    assert same(pegnn.knn_graph(np.ma.masked_array(rows), 1), pegnn.knn_graph(rows, 1))


def test_places_off_the_globe_are_refused_with_a_hint():
    with pytest.raises(pegnn.DataError, match="swapped"):
        pegnn.knn_graph([[52.0, 104.0], [51.0, 104.0]], 1, metric="great-circle")


@pytest.mark.parametrize("k", [0, -1, 1025, 2.5, "many", None, np.inf, np.nan, 10**30])
def test_wrong_numbers_of_neighbours_are_refused(k):
    with pytest.raises(pegnn.UsageError, match="k"):
        pegnn.knn_graph([[0.0, 0.0], [1.0, 1.0]], k)


def test_unknown_words_are_refused_with_those_there_are():
    with pytest.raises(pegnn.UsageError, match="great-circle"):
        pegnn.knn_graph([[0.0, 0.0]], 1, metric="manhattan")
    with pytest.raises(pegnn.UsageError, match="minmax"):
        pegnn.knn_graph([[0.0, 0.0]], 1, edge_weight="inverse")
    with pytest.raises(pegnn.UsageError, match="planar"):
        pegnn.knn_graph([[0.0, 0.0]], 1, crs=28992, metric="great-circle")
