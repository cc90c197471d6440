"""Task graphs: of tasks submitted one by one, of arrays, of networkx, of a file or of a workload's words."""

from __future__ import annotations

import contextlib
import ctypes
import operator
import os
import pathlib
import tempfile
import threading
import uuid
from typing import Any, Iterable, Iterator, Mapping, Sequence

from . import _interface
from ._calls import GraphCalls
from ._interface import TW_R, TW_REDUX, TW_RW, TW_SCRATCH, TW_W
from ._interrupts import checked, closes, interruptible
from ._library import Invalid, OutOfMemory, check, encoded, error_buffer, library, quick

R, W, RW, SCRATCH, REDUX = TW_R, TW_W, TW_RW, TW_SCRATCH, TW_REDUX
KINDS = ("processors", "accelerators")

Seconds = float | Mapping[str, float] | None


class GraphView(GraphCalls):
    """A finished graph: what its tasks are and access. The graph of a run includes what reductions append."""

    __slots__ = ("_owner",)

    def __init__(self, pointer: Any, owner: object) -> None:
        self._pointer, self._owner = pointer, owner  # the owner keeps the graph
        self._tasks, self._data = quick.tw_graph_n_tasks(pointer), quick.tw_graph_n_data(pointer)
        self._kernels = quick.tw_graph_n_kernels(pointer)

    def __reduce__(self) -> Any:
        raise TypeError("the view of a graph cannot be copied")

    def accesses(self, task: int) -> list[tuple[int, int]]:
        """The handles that the task accesses, each with its mode: R, W, RW, SCRATCH or REDUX."""
        n = self.n_accesses(task)
        accesses = (quick.tw_graph_access(self._pointer, task, i) for i in range(n))
        return [(access.data, access.mode) for access in accesses]

    def successors(self, task: int) -> list[int]:
        """The tasks that depend on the task, in ascending order."""
        if not 0 <= task < self._tasks:
            raise self._no("task", task, self._tasks)
        n = ctypes.c_int()
        array = quick.tw_graph_successors(self._pointer, task, ctypes.byref(n))
        return list(array[: n.value])

    def parts(self, data: int) -> range:
        """The parts of the handle, if it is divided."""
        n = ctypes.c_int()
        if not 0 <= data < self._data:
            raise self._no("data", data, self._data)
        first = quick.tw_graph_parts(self._pointer, data, ctypes.byref(n))
        return range(first, first + n.value)

    def kernel_names(self) -> list[str]:
        """The names of all kernels, by their numbers."""
        return [self.kernel_name(kernel) for kernel in range(self._kernels)]

    def to_networkx(self) -> Any:
        """The graph as a networkx.DiGraph, for its analyses: a node for each task, and an edge for each dependency.

        Nodes are the tasks' numbers. Their attributes are kernel (a name), priority and flops."""
        import networkx  # type: ignore[import]

        made, names = networkx.DiGraph(), self.kernel_names()
        for task in range(self._tasks):
            kernel = self.task_kernel(task)
            made.add_node(task, kernel=names[kernel], priority=self.priority(task), flops=self.kernel_flops(kernel))
        made.add_edges_from((task, after) for task in range(self._tasks) for after in self.successors(task))
        return made


