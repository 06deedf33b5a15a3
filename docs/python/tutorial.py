# %% [markdown]
# # From a table of places to a map, in Python
#
# How high is the ground between the airports of Europe? The sample that comes with the package holds
# 7,184 airports and their elevation in metres. We look at them, ask whether elevation is spatial at
# all, compare models honestly, train one, draw a map with it and look inside.
#
# This page is made from [tutorial.py](tutorial.py): the outputs are what the script printed. Run it with
# `python3 docs/python/tutorial.py FOLDER`; the figures go to FOLDER. It takes about two minutes on two cores.

# %%
import pathlib
import sys
import warnings

import matplotlib

matplotlib.use("Agg")
import geopandas
import matplotlib.pyplot as plt
import numpy as np
import pegnn
from sklearn.model_selection import KFold, cross_val_score

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
warnings.simplefilter("ignore", pegnn.PegnnWarning)


def save(figure, name):
    figure.savefig(FOLDER / name, dpi=80, bbox_inches="tight")
    plt.close(figure)


# %% [markdown]
# ## The data
#
# Any table will do: a `DataFrame` with two columns of coordinates, or a `GeoDataFrame` in any coordinate
# reference system. We take the airports of Europe as points, in metres (EPSG:3035).

# %%
airports = pegnn.sample()
inside = airports["longitude"].between(-11, 32) & airports["latitude"].between(35, 61)
europe = geopandas.GeoDataFrame(
    airports.loc[inside, ["elevation"]],
    geometry=geopandas.points_from_xy(
        airports.loc[inside, "longitude"], airports.loc[inside, "latitude"]
    ),
    crs="EPSG:4326",
).to_crs("EPSG:3035")
print(europe.describe().round(1))

# %%
figure, axes = plt.subplots(figsize=(7, 5.5))
europe.plot("elevation", ax=axes, markersize=7, cmap="terrain", vmax=1200, legend=True)
axes.set_title("Elevation of airports, metres")
axes.set_axis_off()
save(figure, "tutorial_airports.png")

# %% [markdown]
# ![Airports](tutorial_airports.png)
#
# ## Is it spatial?
#
# Moran's I says how much alike neighbours are: 0 for a value strewn at random, near 1 where neighbours
# tell each other's value. Names and conventions are those of PySAL.

# %%
found = pegnn.moran(europe, "elevation", k=8)
print(f"I = {found.I:.3f}, expected {found.EI:.4f} by chance, p = {found.p_sim:.3f}")
print(found.to_frame()["cluster"].value_counts().to_string())

# %% [markdown]
# Elevation is spatial. The graph behind it can be had by itself, as a scipy matrix or as libpysal weights:

# %%
graph = pegnn.knn_graph(europe, k=8)
print(graph)
print(repr(graph.to_csr()))

# %% [markdown]
# ## Which model?
#
# Every model is an estimator of scikit-learn: `fit`, `predict`, `score`, `clone`, pipelines and searches
# work. Coordinates are columns of X, or here the geometry.
#
# Random folds put test rows between training rows, which flatters all models; blocks of whole regions tell
# how they do away from their data. `SpatialBlockFold` draws the folds of `pegnn evaluate --scheme block`.

# %%
X, y = europe[["geometry"]], europe["elevation"]
schemes = {
    "random rows": KFold(5, shuffle=True, random_state=1),
    "blocks of 300 km": pegnn.SpatialBlockFold(5, block_km=300, random_state=1),
}
models = {
    "mean": pegnn.MeanRegressor(),
    "5 nearest": pegnn.KNNRegressor(k=5),
    "kriging": pegnn.KrigingRegressor(),
}
for scheme, folds in schemes.items():
    for name, model in models.items():
        errors = -cross_val_score(model, X, y, cv=folds, scoring="neg_root_mean_squared_error")
        print(f"{scheme:18} {name:10} RMSE {errors.mean():5.0f} m")

# %% [markdown]
# `compare` does the same for a whole league in one call, and says which leads are more than chance:

# %%
league = pegnn.compare(
    europe, "elevation", ["mean", "knn", "idw", "kriging", "nngp", "default"], folds=3, seed=1
)
print(league[["model", "rmse", "r2", "verdict", "p_holm"]].round(3).to_string(index=False))

# %% [markdown]
# ## Train and ask
#
# The default network attends to the nearest airports and their elevations and corrects kriging where that
# pays. Fitted by the name of the target, a model gives a `GeoDataFrame` back, with the caller's index and
# CRS, whatever CRS it comes in.

