#!/usr/bin/env python3
"""One training step of PE-GNN in PyTorch Geometric: the work that step/... of pegnn_bench does.

    pyg_step.py [gcn|gat|sage] [2048|16512] [--threads N]      prints the median and the least time

A step draws rows, finds their k nearest neighbours on the sphere (scipy's kd-tree over unit vectors, on as
many threads), turns edge lengths into weights, computes the local Moran's I of the target, and takes the
network forward, backward and through Adam. The network is that of the published code (Klemmer et al., 2023):
sixteen scales between 1e-6 and 360, 64-128 (ReLU, dropout 0.5)-64-32 (tanh)-64, two graph layers of 32 with
ReLU and dropout 0.5, linear heads for the outcome and for Moran's I, whose loss counts a quarter.

Written to be as fast as the libraries allow in plain eager mode: no Python loop over points or edges, no
copies between devices, coordinates as unit vectors and the sines and cosines of the encoder computed once
for all rows (ours does the same), GCN's normalisation cached between the two layers.
"""

import argparse
import sys
import time


def positive(word):
    value = int(word) if word.isdecimal() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{word}' is not a positive number")
    return value


def read_words():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("backbone", nargs="?", default="gcn", choices=["gcn", "gat", "sage"])
    parser.add_argument("rows", nargs="?", type=positive, default=2048)
    parser.add_argument("--threads", type=positive, help="default: as many as PyTorch takes")
    parser.add_argument("--device", default="cpu")
    return parser.parse_args()


# Before the libraries are loaded, so that --help needs none of them.
options = read_words() if __name__ == "__main__" else None
try:
    import numpy as np
    import torch
    from scipy.spatial import cKDTree
    from torch import nn
    from torch_geometric.nn import GATConv, GCNConv, SAGEConv
    from torch_geometric.nn.conv.gcn_conv import gcn_norm
except ImportError as error:
    if __name__ != "__main__":
        raise
    print(f"pyg_step.py needs PyTorch and PyTorch Geometric: {error}", file=sys.stderr)
    sys.exit(2)

EARTH_RADIUS = 6371008.8  # metres
CONVOLUTIONS = {"gcn": GCNConv, "gat": GATConv, "sage": SAGEConv}
ROWS, FEATURES = 16512, 6


def scale_factors(count=16, least=1e-6, most=360.0):
    return 1.0 / (least * (most / least) ** (torch.arange(count, dtype=torch.float64) / (count - 1)))


def transform(degrees):
    """Sines and cosines of the coordinates at every scale, in double until the end: rows x 64."""
    angles = degrees.double()[:, :, None] * scale_factors().to(degrees.device)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1).float()


def unit_vectors(degrees):
    longitude, latitude = torch.deg2rad(degrees.double()).unbind(1)
    return torch.stack((latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(),
                        latitude.sin()), dim=1)


def neighbours(vectors, k, threads):
    """Edges (sender, receiver) from the k nearest points to each, and their lengths in metres."""
    n = len(vectors)
    if vectors.is_cuda:
        chord = torch.cdist(vectors, vectors, compute_mode="donot_use_mm_for_euclid_dist")
        chord.fill_diagonal_(torch.inf)
        chord, nearest = chord.topk(k, largest=False)
    else:
        points = vectors.numpy()
        chord, nearest = cKDTree(points).query(points, k=k + 1, workers=threads)
        chord, nearest = torch.from_numpy(chord[:, 1:]), torch.from_numpy(nearest[:, 1:])
    receiver = torch.arange(n, device=vectors.device).repeat_interleave(k)
    length = 2 * EARTH_RADIUS * torch.asin((chord.flatten() / 2).clamp_(max=1.0))
    return torch.stack((nearest.flatten(), receiver)), length.float()