class Graph:
    """A task graph. Tasks are submitted in sequential order; their accesses to handles become dependencies.

    >>> graph = Graph("two steps")
    >>> tile = graph.data(8 * 960 * 960)
    >>> first = graph.submit("fill", [(tile, W)], seconds=0.01)
    >>> second = graph.submit("use", [(tile, R)], seconds={"processors": 0.02, "accelerators": 0.001})

    The first run of a graph ends its building. An error of a call, such as a negative time, is raised then, too."""

    def __init__(self, name: str = "graph") -> None:
        self.name = name
        self.words: str | None = None  #: the workload's words, of a graph that the library makes in each scene
        self.token = uuid.uuid4().hex  #: one for each graph, and for its copies in other processes
        self.task_names: list[Any] | None = None  #: of a graph from networkx: the node of each task
        self._pointer: ctypes.c_void_p | None = None
        self._finished = False
        self._named: dict[str, int] = {}
        self._lock = threading.RLock()  # of calls of the library, while they change the graph

    # --- tasks one by one ---

    def data(self, size_bytes: int) -> int:
        """Adds a handle of `size_bytes` > 0 bytes, which is in main memory at the start. Returns its number."""
        size = _whole(size_bytes, "bytes", 0, 2**63)
        with self._lock:
            return int(quick.tw_graph_data(self._open(), size))

    def kernel(
        self, name: str, size: str = "1", precision: str = "d", flops: float = 0.0, only_on: str | None = None
    ) -> int:
        """Finds or adds the kernel of that name, size and precision. Returns its number.

        The platform has times of kernels by these three: the side of square tiles ("960") or all dimensions
        ("960x3840+3840x960"), and "s", "d" or "b". `flops` are those of one execution. `only_on`: the archs that may
        run it, "processors", "accelerators" or names, joined by '+'."""
        archs = None if only_on is None else encoded(only_on)
        about = encoded(name), encoded(size), encoded(precision), ctypes.c_double(flops)
        with self._lock:
            kernel = int(quick.tw_graph_kernel(self._open(), *about))
            if archs is not None:
                quick.tw_graph_restrict(self._pointer, kernel, archs)
        return kernel

    def submit(
        self,
        kernel: int | str,
        accesses: Iterable[tuple[int, int]] = (),
        priority: int = 0,
        seconds: Seconds = None,
        after: Iterable[int] = (),
    ) -> int:
        """Appends a task and returns its number.

        `kernel`: a number from `kernel`, or a name. `accesses`: handles with their modes (R, W, RW, SCRATCH, REDUX).
        `seconds`: how long the task takes, or its time on each arch or kind of workers ("processors",
        "accelerators"); None: the platform's time of its kernel. `after`: earlier tasks that it also depends on."""
        listed = [(_whole(data, "a handle"), _whole(mode, "a mode such as tw.R")) for data, mode in _pairs(accesses)]
        times = [(encoded(arch), value) for arch, value in _by_arch(seconds).items()]
        others = [_whole(other, "a task") for other in _listed(after, "after", "tasks")]
        array = (_interface.tw_access * len(listed))(*(_interface.tw_access(*access) for access in listed))
        level = _whole(priority, "a priority")
        if isinstance(kernel, str):
            kernel = (
                self._named[kernel] if kernel in self._named else self._named.setdefault(kernel, self.kernel(kernel))
            )
        number = _whole(kernel, "a kernel")
        with self._lock:
            graph = self._open()
            task = int(quick.tw_graph_submit(graph, number, level, array, len(listed)))
            for arch, value in times:
                quick.tw_graph_set_seconds_on(graph, arch, value)
            for other in others:
                quick.tw_graph_depend(graph, other)
        return task

    def reduction(self, data: int, combine: int) -> None:
        """Sets the kernel whose tasks combine contributions (REDUX) to the handle."""
        numbers = _whole(data, "a handle"), _whole(combine, "a kernel")
        with self._lock:
            quick.tw_graph_reduction(self._open(), *numbers)

    def discard(self, data: int) -> None:
        """Says that nobody needs the handle after its last task: its copies then go without a write-back."""
        number = _whole(data, "a handle")
        with self._lock:
            quick.tw_graph_discard(self._open(), number)

    def partition(self, data: int, parts: Iterable[int]) -> range:
        """Divides the handle into parts of these bytes, which add up to its own. Returns the handles of the parts.

        Tasks access the whole handle or parts; the runtime divides and joins it in between. Parts can be divided, too.
        docs/reference/filters.md."""
        number = _whole(data, "a handle")
        sizes = [_whole(size, "bytes", 0, 2**63) for size in _listed(parts, "parts", "sizes")]
        array = (ctypes.c_uint64 * len(sizes))(*sizes)
        with self._lock:
            first = int(quick.tw_graph_partition(self._open(), number, len(sizes), array))
        return range(first, first + len(sizes)) if first >= 0 else range(0)

    def partition_matrix(self, data: int, rows: int, columns: int, block_rows: int, block_columns: int) -> range:
        """Divides a handle of rows x columns elements into blocks, row by row. Returns the handles of the blocks."""
        shape = [_whole(n, "a number of rows or columns") for n in (rows, columns, block_rows, block_columns)]
        number, n = _whole(data, "a handle"), ctypes.c_int()
        with self._lock:
            first = int(quick.tw_graph_partition_matrix(self._open(), number, *shape))
            if first >= 0:
                quick.tw_graph_parts(self._open(), number, ctypes.byref(n))
        return range(first, first + n.value) if first >= 0 else range(0)

    @contextlib.contextmanager
    def recursive(self) -> Iterator[None]:
        """Makes the last submitted task recursive: tasks submitted in this block are another way to do it.

        They access handles of that task, or parts of them. A policy may split the task, such as `recursive`.
        docs/reference/filters.md."""
        with self._lock:
            quick.tw_graph_begin_recursive(self._open())
        try:
            yield
        finally:
            with self._lock:
                quick.tw_graph_end_recursive(self._open())

    def set_home(self, data: int, memory: int) -> None:
        """Says in which memory the handle is at the start of a run: main memories from 0, then those of GPUs."""
        numbers = _whole(data, "a handle"), _whole(memory, "a memory")
        with self._lock:
            quick.tw_graph_set_home(self._open(), *numbers)

    def set_end(self, data: int, memory: int) -> None:
        """Says in which memory the handle must be at the end of a run, numbered as in `set_home`."""
        numbers = _whole(data, "a handle"), _whole(memory, "a memory")
        with self._lock:
            quick.tw_graph_set_end(self._open(), *numbers)

    def will_not_be_used(self, data: int) -> None:
        """Says that no later task writes the handle, and that its remaining readers run soon."""
        number = _whole(data, "a handle")
        with self._lock:
            quick.tw_graph_will_not_be_used(self._open(), number)

    def set_flops(self, flops: float) -> None:
        """Sets the flops of the whole graph; a result's gflops are these over the makespan."""
        with self._lock:
            quick.tw_graph_set_flops(self._open(), flops)

    def finish(self) -> GraphView:
        """Ends the building, raises the first error, and returns a view of the finished graph."""
        if not self._finished:
            interruptible(lambda: self._end(self.words))
        return GraphView(self._pointer, self)

    def __len__(self) -> int:
        if self.words is not None:
            self.finish()
        with self._lock:
            return int(quick.tw_graph_n_tasks(self._pointer or self._open()))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Finishes the graph and writes it to a file, whose extension selects the format: .json for all that is in the
        graph, .dot, .gv or .graphml."""
        checked(library.tw_graph_write, self.finish()._pointer, encoded(path), kept=self)

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = {
            "name": self.name,
            "token": self.token,
            "words": self.words,
            "task_names": self.task_names,
        }
        if self.words is None:
            state["json"] = interruptible(self._json)
        return state

    def _json(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            self.write(f"{folder}/graph.json")
            return pathlib.Path(folder, "graph.json").read_bytes()

    def __setstate__(self, state: dict[str, Any]) -> None:
        Graph.__init__(self, state["name"])
        self.token, self.words, self.task_names = state["token"], state["words"], state["task_names"]
        if self.words is None:
            interruptible(lambda: self._read(state["json"]))

    def _read(self, json: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "graph.json").write_bytes(json)
            self._end(f"file:{folder}/graph.json")

    def _end(self, words: str | None) -> None:
        """Finishes the graph, or makes that of a workload's words. It may go on in the background."""
        error = error_buffer()
        with self._lock:
            if self._finished:
                return
            if words is None:
                check(library.tw_graph_finish(self._open(), error), error)
            else:
                pointer = ctypes.c_void_p()
                check(library.tw_graph_generate(ctypes.byref(pointer), encoded(words), error), error)
                self._keep(pointer)
            self._finished = True

    def _keep(self, pointer: ctypes.c_void_p) -> None:
        self._pointer = pointer
        self._close = closes(self, library.tw_graph_destroy, pointer)

    def _open(self) -> ctypes.c_void_p:
        if self.words is not None:
            raise Invalid(f"{self.words}: a workload's graph takes no tasks")
        if self._finished:
            raise Invalid(f"{self.name}: the graph is finished and takes no tasks")
        if self._pointer is None:
            pointer = quick.tw_graph_create()
            if not pointer:
                raise OutOfMemory("out of memory: no graph")
            self._keep(ctypes.c_void_p(pointer))
        assert self._pointer is not None
        return self._pointer

    # --- whole graphs ---

    @classmethod
    def workload(cls, words: str) -> Graph:
        """The graph of a workload, as --workload takes it: "cholesky:nt=20"."""
        graph = cls(words)
        graph.words = words
        return graph

    @classmethod
    def join(cls, *graphs: tuple[Graph, float] | tuple[Graph, float, str | None], name: str = "graphs") -> Graph:
        """Several graphs in one, which is finished: applications that share a node. Each has the date in s at which it
        arrives, and may have the name of the scheduling domain of all its tasks. Results call it by its name. The
        joined graph has copies.

        >>> Graph.join((Graph.workload("cholesky:nt=20"), 0), (Graph.workload("lu:nt=10"), 0.5, "gpus"))"""
        for graph, *_ in graphs:
            graph.finish()
        joined = cls(name)
        interruptible(lambda: joined._join(graphs))
        return joined

    def _join(self, graphs: Sequence[tuple[Any, ...]]) -> None:
        pointer, error = ctypes.c_void_p(), error_buffer()
        array = (_interface.tw_joined_graph * len(graphs))()
        for item, (graph, arrival_s, *domain) in zip(array, graphs):
            item.graph, item.arrival_s = graph._pointer, arrival_s
            item.domain = encoded(domain[0]) if domain and domain[0] is not None else None
            item.name = encoded(graph.name)
        check(library.tw_graph_join(ctypes.byref(pointer), array, len(graphs), error), error)
        self._keep(pointer)
        self._finished = True

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], **parameters: Any) -> Graph:
        """The graph in a file, of any format of docs/reference/graphs.md. Parameters are those of the workload
        `file`: times, flop_rate, default_seconds ..."""
        name = os.fspath(path)
        words = [os.path.abspath(name) if "=" in name else name]  # KEY=VALUE would be a parameter
        for key, value in parameters.items():
            words.append(f"{key}={('no', 'yes')[value] if isinstance(value, bool) else value}")
        return cls.workload(":".join(["file", *(word.replace(":", "\\:") for word in words)]))

    @classmethod
    def from_networkx(
        cls,
        graph: Any,
        kernel: str = "kernel",
        seconds: str = "seconds",
        size: str = "bytes",
        priority: str = "priority",
        name: str = "graph",
    ) -> Graph:
        """The graph of a networkx.DiGraph: a task for each node, and a transfer for each edge.

        The parameters name the attributes of nodes. `seconds` is a number, or a dictionary by arch or by "processors"
        and "accelerators". `kernel` is a name, or a tuple of the arguments of Graph.kernel; by default it is "task".
        The attribute `size` of an edge is the bytes that its first task writes and its second one reads; 0 or none:
        order alone. The attribute `size` of a node is the bytes that the task writes and all its successors read."""
        import networkx

        if not isinstance(graph, networkx.Graph):
            raise TypeError(f"from_networkx: expected a DiGraph, not {type(graph).__name__}")
        if not graph.is_directed():
            raise Invalid("from_networkx: an undirected graph: expected a DiGraph")
        try:
            order = list(networkx.lexicographical_topological_sort(graph, key={n: i for i, n in enumerate(graph)}.get))
        except networkx.NetworkXUnfeasible:
            cycle = [edge[0] for edge in networkx.find_cycle(graph)]
            names = " -> ".join(" ".join(str(node).split()) for node in [*cycle, cycle[0]])
            raise Invalid(f"from_networkx: a cycle: {names}") from None
        made, numbers = cls(name), {node: i for i, node in enumerate(order)}
        outputs: dict[Any, int] = {}  # of nodes
        edges: dict[Any, list[int]] = {}  # handles of pairs of nodes: a MultiDiGraph may have several edges
        for node in order:
            about = graph.nodes[node]
            accesses: list[tuple[int, int]] = []
            after = []
            for before in graph.predecessors(node):
                read = edges.get((before, node)) or ([outputs[before]] if before in outputs else [])
                after += [] if read else [numbers[before]]
                accesses += [(handle, R) for handle in read]
            if about.get(size):
                outputs[node] = made.data(about[size])
                accesses.append((outputs[node], W))
            for _, behind, edge in graph.out_edges(node, data=True):
                if edge.get(size):
                    edges.setdefault((node, behind), []).append(made.data(edge[size]))
                    accesses.append((edges[node, behind][-1], W))
            named = about.get(kernel, "task")
            made.submit(
                made.kernel(*named) if isinstance(named, tuple) else str(named),
                list(dict.fromkeys(accesses)),
                about.get(priority, 0),
                about.get(seconds),
                after,
            )
        made.task_names = order
        return made

    @classmethod
    def from_arrays(
        cls,
        kernels: Sequence[str | tuple[Any, ...]],
        kernel: Any,
        data_bytes: Any,
        first_access: Any,
        data: Any,
        mode: Any,
        priority: Any = None,
        seconds: Any = None,
        seconds_on: Mapping[str, Any] | None = None,
        first_dependency: Any = None,
        depends_on: Any = None,
        name: str = "graph",
    ) -> Graph:
        """A graph of n tasks from arrays, in the order of submission, by far the fastest for large graphs.

        `kernels`: names of kernels, or tuples of the arguments of `kernel`, as ("gemm", "960"); and `kernel`[n]: the
        index there of each task. `data_bytes`: sizes of the handles. Task i accesses the handles
        data[first_access[i]] to data[first_access[i + 1] - 1], with the modes in `mode`; `first_access` has n + 1
        numbers. `priority`[n]. `seconds`[n]: the tasks' times on all workers; `seconds_on`: by arch or kind of
        workers; NAN: the platform's. Task i also depends on the tasks depends_on[first_dependency[i]] and so on."""
        from ._arrays import submit

        graph = cls(name)
        submit(
            graph,
            kernels,
            kernel,
            data_bytes,
            first_access,
            data,
            mode,
            priority,
            dict(seconds_on or {}) if seconds is None else dict.fromkeys(KINDS, seconds) | dict(seconds_on or {}),
            first_dependency,
            depends_on,
        )
        return graph


