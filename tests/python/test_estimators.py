"""The estimators keep scikit-learn's contract, whatever form the data come in."""

import copy
import inspect
import io
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pandas as pd
import pegnn
import pytest
from pegnn import _native, _options, _words
from sklearn.base import clone
from sklearn.exceptions import SkipTestWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator

BASELINES = [
    pegnn.BoostingRegressor,
    pegnn.BoostingLabelsRegressor,
    pegnn.GPRegressor,
    pegnn.IDWRegressor,
    pegnn.KNNRegressor,
    pegnn.KrigingRegressor,
    pegnn.MeanRegressor,
    pegnn.NNGPRegressor,
]
# A network that learns in a moment.
SMALL = dict(preset="paper", model="pe-gcn", steps=30, width=8, embedding=8, scales=4)


def small(**changes):
    return pegnn.PEGNNRegressor(**{**SMALL, **changes})


@pytest.fixture
def table(airports):
    return airports.head(300)


@pytest.fixture
def xy(table):
    return table[["longitude", "latitude"]].to_numpy(), table["elevation"].to_numpy()


@pytest.fixture
def regression(xy):
    """Places, three features, and a target that hangs on all of them."""
    points, _ = xy
    random = np.random.default_rng(3)
    X = np.column_stack([points, random.normal(size=(len(points), 3))])
    return X, X[:, 2] + 0.1 * X[:, 1] + 0.1 * random.normal(size=len(X))


# -- scikit-learn's own checks --------------------------------------------------------------------


