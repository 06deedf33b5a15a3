"""Writes docs/python/reference.md from the docstrings of the package's public names.

    python3 python/make_reference.py build/release/python [--check]

A name added to `__all__` gets its entry by running this; a test runs it with --check, which writes
nothing and fails where the page is not what would be written.
"""

import importlib
import inspect
import pathlib
import pkgutil
import re
import sys
import textwrap

OUT = pathlib.Path(__file__).resolve().parent.parent / "docs" / "python" / "reference.md"

HEAD = """# Python reference

Every public name of the package `pegnn`, from its docstrings. Made by `python/make_reference.py`;
do not edit by hand. How the parts go together is told in [README.md](README.md).
"""

# Sections in their order, and what stands at the head of some.
SECTIONS = {
    "Estimators": "In scikit-learn's contract. What all of them do is told once, "
                  "[below](#methods-of-estimators).",
    "Functions": "",
    "Models and results": "",
    "Splitters": "For scikit-learn's `cv=`.",
    "Layers": "",
    "Errors": "All but the warnings are an `Error`; what else each is, is in brackets.",
}
WIDTH = 120
MOST_PARAMETERS = 12  # of a signature shown whole
UNDERLINED = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", re.MULTILINE)
ENTRY = re.compile(r"^(\S.*?)(?: : (.*))?$")


# -- docstrings -----------------------------------------------------------------------------------


def parts_of(docstring):
    """The text before the first section, and the sections by name (numpydoc's form)."""
    pieces = UNDERLINED.split(docstring)
    return pieces[0].strip(), dict(zip(pieces[1::2], (p.strip("\n") for p in pieces[2::2])))


def entries(text):
    """(names, type, description) of a section that lists parameters or attributes."""
    found = []
    for line in text.splitlines():
        if line.startswith(" ") or not line:
            if found:
                found[-1][2].append(line.strip())
        else:
            found.append((*ENTRY.match(line).groups(), []))
    return [(names, kind, " ".join(filter(None, words))) for names, kind, words in found]


def item(text):
    return textwrap.fill(text, WIDTH, initial_indent="- ", subsequent_indent="  ",
                         break_long_words=False, break_on_hyphens=False)


def listed(text):
    lines = []
    for names, kind, description in entries(text):
        shown = ", ".join(f"`{name}`" for name in names.split(", "))
        lines.append(item(f"{shown}{f' ({kind})' if kind else ''}"
                          f"{': ' + description if description else ''}"))
    return "\n".join(lines)


def returned(text):
    """A section on what is returned: a type, or a type with words on it, or words."""
    lines = []
    for names, kind, words in entries(text):
        shown = names if kind is None else f"`{names}` ({kind})"
        lines.append(item(f"{shown}{': ' + words if words else ''}"))
    return "\n".join(lines)


def with_code(text):
    """Paragraphs as they are; examples, from >>> to an empty line, as blocks."""
    lines, block = [], False
    for line in text.splitlines():
        if line.startswith(">>>") and not block:
            lines.append("```python")
            block = True
        if block and not line.strip():
            lines.append("```")
            block = False
        lines.append(line)
    return "\n".join([*lines, "```"] if block else lines)


RENDERED = {"Parameters": listed, "Attributes": listed, "Returns": returned, "Yields": returned,
            "Raises": returned}


def document(docstring):
    text, sections = parts_of(docstring)
    pieces = [with_code(text)]
    for name, body in sections.items():
        pieces += [f"**{name}**", RENDERED.get(name, with_code)(body)]
    return "\n\n".join(filter(None, pieces)) + "\n"


# -- signatures -----------------------------------------------------------------------------------


def signature(name, thing):
    """The call as one would write it; long ones lose their middle."""
    try:
        parameters = list(inspect.signature(thing).parameters.values())
    except (TypeError, ValueError):  # native
        return name
    parameters = [p for p in parameters if p.name not in ("self", "cls")]
    words, star = [], False
    for p in parameters:
        if p.kind is p.KEYWORD_ONLY and not star:
            words.append("*")
            star = True
        star = star or p.kind is p.VAR_POSITIONAL
        words.append(str(p.replace(annotation=p.empty)))
    if len(parameters) > MOST_PARAMETERS:
        words = [*words[:5], "...", words[-1]]
    return f"{name}({', '.join(words)})"


# -- names ----------------------------------------------------------------------------------------


def public_names(package):
    """{name: thing}: what the package offers, and public modules of it with what they offer."""
    names = {name: getattr(package, name) for name in package.__all__ if not name.startswith("__")}
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        short = found.name.rpartition(".")[2]
        source = found.module_finder.find_spec(found.name).origin
        if not short.startswith("_") and source.endswith(".py"):
            names[short] = importlib.import_module(found.name)
    flat = {name: thing for name, thing in names.items() if not inspect.ismodule(thing)}
    shown = list(map(id, flat.values()))
    for name, module in names.items():
        for member in getattr(module, "__all__", []) if inspect.ismodule(module) else []:
            if id(getattr(module, member)) not in shown:
                flat[f"{name}.{member}"] = getattr(module, member)
    return flat


