"""The commands that are tortured, on tables of a few dozen rows."""

import subprocess

from preload import QUIET_ENVIRONMENT
from workplace import Case

TRAINED = ["model.safetensors", "options.toml", "metrics.jsonl", "report.html"]
ONE_MEMBER = ["--members", "1", "--far-members", "1", "--choose", "none", "--trees", "3"]


def train(name, *options, table="t.csv", extras=(), **more):
    results = [file for file in TRAINED if file != "report.html" or "--no-report" not in options]
    words = ["train", table, "--target", "elevation", "-o", "out/m", "--overwrite", *options]
    return Case(f"train {name}", words, [f"m/{file}" for file in results],
                extras=[f"m/{file}" for file in extras], logs=["m/metrics.jsonl"], **more)


def command_cases():
    """Without GDAL. One thread: the order of requests for memory is then the same in every run."""
    alone = ["--threads", "1"]
    return [
        train("pe-gcn", "--model", "pe-gcn", "--steps", "3", *alone),
        train("two threads", "--model", "pe-gcn", "--steps", "2", "--batch", "16", "--threads", "2"),
        train("snapshots", "--model", "pe-gcn", "--steps", "3", "--snapshot-every", "1",
              "--validation", "0.2", "--evaluate-every", "1", "--no-report", *alone,
              extras=["snapshot.safetensors", "metrics.jsonl"]),
        train("default", "--steps", "2", "--evaluate-every", "1", *ONE_MEMBER, *alone),
        train("kriging", "--model", "kriging", *alone),
        train("gp", "--model", "gp", "--gp-rows", "16", "--gp-steps", "2", *alone),
        train("boosting", "--model", "boosting", "--trees", "3", *alone),
        Case("predict", ["predict", "pe-gcn", "t.csv", "-o", "out/p.csv", "--overwrite", *alone],
             ["p.csv"]),
        Case("predict to standard output", ["predict", "kriging", "t.csv", "--threads", "2"], []),
        Case("predict default", ["predict", "default", "t.csv", "-o", "out/p.csv", "--overwrite", *alone],
             ["p.csv"]),
        Case("predict boosting", ["predict", "boosting", "t.csv", "-o", "out/p.csv", "--overwrite", *alone],
             ["p.csv"]),
        Case("info", ["info", "pe-gcn"], []),
        Case("moran", ["moran", "t.csv", "--value", "elevation", "-o", "out/l.csv", "--html", "out/l.html",
                       "--permutations", "99", "--overwrite", *alone], ["l.csv", "l.html"]),
        Case("evaluate", ["evaluate", "t.csv", "--target", "elevation", "--model", "pe-gcn", "--steps", "2",
                          "--folds", "2", "--json", "out/e.json", "--predictions", "out/e.csv",
                          "--overwrite", *alone], ["e.json", "e.csv"]),
    ]


def geographic_cases():
    """Through GDAL: vector files in and out, and maps."""
    alone = ["--threads", "1"]
    more = {"geographic": True}
    return [
        Case("predict to gpkg", ["predict", "pe-gcn", "t.csv", "-o", "out/p.gpkg", "--overwrite", *alone],
             ["p.gpkg"], **more),
        Case("predict gpkg to geojson",
             ["predict", "pe-gcn", "t.gpkg", "-o", "out/p.geojson", "--overwrite", *alone],
             ["p.geojson"], **more),
        train("from gpkg", "--model", "kriging", "--no-report", *alone, table="t.gpkg", **more),
        Case("map", ["map", "bare", "-o", "out/m.tif", "--size", "12x9", "--overwrite", *alone],
             ["m.tif", "m.qml", "m.png"], **more),
        Case("moran to shapefile", ["moran", "t.csv", "--value", "elevation", "-o", "out/l.shp",
                                    "--permutations", "99", "--overwrite", *alone],
             ["l.shp", "l.shx", "l.dbf", "l.prj", "l.cpg", "l.qml"], **more),
    ]


def make_inputs(pegnn, folder, airports):
    """A table, the models to predict with, and the table once more as a vector file."""
    folder.mkdir()
    lines = airports.read_text(encoding="utf-8").splitlines()[1:41]
    rows = [f"{line.rsplit(',', 1)[0]},{i % 7},{line.rsplit(',', 1)[1]}" for i, line in enumerate(lines)]
    text = "\n".join(["longitude,latitude,side,elevation", *rows]) + "\n"
    (folder / "t.csv").write_text(text, encoding="utf-8")
    (folder / "many.csv").write_text(text + "\n".join(50 * rows) + "\n", encoding="utf-8")

    def run(*words):
        subprocess.run([pegnn.binary, *words], cwd=folder, check=True, env=QUIET_ENVIRONMENT,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def learn(name, *options):
        run("train", "t.csv", "--target", "elevation", "-o", name, "--no-report", "-q", *options)

    learn("pe-gcn", "--model", "pe-gcn", "--steps", "3")
    learn("bare", "--model", "pe-gcn", "--steps", "3", "--no-features")
    learn("kriging", "--model", "kriging")
    learn("boosting", "--model", "boosting", "--trees", "3")
    learn("default", "--steps", "2", *ONE_MEMBER)
    if pegnn.has_gdal:
        run("predict", "pe-gcn", "t.csv", "-o", "t.gpkg", "--column", "guess", "-q")
