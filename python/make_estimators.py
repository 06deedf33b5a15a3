"""Writes python/pegnn/estimators.py from the engine's description of its options.

    python3 python/make_estimators.py build/release/python [--check]

An option added to include/pegnn/describe_options.h becomes a parameter by running this; a test runs it with
--check, which writes nothing and fails where the file is not what would be written.
"""

import pathlib
import sys
import textwrap
import types

# The package without what is to be written.
package = types.ModuleType("pegnn")
package.__path__ = [str(pathlib.Path(sys.argv[1]) / "pegnn")]
sys.modules["pegnn"] = package

from pegnn import _native, _options, _words  # noqa: E402

OUT = pathlib.Path(__file__).parent / "pegnn" / "estimators.py"

HEAD = '''"""Estimators in scikit-learn's contract. Written by python/make_estimators.py; do not edit."""

from __future__ import annotations

from pegnn._regressor import SpatialRegressor, UnweightedRegressor

__all__ = [
{names}]
'''

# Parameters of every estimator that are no options of the engine: name, type, default, sentence.
COMMON_FIRST = [
    ("coords", "tuple | None", "None",
     "Columns of X with the coordinates, by name or position: longitude and latitude, or x and y. "
     "None takes columns with usual names (lon, lat, longitude, easting, x, ...), else the first "
     "two. Coordinates are degrees on the globe when their names, `crs` or `metric` say so; of "
     "columns without such a name when all values would fit the globe. Not for GeoDataFrames, "
     "whose places are those of their geometry."),
    ("features", "list | None", "None",
     "Columns of X to learn from beside the coordinates; None: all others that hold numbers."),
    ("no_features", "bool", "False", "Learn from the coordinates alone: interpolation."),
    ("crs", "object", "None",
     "Coordinate reference system of the coordinates, as pyproj takes it (28992, 'EPSG:28992', "
     "WKT); of a GeoDataFrame its own."),
]
COMMON_LAST = [
    ("drop_missing", "bool", "False",
     "Leave out rows with missing values in fit, and predict NaN for them, instead of refusing "
     "them."),
    ("random_state", "object", "None",
     "Seed: the same seed gives the same model on any number of threads. None is 0; a RandomState "
     "is asked for a number."),
    ("seed", "int | None", "None", "The command's word for random_state; give one of them."),
    ("threads", "int | None", "None", "None or -1: all cores. It changes the speed alone."),
    ("verbose", "int", "0", "1 shows notes and a bar on standard error, 2 details too."),
]
PRESET = ("preset", "str", '"default"',
          "What is left at None is as in this preset: default, paper or reference.")

ATTRIBUTES = """\
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
"""

ALWAYS = ["metric", "target-transform"]
BASELINES = {
    "mean": ("MeanRegressor", []),
    "knn": ("KNNRegressor", ["k", "knn-weights"]),
    "idw": ("IDWRegressor", ["k", "idw-power"]),
    "kriging": ("KrigingRegressor", ["k", "kernel", "fit", "range", "sill", "nugget"]),
    "nngp": ("NNGPRegressor", ["k", "kernel", "range", "sill", "nugget"]),
    "gp": ("GPRegressor", ["kernel", "ard", "gp-rows", "gp-steps"]),
    "svgp": ("SVGPRegressor", ["kernel", "ard", "inducing", "gp-steps"]),
    "boosting": ("BoostingRegressor", ["trees", "tree-leaves", "tree-rate", "validation"]),
    "boosting_labels": (
        "BoostingLabelsRegressor", ["k", "trees", "tree-leaves", "tree-rate", "validation"]),
}

UNWEIGHTED = ("kriging", "nngp", "gp", "svgp")
# What scikit-learn's checks should know.
PLACES_ALONE = '{"poor_score": True}  # it sees places alone'
HELD_BACK = (
    '{"_xfail_checks": {"check_sample_weights_invariance": "rows held back go by their order"}}')
TAGS = {"mean": PLACES_ALONE, "knn": PLACES_ALONE, "idw": PLACES_ALONE, "kriging": PLACES_ALONE,
        "boosting": HELD_BACK, "boosting_labels": HELD_BACK}

PEGNN_EXAMPLE = """\
Examples
--------
>>> import pegnn
>>> table = pegnn.sample()
>>> X, y = table[["longitude", "latitude"]], table["elevation"]
>>> model = pegnn.PEGNNRegressor(model="pe-gcn", preset="paper", steps=100, random_state=1)
>>> model.fit(X[:5000], y[:5000]).predict(X[5000:]).shape
(2184,)
"""