def local_moran(target, edges, k):
    """Anselin's local I with binary weights, scaled to [0, 1] within the batch."""
    n = len(target)
    z = target - target.mean()
    local = (n - 1) * z * z[edges[0]].view(n, k).sum(1) / z.square().sum()
    least, most = local.aminmax()
    return (local - least) / (most - least)


class PeGnn(nn.Module):
    def __init__(self, backbone, features, embedding=64, width=32):
        super().__init__()
        self.backbone = backbone
        self.encoder = nn.Sequential(
            nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.5), nn.Linear(128, 64), nn.Tanh(),
            nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, embedding))
        # The weights of the edges are the same for both layers: normalised once, outside.
        settings = {"normalize": False} if backbone == "gcn" else {}
        layer = CONVOLUTIONS[backbone]
        self.first = layer(features + embedding, width, **settings)
        self.second = layer(width, width, **settings)
        self.drop = nn.Dropout(0.5)
        self.outcome, self.moran = nn.Linear(width, 1), nn.Linear(width, 1)

    def forward(self, features, basis, edges, weights):
        h = torch.cat((features, self.encoder(basis)), dim=1)
        graph = (edges,)
        if self.backbone == "gcn":
            graph = gcn_norm(edges, weights, len(h))
        h = self.drop(self.first(h, *graph).relu())
        h = self.drop(self.second(h, *graph).relu())
        return self.outcome(h).squeeze(1), self.moran(h).squeeze(1)


class Rows:
    """Uniform places in a box the size of California, with features and a target."""

    def __init__(self, count, features, device, seed):
        draw = torch.Generator().manual_seed(seed)
        corner, size = torch.tensor([-124.3, 32.5]), torch.tensor([10.0, 9.5])
        degrees = (corner + size * torch.rand(count, 2, generator=draw)).to(device)
        self.vectors, self.basis = unit_vectors(degrees), transform(degrees)
        self.features = torch.rand(count, features, generator=draw).to(device)
        self.target = torch.rand(count, generator=draw).to(device)


def step(network, optimiser, rows, batch, k, lam, threads):
    edges, length = neighbours(rows.vectors[batch], k, threads)
    least, most = length.aminmax()
    weights = (most - length) / (most - least)
    target = rows.target[batch]
    optimiser.zero_grad(set_to_none=True)
    outcome, moran = network(rows.features[batch], rows.basis[batch], edges, weights)
    loss = nn.functional.mse_loss(outcome, target)
    if lam > 0:
        loss = loss + lam * nn.functional.mse_loss(moran, local_moran(target, edges, k))
    loss.backward()
    optimiser.step()


def time_steps(backbone, n, f_in, dev, steps=50, warm=5, k=5, emb=64, lam=0.25, full=None, seed=0):
    """Median and least seconds of a step of `n` rows out of `full`."""
    if backbone not in CONVOLUTIONS:
        sys.exit(f"no backbone is called '{backbone}'; there are {', '.join(CONVOLUTIONS)}")
    torch.manual_seed(seed)
    rows = Rows(full or n, f_in, dev, seed)
    network = PeGnn(backbone, f_in, emb).to(dev).train()
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    threads = torch.get_num_threads()
    times = []
    for number in range(warm + steps):
        if dev != "cpu":
            torch.cuda.synchronize()
        start = time.perf_counter()
        batch = torch.randperm(len(rows.target), device=dev)[:n]
        step(network, optimiser, rows, batch, k, lam, threads)
        if dev != "cpu":
            torch.cuda.synchronize()
        if number >= warm:
            times.append(time.perf_counter() - start)
    return float(np.median(times)), float(np.min(times))


def main():
    threads = options.threads or torch.get_num_threads()
    torch.set_num_threads(threads)
    median, least = time_steps(options.backbone, options.rows, FEATURES, options.device, full=ROWS)
    print(f"{options.backbone}, {options.rows} of {ROWS} rows, {threads} threads: median "
          f"{1e3 * median:.2f} ms, least {1e3 * least:.2f} ms")


if __name__ == "__main__":
    main()
