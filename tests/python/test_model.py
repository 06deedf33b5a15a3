"""A trained model by itself: asked with arrays, looked into."""

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
