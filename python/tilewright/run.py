"""Runs: a scene (platform and graph) under a policy, and its results."""

from __future__ import annotations

import ctypes
import json
import math
import os
import threading
from typing import TYPE_CHECKING, Any, Callable, Mapping, TypeVar, Union

from . import _interface
from ._bridge import Bridge, named
from ._interrupts import checked, closes, interruptible
from ._library import Invalid, Named, check, columns, encoded, error_buffer, library, texts
from .analysis import Figure, gantt
from .graph import Graph, GraphView
from .platform import Platform
from .policy import Eviction, Policy

if TYPE_CHECKING:
    import numpy
    import pandas  # type: ignore[import]

OnePolicy = Union[str, Policy, Callable[[], Policy]]
#: of a run: one policy, or that of each scheduling domain or group of nodes
Policies = Union[OnePolicy, Mapping[str, OnePolicy]]

PLACES = {
    "automatic": _interface.TW_RUN_AUTOMATIC,
    "here": _interface.TW_RUN_HERE,
    "process": _interface.TW_RUN_IN_PROCESS,
}


class Scene:
    """A platform and a graph: all that runs under several policies share. Threads may share a scene, too.

    >>> scene = Scene(Platform("mirage"), "cholesky:nt=20")
    >>> [scene.run(policy).makespan for policy in ("eager", "dmdas")]

    `graph`: a Graph, or a workload's words as --workload takes them."""

    def __init__(self, platform: Platform | str, graph: Graph | str) -> None:
        self.platform = Platform(platform) if isinstance(platform, str) else platform
        self.graph = Graph.workload(graph) if isinstance(graph, str) else graph
        if not isinstance(self.platform, Platform):
            raise TypeError(f"{platform!r}: expected a Platform or its name, not {type(platform).__name__}")
        if not isinstance(self.graph, Graph):
            kind = type(graph).__name__
            hint = ": see Graph.from_networkx" if type(graph).__module__.startswith("networkx") else ""
            raise TypeError(f"{graph!r}: expected a Graph or a workload's words, not {kind}{hint}")
        self._pointer = ctypes.c_void_p()  # the library sets it
        self._close = closes(self, library.tw_scene_close, self._pointer)
        made, on, name = ctypes.byref(self._pointer), self.platform._pointer, encoded(self.graph.name)
        if self.graph.words is not None:
            checked(library.tw_scene_generate, made, on, name, kept=self)
        else:
            checked(library.tw_scene_create, made, on, self.graph.finish()._pointer, name, kept=self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Scene, (self.platform, self.graph)

    @property
    def tasks(self) -> GraphView:
        """The tasks and handles of the graph."""
        return GraphView(library.tw_scene_graph(self._pointer), self)

    def run(
        self,
        policy: Policies = "dmdas",
        eviction: str | Eviction | type[Eviction] | None = None,
        *,
        records: bool = True,
        place: str = "automatic",
        trace: str | os.PathLike[str] | None = None,
        explain: str | None = None,
        **options: Any,
    ) -> Run:
        """Runs the scene under a policy.

        `policy`, `eviction`: words as --policy and --eviction take them, objects, or what makes objects: classes and
        functions. With scheduling domains, `policy` may be a dictionary: {"cpus=cpu": MyPolicy, "gpus=gpu": "dmdas"}.
        So it may if nodes of a cluster have different ones: {"all": MyPolicy, "1-3": "dmdas"}. `records`: whether the
        run keeps its schedule, for `tasks`, `members`, `transfers` and `memory`. `place`: "here", in a "process" of its
        own, or "automatic": in a process only if the engine or a shared object needs one. Objects and classes of
        policies run here, so they have no engine simgrid and no time_limit. `trace`: a file for the trace, whose
        extension selects the format. `explain`: "text" or "json" for an explanation. Options are those of the command
        `tilewright run` with '_' for '-': engine, runtime, seed, noise, validate, time_limit ...

        Ctrl-C ends the run and raises KeyboardInterrupt. A function of a policy that does not return in time ends in
        the background. Functions of policies in Python run in a thread of the package, if the caller's is the main
        thread."""
        if place not in tuple(PLACES):
            raise Invalid(f"place '{place}': expected one of: {', '.join(PLACES)}")
        if explain not in (None, "text", "json"):
            raise Invalid(f"explain {explain!r}: expected 'text' or 'json'")
        about, bridge = self._options(policy, eviction, options)
        if place == "process" and bridge.objects:
            raise Invalid("place 'process': expected another one, as the policies of Python are in this process")
        about.records, about.place = records, PLACES["here" if bridge.objects else place]
        about.trace = None if trace is None else encoded(trace)
        about.explain = None if explain is None else encoded(explain)
        return self._run(bridge, about)

    def identity(
        self,
        policy: Policies = "dmdas",
        eviction: str | Eviction | type[Eviction] | None = None,
        **options: Any,
    ) -> str:
        """The column `identity` that a run would have: a fingerprint of its inputs, but not of the code of policies of
        Python."""
        about, bridge = self._options(policy, eviction, options)
        text = ctypes.create_string_buffer(_interface.TW_IDENTITY_BYTES)
        with bridge:
            bridge.fill(about)
            checked(library.tw_scene_identity, self._pointer, about, text, kept=(self, bridge))
        return text.value.decode()

    def _options(
        self, policy: Any, eviction: Any, options: dict[str, Any]
    ) -> tuple[_interface.tw_run_options, Bridge]:
        """The options as the library takes them, but for the bridge's."""
        given = list(policy.values()) if isinstance(policy, Mapping) else [policy]
        policies, own_eviction = [_own(one, Policy) for one in given], _own(eviction, Eviction)
        makers = [*(_maker(one, Policy) for one in given), _maker(eviction, Eviction)]
        words = dict(options) if own_eviction is not None or eviction is None else {**options, "eviction": eviction}
        about = _interface.tw_run_options(
            size=ctypes.sizeof(_interface.tw_run_options),
            options=texts(words),
            policy=encoded(_policy_words(policy, policies)),
        )
        return about, Bridge(policies, own_eviction, makers, self)

    def _run(self, bridge: Bridge, about: _interface.tw_run_options) -> Run:
        cancel = ctypes.c_int()
        about.cancel = ctypes.pointer(cancel)
        run, error = Run(self, about.records), error_buffer()

        # All that the library reads belongs to this function, and lives as long as the call.
        def call() -> int:
            with bridge:
                bridge.fill(about)
                status = library.tw_scene_run(self._pointer, about, ctypes.byref(run._pointer), error)
                if bridge.exception is not None:
                    raise bridge.exception
                return int(status)

        status = interruptible(call, cancel, bool(bridge.objects))
        if cancel.value:  # and no handler has raised it where it counts, as at the begin of a callback
            raise KeyboardInterrupt
        try:
            check(status, error)
        except Exception as failure:
            failure.run = run if run._pointer else None  # type: ignore[attr-defined]
            raise
        return run


def simulate(
    platform: Platform | str,
    graph: Graph | str,
    policy: Policies = "dmdas",
    eviction: str | Eviction | type[Eviction] | None = None,
    **options: Any,
) -> Run:
    """Simulates a graph on a platform under a policy: see Platform, Graph and Scene.run.

    >>> simulate("mirage", "cholesky:nt=20", "dmdas", cpus=9, gpus=3).makespan

    With the name of a platform, `options` may also be those of Platform."""
    if isinstance(platform, str):
        platform = Platform(platform, **{k: options.pop(k) for k in Platform.OPTIONS if k in options})
    return Scene(platform, graph).run(policy, eviction, **options)


def _policy_words(given: Any, own: list[Policy | None]) -> Any:
    """What --policy would be."""
    if not isinstance(given, Mapping):
        return given if own[0] is None else named(own[0])
    if not given:
        raise Invalid("policy: no domains: expected at least one, as in {'cpus=cpu': 'dmdas'}")
    words = (one if policy is None else named(policy) for one, policy in zip(given.values(), own))
    if "all" not in given:
        return "+".join(f"{domain}:{one}" for domain, one in zip(given, words))
    first, *others = zip(given, words)
    if first[0] != "all":
        raise Invalid("policy: expected 'all' first, as in {'all': 'lws', '1-3': 'dmdas'}")
    return "+".join([str(first[1]), *(f"{nodes}={one}" for nodes, one in others)])


Own = TypeVar("Own", Policy, Eviction)


def _maker(given: Any, base: type[Own]) -> Callable[[], Own] | None:
    """What makes objects of a class in Python; None: words, an object, or nothing were given."""
    makes = issubclass(given, base) if isinstance(given, type) else callable(given) and not isinstance(given, base)
    return given if makes else None


def _own(given: Any, base: type[Own]) -> Own | None:
    """The object of a class in Python; None: words, or nothing, were given."""
    make = _maker(given, base)
    own = given if make is None else make()
    if isinstance(own, base) or (make is None and (own is None or isinstance(own, (str, os.PathLike)))):
        return own if isinstance(own, base) else None
    raise TypeError(f"{given!r}: expected words, or an object or a subclass of {base.__name__}, or what makes objects")


class Run:
    """The execution of a scene under a policy, with its results. It can be pickled."""

    def __init__(self, scene: Scene, records: bool) -> None:
        self._pointer = ctypes.c_void_p()  # tw_scene_run sets it
        self._scene: Scene | None = scene
        self._cache: dict[str, Any] = {"records": records}
        self._lock = threading.RLock()
        self._close = closes(self, library.tw_run_close, self._pointer)

    @property
    def makespan(self) -> float:
        """The time from the begin of the run to the end of its last task, in seconds; NAN: the run failed."""
        makespan = self.row["makespan_s"]
        return math.nan if makespan is None else float(makespan)

    @property
    def row(self) -> dict[str, Any]:
        """All columns of the run's row of results, as docs/reference/results.md explains them. None: unknown."""
        row: dict[str, Any] = self._cached("row", lambda: Named(json.loads(library.tw_run_row(self._pointer))))
        return row

    @property
    def texts(self) -> list[str]:
        """All columns of the row as texts, as in a CSV file."""
        values = (library.tw_run_value(self._pointer, name.encode()) for name in columns())
        texts: list[str] = self._cached("texts", lambda: [value.decode() for value in values])
        return texts

    @property
    def explanation(self) -> str | None:
        """The explanation that the option `explain` asked for."""
        text = self._cached("explanation", lambda: library.tw_run_explanation(self._pointer))
        return None if text is None else text.decode()

    @property
    def tasks(self) -> pandas.DataFrame:
        """A row for each execution of a task, by starts. Dates are seconds from the begin of the run; NAN: none.

        Columns: task, kernel, worker, cancelled, ready_s, assigned_s, start_s, end_s. Tasks that reductions append
        have numbers behind the graph's. On several nodes of a cluster, the column rank is the number of the node."""
        from . import _tables

        return _tables.tasks(
            self.task_array, self._names("kernels"), self._names("workers"), self._ranks("workers")
        )

    @property
    def members(self) -> pandas.DataFrame:
        """A row for each further worker of a parallel task, by dates. `tasks` has the first one.

        Columns: task, worker, joined_s."""
        from . import _tables

        return _tables.members(self.member_array, self._names("workers"))

    @property
    def transfers(self) -> pandas.DataFrame:
        """A row for each transfer of a handle over a hop of its route, by starts.

        Columns: data, from, to, cause ("task", "prefetch", "idle" or "eviction"), bytes, start_s, end_s. A handle
        behind the graph's is an accumulator."""
        from . import _tables

        return _tables.transfers(self.transfer_array, self._names("nodes"))

    @property
    def messages(self) -> pandas.DataFrame:
        """A row for each message between nodes of a cluster, by starts. They are among `transfers`, too.

        Columns: data, from, to (numbers of nodes), bytes, start_s, end_s."""
        from . import _tables

        return _tables.messages(self.transfer_array, self._ranks("nodes"))

    @property
    def memory(self) -> pandas.DataFrame:
        """The bytes that are allocated in each memory, from a date on. Columns: date_s, node, bytes."""
        from . import _tables

        return _tables.memory(self.memory_array, self._names("nodes"))

    @property
    def task_array(self) -> numpy.ndarray[Any, Any]:
        """As `tasks`, as an array of records: struct tw_run_task of tilewright/run.h, with dates in nanoseconds."""
        return self._array("tasks", _interface.tw_run_task)

    @property
    def member_array(self) -> numpy.ndarray[Any, Any]:
        """As `members`, as an array of records: struct tw_run_member."""
        return self._array("members", _interface.tw_run_member)

    @property
    def transfer_array(self) -> numpy.ndarray[Any, Any]:
        """As `transfers`, as an array of records: struct tw_run_transfer."""
        return self._array("transfers", _interface.tw_run_transfer)

    @property
    def memory_array(self) -> numpy.ndarray[Any, Any]:
        """As `memory`, as an array of records: struct tw_run_memory."""
        return self._array("memory", _interface.tw_run_memory)

    def gantt(self, explain: bool = False, **options: Any) -> Figure:
        """The Gantt chart of the run, which a notebook shows: see tilewright.gantt."""
        return gantt(self, explain, **options)

    def _cached(self, name: str, make: Callable[[], Any]) -> Any:
        if name not in self._cache:
            with self._lock:  # the library's run belongs to one thread at a time
                if name not in self._cache:
                    self._cache[name] = make()
        return self._cache[name]

    def _array(self, name: str, structure: type[ctypes.Structure]) -> numpy.ndarray[Any, Any]:
        from . import _arrays

        if not self._cache["records"]:
            raise Invalid("the run keeps no schedule: expected records=True")
        function = getattr(library, f"tw_run_{name}")
        array: numpy.ndarray[Any, Any] = self._cached(
            name + " array", lambda: _arrays.copied(function, self._pointer, structure)
        )
        return array

    def _names(self, what: str) -> list[str]:
        def make() -> list[str]:
            assert self._scene is not None
            if what == "kernels":
                return self._scene.tasks.kernel_names()
            return [about.name for about in getattr(self._scene.platform, what)]

        return list(self._cached(what, make))

    def _ranks(self, what: str) -> list[int]:
        def make() -> list[int]:
            assert self._scene is not None
            return [about.rank for about in getattr(self._scene.platform, what)]

        return list(self._cached(f"ranks of {what}", make))

    def __getstate__(self) -> dict[str, Any]:
        arrays = ("task_array", "member_array", "transfer_array", "memory_array") if self._cache["records"] else ()
        for name in ("row", "texts", "explanation", *arrays):
            getattr(self, name)
        for name in ("kernels", "workers", "nodes"):
            self._names(name)
        for name in ("workers", "nodes"):
            self._ranks(name)
        return self._cache

    def __setstate__(self, cache: dict[str, Any]) -> None:
        self._pointer, self._scene, self._cache = ctypes.c_void_p(), None, cache

    def __repr__(self) -> str:
        row = self.row
        return f"<Run of {row['workload']} on {row['platform']} under {row['policy']}: {self.makespan:g} s>"