BASELINE_EXAMPLE = """\
Examples
--------
>>> import pegnn
>>> table = pegnn.sample().head(500)
>>> X, y = table[["longitude", "latitude"]], table["elevation"]
>>> model = pegnn.{name}().fit(X[:400], y[:400])
>>> model.predict(X[400:]).shape
(100,)
"""


def kind_of(value) -> str:
    return {bool: "bool", int: "int", float: "float", str: "str"}[type(value)]


def allowed_of(option) -> str:
    if option["words"]:
        return " One of " + ", ".join(option["words"].split("|")) + "."
    if option["list"]:
        return f" See `pegnn.parts({option['list']!r})`."
    lo, hi = option["lo"], option["hi"]
    if isinstance(option["value"], bool) or isinstance(option["value"], str):
        return ""
    if hi >= 9e15:
        return f" At least {lo:g}." if lo > -1e300 else ""
    return f" From {lo:g} to {hi:g}."


def option_parameter(option, presets: bool):
    name = _words.python_name(option["name"])
    value = option["value"]
    sentence = option["sentence"]
    for kind in ("baselines", "neighbourhoods"):
        sentence = sentence.replace(f"`pegnn list {kind}`", f"`pegnn.parts('{kind}')`")
    for kind in ("encoders", "backbones", "heads", "losses"):
        sentence = sentence.replace(f"; see `pegnn list {kind}`.", ".")
    for other in _options.described():
        if "-" in other["name"]:
            sentence = sentence.replace(other["name"], _words.python_name(other["name"]))
    sentence += allowed_of(option) if "pegnn.parts" not in sentence else ""
    if not presets:
        sentence += f" None: {value!r}."
    return name, f"{kind_of(value)} | None", "None", sentence


def wrap(text: str, indent: int) -> str:
    return textwrap.fill(text, 100, initial_indent=" " * indent, subsequent_indent=" " * indent,
                         break_long_words=False, break_on_hyphens=False)


def class_text(name: str, model: str | None, summary: str, parameters, example: str) -> str:
    base = "UnweightedRegressor" if model in UNWEIGHTED else "SpatialRegressor"
    lines = [f"\n\nclass {name}({base}):"]
    doc = [wrap('"""' + summary, 4), "", "    Parameters", "    ----------"]
    for parameter, kind, default, sentence in parameters:
        doc += [f"    {parameter} : {kind}, default {default}", wrap(sentence, 8)]
    doc += ["", textwrap.indent(ATTRIBUTES, "    ").rstrip(), "",
            textwrap.indent(example, "    ").rstrip(), '    """', ""]
    lines += doc
    if model is not None:
        lines.append(f'    _engine_model = "{model}"')
        lines += [f"    _engine_tags = {TAGS[model]}", ""] if model in TAGS else [""]
    lines += ["    def __init__(", "        self,"]
    keyword_only = False
    for parameter, kind, default, _ in parameters:
        if not keyword_only:
            lines.append("        *,")
            keyword_only = True
        lines.append(f"        {parameter}: {kind} = {default},")
    lines.append("    ):")
    lines += [f"        self.{parameter} = {parameter}" for parameter, *_ in parameters]
    return "\n".join(lines) + "\n"


def estimators() -> str:
    options = {o["name"]: o for o in _options.described()}
    every = [option_parameter(o, True) for n, o in options.items() if n != "seed"]
    classes = [class_text(
        "PEGNNRegressor", None,
        "Positional encoder graph neural networks: the label-aware network by default, those of "
        "the paper and every baseline by name.\n",
        [*COMMON_FIRST, PRESET, *every, *COMMON_LAST], PEGNN_EXAMPLE)]
    names = ["PEGNNRegressor"]
    plain = {o["name"]: o for o in _native.OptionRequest(
        "default", [_native.GivenOption("model", "knn", "model")]).options().described()}
    places = [p for p in COMMON_FIRST if p[0] not in ("features", "no_features")]
    for part in _native.list_parts("baselines"):
        name, own = BASELINES[part["name"]]
        names.append(name)
        chosen = [option_parameter(plain[o], False) for o in [*own, *ALWAYS]]
        classes.append(class_text(
            name, part["name"], f"{part['summary']} ({part['source']})",
            [*(places if TAGS.get(part["name"]) == PLACES_ALONE else COMMON_FIRST), *chosen,
             *COMMON_LAST], BASELINE_EXAMPLE.format(name=name)))
    listed = "".join(f'    "{name}",\n' for name in names)
    return HEAD.format(names=listed) + "".join(classes)


def main() -> int:
    text = estimators()
    if "--check" not in sys.argv[1:]:
        OUT.write_text(text)
        return 0
    if OUT.read_text() == text:
        return 0
    print(f"{OUT.name} is not what {pathlib.Path(__file__).name} writes: run it and commit",
          file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