def section_of(thing):
    if inspect.isclass(thing):
        if issubclass(thing, BaseException):
            return "Errors"
        if hasattr(thing, "fit") and hasattr(thing, "predict"):
            return "Estimators"
        if hasattr(thing, "get_n_splits"):
            return "Splitters"
    if getattr(thing, "__module__", "").startswith("pegnn.layers"):
        return "Layers"
    return "Models and results" if inspect.isclass(thing) else "Functions"


def ours(member):
    return getattr(member, "__module__", "").startswith("pegnn")


def members(cls):
    """(name, member) of a class and of those of ours it comes from, as they are written."""
    found = {}
    for base in reversed(cls.__mro__):
        if ours(base):
            found.update(vars(base))
    return [(name, member) for name, member in found.items() if not name.startswith("_")]


def methods(cls):
    """Public methods and properties: those of one line in a list, then the others."""
    short, long = [], []
    for name, member in members(cls):
        if type(member).__name__ in ("property", "cached_property"):
            title = f"`{name}`"
        elif type(member).__name__ in ("function", "classmethod", "staticmethod"):
            title = f"`{signature(name, getattr(cls, name))}`"
        else:
            continue
        text = inspect.getdoc(getattr(cls, name) if callable(getattr(cls, name)) else member) or ""
        if "\n" in text:
            long.append(f"\n#### {title}\n\n{document(text)}")
        else:
            short.append(item(f"{title}{': ' + text if text else ''}"))
    return ("\n" + "\n".join(short) + "\n" if short else "") + "".join(long)


def is_record(thing):
    """A named tuple or a dataclass: a result with fields."""
    return inspect.isclass(thing) and (hasattr(thing, "_fields")
                                       or hasattr(thing, "__dataclass_fields__"))


def fields(thing):
    """The fields of a result, and the comments beside them."""
    names = getattr(thing, "_fields", None) or list(thing.__dataclass_fields__)
    said = dict(re.findall(r"^    (\w+): [^#\n]*#\s*(.+)$", inspect.getsource(thing), re.MULTILINE))
    return "\n" + "\n".join(item(f"`{name}`{': ' + said[name] if name in said else ''}")
                            for name in names) + "\n"


def kinds(error):
    """What an error of ours is for those who do not know us."""
    others = [base for base in error.__mro__ if not ours(base)
              and base not in (object, BaseException, Exception, Warning)]
    return ", ".join(base.__name__ for base in others)


def entry(name, thing, section):
    text = inspect.getdoc(thing) or ""
    page = f"\n### {name}\n\n"
    if section == "Errors":
        return page + document(f"{text} ({kinds(thing)})" if kinds(thing) else text)
    # The constructor of a class that does not explain it is not for users.
    if not inspect.isclass(thing) or "Parameters" in parts_of(text)[1]:
        page += f"    pegnn.{signature(name, thing)}\n\n"
    page += document(text)
    if inspect.isclass(thing) and section != "Estimators":
        page += (fields(thing) if is_record(thing) else "")
        page += methods(thing)
    return page


def contents(sections):
    lines = []
    for section, things in sections.items():
        links = [f"[{name}](#{re.sub(r'[^a-z0-9_]', '', name.lower())})" for name in things]
        lines.append(item(f"{section}: {', '.join(links)}"))
    return "\n" + "\n".join(lines) + "\n"


def reference(package):
    sections = {section: {} for section in SECTIONS}
    for name, thing in public_names(package).items():
        sections[section_of(thing)][name] = thing
    sections = {section: things for section, things in sections.items() if things}
    page = HEAD + contents(sections)
    for section, things in sections.items():
        page += f"\n## {section}\n"
        page += f"\n{SECTIONS[section]}\n" if SECTIONS[section] else ""
        page += "".join(entry(name, thing, section) for name, thing in things.items())
        if section == "Estimators":
            base = importlib.import_module("pegnn._regressor").SpatialRegressor
            page += "\n### Methods of estimators\n" + methods(base)
    return page


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve()))
    text = reference(importlib.import_module("pegnn"))
    if "--check" not in sys.argv[1:]:
        OUT.parent.mkdir(parents=True, exist_ok=True)
        OUT.write_text(text, encoding="utf-8")
        return 0
    if OUT.is_file() and OUT.read_text(encoding="utf-8") == text:
        return 0
    print(f"docs/python/{OUT.name} is not what {pathlib.Path(__file__).name} writes: run it and "
          "commit", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
