"""Sweeps: many runs, with a row for each in a table, in one process or in many."""

from __future__ import annotations

import concurrent.futures
import copy
import csv
import hashlib
import io
import itertools
import os
import pathlib
import pickle
import shutil
import subprocess
import tempfile
import time
import types
from collections.abc import Iterator, KeysView, ValuesView
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, NamedTuple

from ._interrupts import interruptible
from ._library import COMMAND, Error, Failed, Invalid, columns, option_words, with_keywords
from .graph import Graph
from .platform import Platform
from .policy import Eviction, Policy
from .run import Scene

if TYPE_CHECKING:
    import pandas  # type: ignore[import]


def sweep(
    platforms: Any,
    graphs: Any,
    policies: Any,
    evictions: Any = None,
    *,
    seeds: Any = 1,
    output: str | os.PathLike[str] | None = None,
    executor: Any = None,
    jobs: int | None = None,
    progress: bool = True,
    **options: Any,
) -> pandas.DataFrame:
    """Runs every combination of its lists, and returns a table with a row for each: the columns of a run's row.

    >>> sweep("mirage", ["cholesky:nt=10", "cholesky:nt=20"], [Mine(window=5), "lws"], seeds=range(100))

    Each of `platforms`, `graphs`, `policies`, `evictions`, `seeds` and of the options of Scene.run is one value or a
    list. With the names of platforms, options may also be those of Platform.

    `output`: a CSV file, as `tilewright sweep` writes it. A row is appended when its run has ended, so one that is
    killed loses only runs under way. The same call again runs only points that the file does not have; rows of other
    versions of a policy's code do not count. The table is that of the whole file.

    Points that are words alone run in processes of the command `tilewright sweep`, `jobs` at a time (default: the
    number of processors). Those with objects of Python run here, one after the other. `executor`: any executor of
    concurrent.futures, or a Client of dask.distributed, runs all points instead; policies must then be picklable. Each
    point has its own copy of the policy.

    A run that fails is a row with the status "failed" and a message. An exception in a policy ends the sweep. With
    `progress`, tqdm shows a bar if it is installed."""
    if "seed" in options:
        raise Invalid("sweep: option 'seed': expected it as seeds")
    lists = {name: _listed(value) for name, value in options.items()}
    points = _points(_listed(platforms), _listed(graphs), _listed(policies), _listed(evictions), _listed(seeds), lists)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "sweep.csv") if output is None else pathlib.Path(output)
        own = points if executor is not None else [point for point in points if not point.is_words]
        with _bar(len(points), progress) as bar:
            if len(own) < len(points):
                _run_words(path, points, jobs, bar)
            _run_own(path, own, executor, bar, resumes=output is not None)
        return _table(path)


class Point(NamedTuple):
    """A run of a sweep."""

    platform: Platform
    graph: Graph
    policy: Any
    eviction: Any
    options: dict[str, Any]

    @property
    def is_words(self) -> bool:
        """Whether the command can run it."""
        return self.graph.words is not None and all(
            isinstance(p, (str, type(None))) for p in (self.policy, self.eviction)
        )

    @property
    def _own(self) -> list[Any]:
        """The policies that Python has, or may have, in the order of domains."""
        policies = self.policy.values() if isinstance(self.policy, Mapping) else [self.policy]
        return [p for p in (*policies, self.eviction) if not isinstance(p, (str, type(None)))]

    @property
    def scene(self) -> Scene:
        """The scene of the platform and the graph. The last one is kept, as the next point usually has the same."""
        key = (self.platform.name, repr(self.platform.options), self.graph.token)
        scene = _scenes.get(key)  # another thread may empty the dictionary
        if scene is None:
            scene = Scene(self.platform, self.graph)
            _scenes.clear()
            _scenes[key] = scene
        return scene

    @property
    def identity(self) -> str:
        """A fingerprint of all that the run's results follow from, the code of its policies included."""
        identity = self.scene.identity(self.policy, self.eviction, **self.options)
        own = [_fingerprint(p) for p in self._own]
        return hashlib.sha256(repr([identity, own]).encode()).hexdigest()[:32] if own else identity


_scenes: dict[Any, Scene] = {}


def run_point(point: Point) -> list[str]:
    """Runs a point and returns the texts of its row. Executors call it."""
    policy, eviction = (copy.deepcopy(own) for own in (point.policy, point.eviction))
    try:
        return point.scene.run(policy, eviction, records=False, **point.options).texts
    except Error as failure:
        run = getattr(failure, "run", None)
        if run is None:
            raise
        texts: list[str] = run.texts
        return texts


