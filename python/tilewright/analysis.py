"""Analyses of graphs, scenes and runs, and figures: what the commands of these names do."""

from __future__ import annotations

import base64
import csv
import ctypes
import json
import os
import pathlib
import re
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from ._interrupts import checked, interruptible
from ._library import Error, Invalid, Named, encoded, library, texts
from .graph import Graph
from .platform import Platform

if TYPE_CHECKING:
    from .run import Run, Scene

_free = library.free
_free.restype, _free.argtypes = None, [ctypes.c_void_p]


class Report(Named):
    """The result of an analysis, with the names that the command prints with --format json.

    Names end in their units: `_s` are seconds, `_bytes` bytes."""

    text: str  #: the same for people, in sentences and tables

    def __init__(self, members: Mapping[str, Any], text: str) -> None:
        super().__init__(members)
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return Report, (dict(self), self.text)


class Figure:
    """A figure. A notebook shows it.

    >>> figure = run.gantt(explain=True)
    >>> figure.save("gantt.pdf")"""

    def __init__(self, draw: Callable[[str], None]) -> None:
        """`draw` writes the figure to a file, whose extension selects the format."""
        self._draw = draw
        self.svg = interruptible(self._make_svg)  #: the figure as text, in SVG

    def _make_svg(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "figure.svg")
            self._draw(os.fspath(path))
            return path.read_text(encoding="utf-8")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the figure to a file: .svg, .png, .pdf, or .gp, a script for gnuplot with its data."""
        interruptible(lambda: self._draw(os.fspath(path)))

    def _repr_svg_(self) -> str:
        return self.svg[self.svg.index("<svg") :]  # pages of HTML take no declaration of XML

    def _repr_html_(self) -> str:
        # As an image: nbconvert strips all shapes from SVG, and figures of one page would share names.
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img style="max-width: 100%" src="data:image/svg+xml;base64,{data}">'


def explain(run: Run) -> Report:
    """Says why a run took as long as it did: docs/reference/explain.md.

    >>> print(explain(run).text)
    >>> explain(run)["causes"]

    Times are seconds. The run keeps its schedule (records=True, which is the default)."""
    pointer = _pointer_of(run)
    made = [_text(run, library.tw_run_explain, pointer, format) for format in (b"json", b"text")]
    return Report(json.loads(made[0]), made[1])


def diff(a: Run, b: Run) -> Report:
    """Compares run `b` with run `a` of the same graph: docs/reference/diff.md. Times are seconds.

    >>> diff(scene.run("eager"), scene.run("dmdas"))["summary"]

    Policies, options and platforms may differ."""
    pointers = _pointer_of(a), _pointer_of(b)
    made = [_text((a, b), library.tw_run_diff, *pointers, format) for format in (b"json", b"text")]
    return Report(json.loads(made[0]), made[1])


def validate(run: Run) -> None:
    """Checks the schedule of a run against all rules of docs/reference/traces.md. Raises Failed if it breaks one."""
    checked(library.tw_run_validate, _pointer_of(run), kept=run)


def bounds(
    scene: Scene | Platform | str,
    graph: Graph | str | None = None,
    *,
    rounds: int | None = None,
    iterative_time: float | None = None,
    milp_time: float | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Lower bounds of the makespan, in seconds, and of transfers, in bytes: docs/reference/bounds.md.

    >>> bounds("mirage", "cholesky:nt=20", cpus=9, gpus=3)["mixed_s"]

    Takes a scene, or what makes one; with the name of a platform, `options` are those of Platform. `rounds`: at most
    so many of the iterative bound (default: 400). `iterative_time`: at most so many seconds for them (default: 10).
    `milp_time`: at most so many seconds for the integer program of small graphs (default: 3; 0: none). None in the
    result: unknown."""
    made = _scene_of(scene, graph, options)
    words = texts({"rounds": rounds, "iterative_time": iterative_time, "milp_time": milp_time})
    return Named(json.loads(_text(made, library.tw_scene_bounds, made._pointer, words)))


def describe(
    graph: Scene | Graph | str, platform: Platform | str | None = None, *, exact: bool = False, **options: Any
) -> dict[str, Any]:
    """Measures of a graph before any run: docs/reference/describe.md.

    >>> describe("cholesky:nt=20")["depth"]
    >>> describe("cholesky:nt=20", "mirage")["critical_path_s"]

    A scene, or a graph with a platform, also has measures with the platform's times, in seconds. `exact`: measures
    that take long are made of large graphs, too."""
    words = texts({"exact": exact})
    is_graph = isinstance(graph, (Graph, str))
    if platform is not None or not is_graph:
        scene = _scene_of(platform, graph, options) if is_graph else _scene_of(graph, platform, options)
        text = _text(scene, library.tw_scene_describe, scene._pointer, words)
    else:
        if options:
            raise Invalid(f"describe: option '{next(iter(options))}': expected it with the name of a platform")
        own = Graph.workload(graph) if isinstance(graph, str) else graph
        assert isinstance(own, Graph)
        text = _text(own, library.tw_graph_describe, own.finish()._pointer, encoded(own.name), words)
    return Named(json.loads(text))


def gantt(run: Run, explain: bool = False, **options: Any) -> Figure:
    """The Gantt chart of a run: workers over time, in seconds, with memory, ready tasks and links below.

    `explain`: also the chain that the makespan hangs on, and the causes of idle time. Options: `workers` (names, ranges
    or kinds of those to show) and `fold` (kinds whose workers share a row, "all" or "none"). Needs gnuplot."""
    words = texts({"explain": explain, **options})

    def draw(path: str) -> None:
        checked(library.tw_run_plot_gantt, _pointer_of(run), encoded(path), words, kept=run)

    return Figure(draw)


