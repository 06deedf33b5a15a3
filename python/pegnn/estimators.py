"""Estimators in scikit-learn's contract. Written by python/make_estimators.py; do not edit."""

from __future__ import annotations

from pegnn._regressor import SpatialRegressor, UnweightedRegressor

__all__ = [
    "PEGNNRegressor",
    "BoostingRegressor",
    "BoostingLabelsRegressor",
    "GPRegressor",
    "IDWRegressor",
    "KNNRegressor",
    "KrigingRegressor",
    "MeanRegressor",
    "NNGPRegressor",
    "SVGPRegressor",
]


class PEGNNRegressor(SpatialRegressor):
    """Positional encoder graph neural networks: the label-aware network by default, those of the
    paper and every baseline by name.

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    features : list | None, default None
        Columns of X to learn from beside the coordinates; None: all others that hold numbers.
    no_features : bool, default False
        Learn from the coordinates alone: interpolation.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    preset : str, default "default"
        What is left at None is as in this preset: default, paper or reference.
    model : str | None, default None
        What is trained: network, the one that encoder and backbone describe; BACKBONE or
        pe-BACKBONE, that network without or with the encoder; or a baseline. See
        `pegnn.parts('baselines')`.
    k : int | None, default None
        Neighbours per point; 0 takes the model's own number: 5 for most networks, 24 for
        label_attention. From 0 to 1024.
    neighbourhood : str | None, default None
        Whom a point listens to; auto is the backbone's own. See `pegnn.parts('neighbourhoods')`.
    radius : float | None, default None
        How far points listen with neighbourhood radius: metres on the globe, units of the
        coordinates else. Of more points than k the nearest count. From 0 to 1e+12.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees.
    edge_weight : str | None, default None
        Edge length to weight: minmax (dmax-d)/(dmax-dmin), gaussian exp(-d2/2l2) with l the median
        length, binary 1. One of minmax, gaussian, binary.
    graph : str | None, default None
        Prediction graph: train attaches each new point to its nearest training points; test-only
        links the new points among themselves (the paper's protocol). One of train, test-only.
    taper : bool | None, default None
        Neighbours count less and less towards the next point outside, so that the surface has no
        jumps where the nearest points change: kriging, nngp, idw and label_attention.
    encoder : str | None, default None
        Positional encoder. See `pegnn.parts('encoders')`.
    encoder_network : str | None, default None
        Network after the sinusoidal transform: shallow, one sigmoid layer (the paper's text); deep,
        hidden ReLU, then half and quarter tanh (the published code). One of shallow, deep.
    scales : int | None, default None
        Scales S of the sinusoidal transform. From 1 to 256.
    sigma_min : float | None, default None
        Finest scale, in coordinate units; 0 takes it from the spacing of the points. From 0 to
        1e+12.
    sigma_max : float | None, default None
        Coarsest scale, in coordinate units; 0 takes it from the extent of the points. From 0 to
        1e+12.
    encoder_hidden : int | None, default None
        Width of the deep encoder network's first layer. From 4 to 4096.
    embedding : int | None, default None
        Width of the encoder's output. From 1 to 4096.
    encoder_dropout : float | None, default None
        Dropout inside the deep encoder network, in steps of 1/256. From 0 to 0.99.
    backbone : str | None, default None
        Graph network. See `pegnn.parts('backbones')`.
    layers : int | None, default None
        Layers of the backbone. From 1 to 16.
    width : int | None, default None
        Width of the backbone's layers. From 1 to 4096.
    dropout : float | None, default None
        Dropout after each backbone layer, in steps of 1/256. From 0 to 0.99.
    heads : int | None, default None
        Attention heads: those of gat share the width, which must be a multiple; those of
        label_attention have the width each. From 1 to 256.
    edge_attention : bool | None, default None
        Attention of gat also sees the weight of the edge.
    aggregation : str | None, default None
        What sage takes of the neighbours. One of mean, max.
    smoother : str | None, default None
        What label_attention starts from and is told of: kriging from the same neighbours, with a
        covariance fitted to the training rows; none, nothing but labels and places. One of kriging,
        none.
    among : int | None, default None
        Layers of attention among the neighbours of a point in label_attention, before the point
        listens to them; each makes training several times as long. From 0 to 4.
    head : str | None, default None
        Prediction head. See `pegnn.parts('heads')`.
    loss : str | None, default None
        Main loss. See `pegnn.parts('losses')`.
    lambda_ : float | None, default None
        Weight of the auxiliary Moran's I task; 0 switches it off. From 0 to 1e+06.
    uncertainty_weights : bool | None, default None
        Learn the task weights from task uncertainty; lambda is then unused.
    uncertainty_form : str | None, default None
        paper: L/(2 s2) + log s; reference: L/(2 s2) + log s2 (the published code). One of paper,
        reference.
    moran_weights : str | None, default None
        Spatial weights of the auxiliary target: binary 1 per neighbour, weighted the graph's edge
        weights, row 1/k. One of binary, weighted, row.
    moran_scale : str | None, default None
        Scale of the auxiliary target: none, or batch (min-max within each batch, the published
        code). One of none, batch.
    scaling : str | None, default None
        Scaling of target and features: minmax to [0,1], standard to mean 0 and deviation 1, none as
        they are. One of minmax, standard, none.
    scale_over : str | None, default None
        Rows the scaler is fitted on; in evaluate, all includes the test rows, as the paper's tables
        do. One of train, all.
    ranks : bool | None, default None
        Beside every feature a copy by its rank among the training rows, as a normal score; scaled
        features are then cut off at -8 and 8. For coded and heavy-tailed features.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh.
    optimiser : str | None, default None
        adam adds weight decay to the gradient, adamw to the step. One of adam, adamw.
    learning_rate : float | None, default None
        Step size; 0: 0.003, or 0.004 from 8,192 rows on. From 0 to 100.
    schedule : str | None, default None
        Step size over the run: constant; one-cycle rises to learning_rate over the first tenth of
        the steps and falls to zero by the last. One of constant, one-cycle.
    clip : float | None, default None
        Gradients longer than this are shortened to it; 0 leaves them. From 0 to 1e+12.
    averaging : float | None, default None
        Weights are averaged over the steps, with this share of the old average kept at each; 0
        takes those of the last step. From 0 to 0.99999.
    weight_decay : float | None, default None
        Weight decay. From 0 to 100.
    batch : int | None, default None
        Points per step, drawn anew each time; 0 or more than there are: all of them; -1: 2048, or
        1024 for tables of fewer than 10,000 training rows, as the paper does. At least -1.
    steps : int | None, default None
        Training steps at most; 0: what 25 passes over the rows take, but no fewer than 400 (200 and
        a tenth of the rows on tables of fewer than 2,000) and no more than 800. At least 0.
    validation : float | None, default None
        Share of the training rows held back for early stopping, at most 8,192 rows; 0 trains on all
        rows to the last step. From 0 to 0.9.
    evaluate_every : int | None, default None
        Steps between two looks at the validation rows. At least 1.
    patience : int | None, default None
        Looks without a better validation error before training stops; 0 never stops early. At least
        0.
    subsets : float | None, default None
        A training step of label_attention sees a random part of the neighbours, at least this share
        of them. From 0.05 to 1.
    thinning : float | None, default None
        Share of the steps in which neighbours of label_attention come from a random part of the
        training points, or from beyond a block that the row lies in, so that it learns to predict
        far from its data too. From 0 to 1.
    members : int | None, default None
        Networks trained with seeds of their own and rows of their own held back; a prediction is
        their mean. 0: six, or four from 8,192 rows on. From 0 to 100.
    far_members : int | None, default None
        Further networks of label_attention that learn to predict far from the training points,
        without an encoder. They take over where a point lies in a gap between the training points
        or beyond them. From 0 to 100.
    far_steps : int | None, default None
        Training steps of each far member at most; 0: those of steps, or where they follow from the
        rows half as many again, up to 800. From 0 to 1e+09.
    choose : str | None, default None
        Settings chosen by the error on the rows held back: none, or some of encoder, ranks,
        target_transform, k and width (twice as much), dropout (0.1 or 0.3) and among (0 or 1),
        separated by commas, with one training run more for each. What is given by itself is not
        chosen.
    combine : str | None, default None
        auto: models of other kinds (a Gaussian process and, where there are features, boosted
        trees) answer beside the network, as far as rows held back near and far say so; none: the
        network alone. One of none, auto.
    knn_weights : str | None, default None
        Mean of the neighbours in knn: all alike, or weighted by 1/distance. One of uniform,
        distance.
    idw_power : float | None, default None
        Power p of the weights 1/distance^p in idw. From 0.01 to 100.
    kernel : str | None, default None
        Covariance of kriging, nngp, gp and svgp; exponential is Matern 1/2, gaussian is RBF; auto
        is matern32 for gp and svgp; kriging and nngp take the exponential, matern32 or matern52,
        whichever tells training rows left out best. One of auto, exponential, matern32, matern52,
        gaussian.
    fit_ : str | None, default None
        How kriging finds range, sill and nugget. One of likelihood, variogram.
    range : float | None, default None
        Range of kriging's and nngp's covariance, in metres on the sphere, else in coordinate units;
        0 fits it. From 0 to 1e+12.
    sill : float | None, default None
        Variance of the spatial part (partial sill), in squared units of the target; 0 fits it. At
        least 0.
    nugget : float | None, default None
        Variance of the noise, in squared units of the target; a negative number fits it. At least
        -1.
    ard : str | None, default None
        Length scales of gp and svgp: none, one for the place and one for the features; features,
        one for the place and one for each feature; all, one for each coordinate too. One of none,
        features, all.
    gp_rows : int | None, default None
        Rows on which gp learns its hyper-parameters; it predicts from all rows. From 16 to 1e+06.
    gp_steps : int | None, default None
        Optimiser steps of gp and svgp at most; 0 takes the method's own number. At least 0.
    inducing : int | None, default None
        Inducing points of svgp; 0: 500, or half the rows, but no fewer than 100, where that is
        less. From 0 to 100000.
    trees : int | None, default None
        Trees of boosting at most; validation rows decide, without any there are 15/tree_rate. From
        1 to 1e+06.
    tree_leaves : int | None, default None
        Leaves of a tree. From 2 to 65536.
    tree_rate : float | None, default None
        Learning rate of boosting. From 1e-06 to 1.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample()
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.PEGNNRegressor(model="pe-gcn", preset="paper", steps=100, random_state=1)
    >>> model.fit(X[:5000], y[:5000]).predict(X[5000:]).shape
    (2184,)
    """

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        features: list | None = None,
        no_features: bool = False,
        crs: object = None,
        preset: str = "default",
        model: str | None = None,
        k: int | None = None,
        neighbourhood: str | None = None,
        radius: float | None = None,
        metric: str | None = None,
        edge_weight: str | None = None,
        graph: str | None = None,
        taper: bool | None = None,
        encoder: str | None = None,
        encoder_network: str | None = None,
        scales: int | None = None,
        sigma_min: float | None = None,
        sigma_max: float | None = None,
        encoder_hidden: int | None = None,
        embedding: int | None = None,
        encoder_dropout: float | None = None,
        backbone: str | None = None,
        layers: int | None = None,
        width: int | None = None,
        dropout: float | None = None,
        heads: int | None = None,
        edge_attention: bool | None = None,
        aggregation: str | None = None,
        smoother: str | None = None,
        among: int | None = None,
        head: str | None = None,
        loss: str | None = None,
        lambda_: float | None = None,
        uncertainty_weights: bool | None = None,
        uncertainty_form: str | None = None,
        moran_weights: str | None = None,
        moran_scale: str | None = None,
        scaling: str | None = None,
        scale_over: str | None = None,
        ranks: bool | None = None,
        target_transform: str | None = None,
        optimiser: str | None = None,
        learning_rate: float | None = None,
        schedule: str | None = None,
        clip: float | None = None,
        averaging: float | None = None,
        weight_decay: float | None = None,
        batch: int | None = None,
        steps: int | None = None,
        validation: float | None = None,
        evaluate_every: int | None = None,
        patience: int | None = None,
        subsets: float | None = None,
        thinning: float | None = None,
        members: int | None = None,
        far_members: int | None = None,
        far_steps: int | None = None,
        choose: str | None = None,
        combine: str | None = None,
        knn_weights: str | None = None,
        idw_power: float | None = None,
        kernel: str | None = None,
        fit_: str | None = None,
        range: float | None = None,
        sill: float | None = None,
        nugget: float | None = None,
        ard: str | None = None,
        gp_rows: int | None = None,
        gp_steps: int | None = None,
        inducing: int | None = None,
        trees: int | None = None,
        tree_leaves: int | None = None,
        tree_rate: float | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.features = features
        self.no_features = no_features
        self.crs = crs
        self.preset = preset
        self.model = model
        self.k = k
        self.neighbourhood = neighbourhood
        self.radius = radius
        self.metric = metric
        self.edge_weight = edge_weight
        self.graph = graph
        self.taper = taper
        self.encoder = encoder
        self.encoder_network = encoder_network
        self.scales = scales
        self.sigma_min = sigma_min
        self.sigma_max = sigma_max
        self.encoder_hidden = encoder_hidden
        self.embedding = embedding
        self.encoder_dropout = encoder_dropout
        self.backbone = backbone
        self.layers = layers
        self.width = width
        self.dropout = dropout
        self.heads = heads
        self.edge_attention = edge_attention
        self.aggregation = aggregation
        self.smoother = smoother
        self.among = among
        self.head = head
        self.loss = loss
        self.lambda_ = lambda_
        self.uncertainty_weights = uncertainty_weights
        self.uncertainty_form = uncertainty_form
        self.moran_weights = moran_weights
        self.moran_scale = moran_scale
        self.scaling = scaling
        self.scale_over = scale_over
        self.ranks = ranks
        self.target_transform = target_transform
        self.optimiser = optimiser
        self.learning_rate = learning_rate
        self.schedule = schedule
        self.clip = clip
        self.averaging = averaging
        self.weight_decay = weight_decay
        self.batch = batch
        self.steps = steps
        self.validation = validation
        self.evaluate_every = evaluate_every
        self.patience = patience
        self.subsets = subsets
        self.thinning = thinning
        self.members = members
        self.far_members = far_members
        self.far_steps = far_steps
        self.choose = choose
        self.combine = combine
        self.knn_weights = knn_weights
        self.idw_power = idw_power
        self.kernel = kernel
        self.fit_ = fit_
        self.range = range
        self.sill = sill
        self.nugget = nugget
        self.ard = ard
        self.gp_rows = gp_rows
        self.gp_steps = gp_steps
        self.inducing = inducing
        self.trees = trees
        self.tree_leaves = tree_leaves
        self.tree_rate = tree_rate
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class BoostingRegressor(SpatialRegressor):
    """Gradient-boosted trees on coordinates and features. (Chen and Guestrin, KDD 2016 (XGBoost);
    Friedman, Ann. Stat. 29, 2001)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    features : list | None, default None
        Columns of X to learn from beside the coordinates; None: all others that hold numbers.
    no_features : bool, default False
        Learn from the coordinates alone: interpolation.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    trees : int | None, default None
        Trees of boosting at most; validation rows decide, without any there are 15/tree_rate. From
        1 to 1e+06. None: 2000.
    tree_leaves : int | None, default None
        Leaves of a tree. From 2 to 65536. None: 31.
    tree_rate : float | None, default None
        Learning rate of boosting. From 1e-06 to 1. None: 0.05.
    validation : float | None, default None
        Share of the training rows held back for early stopping, at most 8,192 rows; 0 trains on all
        rows to the last step. From 0 to 0.9. None: 0.1.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.BoostingRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "boosting"
    _engine_tags = {"_xfail_checks": {"check_sample_weights_invariance": "rows held back go by their order"}}

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        features: list | None = None,
        no_features: bool = False,
        crs: object = None,
        trees: int | None = None,
        tree_leaves: int | None = None,
        tree_rate: float | None = None,
        validation: float | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.features = features
        self.no_features = no_features
        self.crs = crs
        self.trees = trees
        self.tree_leaves = tree_leaves
        self.tree_rate = tree_rate
        self.validation = validation
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class BoostingLabelsRegressor(SpatialRegressor):
    """Gradient-boosted trees that also see the nearest training points' labels. (Sekulic et al.,
    Remote Sensing 12, 2020, with Chen and Guestrin's XGBoost, KDD 2016)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    features : list | None, default None
        Columns of X to learn from beside the coordinates; None: all others that hold numbers.
    no_features : bool, default False
        Learn from the coordinates alone: interpolation.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    k : int | None, default None
        Neighbours per point; 0 takes the model's own number: 5 for most networks, 24 for
        label_attention. From 0 to 1024. None: 0.
    trees : int | None, default None
        Trees of boosting at most; validation rows decide, without any there are 15/tree_rate. From
        1 to 1e+06. None: 2000.
    tree_leaves : int | None, default None
        Leaves of a tree. From 2 to 65536. None: 31.
    tree_rate : float | None, default None
        Learning rate of boosting. From 1e-06 to 1. None: 0.05.
    validation : float | None, default None
        Share of the training rows held back for early stopping, at most 8,192 rows; 0 trains on all
        rows to the last step. From 0 to 0.9. None: 0.1.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.BoostingLabelsRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "boosting_labels"
    _engine_tags = {"_xfail_checks": {"check_sample_weights_invariance": "rows held back go by their order"}}

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        features: list | None = None,
        no_features: bool = False,
        crs: object = None,
        k: int | None = None,
        trees: int | None = None,
        tree_leaves: int | None = None,
        tree_rate: float | None = None,
        validation: float | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.features = features
        self.no_features = no_features
        self.crs = crs
        self.k = k
        self.trees = trees
        self.tree_leaves = tree_leaves
        self.tree_rate = tree_rate
        self.validation = validation
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class GPRegressor(UnweightedRegressor):
    """Exact Gaussian process over place and features; memory grows with rows squared. (Rasmussen
    and Williams, Gaussian Processes for Machine Learning, 2006)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    features : list | None, default None
        Columns of X to learn from beside the coordinates; None: all others that hold numbers.
    no_features : bool, default False
        Learn from the coordinates alone: interpolation.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    kernel : str | None, default None
        Covariance of kriging, nngp, gp and svgp; exponential is Matern 1/2, gaussian is RBF; auto
        is matern32 for gp and svgp; kriging and nngp take the exponential, matern32 or matern52,
        whichever tells training rows left out best. One of auto, exponential, matern32, matern52,
        gaussian. None: 'auto'.
    ard : str | None, default None
        Length scales of gp and svgp: none, one for the place and one for the features; features,
        one for the place and one for each feature; all, one for each coordinate too. One of none,
        features, all. None: 'features'.
    gp_rows : int | None, default None
        Rows on which gp learns its hyper-parameters; it predicts from all rows. From 16 to 1e+06.
        None: 4096.
    gp_steps : int | None, default None
        Optimiser steps of gp and svgp at most; 0 takes the method's own number. At least 0. None:
        0.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.GPRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "gp"

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        features: list | None = None,
        no_features: bool = False,
        crs: object = None,
        kernel: str | None = None,
        ard: str | None = None,
        gp_rows: int | None = None,
        gp_steps: int | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.features = features
        self.no_features = no_features
        self.crs = crs
        self.kernel = kernel
        self.ard = ard
        self.gp_rows = gp_rows
        self.gp_steps = gp_steps
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class IDWRegressor(SpatialRegressor):
    """Inverse distance weighting over the nearest training points. (Shepard, ACM National
    Conference 1968)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    k : int | None, default None
        Neighbours per point; 0 takes the model's own number: 5 for most networks, 24 for
        label_attention. From 0 to 1024. None: 0.
    idw_power : float | None, default None
        Power p of the weights 1/distance^p in idw. From 0.01 to 100. None: 2.0.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.IDWRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "idw"
    _engine_tags = {"poor_score": True}  # it sees places alone

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        crs: object = None,
        k: int | None = None,
        idw_power: float | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.crs = crs
        self.k = k
        self.idw_power = idw_power
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class KNNRegressor(SpatialRegressor):
    """Mean of the nearest training points' labels, uniform or by distance. (Cover and Hart, IEEE
    Trans. Inf. Theory 13, 1967)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    k : int | None, default None
        Neighbours per point; 0 takes the model's own number: 5 for most networks, 24 for
        label_attention. From 0 to 1024. None: 0.
    knn_weights : str | None, default None
        Mean of the neighbours in knn: all alike, or weighted by 1/distance. One of uniform,
        distance. None: 'uniform'.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.KNNRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "knn"
    _engine_tags = {"poor_score": True}  # it sees places alone

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        crs: object = None,
        k: int | None = None,
        knn_weights: str | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.crs = crs
        self.k = k
        self.knn_weights = knn_weights
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class KrigingRegressor(UnweightedRegressor):
    """Local ordinary kriging from the nearest training points, with its deviation. (Matheron,
    Economic Geology 58, 1963; Cressie 1993)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    k : int | None, default None
        Neighbours per point; 0 takes the model's own number: 5 for most networks, 24 for
        label_attention. From 0 to 1024. None: 0.
    kernel : str | None, default None
        Covariance of kriging, nngp, gp and svgp; exponential is Matern 1/2, gaussian is RBF; auto
        is matern32 for gp and svgp; kriging and nngp take the exponential, matern32 or matern52,
        whichever tells training rows left out best. One of auto, exponential, matern32, matern52,
        gaussian. None: 'auto'.
    fit_ : str | None, default None
        How kriging finds range, sill and nugget. One of likelihood, variogram. None: 'likelihood'.
    range : float | None, default None
        Range of kriging's and nngp's covariance, in metres on the sphere, else in coordinate units;
        0 fits it. From 0 to 1e+12. None: 0.0.
    sill : float | None, default None
        Variance of the spatial part (partial sill), in squared units of the target; 0 fits it. At
        least 0. None: 0.0.
    nugget : float | None, default None
        Variance of the noise, in squared units of the target; a negative number fits it. At least
        -1. None: -1.0.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.KrigingRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "kriging"
    _engine_tags = {"poor_score": True}  # it sees places alone

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        crs: object = None,
        k: int | None = None,
        kernel: str | None = None,
        fit_: str | None = None,
        range: float | None = None,
        sill: float | None = None,
        nugget: float | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.crs = crs
        self.k = k
        self.kernel = kernel
        self.fit_ = fit_
        self.range = range
        self.sill = sill
        self.nugget = nugget
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class MeanRegressor(SpatialRegressor):
    """The mean of the training rows, everywhere. (the least any model must beat)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.MeanRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "mean"
    _engine_tags = {"poor_score": True}  # it sees places alone

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        crs: object = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.crs = crs
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class NNGPRegressor(UnweightedRegressor):
    """Linear mean and nearest-neighbour Gaussian process, for any number of rows. (Datta, Banerjee,
    Finley and Gelfand, JASA 111, 2016; Finley et al. 2019)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    features : list | None, default None
        Columns of X to learn from beside the coordinates; None: all others that hold numbers.
    no_features : bool, default False
        Learn from the coordinates alone: interpolation.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    k : int | None, default None
        Neighbours per point; 0 takes the model's own number: 5 for most networks, 24 for
        label_attention. From 0 to 1024. None: 0.
    kernel : str | None, default None
        Covariance of kriging, nngp, gp and svgp; exponential is Matern 1/2, gaussian is RBF; auto
        is matern32 for gp and svgp; kriging and nngp take the exponential, matern32 or matern52,
        whichever tells training rows left out best. One of auto, exponential, matern32, matern52,
        gaussian. None: 'auto'.
    range : float | None, default None
        Range of kriging's and nngp's covariance, in metres on the sphere, else in coordinate units;
        0 fits it. From 0 to 1e+12. None: 0.0.
    sill : float | None, default None
        Variance of the spatial part (partial sill), in squared units of the target; 0 fits it. At
        least 0. None: 0.0.
    nugget : float | None, default None
        Variance of the noise, in squared units of the target; a negative number fits it. At least
        -1. None: -1.0.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.NNGPRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "nngp"

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        features: list | None = None,
        no_features: bool = False,
        crs: object = None,
        k: int | None = None,
        kernel: str | None = None,
        range: float | None = None,
        sill: float | None = None,
        nugget: float | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.features = features
        self.no_features = no_features
        self.crs = crs
        self.k = k
        self.kernel = kernel
        self.range = range
        self.sill = sill
        self.nugget = nugget
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose


class SVGPRegressor(UnweightedRegressor):
    """Sparse variational Gaussian process over place and features, for any number of rows.
    (Hensman, Fusi and Lawrence, Gaussian Processes for Big Data, UAI 2013)

    Parameters
    ----------
    coords : tuple | None, default None
        Columns of X with the coordinates, by name or position: longitude and latitude, or x and y.
        None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first
        two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of
        columns without such a name when all values would fit the globe. Not for GeoDataFrames,
        whose places are those of their geometry.
    features : list | None, default None
        Columns of X to learn from beside the coordinates; None: all others that hold numbers.
    no_features : bool, default False
        Learn from the coordinates alone: interpolation.
    crs : object, default None
        Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992',
        WKT); of a GeoDataFrame its own.
    kernel : str | None, default None
        Covariance of kriging, nngp, gp and svgp; exponential is Matern 1/2, gaussian is RBF; auto
        is matern32 for gp and svgp; kriging and nngp take the exponential, matern32 or matern52,
        whichever tells training rows left out best. One of auto, exponential, matern32, matern52,
        gaussian. None: 'auto'.
    ard : str | None, default None
        Length scales of gp and svgp: none, one for the place and one for the features; features,
        one for the place and one for each feature; all, one for each coordinate too. One of none,
        features, all. None: 'features'.
    inducing : int | None, default None
        Inducing points of svgp; 0: 500, or half the rows, but no fewer than 100, where that is
        less. From 0 to 100000. None: 0.
    gp_steps : int | None, default None
        Optimiser steps of gp and svgp at most; 0 takes the method's own number. At least 0. None:
        0.
    metric : str | None, default None
        Distance: auto takes great-circle for longitude/latitude and planar for x/y; degrees is the
        published code's Euclidean distance on raw degrees. One of auto, great-circle, planar,
        degrees. None: 'auto'.
    target_transform : str | None, default None
        What is learned: none, the target; asinh, asinh((y - median) / spread), for a target with
        heavy tails. Predictions come back in the target's units, then medians rather than means.
        One of none, asinh. None: 'none'.
    drop_missing : bool, default False
        Leave out rows with missing values in fit, and predict NaN for them, instead of refusing
        them.
    random_state : object, default None
        Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState
        is asked for a number.
    seed : int | None, default None
        The command's word for random_state; give one of them.
    threads : int | None, default None
        None or -1: all cores. It changes the speed alone.
    verbose : int, default 0
        1 shows notes and a bar on standard error, 2 details too.

    Attributes
    ----------
    model_ : pegnn.Model
        What was learned: to be saved, asked with arrays, looked into.
    n_features_in_, feature_names_in_
        Columns of X seen in fit, and their names where they are strings.
    features_, target_, metric_, crs_
        Columns learned from, the target's name, the metric of distances, and the CRS.
    curve_ : list of dict
        Losses as a network learned, one entry for each measurement.
    shown_ : dict
        Rows on which errors are shown (held back, left out or training rows), observed and predicted.

    Examples
    --------
    >>> import pegnn
    >>> table = pegnn.sample().head(500)
    >>> X, y = table[["longitude", "latitude"]], table["elevation"]
    >>> model = pegnn.SVGPRegressor().fit(X[:400], y[:400])
    >>> model.predict(X[400:]).shape
    (100,)
    """

    _engine_model = "svgp"

    def __init__(
        self,
        *,
        coords: tuple | None = None,
        features: list | None = None,
        no_features: bool = False,
        crs: object = None,
        kernel: str | None = None,
        ard: str | None = None,
        inducing: int | None = None,
        gp_steps: int | None = None,
        metric: str | None = None,
        target_transform: str | None = None,
        drop_missing: bool = False,
        random_state: object = None,
        seed: int | None = None,
        threads: int | None = None,
        verbose: int = 0,
    ):
        self.coords = coords
        self.features = features
        self.no_features = no_features
        self.crs = crs
        self.kernel = kernel
        self.ard = ard
        self.inducing = inducing
        self.gp_steps = gp_steps
        self.metric = metric
        self.target_transform = target_transform
        self.drop_missing = drop_missing
        self.random_state = random_state
        self.seed = seed
        self.threads = threads
        self.verbose = verbose
