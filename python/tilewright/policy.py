"""Scheduling and eviction policies as Python classes."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Iterator

from . import _interface
from ._calls import SchedCalls
from ._library import Error, encoded, quick
from .graph import GraphView

ALL, NONE = _interface.TW_ALL, _interface.TW_NONE


class Sched(SchedCalls):
    """The view of a run that a policy gets, and the actions that it may ask for. Times are beliefs, in seconds.

    It is valid during the functions of the policy."""

    __slots__ = ("graph", "_changed", "_depth", "_own")

    _own: Any  # the policy that has the view

    graph: GraphView  #: the run's graph, with the tasks and handles that reductions append

    def __init__(self, pointer: Any, scene: object) -> None:
        self._pointer = pointer
        self._tasks, self._workers = quick.tw_max_tasks(pointer), quick.tw_n_workers(pointer)
        self._nodes = quick.tw_n_nodes(pointer)
        graph = quick.tw_sched_graph(pointer)
        self._data = quick.tw_graph_n_data(graph)
        self.graph = GraphView(graph, scene)
        self._changed: dict[int, ctypes.c_uint64] = {}
        self._depth = 0  # of functions: an action in one may call another one

    def task_accesses(self, task: int) -> list[tuple[int, int]]:
        """The handles that the task accesses, each with its mode: R, W, RW, SCRATCH or REDUX."""
        n = self.task_n_accesses(task)
        accesses = (quick.tw_task_access(self._pointer, task, i) for i in range(n))
        return [(access.data, access.mode) for access in accesses]

    def task_lack(self, task: int, node: int) -> tuple[int, int, int]:
        """Bytes of the task's data that are not valid on the node. The second number counts those that are not yet
        loading, the third those without an allocation."""
        if not 0 <= task < self._tasks:
            raise self._no("task", task, self._tasks)
        if not 0 <= node < self._nodes:
            raise self._no("node", node, self._nodes)
        lack = _interface.tw_lack(2**64 - 1, 2**64 - 1, 2**64 - 1)
        quick.tw_task_lacks_less(self._pointer, task, node, lack)
        return lack.not_valid, lack.not_loading, lack.not_allocated

    def copies_changed(self, node: int) -> list[int] | None:
        """The handles whose copies on the node changed since the last call for this node; one may occur twice. None:
        more than 64 handles changed."""
        if not 0 <= node < self._nodes:
            raise self._no("node", node, self._nodes)
        seen = self._changed.setdefault(node, ctypes.c_uint64())
        changed = (ctypes.c_int32 * _interface.TW_MOST_CHANGES)()
        n = quick.tw_copies_changed(self._pointer, node, seen, changed)
        return None if n == NONE else changed[:n]

    def data_transfer_times_slowed(self, data: int, most_slowdown: float) -> list[float]:
        """Seconds of the handle's transfer to each node from the fastest source, slowed by other transfers."""
        if not 0 <= data < self._data:
            raise self._no("handle", data, self._data)
        seconds = (ctypes.c_double * self._nodes)()
        quick.tw_data_transfer_times_slowed(self._pointer, data, most_slowdown, seconds)
        return list(seconds)

    def task_transfer_times(self, task: int) -> list[float]:
        """`task_transfer_time` of each node."""
        if not 0 <= task < self._tasks:
            raise self._no("task", task, self._tasks)
        seconds = (ctypes.c_double * self._nodes)()
        quick.tw_task_transfer_times(self._pointer, task, seconds)
        return list(seconds)

    def wake(self, worker: int = ALL) -> None:
        """Wakes a worker, or all, because there may be a task for it. Without that, only workers that pop anyway
        get the task of a push."""
        if worker != ALL and not 0 <= worker < self._workers:
            raise self._no("worker", worker, self._workers)
        quick.tw_wake(self._pointer, worker)

    def wake_set(self, workers: Iterable[int]) -> None:
        """Wakes workers in the order of their numbers."""
        words = (ctypes.c_uint64 * (self._workers // 64 + 1))()
        for worker in workers:
            if not 0 <= worker < self._workers:
                raise self._no("worker", worker, self._workers)
            words[worker // 64] |= 1 << worker % 64
        wanted = _interface.tw_id_set(words, len(words))
        quick.tw_wake_set(self._pointer, wanted)

    def combine(self, task: int, workers: Iterable[int]) -> None:
        """Lets several workers run the task, which is ready and not popped, together. Each of them must then pop it.
        The first to do so is the one of which `started` and `done` tell. Workers must get their common tasks in one
        order."""
        if not 0 <= task < self._tasks:
            raise self._no("task", task, self._tasks)
        team = list(workers)
        for worker in team:
            if not 0 <= worker < self._workers:
                raise self._no("worker", worker, self._workers)
        quick.tw_combine(self._pointer, task, (ctypes.c_int32 * len(team))(*team), len(team))

    def report(self, name: str, value: float) -> None:
        """Reports a figure of the policy as name=value in the result's column `counters`, usually in `finish`. A name
        has at most 31 letters, digits and '_', and there are at most 16 names."""
        text = encoded(name)
        quick.tw_report(self._pointer, text, value)

    def running_task(self, worker: int) -> tuple[int, float] | None:
        """The task whose kernel runs on the worker, and the date when it started. None: no kernel runs."""
        if not 0 <= worker < self._workers:
            raise self._no("worker", worker, self._workers)
        start = ctypes.c_double()
        task = quick.tw_running_task(self._pointer, worker, start)
        return None if task == NONE else (task, start.value)

    def abort_run(self, message: str) -> None:
        """Ends the run with an error."""
        text = encoded(message)
        quick.tw_abort_run(self._pointer, text)

    def __reduce__(self) -> Any:
        raise TypeError("the view of a run cannot be copied: it is valid during the functions of the policy")


class Policy:
    """A scheduling policy. A subclass has `push` and `pop`, and whichever of the other functions it needs.

    Each ready task is pushed once, and must be popped once by a worker that can run it. One object serves one run at a
    time. It may serve several in turn: `init` begins each. In a run with scheduling domains, each domain has an object
    of its own, with a view of its own. So has each node of a cluster: give a class there, or a function that makes
    objects of one class.

    An exception in a function ends the run, and the call that started the run raises it."""

    name: str = ""  #: what results call the policy; "": the name of the class
    eviction: str | None = None  #: name of its default eviction policy; None: lru
    sorts_by_priority = False  #: it sees the tasks' priorities, whatever their scope
    sees_critical = False  #: it sees priorities that are not only for sorting, and otherwise 1 for critical tasks
    pop_only_takes = False  #: while no task is ready, pop would return NONE, change nothing and draw no random number

    def init(self, s: Sched) -> None:
        """A run begins."""

    def push(self, s: Sched, task: int, released_by: int) -> None:
        """A task has become ready. `released_by`: the worker that ended its last predecessor; NONE: the submission of
        the task made it ready."""
        raise NotImplementedError(f"{type(self).__name__} has no function push")

    def pop(self, s: Sched, worker: int) -> int:
        """Returns a task for the worker that asks; NONE: the worker gets no task now."""
        raise NotImplementedError(f"{type(self).__name__} has no function pop")

    def started(self, s: Sched, task: int, worker: int) -> None:
        """The kernel of the task was launched, or is the next that the worker launches."""

    def done(self, s: Sched, task: int, worker: int) -> None:
        """The task has ended; its successors are not pushed yet."""

    def data_loaded(self, s: Sched, data: int, node: int) -> None:
        """A transfer of the handle has landed on the node. Do not prefetch here."""

    def data_evicted(self, s: Sched, data: int, node: int) -> None:
        """The handle's allocation in a bounded memory was freed. Do not prefetch here."""

    def placed(self, s: Sched, task: int, worker: int) -> None:
        """A task of another domain will run on a worker that both domains have."""

    def splits(self, s: Sched, task: int) -> bool:
        """Whether the recursive task, which is ready, is split: then the tasks inside are pushed in its place."""
        return False

    def finish(self, s: Sched) -> None:
        """The run ends."""


class Victims:
    """The possible victims: copies on a node that may leave now. Valid during the call of `victim`."""

    _query: Any

    __slots__ = ("_query", "_n_data", "more", "n")

    def __init__(self, query: Any, n_data: int) -> None:
        self._query, self._n_data = query, n_data
        self.more: bool = query.more  #: whether the runtime asks again, with copies that need a write-back first
        self.n: int = query.n  #: number of all victims; 0 if the runtime has no lists of them

    def may_evict(self, data: int) -> bool:
        """Whether the copy of the handle may leave now."""
        query = self._query
        return 0 <= data < self._n_data and bool(query.kinds >> query.kind[data] & 1)

    def __iter__(self) -> Iterator[int]:
        query = self._query
        if not query.of_kind:
            yield from filter(self.may_evict, range(self._n_data))
            return
        for k in range(query.kinds.bit_length()):
            i = 0
            while self._query.kinds >> k & 1 and i < query.of_kind[k].n:
                yield query.of_kind[k].data[i]
                i += 1

    def __getattr__(self, name: str) -> Any:
        if name == "_query":
            raise Error("the call of `victim` has ended: its victims tell nothing more")
        raise AttributeError(f"{type(self).__name__} has no attribute '{name}'")

    def __reduce__(self) -> Any:
        raise TypeError("victims cannot be copied: they are valid during the call of `victim`")


class Eviction:
    """An eviction policy, which chooses the victims in full memories. A subclass has `loaded` and `victim`, and
    whichever of the other functions it needs. For objects and exceptions, see Policy."""

    name: str = ""  #: what results call the policy; "": the name of the class
    evicts_all = False  #: when an allocation fails, the runtime asks for victims until `victim` returns NONE

    def init(self, s: Sched) -> None:
        """A run begins."""

    def loaded(self, s: Sched, data: int, node: int) -> None:
        """The handle got an allocation on the node; its bytes may still be in transfer."""
        raise NotImplementedError(f"{type(self).__name__} has no function loaded")

    def used(self, s: Sched, data: int, node: int) -> None:
        """A task that used the handle on the node has ended."""

    def evicted(self, s: Sched, data: int, node: int) -> None:
        """The handle's room on the node was freed."""

    def expendable(self, s: Sched, data: int, node: int) -> None:
        """The workload has said that no later task uses the handle: its copy should be an early victim."""

    def victim(self, s: Sched, node: int, victims: Victims) -> int:
        """Returns the next victim, for which victims.may_evict is true; NONE: the policy has none."""
        raise NotImplementedError(f"{type(self).__name__} has no function victim")

    def finish(self, s: Sched) -> None:
        """The run ends."""