def _listed(value: Any) -> list[Any]:
    many = isinstance(value, _LISTS) or hasattr(value, "tolist")  # numpy's and pandas'
    return list(value) if many else [value]


_LISTS = (list, tuple, range, set, frozenset, Iterator, KeysView, ValuesView)


def _points(
    platforms: list[Any],
    graphs: list[Any],
    policies: list[Any],
    evictions: list[Any],
    seeds: list[Any],
    options: dict[str, list[Any]],
) -> list[Point]:
    chosen = {name: options.pop(name) for name in Platform.OPTIONS if name in options}
    if chosen and any(isinstance(platform, Platform) for platform in platforms):
        raise Invalid(f"sweep: option '{next(iter(chosen))}': expected it with the Platform")
    opened = [platform for platform in platforms if isinstance(platform, Platform)]
    for platform in platforms:
        if not isinstance(platform, Platform):
            opened += [
                Platform(platform, **dict(zip(chosen, values))) for values in itertools.product(*chosen.values())
            ]
    made = [Graph.workload(graph) if isinstance(graph, str) else graph for graph in graphs]
    rest = {**options, "seed": seeds}
    given = {"policies": policies, "evictions": evictions, "seeds": seeds, **chosen, **options}
    given |= {"platforms": opened, "graphs": made}
    for name, values in given.items():
        if not values:
            raise Invalid(f"sweep: {name}: an empty list: expected at least one value")
    return [
        Point(platform, graph, policy, eviction, dict(zip(rest, values)))
        for platform, graph, policy, eviction, *values in itertools.product(
            opened, made, policies, evictions, *rest.values()
        )
    ]


def _fingerprint(own: Any) -> Any:
    """What a policy does follows from the code of its classes and from its attributes."""
    if not isinstance(own, (type, Policy, Eviction)):
        own = own()  # a function makes it
    kind = own if isinstance(own, type) else type(own)
    parts = [
        (name, _code(value))
        for base in kind.__mro__
        if base not in (Policy, Eviction, object)
        for name, value in sorted(vars(base).items())
        if hasattr(value, "__code__") or not name.startswith("__")  # Python adds some while it runs
    ]
    try:
        state = b"" if isinstance(own, type) else pickle.dumps(vars(own))
    except Exception as error:
        reason = "expected attributes that can be pickled, as they tell the rows of the file apart"
        raise Invalid(f"sweep: {kind.__name__}: {error}: {reason}") from None
    return [kind.__qualname__, parts, state]


def _code(value: Any) -> Any:
    """What tells the versions of a function or of an attribute of a class apart."""
    code = value if isinstance(value, types.CodeType) else getattr(value, "__code__", None)
    if code is None:
        return repr(value) if isinstance(value, (int, float, str, bytes, tuple)) else type(value).__name__
    return code.co_code, code.co_names, code.co_varnames, [_code(constant) for constant in code.co_consts]


# --- points of words: the command -------------------------------------------------------------------------------------


