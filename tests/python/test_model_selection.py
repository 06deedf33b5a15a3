import numpy as np
import pytest

import pegnn

pandas = pytest.importorskip("pandas")
selection = pytest.importorskip("sklearn.model_selection")


@pytest.fixture
def rows(airports):
    return airports.head(900)


@pytest.fixture
def X(rows):
    return rows[["longitude", "latitude"]]


def folds_of_the_command(command, tmp_path, table, target, *words):
    file, held = tmp_path / "table.csv", tmp_path / "held.csv"
    table.to_csv(file, index=False)
    command("evaluate", file, "--target", target, "--model", "mean", "--scheme", "block",
            "--predictions", held, "--overwrite", *words)
    return pandas.read_csv(held)["fold"].to_numpy()


@pytest.mark.parametrize("seed", [0, 11])
@pytest.mark.parametrize("block_km", [None, 300])
def test_folds_are_those_of_the_command(command, tmp_path, rows, X, seed, block_km):
    words = [] if block_km is None else ["--block-km", block_km]
    theirs = folds_of_the_command(
        command, tmp_path, rows, "elevation", "--folds", 4, "--split-seed", seed, *words
    )
    cv = pegnn.SpatialBlockFold(4, block_km=block_km, random_state=seed)
    ours = cv.folds(X, rows["elevation"])
    if theirs.min() == 1:
        theirs = theirs - 1
    assert (ours == theirs).all()
    for fold, (train, test) in enumerate(cv.split(X, rows["elevation"])):
        assert (test == np.flatnonzero(theirs == fold)).all()
        assert sorted([*train, *test]) == list(range(len(X)))


def test_folds_of_a_table_with_features_are_those_of_the_command(command, tmp_path, shared_data):
    table = shared_data("california_housing.csv", 1500).reset_index(drop=True)
    theirs = folds_of_the_command(
        command, tmp_path, table, "MedHouseVal", "--folds", 3, "--split-seed", 5
    )
    cv = pegnn.SpatialBlockFold(3, random_state=5)
    ours = cv.folds(table.drop(columns="MedHouseVal"), table["MedHouseVal"])
    assert (ours == theirs - theirs.min()).all()


def test_without_y_blocks_go_by_the_extent(rows, X):
    cv = pegnn.SpatialBlockFold(4)
    without, with_y = cv.folds(X), cv.folds(X, rows["elevation"])
    assert set(without) == {0, 1, 2, 3}
    assert (without != with_y).any()
    # What holds no numbers, or not in every row, cannot choose the size.
    labels = np.where(rows["elevation"] > 200, "high", "low")
    assert (cv.folds(X, labels) == without).all()
    gaps = rows["elevation"].where(rows["elevation"] > 0)
    assert (cv.folds(X, gaps) == without).all()


def test_rows_of_one_block_stay_together():
    places = np.repeat(np.arange(8.0) * 10, 20)[:, None] + np.zeros((160, 2))
    folds = pegnn.SpatialBlockFold(4, block_km=50).folds(places)
    for place in range(8):
        assert len(set(folds[place * 20 : (place + 1) * 20])) == 1


def test_points_on_both_sides_of_180_degrees_can_share_a_block():
    rng = np.random.default_rng(0)
    lon = np.concatenate([rng.uniform(179.99, 180, 30), rng.uniform(-180, -179.99, 30)])
    other = rng.uniform(-100, 100, 60)
    X = np.column_stack([np.concatenate([lon, other]), np.concatenate([rng.uniform(0, 0.01, 60),
                                                                      rng.uniform(-60, 60, 60)])])
    folds = pegnn.SpatialBlockFold(3, block_km=800).folds(X)
    assert len(set(folds[:60])) <= 2  # one place, but for a border of blocks that crosses it


