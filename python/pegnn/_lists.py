"""What there is to choose from: the options of a model, and the parts it is made of."""

from __future__ import annotations

from pegnn import _native, _options, _words


def options(preset: str = "default"):
    """Every option of a model with its value in a preset, as a DataFrame.

    Examples
    --------
    >>> import pegnn
    >>> pegnn.options("paper").loc["k", "group"]
    'Graph'
    """
    import pandas

    rows = []
    for option in _options.described(preset):
        allowed = option["words"].replace("|", ", ") or option["list"]
        if not allowed and isinstance(option["value"], (int, float)) and not isinstance(
                option["value"], bool):
            allowed = f"{option['lo']:g} to {option['hi']:g}"
        rows.append({
            "option": _words.python_name(option["name"]),
            "value": option["value"],
            "allowed": allowed,
            "group": option["group"],
            "sentence": option["sentence"],
        })
    return pandas.DataFrame(rows).set_index("option")


def parts(kind: str):
    """The parts a model can be made of, as a DataFrame.

    Parameters
    ----------
    kind : str
        backbones, baselines, encoders, heads, losses, metrics or presets.

    Examples
    --------
    >>> import pegnn
    >>> "kriging" in pegnn.parts("baselines").index
    True
    """
    import pandas

    return pandas.DataFrame(_native.list_parts(kind)).set_index("name")
