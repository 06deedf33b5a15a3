"""What runs of bench/default say of the default: its error as a share of that of other models.

A *group* is what belongs to one line: a column, or the columns of several block splits together
(`air/regression/blocks1`, `…blocks2`: `air/regression/blocks`). The error of a model in a group is the mean
over its columns of the means over seeds. A model that lacks a column of the default, because it failed or
was not asked, is not compared in that group.
"""

import re
import statistics

from measure import rows_of_text

NETWORK = "label_attention"  # what the default is with --combine none


def group_of(column):
    return re.sub(r"(/blocks)\d+$", r"\1", column)


def groups_of(columns):
    """{group: its columns}, in the order given."""
    found = {}
    for column in columns:
        found.setdefault(group_of(column), []).append(column)
    return found


def weights_in(talk):
    """The weights that training told: {"near": {model: weight}, "far": {…}}; None where it told none."""
    alone = re.search(r"^(\w+) answers alone: no other model", talk, re.MULTILINE)
    if alone:
        return {"near": {alone[1]: 1.0}, "far": {alone[1]: 1.0}}
    told = re.search("^weights near the training points: (.*); far from them: (.*)$", talk, re.MULTILINE)
    if not told:
        return None

    def read(words):
        return {name: float(weight) for name, weight in (word.split() for word in words.split(", "))}
    return {"near": read(told[1]), "far": read(told[2])}


def errors_of(runs, model):
    """{column: mean error of the model over the seeds}, of runs that did not fail."""
    found = {}
    for run in runs:
        if run["model"] == model and "error" in run:
            found.setdefault(run["column"], []).append(run["error"])
    return {column: statistics.mean(errors) for column, errors in found.items()}


def mean_weights(runs, end):
    """The mean of the weights that the default found at this end, in words."""
    some = [run["weights"][end] for run in runs if run.get("weights")]
    names = dict.fromkeys(name for weights in some for name in weights)
    means = {name: statistics.mean(weights.get(name, 0) for weights in some) for name in names}
    return ", ".join(f"{name} {weight:.2f}" for name, weight in means.items() if weight > 0)


class Line:
    """One group: errors of the models that can be compared, and the best one beside the default.

    `columns` are those that the default has.
    """

    def __init__(self, group, columns, runs):
        self.group, self.splits = group, len(columns)
        here = [run for run in runs if run["column"] in columns]
        self.runs = sum(run["model"] == "default" and "error" in run for run in here)
        self.errors, self.lacking = {}, {}
        for model in dict.fromkeys(run["model"] for run in here):
            errors = errors_of(here, model)
            if len(errors) == len(columns):
                self.errors[model] = statistics.mean(errors.values())
            else:
                self.lacking[model] = len(columns) - len(errors)
        others = {model: error for model, error in self.errors.items() if model != "default"}
        self.best = min(others, key=others.get) if others else None
        self.weights = [mean_weights(here, end) for end in ("near", "far")]

    def share(self, model):
        """The error of the default over that of this model; None where there is none, or one of 0."""
        return self.errors["default"] / self.errors[model] if self.errors.get(model) else None


def total(scheme, lines):
    """Geometric means over the groups of a scheme and the worst of them, in words."""
    told = []
    for words, of in (("the best single model", lambda line: line.best),
                      ("the network alone", lambda line: NETWORK)):
        shares = {line.group: line.share(of(line)) for line in lines if line.share(of(line))}
        if shares:
            mean, worst = statistics.geometric_mean(shares.values()), max(shares, key=shares.get)
            told.append(f"{scheme}, as a share of {words}: {mean:.3f} in the geometric mean of {len(shares)} "
                        f"columns, worst {shares[worst]:.3f} ({worst})")
    return told


def text(value, form):
    return "–" if value is None else format(value, form)


def summary(runs, models):
    """All of it as text. `runs` as bench/default writes them; `models` in the order to show."""
    names = {run["column"] for run in runs if run["model"] == "default" and "error" in run}
    names = sorted(names, key=lambda name: ("/random" in name, name))
    lines = [Line(group, columns, runs) for group, columns in groups_of(names).items()]
    if not lines:
        return "no run of the default to compare"
    errors = [[line.group, str(line.runs), *(text(line.errors.get(model), ".3g") for model in models)]
              for line in lines]
    shares = [[line.group, text(line.share(line.best), ".3f"), line.best or "–",
               text(line.share(NETWORK), ".3f"), *line.weights] for line in lines]
    header = ["default as a share of", "best", "which is", "network", "weights near", "far"]
    parts = [rows_of_text(["error", "runs", *models], errors), rows_of_text(header, shares)]
    told = [f"failed: {run['column']} {run['model']} seed {run['seed']}" for run in runs if "failed" in run]
    told += [f"not compared in {line.group}: {model} lacks {count} of {line.splits} splits"
             for line in lines for model, count in line.lacking.items()]
    for scheme in ("blocks", "random"):
        told += total(scheme, [line for line in lines if line.group.endswith(f"/{scheme}")])
    return "\n\n".join([*parts, "\n".join(told)])