def test_cross_val_score_takes_it(rows, X):
    cv = pegnn.SpatialBlockFold(3, random_state=1)
    scores = selection.cross_val_score(pegnn.KrigingRegressor(), X, rows["elevation"], cv=cv)
    assert scores.shape == (3,) and np.isfinite(scores).all()


def test_blocks_are_harder_than_random_folds(rows, X):
    y = rows["elevation"]
    model = pegnn.KNNRegressor()
    blocks = selection.cross_val_score(model, X, y, cv=pegnn.SpatialBlockFold(4, block_km=800))
    random = selection.cross_val_score(model, X, y, cv=selection.KFold(4, shuffle=True,
                                                                       random_state=0))
    assert blocks.mean() < random.mean()


def test_grid_search_takes_it(rows, X):
    search = selection.GridSearchCV(
        pegnn.KrigingRegressor(), {"k": [8, 16]}, cv=pegnn.SpatialBlockFold(3, random_state=2)
    )
    search.fit(X, rows["elevation"])
    assert search.best_params_["k"] in (8, 16) and search.n_splits_ == 3
    assert search.predict(X.head(2)).shape == (2,)


def test_cross_validate_takes_it_over_a_pipeline(rows):
    pipeline = pytest.importorskip("sklearn.pipeline")
    impute = pytest.importorskip("sklearn.impute")
    X = rows[["longitude", "latitude"]].assign(hole=np.arange(len(rows), dtype=float))
    X.loc[5, "hole"] = np.nan
    steps = pipeline.make_pipeline(
        impute.SimpleImputer().set_output(transform="pandas"),
        pegnn.KrigingRegressor(),
    )
    found = selection.cross_validate(
        steps, X, rows["elevation"], cv=pegnn.SpatialBlockFold(3), return_train_score=True
    )
    assert np.isfinite(found["test_score"]).all()
    search = selection.GridSearchCV(
        steps, {"krigingregressor__k": [6, 12]}, cv=pegnn.SpatialBlockFold(3)
    ).fit(X, rows["elevation"])
    assert set(search.best_params_) == {"krigingregressor__k"}


def test_cross_val_predict_gets_every_row_once(rows, X):
    held = selection.cross_val_predict(
        pegnn.KNNRegressor(), X, rows["elevation"], cv=pegnn.SpatialBlockFold(3)
    )
    assert np.isfinite(held).all() and len(held) == len(X)


def test_a_geodataframe_is_split_by_its_points(rows, X):
    geopandas = pytest.importorskip("geopandas")
    gdf = geopandas.GeoDataFrame(
        {"n": np.arange(len(rows))},
        geometry=geopandas.points_from_xy(rows["longitude"], rows["latitude"]),
        crs=4326,
    )
    cv = pegnn.SpatialBlockFold(3, block_km=400)
    assert (cv.folds(gdf) == cv.folds(X)).all()


def test_text_columns_do_not_disturb(rows, X, recwarn):
    cv = pegnn.SpatialBlockFold(3)
    assert (cv.folds(X.assign(kind="airport")) == cv.folds(X)).all()
    assert not recwarn.list


def test_arrays_lists_and_frames_are_split_alike(X):
    cv = pegnn.SpatialBlockFold(3, block_km=400)
    want = cv.folds(X)
    for other in (X.to_numpy(), X.to_numpy().tolist(), np.asfortranarray(X.to_numpy())):
        assert (cv.folds(other) == want).all()


