import numpy as np
import pytest

import pegnn
from pegnn import layers

PLAIN = {"lin.weight": "weight", "bias": "bias"}
ATTENTION = {**PLAIN, "att_src": "attention_source", "att_dst": "attention_target"}
EDGE = {**ATTENTION, "att_edge": "attention_edge", "lin_edge.weight": "edge_weight"}
SAGE = {"lin_l.weight+lin_r.weight": "weight", "lin_l.bias": "bias"}

LAYERS = {
    "gcn_weighted": ("gcn", PLAIN, {}),
    "gcn_binary": ("gcn", PLAIN, {}),
    "gat_1head": ("gat", ATTENTION, {}),
    "gat_4heads_concat": ("gat", ATTENTION, {"heads": 4}),
    "gat_edge_weight": ("gat", EDGE, {"edge_attention": True}),
    "sage_mean": ("sage", SAGE, {}),
    "sage_max": ("sage", SAGE, {"aggregation": "max"}),
}


def joined(given, theirs, prefix=""):
    """One matrix of theirs, or several on top of each other."""
    parts = [np.asarray(given[prefix + name], dtype=float) for name in theirs.split("+")]
    return np.concatenate([part.reshape(-1, part.shape[-1]) for part in parts])


def shaped(parameters, name, inputs, options):
    """In the shapes of ours; PyTorch Geometric keeps attention as 1 x heads x width."""
    want = layers.backbone_parameters(name, inputs, **options)
    assert set(want) == set(parameters)
    return {key: np.reshape(parameters[key], matrix.shape) for key, matrix in want.items()}


@pytest.fixture
def graph(golden):
    return pegnn.knn_graph(golden["graph"]["lonlat"], golden["graph"]["k"])


# -- backbones and encoders -----------------------------------------------------------------------


@pytest.mark.parametrize("case", LAYERS)
def test_layers_agree_with_pytorch_geometric(golden, graph, case):
    found = next(c for c in golden["layers"] if c["name"] == case)
    name, names, options = LAYERS[case]
    x = np.asarray(golden["graph"]["x"])
    want = np.asarray(found["out"])
    options = {"layers": 1, "width": want.shape[1], **options}
    given = {f"backbone.0.{ours}": joined(found["params"], one) for one, ours in names.items()}
    given = shaped(given, name, x.shape[1], options)
    edges = graph.to_csr("binary") if case == "gcn_binary" else graph
    got = layers.backbone(name, x, edges, given, **options)
    np.testing.assert_allclose(got, np.maximum(want, 0), atol=1e-9 * np.abs(want).max())
    assert (want > 0).any()


@pytest.mark.parametrize("model, names", [("pe-gcn", PLAIN), ("pe-gat", ATTENTION),
                                          ("pe-sage", SAGE)])
def test_encoder_and_backbone_make_the_network_of_the_golden_file(golden, graph, model, names):
    case = next(c for c in golden["models"] if c["name"] == model)
    init = case["init"]
    scales = {"scales": 4, "sigma_min": 0.1, "sigma_max": 10, "embedding": 5}
    place = layers.encoder(
        golden["graph"]["lonlat"],
        {"encoder.0.weight": init["pe.weight"], "encoder.0.bias": init["pe.bias"]},
        **scales,
    )
    x = np.hstack([golden["graph"]["x"], place])
    given = {
        f"backbone.{i}.{ours}": joined(
            {k: v for k, v in init.items()},
            "+".join(f"c{i + 1}.{part}" for part in theirs.split("+")),
        )
        for i in range(2)
        for theirs, ours in names.items()
    }
    backbone = model.removeprefix("pe-")
    h = layers.backbone(backbone, x, graph, shaped(given, backbone, x.shape[1], {"width": 6}),
                        width=6)
    got = h @ np.ravel(init["head.weight"]) + np.ravel(init["head.bias"])
    np.testing.assert_allclose(got, np.ravel(case["first"]["out"]), rtol=1e-8, atol=1e-9)


def test_encoders_agree_with_their_formula():
    points = np.random.default_rng(0).uniform(-90, 90, (20, 2))
    words = {"scales": 3, "sigma_min": 0.5, "sigma_max": 50, "embedding": 4}
    given = layers.encoder_parameters(**words)
    basis = layers.sinusoidal_transform(points, 3, 0.5, 50)
    want = 1 / (1 + np.exp(-(basis @ given["encoder.0.weight"].T + given["encoder.0.bias"])))
    np.testing.assert_allclose(layers.encoder(points, given, **words), want, atol=1e-12)