def _whole(number: Any, what: str, least: int = -(2**31), bound: int = 2**31) -> int:
    """A whole number that C's types hold; numpy's are fine."""
    try:
        whole = operator.index(number)
    except TypeError:
        raise TypeError(f"{number!r}: expected {what}, a whole number, not {type(number).__name__}") from None
    if not least <= whole < bound:
        raise Invalid(f"{whole}: expected {what}, from {least} to {bound - 1}")
    return whole


def _listed(values: Any, name: str, what: str) -> list[Any]:
    try:
        return list(values)
    except TypeError:
        raise TypeError(f"{name}: {values!r}: expected a list of {what}") from None


def _pairs(accesses: Any) -> Iterator[tuple[Any, Any]]:
    for pair in _listed(accesses, "accesses", "pairs, as in [(handle, tw.R)]"):
        try:
            data, mode = pair
        except (TypeError, ValueError):
            raise TypeError(f"accesses: {pair!r}: expected a pair, as in [(handle, tw.R)]") from None
        yield data, mode


def _by_arch(seconds: Seconds) -> dict[str, float]:
    if seconds is None:
        return {}
    if isinstance(seconds, Mapping):
        return {arch: _seconds(value) for arch, value in seconds.items()}
    return dict.fromkeys(KINDS, _seconds(seconds))


def _seconds(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{value!r}: expected seconds, a number, not {type(value).__name__}") from None
