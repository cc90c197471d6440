#!/usr/bin/env python3
"""Makes docs/reference/python.md from the docstrings of the package, which PYTHONPATH must find.

    docs/python.py [--check] PAGE

Classes and functions come in the order of PARTS, members in the order of the source, inherited ones last. With --check,
the page is compared, and a difference is an error. The page begins with the package's own docstring."""

import inspect
import pathlib
import re
import sys
import textwrap

import tilewright

PARTS = {
    "Platforms and graphs": ("Platform", "Worker", "Node", "Graph", "GraphView"),
    "Runs": ("simulate", "Scene", "Run", "sweep"),
    "Policies": ("Policy", "Sched", "Eviction", "Victims"),
    "Analyses": ("explain", "diff", "bounds", "describe", "validate", "write_trace", "Report"),
    "Figures": ("gantt", "plot", "plot_memory", "Figure"),
    "Errors": ("Error", "Invalid", "Failed", "OutOfMemory", "SystemFault", "Cancelled"),
}
COLUMNS = 118
EXAMPLE = re.compile(r"((?:^(?:>>>|\.\.\.)[^\n]*\n?)+)", re.M)


def wrapped(text, first="", rest=""):
    return textwrap.fill(" ".join(text.split()), COLUMNS, initial_indent=first, subsequent_indent=rest,
                         break_long_words=False, break_on_hyphens=False)


def paragraphs(docstring):
    """The paragraphs of a docstring as Markdown, and its examples as blocks of code."""
    for part in EXAMPLE.split(inspect.cleandoc(docstring or "")):
        if part.startswith(">>>"):
            yield "```python\n" + re.sub(r"^(>>>|\.\.\.) ?", "", part, flags=re.M).strip() + "\n```"
        else:
            yield from (wrapped(paragraph) for paragraph in part.split("\n\n") if paragraph.strip())


def signature(function, name):
    """The call as one writes it: without self, and without the types, which the docstring tells in words."""
    parameters = inspect.signature(function).parameters.values()
    shown = [p.replace(annotation=p.empty) for p in parameters if p.name not in ("self", "cls")]
    text = str(inspect.Signature(shown)).replace(f"={tilewright.ALL}", "=ALL")
    return f"`{name}{text}`"


def attributes(kind):
    """{name: text} of the attributes that the source explains with '#:'."""
    if issubclass(kind, Exception):  # those of the package say to be in `tilewright`, where their source is not
        return {}
    explained = r"^\s+(?:self\.)?(\w+)(?:: [^=\n]*?)?(?: = [^\n]*?)? +#: (.*)$"
    return dict(re.findall(explained, inspect.getsource(kind), re.M))


def members(kind):
    """(name, member) of the public methods and properties, in the order of the source; those of bases last."""
    seen = set()
    for base in kind.__mro__:
        if base.__module__.split(".")[0] != "tilewright":
            continue
        for name, member in vars(base).items():
            inner = getattr(member, "__func__", member)
            if name.startswith("_") or name in seen or not (inspect.isfunction(inner) or isinstance(member, property)):
                continue
            seen.add(name)
            yield name, member


def item(head, docstring):
    """An item of a list. Its further paragraphs are indented."""
    texts = list(paragraphs(docstring))
    first = wrapped(f"{head}: {texts[0]}" if texts and not texts[0].startswith("```") else head, "- ", "  ")
    behind = texts[1:] if texts and not texts[0].startswith("```") else texts
    return "\n\n".join([first, *(textwrap.indent(text, "  ") for text in behind)])


def is_made_by_users(kind):
    """Whether users call the class, or get its objects from others: those have a pointer of the library."""
    return "__init__" in vars(kind) and not {"pointer", "query"} & set(inspect.signature(kind).parameters)


def of_class(kind):
    yield f"### {kind.__name__}"
    if is_made_by_users(kind):
        yield signature(vars(kind)["__init__"], kind.__name__)
    yield from paragraphs(kind.__doc__)
    items = [wrapped(f"`{name}`: {text}", "- ", "  ") for name, text in attributes(kind).items()]
    for name, member in members(kind):
        if isinstance(member, property):
            head = f"`{name}`"
        elif isinstance(member, classmethod):
            head = signature(member.__func__, f"{kind.__name__}.{name}")
        else:
            head = signature(member, name)
        items.append(item(head, member.__doc__))
    yield "\n".join(items)


def page():
    yield "# Python"
    yield "<!-- docs/python.py made this page from the docstrings of python/tilewright/. -->"
    yield "[Use Tilewright from Python](../howto/use-from-python.md) is the way in."
    yield from paragraphs(tilewright.__doc__)
    listed = set()
    for title, names in PARTS.items():
        names = [name for name in names if hasattr(tilewright, name)]
        listed.update(names)
        if names:
            yield f"## {title}"
        for name in names:
            what = getattr(tilewright, name)
            if inspect.isclass(what):
                yield from of_class(what)
            else:
                yield f"### {name}"
                yield signature(what, name)
                yield from paragraphs(what.__doc__)
    constants = {n for n in tilewright.__all__ if not callable(getattr(tilewright, n)) and not n.startswith("__")}
    lost = set(tilewright.__all__) - listed - constants - {"__version__"}
    if lost:
        sys.exit(f"docs/python.py: PARTS lacks {', '.join(sorted(lost))}")


def main():
    words = sys.argv[1:]
    check = words[:1] == ["--check"]
    if len(words) != 1 + check or words[-1].startswith("-"):
        sys.exit("docs/python.py: expected [--check] PAGE")
    path = pathlib.Path(words[-1])
    text = "\n\n".join(part for part in page() if part) + "\n"
    if not check:
        path.write_text(text)
    elif path.read_text() != text:
        sys.exit(f"{path.name} is not what the docstrings say: run PYTHONPATH=build/python docs/python.py {path}")


if __name__ == "__main__":
    main()
