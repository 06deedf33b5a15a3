"""A trained model by itself: asked with arrays, looked into."""

import warnings

import numpy as np
import pegnn
import pytest

SMALL = dict(preset="paper", model="pe-gcn", steps=20, width=8, embedding=6, scales=4)


@pytest.fixture
def table(airports):
    return airports.head(300)


@pytest.fixture
def points(table):
    return table[["longitude", "latitude"]].to_numpy()


def test_another_graph_links_the_rows_among_themselves(table, points):
    model = pegnn.train(table, "elevation", **SMALL)
    alone = model.with_graph("test-only")
    assert model.info["options"]["graph"] == "train"
    assert not (alone.predict(points[:50]) == model.predict(points[:50])).all()
    # Then a prediction hangs on the other rows.
    assert not (alone.predict(points[:10]) == alone.predict(points[:50])[:10]).all()
    with pytest.raises(pegnn.UsageError, match="has no graph"):
        pegnn.train(table, "elevation", model="knn").with_graph("test-only")


def test_what_a_network_computes_leads_to_its_prediction(table, points):
    model = pegnn.train(table, "elevation", **SMALL, lambda_=0.5)
    inner = model.forward(points)
    assert inner.encoder.shape == (1, 300, 6) and inner.embedding.shape == (1, 300, 8)
    assert inner.moran.shape == (1, 300)
    assert np.allclose(inner.pred[0], model.predict(points), rtol=1e-6)
    # The head is a linear layer on the embedding.
    design = np.column_stack([inner.embedding[0], np.ones(300)])
    found, *_ = np.linalg.lstsq(design, inner.pred[0], rcond=None)
    assert np.allclose(design @ found, inner.pred[0], rtol=1e-3, atol=1e-3)
    assert pegnn.train(table, "elevation", **SMALL, lambda_=0).forward(points).moran is None
    with pytest.raises(pegnn.UsageError):
        pegnn.train(table, "elevation", model="knn").forward(points)


def test_places_near_the_training_points_are_applicable_and_far_ones_are_not(table, points):
    found = pegnn.train(table, "elevation", model="knn").applicability([points[0], [-30.0, -60.0]])
    assert found.inside.tolist() == [True, False]
    assert found.distance[0] == 0 and found.distance[1] > found.reach > 0


def test_places_far_from_training_are_warned_of_once_by_each_model(table, points, recwarn):
    model = pegnn.train(table, "elevation", model="knn")
    far = [[-30.0, -50.0], points[0], [-31.0, -50.0]]
    model.predict(points)
    assert not recwarn.list
    with pytest.warns(pegnn.ApplicabilityWarning) as seen:
        first = model.predict(far)
    assert [str(one.message).split(":")[0] for one in seen] == [
        "2 of 3 rows lie outside the area of applicability"
    ]
    assert str(seen[0].message).endswith("; `applicability` tells which of them")
    assert seen[0].filename == __file__
    again = model.predict(far)
    assert (again == first).all() and not recwarn.list
    with pytest.warns(pegnn.ApplicabilityWarning):
        pegnn.Model.from_bytes(model.to_bytes()).predict(far)


def test_few_places_outside_are_ordinary_but_for_one_far_beyond_all(airports, recwarn):
    alps = airports[airports.longitude.between(5, 16) & airports.latitude.between(44, 49)]
    model = pegnn.train(alps, "elevation", model="knn")
    where = alps[["longitude", "latitude"]].to_numpy()[:6]
    where[5] = 18.0, 46.0
    assert model.applicability(where).inside.tolist() == 5 * [True] + [False]
    model.predict(where)
    assert not recwarn.list
    where[5] = -30.0, 46.0
    with pytest.warns(pegnn.ApplicabilityWarning, match="^1 of 6 rows lies outside"):
        model.predict(where)


def test_the_warning_can_be_silenced_or_made_an_error(table):
    far = [[-30.0, -50.0]]
    model = pegnn.train(table, "elevation", model="knn")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pegnn.ApplicabilityWarning)
        with pytest.raises(pegnn.ApplicabilityWarning):
            model.predict(far)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("ignore", pegnn.ApplicabilityWarning)
        pegnn.train(table, "elevation", model="knn").predict(far)
    assert not seen and issubclass(pegnn.ApplicabilityWarning, pegnn.PegnnWarning)


@pytest.mark.parametrize(
    "points, features, message",
    [
        ([[1.0]], None, "two coordinates"),
        ([[1.0, 2.0]], [[1.0, 2.0]], "expected shape"),
        ([["a", "b"]], None, "not an array of numbers"),
        ([[0.0, 91.0]], None, "not on the globe"),
        ([[np.nan, 1.0]], None, "missing or infinite"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_refused(table, points, features, message):
    model = pegnn.train(table, "elevation", model="knn")
    with pytest.raises(ValueError, match=message):
        model.predict(points, features)


def test_far_planar_coordinates_are_refused(points):
    model = pegnn.KNNRegressor(metric="planar").fit(points * 1000, points[:, 0]).model_
    with pytest.raises(pegnn.DataError, match="beyond 1e\\+100"):
        model.predict([[1e308, 1e308]])


def test_a_model_with_features_wants_them(table):
    model = pegnn.train(table.assign(a=range(300)), "elevation", model="boosting", trees=3)
    with pytest.raises(pegnn.UsageError, match="the model needs a at every place"):
        model.predict([[1.0, 2.0]])