def skipped_checks(estimator):
    """Of scikit-learn's checks, which fail if one does."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        check_estimator(estimator)
    return [str(w.message) for w in seen if issubclass(w.category, SkipTestWarning)]


@pytest.mark.parametrize("estimator", BASELINES, ids=lambda e: e.__name__)
def test_baselines_pass_the_checks_of_scikit_learn(estimator):
    boosted = "trees" in estimator().get_params()
    skipped = skipped_checks(estimator(trees=50) if boosted else estimator())
    # Of boosted trees the rows held back go by their order, which that check changes.
    assert all(boosted and "sample_weights_invariance" in what for what in skipped)


def test_a_variational_process_of_few_steps_passes_them_too():
    assert skipped_checks(pegnn.SVGPRegressor(gp_steps=60, inducing=50)) == []


def test_the_default_network_with_fewer_steps_passes_them_too():
    assert skipped_checks(pegnn.PEGNNRegressor(steps=60, members=1, far_members=1)) == []


# -- the area of applicability ----------------------------------------------------------------------


def test_an_estimator_tells_where_it_may_be_believed(xy):
    X, y = xy
    model = pegnn.KNNRegressor().fit(X, y)
    far = X[:3].copy()
    far[1, :2] = -150.0, -60.0
    found = model.applicability(far)
    assert found.inside.tolist() == [True, False, True]
    assert found.distance[0] == 0 and found.distance[1] > found.reach
    np.testing.assert_array_equal(found.distance, model.model_.applicability(far).distance)


def test_rows_with_missing_values_are_nowhere(xy):
    X, y = xy
    model = pegnn.KNNRegressor(drop_missing=True).fit(X, y)
    some = X[:3].copy()
    some[1, 0] = np.nan
    found = model.applicability(some)
    assert np.isnan(found.distance).tolist() == [False, True, False]
    assert found.inside.tolist() == [True, False, True]
    with pytest.raises(ValueError, match="NaN"):
        pegnn.KNNRegressor().fit(X, y).applicability(some)


def test_predictions_far_away_warn_once_after_each_fit_and_scores_never(xy, recwarn):
    X, y = xy
    model = pegnn.KNNRegressor().fit(X, y)
    far = X[:4] * [1.0, 0.0] - [90.0, 70.0]
    model.score(far, y[:4])
    cross_val_score(model, X, y, cv=pegnn.SpatialBlockFold(2, block_km=2000, random_state=1))
    assert not recwarn.list
    with pytest.warns(pegnn.ApplicabilityWarning, match="^4 of 4 rows lie outside"):
        model.predict(far)
    model.predict(far)
    assert not recwarn.list
    with pytest.warns(pegnn.ApplicabilityWarning):
        model.fit(X, y).predict(far)


# -- parameters -----------------------------------------------------------------------------------


def test_every_option_of_the_command_is_a_parameter():
    parameters = pegnn.PEGNNRegressor().get_params()
    for option in _options.described():
        assert _words.python_name(option["name"]) in parameters


def test_making_an_estimator_only_keeps_what_it_is_given():
    for name, parameter in inspect.signature(pegnn.PEGNNRegressor.__init__).parameters.items():
        if name not in ("self",):
            value = object()
            assert getattr(pegnn.PEGNNRegressor(**{name: value}), name) is value, parameter


def test_options_reach_the_engine(xy):
    model = small(lambda_=0.5, learning_rate=0.002, uncertainty_weights=False).fit(*xy).model_
    options = model.info["options"]
    assert (options["lambda_"], options["learning_rate"], options["k"]) == (0.5, 0.002, 5)
    kriging = pegnn.KrigingRegressor(fit_="variogram", kernel="gaussian").fit(*xy).model_
    assert kriging.info["options"]["fit_"] == "variogram"


def test_numpy_scalars_are_options_as_well(xy):
    model = small(k=np.int64(4), dropout=np.float32(0.25), edge_attention=np.bool_(True)).fit(*xy)
    assert model.model_.info["options"]["k"] == 4


@pytest.mark.parametrize(
    "wrong, message",
    [
        (dict(k=-1), "k: '-1' is not allowed"),
        (dict(k="five"), "k: 'five' is not allowed"),
        (dict(steps=2.5), "steps: '2.5' is not allowed"),
        (dict(backbone="gnc", model=None), "did you mean 'gcn'"),
        (dict(preset="papr"), "did you mean 'paper'"),
        (dict(loss=[1, 2]), r"loss: \[1, 2\] is neither a number"),
        (dict(threads=-3), "threads: -3"),
        (dict(threads=100_000), "threads: 100000 is not from 0 to 1024"),
        (dict(threads=10**30), "threads: 1"),
        (dict(random_state=-1), "random_state: -1"),
        (dict(coords=5), "coords: expected a list of columns"),
        (dict(coords="lon"), "coords: expected a list of columns"),
        (dict(coords={0, 1}), "coords: expected a list of columns"),
        (dict(coords=(0.5, 1)), "coords: 0.5 is not the position"),
        (dict(coords=(True, False)), "coords: True is not the position"),
        (dict(coords=(0, 7)), "coords: X has 2 columns, none at 7"),
        (dict(features=5), "features: expected a list of columns"),
        (dict(seed=1, random_state=2), "two words for one thing"),
        (dict(sigma_min=3, sigma_max=2), "sigma_min must not be larger than sigma_max"),
    ],
)
def test_a_wrong_parameter_is_told_by_its_name_in_fit(xy, wrong, message):
    with pytest.raises(pegnn.UsageError, match=message):
        small(**wrong).fit(*xy)


# -- seeds ----------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(xy):
    one = small(random_state=5, threads=1).fit(*xy).model_.to_bytes()
    assert one == small(seed=5, threads=3).fit(*xy).model_.to_bytes()
    assert one != small(random_state=6).fit(*xy).model_.to_bytes()


@pytest.mark.parametrize(
    "estimator",
    [
        small(),
        small(model="label_attention"),
        pegnn.KrigingRegressor(),
        pegnn.GPRegressor(gp_rows=64, gp_steps=3),
    ],
    ids=["pe-gcn", "label_attention", "kriging", "gp"],
)
def test_two_threads_predict_from_one_estimator(xy, estimator):
    fitted = clone(estimator).fit(*xy)
    alone = pickle.loads(pickle.dumps(fitted)).predict(xy[0])
    with ThreadPoolExecutor(2) as callers:
        found = list(callers.map(lambda _: fitted.predict(xy[0]), range(6)))
    assert all((answer == alone).all() for answer in found)


def test_no_seed_is_seed_0(xy):
    assert small().fit(*xy).model_.to_bytes() == small(random_state=0).fit(*xy).model_.to_bytes()


def test_a_random_state_is_asked_for_a_number(xy):
    first = small(random_state=np.random.RandomState(1)).fit(*xy).predict(xy[0])
    again = small(random_state=np.random.RandomState(1)).fit(*xy).predict(xy[0])
    assert (first == again).all()


# -- forms of data --------------------------------------------------------------------------------


def forms(X):
    names = ["longitude", "latitude", *(f"f{i}" for i in range(X.shape[1] - 2))]
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    return {
        "float64": X.copy(),
        "fortran": np.asfortranarray(X),
        "every other column": wide[:, ::2],
        "backwards": X[::-1].copy()[::-1],
        "lists": X.tolist(),
        "objects": X.astype(object),
        "read-only": _read_only(X),
        "frame": pd.DataFrame(X, columns=names),
        "frame of nullable numbers": pd.DataFrame(X, columns=names).convert_dtypes(),
    }


def _read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


@pytest.mark.parametrize("kind", list(forms(np.zeros((3, 4)))))
@pytest.mark.filterwarnings("ignore:X has feature names, but")
def test_the_same_numbers_in_any_form_give_the_same_predictions(regression, kind):
    X, y = regression
    expected = small().fit(X, y).predict(X)
    given = forms(X)[kind]
    assert (small().fit(given, y).predict(given) == expected).all()
    assert (small().fit(X, y).predict(given) == expected).all()


def test_float32_is_taken_as_the_numbers_it_holds(regression):
    X, y = regression
    single = X.astype(np.float32)
    expected = small().fit(single.astype(np.float64), y).predict(single.astype(np.float64))
    assert (small().fit(single, y).predict(single) == expected).all()


def test_whole_numbers_and_booleans_are_numbers(table):
    X = table[["longitude", "latitude"]].assign(high=table["elevation"] > 500, n=range(300))
    model = small().fit(X, table["elevation"].astype(int))
    assert model.features_ == ["high", "n"]


def test_two_columns_in_order_are_not_copied(xy):
    X, y = xy
    model = pegnn.KNNRegressor().fit(X, y)
    assert np.shares_memory(model._inputs.read(X).points, X)


def test_predictions_own_their_memory(xy):
    X, y = xy
    predicted = pegnn.KNNRegressor().fit(X, y).predict(X)
    kept = predicted.copy()
    for _ in range(50):
        pegnn.KNNRegressor().fit(X, y).predict(X)
    assert (predicted == kept).all()
    predicted[0] = 7  # and may be written to


def test_nothing_the_caller_passes_is_changed(regression):
    X, y = regression
    X_before, y_before, weight = X.copy(), y.copy(), np.ones(len(y))
    small().fit(X, y, sample_weight=weight).predict(X)
    assert (X == X_before).all() and (y == y_before).all() and (weight == 1).all()


# -- edges ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_too_few_rows_are_refused_with_their_number(xy, rows):
    X, y = xy
    with pytest.raises(ValueError, match=f"Found array with {rows} sample"):
        small().fit(X[:rows], y[:rows])


def test_three_rows_are_enough_and_one_row_is_predicted(xy):
    X, y = xy
    model = pegnn.PEGNNRegressor(steps=5, members=1).fit(X[:3], y[:3])
    assert model.predict(X[:1]).shape == (1,)


def test_no_rows_to_predict_are_refused(xy):
    X, y = xy
    with pytest.raises(ValueError, match="0 sample"):
        pegnn.KNNRegressor().fit(X, y).predict(X[:0])


def test_another_width_is_refused(regression):
    X, y = regression
    model = small().fit(X, y)
    with pytest.raises(ValueError, match="X has 4 features, but PEGNNRegressor is expecting 5"):
        model.predict(X[:, :4])
    with pytest.raises(ValueError, match="1 feature"):
        small().fit(X[:, :1], y)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_and_infinite_values_are_refused(regression, value):
    X, y = regression
    broken = X.copy()
    broken[7, 3] = value
    with pytest.raises(ValueError, match="NaN|infinity"):
        small().fit(broken, y)
    with pytest.raises(ValueError, match="NaN|infinity"):
        small().fit(X, y).predict(broken)


def test_missing_values_can_be_left_out_and_predicted_as_missing(regression):
    X, y = regression
    broken, short = X.copy(), y.copy()
    broken[7, 3] = np.nan
    short[9] = np.nan
    model = small(drop_missing=True).fit(broken, short)
    assert model.model_.info["rows"] == len(X) - 2
    found = model.predict(broken)
    assert np.isnan(found[7]) and np.isfinite(np.delete(found, 7)).all()


def test_a_constant_target_is_predicted_exactly(xy):
    X, _ = xy
    model = pegnn.PEGNNRegressor(steps=5, members=1).fit(X, np.full(len(X), 3.25))
    assert (model.predict(X) == 3.25).all()


def test_a_constant_feature_does_no_harm(regression):
    X, y = regression
    X = X.copy()
    X[:, 4] = 2
    assert np.isfinite(small().fit(X, y).predict(X)).all()


def test_all_rows_in_one_place_can_be_learned():
    X = np.tile([[10.0, 50.0]], (20, 1))
    model = pegnn.PEGNNRegressor(steps=5, members=1).fit(X, np.arange(20.0))
    assert np.isfinite(model.predict(X)).all()


def test_poles_and_the_antimeridian_are_places_like_others():
    random = np.random.default_rng(0)
    X = np.column_stack([random.uniform(-180, 180, 60), random.uniform(-90, 90, 60)])
    X[:4] = [[0, 90], [180, 0], [-180, 0], [120, -90]]
    model = pegnn.KNNRegressor(k=3).fit(X, random.normal(size=60))
    assert model.metric_ == "great-circle"
    same = model.predict([[180, 0], [-180, 0]])
    assert same[0] == same[1]
    turned = model.predict([[-170.0, 12.0], [190.0, 12.0]])
    assert turned[0] == turned[1]


def test_places_off_the_globe_are_refused(table):
    X, y = table[["longitude", "latitude"]], table["elevation"]
    with pytest.raises(pegnn.DataError, match="outside \\[-90, 90\\]"):
        pegnn.KNNRegressor().fit(X.assign(latitude=X["latitude"] * 3), y)
    model = pegnn.KNNRegressor().fit(X, y)
    with pytest.raises(pegnn.DataError, match="latitude 95 is not on the globe"):
        model.predict(X.head(1).assign(latitude=95))


def test_masked_values_are_missing_values(regression):
    X, y = regression
    hidden = np.ma.masked_array(X.copy(), mask=np.zeros_like(X, dtype=bool))
    hidden[4, 2] = np.ma.masked
    with pytest.raises(ValueError, match="NaN"):
        small().fit(hidden, y)
    masked_y = np.ma.masked_array(y, mask=np.arange(len(y)) == 5)
    model = small(drop_missing=True).fit(hidden, masked_y)
    assert model.model_.info["rows"] == len(X) - 2
    assert np.isnan(model.predict(hidden)[4])


def test_rows_that_are_left_out_do_not_count_in_the_score(regression):
    X, y = regression
    broken = X.copy()
    broken[7, 3] = np.nan
    model = small(drop_missing=True).fit(broken, y)
    whole = np.delete(np.arange(len(X)), 7)
    assert model.score(broken, y) == model.score(X[whole], y[whole])
    scores = cross_val_score(small(drop_missing=True), broken, y, cv=3)
    assert np.isfinite(scores).all()


def test_dates_are_refused(table):
    X = table[["longitude", "latitude"]].assign(day=pd.Timestamp("2020-01-01"))
    with pytest.raises(pegnn.UsageError, match="column 'day' holds dates"):
        pegnn.PEGNNRegressor(features=["day"]).fit(X, table["elevation"])
    with pytest.raises(pegnn.UsageError, match="y: these are dates"):
        pegnn.KNNRegressor().fit(X[["longitude", "latitude"]], X["day"])


def test_missing_numbers_among_objects_are_missing_values(table):
    values = [pd.NA, *range(1, 300)]
    X = table[["longitude", "latitude"]].assign(a=pd.Series(values, dtype=object).to_numpy())
    model = small(drop_missing=True).fit(X, table["elevation"])
    assert model.features_ == ["a"] and model.model_.info["rows"] == 299


def test_a_target_named_like_a_column_is_no_trouble(xy):
    X, y = xy
    for name in ("x0", "", 7):
        model = pegnn.KNNRegressor().fit(X, pd.Series(y, name=name))
        assert (model.predict(X) == pegnn.KNNRegressor().fit(X, y).predict(X)).all()


def test_a_refit_that_fails_leaves_the_model_as_it_was(regression):
    X, y = regression

    def stop(progress):
        raise KeyError("enough")

    model = small().fit(X[:, :2], y)
    expected = model.predict(X[:, :2])
    with pytest.raises(KeyError):
        model.fit(X, y, callback=stop)
    with pytest.raises(ValueError):
        model.fit(X * np.nan, y)
    assert (model.predict(X[:, :2]) == expected).all()
    with pytest.raises(ValueError, match="5 features"):
        model.predict(X)


# -- weights --------------------------------------------------------------------------------------


def test_rows_of_weight_0_are_as_if_they_were_not_there(regression):
    X, y = regression
    keep = np.arange(len(X)) % 3 > 0
    weighted = small().fit(X, y, sample_weight=keep.astype(float))
    assert weighted.model_.to_bytes() == small().fit(X[keep], y[keep]).model_.to_bytes()


def test_equal_weights_are_no_weights(regression):
    X, y = regression
    plain = small().fit(X, y).model_.to_bytes()
    assert small().fit(X, y, sample_weight=np.full(len(X), 7.0)).model_.to_bytes() == plain


def test_heavy_rows_pull_the_prediction():
    X = np.column_stack([np.zeros(40), np.arange(40.0)])
    y = np.tile([0.0, 1.0], 20)
    heavy_ones = pegnn.MeanRegressor().fit(X, y, sample_weight=1 + 8 * y).predict(X)
    assert np.allclose(heavy_ones, 0.9)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (np.zeros(300), "every row has weight 0"),
        (-np.ones(300), "sample_weight: -1 in row 0 is negative"),
        (np.ones(3), "shape"),
        (np.full(300, np.nan), "NaN"),
    ],
    ids=["zeros", "negative", "too few", "missing"],
)
def test_wrong_weights_are_refused(xy, wrong, message):
    X, y = xy
    with pytest.raises(ValueError, match=message):
        pegnn.KNNRegressor().fit(X, y, sample_weight=wrong)


# -- copies and files -----------------------------------------------------------------------------


def test_a_fitted_estimator_survives_pickle_joblib_and_copies(regression, tmp_path):
    X, y = regression
    model = small().fit(X, y)
    expected = model.predict(X)
    joblib.dump(model, tmp_path / "model.joblib")
    for other in (
        pickle.loads(pickle.dumps(model)),
        joblib.load(tmp_path / "model.joblib"),
        copy.deepcopy(model),
    ):
        assert (other.predict(X) == expected).all()
        assert other.model_.to_bytes() == model.model_.to_bytes()


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_any_protocol_of_pickle_will_do(xy, protocol):
    seen = []
    model = small().fit(*xy, callback=seen.append)
    assert (pickle.loads(pickle.dumps(model, protocol)).predict(xy[0]) == model.predict(xy[0])).all()
    assert pickle.loads(pickle.dumps(seen[-1], protocol)) == seen[-1]


def test_what_is_pickled_holds_the_bytes_of_the_model_file(xy):
    model = small().fit(*xy)
    assert model.model_.to_bytes() in pickle.dumps(model)


def test_a_damaged_pickle_is_an_error_of_the_model(xy):
    data = bytearray(pickle.dumps(small().fit(*xy)))
    at = bytes(data).index(b"xxh64") + 500
    data[at] ^= 1
    with pytest.raises((pegnn.ModelError, pickle.UnpicklingError, UnicodeDecodeError)):
        pickle.loads(bytes(data))


def test_clones_are_unfitted_and_equal_in_parameters(xy):
    model = small(lambda_=0.3).fit(*xy)
    other = clone(model)
    assert other.get_params() == model.get_params() and not hasattr(other, "model_")


def test_a_saved_model_is_loaded_again(xy, tmp_path):
    X, y = xy
    model = small().fit(X, y)
    model.save(tmp_path / "m.safetensors")
    assert (pegnn.load(tmp_path / "m.safetensors").predict(X) == model.predict(X)).all()


# -- scikit-learn's tools -------------------------------------------------------------------------


def test_it_works_in_a_pipeline_a_search_and_a_cross_validation(regression):
    X, y = regression
    scale = FunctionTransformer(lambda X: np.column_stack([X[:, :2], X[:, 2:] * 10]))
    pipe = make_pipeline(scale, pegnn.KNNRegressor())
    search = GridSearchCV(pipe, {"knnregressor__k": [2, 6]}, cv=3).fit(X, y)
    assert search.best_params_["knnregressor__k"] in (2, 6)
    scores = cross_val_score(pegnn.NNGPRegressor(), X, y, cv=3, scoring="neg_mean_squared_error")
    assert len(scores) == 3 and (scores < 0).all()


def test_a_search_may_run_in_several_processes(regression):
    X, y = regression
    search = GridSearchCV(pegnn.KNNRegressor(), {"k": [2, 6]}, cv=2, n_jobs=2).fit(X, y)
    assert search.predict(X).shape == y.shape


def test_columns_of_a_frame_scaled_by_a_pipeline_are_planar(table):
    X, y = table[["longitude", "latitude"]], table["elevation"]
    pipe = make_pipeline(StandardScaler(), pegnn.IDWRegressor(metric="planar")).fit(X, y)
    assert pipe[-1].metric_ == "planar"


# -- deviations -----------------------------------------------------------------------------------


def test_deviations_are_given_where_the_model_has_them(xy):
    X, y = xy
    mean, deviation = pegnn.KrigingRegressor().fit(X, y).predict(X + 0.1, return_std=True)
    assert mean.shape == deviation.shape and (deviation > 0).all()
    with pytest.raises(pegnn.UsageError, match="gives no standard deviation"):
        pegnn.KNNRegressor().fit(X, y).predict(X, return_std=True)


# -- telling how far it is ------------------------------------------------------------------------


def test_a_callback_is_told_how_far_training_is(xy):
    seen = []
    small(evaluate_every=10).fit(*xy, callback=lambda p: seen.append((p.step, p.steps, p.measured)))
    assert seen[-1][0] == 30 and {steps for _, steps, _ in seen} == {30}
    assert any(measured for *_, measured in seen)


def test_what_a_callback_raises_comes_out_of_fit(xy):
    class Enough(Exception):
        pass

    def stop(progress):
        raise Enough

    with pytest.raises(Enough):
        small().fit(*xy, callback=stop)


def test_coordinates_without_names_are_told_of_where_notes_are_wanted(xy, capfd):
    small(verbose=1).fit(*xy)
    assert "taken as degrees" in capfd.readouterr().err
    small(verbose=1).fit(xy[0] * 1000, xy[1])
    assert "taken as a plane" in capfd.readouterr().err


def test_verbose_runs_talk_and_silent_ones_do_not(xy, capfd):
    small().fit(*xy)
    assert capfd.readouterr() == ("", "")
    small(verbose=1).fit(*xy)
    out, err = capfd.readouterr()
    assert out == "" and "30/30" in err


def test_the_bar_moves_on_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    class Step:
        part, steps, loss, validation, seconds = "", 4, 0.5, float("nan"), 1.0

    screen = Terminal()
    bar = pegnn.ProgressBar(file=screen, width=4)
    for step in (2, 4):
        now = Step()
        now.step = step
        bar(now)
        bar._last = 0
    assert screen.getvalue().startswith("\r|##..| 2/4") and screen.getvalue().endswith("\n")


def test_the_curve_has_what_was_measured(xy):
    curve = small(evaluate_every=10, validation=0.2).fit(*xy).curve_
    assert curve[-1]["step"] == 30 and np.isfinite(curve[-1]["validation"])


def test_the_native_version_is_the_package_s():
    assert pegnn.__version__ == _native.__version__