def _run_words(path: pathlib.Path, points: list[Point], jobs: int | None, bar: Any) -> None:
    """Runs points with the command, which runs all combinations of lists: one call for each platform, and one more for
    policies with their default eviction policies. The system limits the length of an argument: 5000 seeds a call."""
    groups: dict[Any, list[Point]] = {}
    seeds = dict.fromkeys(repr(point.options["seed"]) for point in points)
    part = {seed: i // 5000 for i, seed in enumerate(seeds)}
    for point in points:
        if point.is_words:
            key = id(point.platform), point.eviction is None, part[repr(point.options["seed"])]
            groups.setdefault(key, []).append(point)
    for here in groups.values():
        platform = here[0].platform
        lists: dict[str, list[Any]] = {
            "platform": [platform.name],
            **{name: [value] for name, value in platform.options.items()},
        }
        lists |= {"workload": [point.graph.words for point in here], "policy": [point.policy for point in here]}
        lists |= {"eviction": [point.eviction for point in here]}
        lists |= {name: [point.options[name] for point in here] for name in here[0].options}
        arguments = [COMMAND, "sweep", "--quiet", "--output", path, *([f"--jobs={jobs}"] if jobs else [])]
        for name, values in lists.items():
            arguments += _argument(name.replace("_", "-"), list({repr(value): value for value in values}.values()))
        _call(arguments, path, len(here), bar)


def _argument(name: str, values: list[Any]) -> list[str]:
    words = [word for value in values for word in option_words(name, value)]
    if len(values) > 1 and words and (len(words) < len(values) or name in words):
        raise Invalid(f"sweep: option '{name.replace('-', '_')}': {values}: expected texts or numbers alone")
    if words == [name] or not words:
        return [f"--{word}" for word in words]
    texts = [word.removeprefix(f"{name}=") for word in words]
    if name not in ("mem", "speedup", "amdahl", "time-factor"):  # their own commas are the platform's value's
        texts = [text.replace(",", "\\,") for text in texts]
    return [f"--{name}={','.join(texts)}"]


def _call(arguments: list[Any], path: pathlib.Path, n: int, bar: Any) -> None:
    # With this process, if it is killed, its command ends.
    arguments = ["setpriv", "--pdeathsig=TERM", *arguments] if shutil.which("setpriv") else arguments
    with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(
        arguments, stdin=subprocess.DEVNULL, stderr=errors
    ) as process:
        before, first = bar.n, _rows(path)
        try:
            while process.poll() is None:
                time.sleep(0.02)
                bar.update(min(n, _rows(path) - first) + before - bar.n)
            errors.seek(0)
            messages = errors.read().splitlines()
        except BaseException:
            process.terminate()
            raise
    bar.update(before + n - bar.n)
    message = messages[-1].removeprefix("tilewright: ") if messages else f"sweep: exit status {process.returncode}"
    if process.returncode and "points failed: see column message" not in message:
        raise (Invalid if process.returncode == 2 else Failed)(with_keywords(message))


def _rows(path: pathlib.Path) -> int:
    try:
        with path.open("rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    except FileNotFoundError:
        return 0


# --- points with objects: this process, or an executor ----------------------------------------------------------------


def _run_own(path: pathlib.Path, points: list[Point], executor: Any, bar: Any, resumes: bool) -> None:
    if not points:
        return
    with _File(path) as file:
        missing = {point.identity if resumes else str(i): point for i, point in enumerate(points)}
        for identity in file.identities & set(missing):
            del missing[identity]
        bar.update(len(points) - len(missing))
        try:
            for identity, texts in _results(missing, executor):
                file.append([*texts[:-1], identity] if resumes else texts)
                bar.update(1)
        finally:
            _scenes.clear()


def _results(points: dict[str, Point], executor: Any) -> Iterable[tuple[str, list[str]]]:
    if executor is None:
        for identity, point in points.items():
            yield identity, run_point(point)
        return
    if hasattr(executor, "get_executor"):  # a Client of dask.distributed
        executor = executor.get_executor(pure=False)
    futures = {executor.submit(run_point, point): identity for identity, point in points.items()}
    try:
        for future in concurrent.futures.as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


class _File:
    """A file of rows. Each is written whole, in one call."""

    def __init__(self, path: pathlib.Path) -> None:
        self.names = columns()
        self.identities: set[str] = set()
        self.file = path.open("ab+", buffering=0)
        self.file.seek(0)
        content = self.file.read()
        whole = content[: content.rfind(b"\n") + 1]  # without a last row that was cut
        if whole:
            header, *rows = csv.reader(io.StringIO(whole.decode()))
            if header != self.names:
                self.file.close()
                raise Invalid(f"{path}: expected the columns that this version writes: give a new file")
            self.identities = {row[-1] for row in rows if len(row) == len(header)}
        if len(whole) < len(content):
            self.file.truncate(len(whole))
        if not whole:
            self.append(self.names)

    def append(self, texts: list[str]) -> None:
        """Appends a row."""
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(texts)
        self.file.write(line.getvalue().encode())

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


def _table(path: pathlib.Path) -> pandas.DataFrame:
    import pandas

    texts = dict.fromkeys(
        (
            "message", "counters", "cpu_groups", "gpu_workers", "emulate", "speedup", "amdahl", "time_factor", "mem",
            "learn", "check", "eviction",
        ),
        "",
    )
    read: Callable[[], Any] = lambda: pandas.read_csv(
        path, keep_default_na=False, na_values=[""], dtype={"noise": str}
    ).fillna(texts)
    return interruptible(read)


class _NoBar:
    """A progress bar that shows nothing."""

    n = 0

    def update(self, n: int) -> None:
        self.n += n

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def _bar(total: int, progress: bool) -> Any:
    if progress:
        try:
            from tqdm.auto import tqdm  # type: ignore[import]
        except ImportError:
            pass
        else:
            return tqdm(total=total, unit="run")
    return _NoBar()