def test_parameters_depend_on_the_seed_alone():
    one, same, other = (layers.backbone_parameters("gcn", 4, seed=s) for s in (1, 1, 2))
    assert all((one[k] == same[k]).all() for k in one)
    assert any((one[k] != other[k]).any() for k in one)


def test_biases_may_be_vectors_and_a_sparse_matrix_a_graph(graph):
    x = np.random.default_rng(1).normal(size=(len(graph), 3))
    given = layers.backbone_parameters("gcn", 3, width=8)
    want = layers.backbone("gcn", x, graph, given, width=8)
    flat = {k: v.ravel() if k.endswith("bias") else v for k, v in given.items()}
    assert (layers.backbone("gcn", x, graph.to_csr("weights"), flat, width=8) == want).all()
    assert (layers.backbone("gcn", np.asfortranarray(x), graph, given, width=8) == want).all()
    assert (layers.backbone("gcn", x.tolist(), graph, given, width=8, threads=2) == want).all()


def test_what_does_not_fit_is_refused(graph):
    given = layers.backbone_parameters("gcn", 3, width=8)
    x = np.zeros((len(graph), 3))
    with pytest.raises(pegnn.UsageError, match="row for each node"):
        layers.backbone("gcn", x[1:], graph, given, width=8)
    with pytest.raises(pegnn.UsageError, match="backbone.0.weight"):
        layers.backbone("gcn", x, graph, given, width=9)
    with pytest.raises(pegnn.UsageError, match="instead of once"):
        layers.backbone("gcn", x, graph, {}, width=8)
    with pytest.raises(pegnn.UsageError, match="mapping"):
        layers.backbone("gcn", x, graph, [1, 2], width=8)
    with pytest.raises(pegnn.UsageError, match="finite"):
        layers.backbone("gcn", np.full_like(x, np.nan), graph, given, width=8)
    with pytest.raises(pegnn.UsageError, match="labels"):
        layers.backbone_parameters("label_attention", 3)
    with pytest.raises(pegnn.UsageError, match="did you mean"):
        layers.backbone_parameters("gcn", 3, widht=8)
    with pytest.raises(pegnn.UsageError, match="sigma"):
        layers.encoder_parameters(scales=4)
    with pytest.raises(pegnn.UsageError, match="knn_graph"):
        layers.backbone("gcn", x, [[0, 1]], given, width=8)


def test_no_rows_and_one_row():
    empty, one = pegnn.knn_graph(np.empty((0, 2))), pegnn.knn_graph([[3.0, 4.0]])
    given = layers.backbone_parameters("sage", 2, width=4)
    assert len(layers.backbone("sage", np.empty((0, 2)), empty, given, width=4)) == 0
    assert layers.backbone("sage", [[1.0, 2.0]], one, given, width=4).shape == (1, 4)


# -- the transform --------------------------------------------------------------------------------


def test_golden_sinusoidal_transform(golden):
    for case in golden["sinusoidal"]:
        got = pegnn.sinusoidal_transform(
            case["lonlat"], case["S"], case["sigma_min"], case["sigma_max"]
        ).reshape(len(case["lonlat"]), 2, case["S"], 2)
        # Coordinates of millions of turns leave fewer digits of the angle.
        np.testing.assert_allclose(got[..., 0], case["sin[point][dim][scale]"], atol=1e-6)
        np.testing.assert_allclose(got[..., 1], case["cos[point][dim][scale]"], atol=1e-6)


def test_transform_of_no_rows_one_scale_and_other_layouts():
    assert pegnn.sinusoidal_transform(np.empty((0, 2)), 3, 1, 2).shape == (0, 12)
    assert pegnn.sinusoidal_transform([], 3, 1, 2).shape == (0, 12)
    points = np.random.default_rng(0).normal(size=(7, 2)).astype(np.float32)
    want = pegnn.sinusoidal_transform(points.astype(float), 1, 2.0, 2.0)
    assert (pegnn.sinusoidal_transform(np.asfortranarray(points), 1, 2.0, 2.0) == want).all()
    np.testing.assert_allclose(want[:, 0], np.sin(points[:, 0].astype(float) / 2))


@pytest.mark.parametrize("words", [(0, 1, 2), (3, 0, 2), (3, 1, np.nan), (2.5, 1, 2),
                                   (np.inf, 1, 2), (3, "fine", 2), (3, 1, None)])