# %%
model = pegnn.PEGNNRegressor(random_state=1).fit(europe, y="elevation")
peaks = geopandas.GeoDataFrame(
    {"place": ["Amsterdam", "Innsbruck", "Madrid", "Snowdonia"]},
    geometry=geopandas.points_from_xy([4.9, 11.4, -3.7, -3.9], [52.37, 47.27, 40.42, 53.0]),
    crs="EPSG:4326",
)
print(model.predict(peaks)[["place", "pred"]].round(0).to_string(index=False))

# %% [markdown]
# ## A map
#
# `predict_grid` predicts on the cells of a raster: an array with transform and CRS, ready for rasterio or
# xarray, with the distance to the nearest airport and where the model may be believed.

# %%
grid = model.predict_grid(res=12_000)
print(grid, grid.crs.name)
print(grid.to_xarray())

# %%
figure, axes = plt.subplots(1, 2, figsize=(12, 4.8), layout="constrained")
west, south, east, north = grid.bounds
shown = dict(extent=(west, east, south, north), interpolation="nearest")
image = axes[0].imshow(grid.values, cmap="terrain", vmin=-200, vmax=1500, **shown)
figure.colorbar(image, ax=axes, shrink=0.8)
axes[0].set_title("Predicted elevation, metres")
axes[1].imshow(np.where(grid.applicable, grid.values, np.nan), cmap="terrain", vmin=-200, vmax=1500,
               **shown)
europe.plot(ax=axes[1], markersize=1, color="black")
axes[1].set_title("Where the model is applicable")
for one in axes:
    one.set_xlim(west, east)
    one.set_ylim(south, north)
    one.set_axis_off()
save(figure, "tutorial_map.png")

# %% [markdown]
# ![Map](tutorial_map.png)
#
# Airports lie in valleys: of peaks between them nothing is known. The right map leaves out what lies
# farther from an airport than airports lie from each other.
#
# ## The paper's networks, and what is inside
#
# The networks of the paper are there by name, as published (`preset="paper"` or `"reference"`) or with
# options of your own. A trained one can be looked into: what its encoder says of a place, the embedding
# its heads read, and what the auxiliary head says of local Moran's I.

# %%
network = pegnn.PEGNNRegressor(
    model="pe-gcn", preset="paper", lambda_=0.5, steps=1500, random_state=1
).fit(europe, y="elevation")
print(f"R2 on the airports it has seen: {network.score(europe):.2f}")

centres = np.column_stack([c.ravel() for c in np.meshgrid(grid.x[::2], grid.y[::2])])
inner = network.model_.forward(centres)
print("encoder", inner.encoder.shape, "embedding", inner.embedding.shape, "moran", inner.moran.shape)

# %%
embedding = inner.embedding[0]
axis = np.linalg.svd(embedding - embedding.mean(axis=0), full_matrices=False)[2]
components = (embedding - embedding.mean(axis=0)) @ axis[:3].T
low, high = np.percentile(components, [2, 98], axis=0)
colours = np.clip((components - low) / (high - low), 0, 1)
shape = (len(grid.y[::2]), len(grid.x[::2]), 3)
figure, axes = plt.subplots(figsize=(6.5, 4.8))
axes.imshow(colours.reshape(shape), extent=(west, east, south, north))
europe.plot(ax=axes, markersize=1, color="black")
axes.set_title("The embedding of PE-GCN, its three main directions as colours")
axes.set_axis_off()
save(figure, "tutorial_embedding.png")

# %% [markdown]
# ![Embedding](tutorial_embedding.png)
#
# The stripes are the encoder's: its sine and cosine waves look at each coordinate by itself. Where there are
# airports the network has learned to mix them, beyond they go on as they are.
#
# The parts are functions on numpy arrays too, for those who build something else of them:

# %%
waves = pegnn.sinusoidal_transform([[4.9, 52.37]], scales=4, sigma_min=0.5, sigma_max=50)
print(waves.round(3))
lisa = pegnn.local_moran(europe["elevation"], graph)
print(f"{lisa.shape[0]} values of local Moran's I, the mean {lisa.mean():.2f}")

# %% [markdown]
# ## Keep it
#
# A model file is the same for Python and for the command: the same options and seed give the same bytes.
# Pickle and joblib work as well.

# %%
model.save(FOLDER / "europe.safetensors")
again = pegnn.load(FOLDER / "europe.safetensors")
print(again)
print("the same bytes:", again.to_bytes() == model.model_.to_bytes())