def test_a_projected_crs_counts_blocks_in_km(rows):
    xy = np.column_stack([np.arange(400) % 20 * 1000.0, np.arange(400) // 20 * 1000.0])
    metres = pegnn.SpatialBlockFold(4, block_km=5, crs=28992).folds(xy)
    units = pegnn.SpatialBlockFold(4, block_size=5000).folds(xy)
    assert (metres == units).all()
    assert len(set(metres[:5])) == 1
    with pytest.raises(pegnn.UsageError, match="block_km 5: what .* are in is not known"):
        pegnn.SpatialBlockFold(4, block_km=5).folds(xy)


def test_random_state_draws_the_folds(X):
    def folds(seed):
        return pegnn.SpatialBlockFold(3, block_km=300, random_state=seed).folds(X)

    assert (folds(None) == folds(0)).all()
    assert (folds(1) != folds(0)).any()
    generator = np.random.RandomState(4)
    first = folds(generator)
    assert (first == folds(np.random.RandomState(4))).all()


def test_one_split_is_that_of_the_command(command, tmp_path, rows, X):
    theirs = folds_of_the_command(
        command, tmp_path, rows, "elevation", "--test-share", 0.3, "--split-seed", 3
    )
    split = pegnn.SpatialBlockSplit(2, test_size=0.3, random_state=3)
    (train, test), (_, other) = split.split(X, rows["elevation"])
    assert test.tolist() == np.flatnonzero(~np.isnan(theirs)).tolist()
    assert abs(len(test) / len(X) - 0.3) < 0.1
    assert not set(train) & set(test)
    assert test.tolist() != other.tolist()


def test_it_is_shown_with_its_parameters_and_has_its_number():
    cv = pegnn.SpatialBlockFold(7, block_km=20)
    assert cv.get_n_splits() == 7
    assert "block_km=20" in repr(cv) and "n_splits=7" in repr(cv)


@pytest.mark.parametrize(
    "cv, match",
    [
        (pegnn.SpatialBlockFold(1), "n_splits"),
        (pegnn.SpatialBlockFold(2.5), "n_splits"),
        (pegnn.SpatialBlockFold(2, block_km=0), "block_km"),
        (pegnn.SpatialBlockFold(2, random_state=-1), "random_state"),
        (pegnn.SpatialBlockFold(2, metric="manhattan"), "metric"),
        (pegnn.SpatialBlockFold(2, coords=("lon", "lat")), "coords"),
        (pegnn.SpatialBlockSplit(test_size=1.5), "test_size"),
        (pegnn.SpatialBlockSplit(test_size="a"), "test_size: 'a' is not a number"),
        (pegnn.SpatialBlockSplit(test_size=None), "test_size"),
        (pegnn.SpatialBlockFold(2, block_km="a"), "block_km: 'a' is not a number"),
        (pegnn.SpatialBlockFold(np.inf), "n_splits"),
        (pegnn.SpatialBlockFold(2, random_state=2**70), "random_state"),
        (pegnn.SpatialBlockSplit(2, random_state=2**63 - 1), "random_state"),
    ],
)
def test_wrong_words_are_refused_by_their_name(cv, match):
    X = np.random.default_rng(0).uniform(0, 50, (40, 2))
    with pytest.raises(pegnn.UsageError, match=match):
        list(cv.split(X))


@pytest.mark.parametrize("cv", [pegnn.SpatialBlockFold(2), pegnn.SpatialBlockSplit()])
def test_no_rows_are_told_in_words_of_python(cv, X):
    for nothing in (np.empty((0, 2)), X.head(0)):
        with pytest.raises(pegnn.DataError, match="X has no rows"):
            list(cv.split(nothing))


def test_masked_targets_cannot_choose_the_size_of_blocks(rows, X):
    y = rows["elevation"].to_numpy()
    cv = pegnn.SpatialBlockFold(4)
    assert (cv.folds(X, np.ma.masked_array(y, y < 0)) == cv.folds(X)).all()
    assert (cv.folds(X, np.ma.masked_array(y)) == cv.folds(X, y)).all()


def test_missing_places_and_too_few_blocks_are_refused():
    with pytest.raises(pegnn.DataError, match="row 1"):
        list(pegnn.SpatialBlockFold(2).split([[0.0, 0.0], [np.nan, 0.0], [1.0, 1.0]]))
    for places in ([[3.0, 3.0]], [[3.0, 3.0]] * 10):
        with pytest.raises(pegnn.Error):
            list(pegnn.SpatialBlockFold(3).split(places))