def test_transforms_without_scales_are_refused(words):
    with pytest.raises(pegnn.UsageError, match="scales|sigma"):
        pegnn.sinusoidal_transform([[1.0, 2.0]], *words)


@pytest.mark.parametrize("scales", [4097, 2**62, 10**30])
def test_too_many_scales_are_refused_by_their_number(scales):
    with pytest.raises(pegnn.UsageError, match=f"scales: {scales} is not from 1 to 4096"):
        pegnn.sinusoidal_transform([[1.0, 2.0]], scales, 1, 2)


@pytest.mark.parametrize(
    "points",
    [
        [1.0, 2.0],
        [[1.0, 2.0, 3.0]],
        [["a", "b"]],
        [[np.nan, 1.0]],
        np.ma.masked_array([[1.0, 2.0]], [[True, False]]),
    ],
)
def test_transforms_of_what_is_no_place_are_refused(points):
    with pytest.raises(pegnn.UsageError):
        pegnn.sinusoidal_transform(points, 2, 1, 2)


# -- words ----------------------------------------------------------------------------------------


def test_a_part_named_twice_is_refused(graph):
    parameters = layers.backbone_parameters("gcn", 2)
    with pytest.raises(pegnn.UsageError, match="'gcn' is named already; leave out backbone='gat'"):
        layers.backbone("gcn", np.zeros((len(graph), 2)), graph, parameters, backbone="gat")
    with pytest.raises(pegnn.UsageError, match="backbone"):
        layers.backbone_parameters("gcn", 2, backbone="gat")
    with pytest.raises(pegnn.UsageError, match="'grid' is named already"):
        layers.encoder_parameters(encoder="grid", sigma_min=1, sigma_max=2)
    with pytest.raises(pegnn.UsageError, match="inputs"):
        layers.backbone_parameters("gcn", 10**30)


@pytest.mark.parametrize("given", [{}, {"sigma_min": 1}, {"sigma_max": 1}, {"sigma_min": 0}])
def test_encoders_without_scales_ask_for_them_in_words_of_python(given):
    for ask in (layers.encoder_parameters, lambda **o: layers.encoder([[1, 2]], {}, **o)):
        with pytest.raises(pegnn.UsageError, match="sigma_min.*sigma_max") as error:
            ask(**given)
        assert "sigma-m" not in str(error.value)


# -- local Moran's I ------------------------------------------------------------------------------


def test_golden_local_moran(golden, graph):
    want, y = golden["moran"], golden["graph"]["y"]
    np.testing.assert_allclose(
        pegnn.local_moran(y, graph.to_csr("binary")), want["local_binary"], rtol=1e-9
    )
    np.testing.assert_allclose(
        pegnn.local_moran(y, graph), want["local_weighted"], rtol=1e-6, atol=1e-7
    )


def test_local_moran_of_constant_values_is_zero(graph):
    assert (pegnn.local_moran(np.full(len(graph), 3.0), graph) == 0).all()


def test_local_moran_goes_by_libpysal_weights_too(golden):
    libpysal = pytest.importorskip("libpysal.weights")
    y = np.asarray(golden["graph"]["y"])
    w = libpysal.KNN.from_array(np.asarray(golden["graph"]["lonlat"]), k=4)
    z = y - y.mean()
    want = (len(y) - 1) * z * (w.sparse @ z) / (z @ z)
    np.testing.assert_allclose(pegnn.local_moran(y, w.sparse), want, rtol=1e-9, atol=1e-12)


def test_local_moran_refuses_what_does_not_fit(graph):
    with pytest.raises(pegnn.UsageError, match="expected 60"):
        pegnn.local_moran([1.0], graph)
    with pytest.raises(pegnn.UsageError, match="finite"):
        pegnn.local_moran(np.full(len(graph), np.nan), graph)
    with pytest.raises(pegnn.UsageError, match="square"):
        pegnn.local_moran([1.0, 2.0], graph.to_csr()[:2])


def test_a_damaged_graph_is_refused_before_it_is_walked(graph):
    damaged = pegnn.NeighbourGraph(
        graph.offsets, graph.columns + 1000, graph.lengths, graph.weights
    )
    with pytest.raises(pegnn.UsageError, match="leads to node"):
        pegnn.local_moran(np.zeros(len(graph)), damaged)