def plot(kind: str, results: Any, **options: Any) -> Figure:
    """A figure of results: "gflops", "transfers", "ratio", "counters", "bars", "cloud", "best" or "validation".

    >>> plot("gflops", sweep("mirage", [f"cholesky:nt={n}" for n in range(4, 40, 4)], ["eager", "dmdas"]))

    `results`: a CSV file, a DataFrame of rows as `sweep` returns it, a list of rows or of runs. Kinds "gantt" and
    "order" take the file of a trace. Options are those of the command `tilewright plot`, with '_' for '-': x, facet,
    title, size, legend, yrange, names, metric ... `where`: a dictionary, as in {"policy": ["eager", "dmdas"],
    "gpus": 3}. Needs gnuplot."""
    conditions = options.pop("where", None) or {}
    words = texts(options)
    for column, values in conditions.items():
        listed = values if isinstance(values, (list, tuple)) else [values]
        words = _with(words, f"where={column}={','.join(map(_cell, listed))}")

    def draw_file(file: str | os.PathLike[str], path: str) -> None:
        checked(library.tw_plot, encoded(kind), encoded(file), encoded(path), words)

    if isinstance(results, (str, os.PathLike)):
        file = os.path.abspath(results)
        return Figure(lambda path: draw_file(file, path))
    table = _table_of(results)

    def draw(path: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "results.csv")
            with rows.open("w", newline="", encoding="utf-8") as out:
                csv.writer(out, lineterminator="\n").writerows(row for row in table)  # Ctrl-C acts between rows
            try:
                draw_file(rows, path)
            except Error as error:
                raise type(error)(re.sub(rf"{re.escape(str(rows))}(:\d+)?: ", "", str(error))) from None

    return Figure(draw)


def plot_memory(run: Run, axes: Any = None) -> Any:
    """Draws the allocated bytes of each memory over time with matplotlib, and returns its Axes."""
    import matplotlib.pyplot  # type: ignore[import]

    axes = axes or matplotlib.pyplot.gca()
    for node, rows in run.memory.groupby("node", observed=True, sort=False):
        dates, used = list(rows["date_s"]), list(rows["bytes"] / 1e6)
        axes.step([0, *dates, run.makespan], [0, *used, used[-1]], where="post", label=node)
    axes.set_xlabel("time (s)")
    axes.set_ylabel("allocated (MB)")
    axes.legend()
    return axes


def write_trace(run: Run, path: str | os.PathLike[str]) -> None:
    """Writes the trace of a run, whose extension selects the format: .json (Perfetto), .paje or .trace (ViTE), .csv,
    .record, or a name that ends in '/' (a folder for StarVZ)."""
    checked(library.tw_run_write_trace, _pointer_of(run), encoded(path), kept=run)


# --- arguments and results of the library ----------------------------------------------------------------------------


def _pointer_of(run: Run) -> Any:
    from .run import Run

    if not isinstance(run, Run):
        raise TypeError(f"{run!r}: expected a Run, not {type(run).__name__}")
    if not run._pointer:
        raise Invalid("the run was pickled, which keeps its tables only: expected the run itself")
    return run._pointer


def _text(kept: object, function: Any, *arguments: Any) -> str:
    """The text that a function of the library sets before its error."""
    found: list[bytes] = []

    def call(*given: Any) -> int:
        text = ctypes.c_void_p()
        status = function(*given[:-1], ctypes.byref(text), given[-1])
        if text:
            found.append(ctypes.string_at(text.value or 0))
            _free(text)
        return int(status)

    checked(call, *arguments, kept=kept)
    return found[0].decode(errors="replace")


def _scene_of(scene: Any, graph: Any, options: dict[str, Any]) -> Scene:
    """A scene, or that of a platform, or the name of one with its options, and of a graph."""
    from .run import Scene

    if isinstance(scene, str) and graph is not None:
        return Scene(Platform(scene, **options), graph)
    if options:
        raise Invalid(f"option '{next(iter(options))}': expected it with the Platform")
    if isinstance(scene, Platform) and graph is not None:
        return Scene(scene, graph)
    if isinstance(scene, Scene) and graph is None:
        return scene
    raise TypeError("expected a Scene, or a platform and a graph")


def _with(words: Any, word: str) -> Any:
    """The array of words with one more."""
    return (ctypes.c_char_p * (len(words) + 1))(*words[:-1], encoded(word), None)


def _cell(value: Any) -> str:
    """A value as CSV has it: unknown ones are empty, and whole numbers have no fraction."""
    if value is None or value != value:
        return ""
    if isinstance(value, (bool, float)) or hasattr(value, "dtype"):
        value = value.item() if hasattr(value, "dtype") else value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(value)


def _table_of(results: Any) -> list[list[str]]:
    """The names of the columns, then the rows."""
    if hasattr(results, "itertuples"):
        rows: Iterable[Any] = results.itertuples(index=False, name=None)
        return [list(map(str, results.columns)), *([_cell(value) for value in row] for row in rows)]
    wrong = f"{results!r}: expected a file, a DataFrame, or a list of rows or of runs"
    try:
        listed = [row if isinstance(row, Mapping) else row.row for row in results]
    except (TypeError, AttributeError):
        raise TypeError(wrong) from None
    names = list(dict.fromkeys(name for row in listed for name in row))
    return [names, *([_cell(row.get(name)) for name in names] for row in listed)]
