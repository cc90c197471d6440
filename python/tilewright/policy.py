"""Scheduling and eviction policies as Python classes."""

from __future__ import annotations

import ctypes
import operator
import reprlib
import threading
from typing import Any, Callable, Iterable, Iterator

from . import _interface
from ._calls import SchedCalls
from ._library import Error, Invalid, encoded, quick
from .graph import GraphView

ALL, NONE = _interface.TW_ALL, _interface.TW_NONE


class Sched(SchedCalls):
    """The view of a run that a policy gets, and the actions that it may ask for. Times are beliefs, in seconds.

    It is valid during the functions of the policy."""

    __slots__ = ("graph", "_changed", "_depth")

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
    time. It may serve several in turn: `init` begins each.

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


class Bridge:
    """The functions of one policy and one eviction policy as the library calls them, in one run.

    ctypes would print an exception of a callback and go on with 0, which is a task. So the first one is kept, ends the
    run, and is raised after it. No function of the policies is called after it."""

    _MANDATORY = ("init", "push", "pop", "loaded", "victim")  # init makes the view
    _busy: set[int] = set()  # identities of the objects that are in a run
    _lock = threading.Lock()

    def __init__(self, policy: Policy | None, eviction: Eviction | None, scene: object) -> None:
        self.exception: BaseException | None = None
        self.objects = [own for own in (policy, eviction) if own is not None]
        self._policy, self._eviction, self._scene = policy, eviction, scene
        self._view: Sched | None = None

    def __enter__(self) -> None:
        """A run begins."""
        with Bridge._lock:
            for own in self.objects:
                if id(own) in Bridge._busy:
                    raise Invalid(
                        f"{_name(own)}: this object is in another run: expected one object for each run at a time"
                    )
            Bridge._busy.update(map(id, self.objects))

    def fill(self, about: _interface.tw_run_options) -> None:
        """Gives the run its policies."""
        policy, eviction = self._policy, self._eviction
        if policy is not None:
            table = self._table(policy, Policy, _interface.tw_policy, _interface.TW_POLICY_ABI)
            table.eviction = encoded(policy.eviction) if policy.eviction else None
            table.flags = (
                _interface.TW_SORTS_BY_PRIORITY * policy.sorts_by_priority
                | _interface.TW_SEES_CRITICAL * policy.sees_critical
                | _interface.TW_POP_ONLY_TAKES * policy.pop_only_takes
            )
            about.own_policy = ctypes.pointer(table)
        if eviction is not None:
            table = self._table(eviction, Eviction, _interface.tw_eviction, _interface.TW_EVICTION_ABI)
            table.flags = _interface.TW_EVICTS_ALL * eviction.evicts_all
            about.own_eviction = ctypes.pointer(table)

    def __exit__(self, *_: object) -> None:
        """The run has ended: its view tells nothing more, and the policies may serve other runs."""
        with Bridge._lock:
            Bridge._busy.difference_update(map(id, self.objects))
        self._end_view()
        self.exception = None

    def _table(self, own: Any, base: type, structure: Any, abi: int) -> Any:
        """The structure that the library reads: functions that the subclass lacks are NULL."""
        table = structure(abi=abi, name=encoded(_name(own)), summary=b"a policy in Python")
        wraps = {"init": self._init, "finish": self._finish, "pop": self._pop, "victim": self._victim}
        for member, kind in structure._fields_:
            missing = getattr(base, member, None)
            function = getattr(own, member, None)
            if missing and issubclass(kind, ctypes._CFuncPtr):  # type: ignore[attr-defined]
                if member in Bridge._MANDATORY or getattr(function, "__func__", function) not in (missing, None):
                    if not callable(function):
                        raise TypeError(f"{_name(own)}: {member}: expected a function, not {function!r}")
                    setattr(table, member, kind(wraps.get(member, self._event)(function, own)))
        return table

    def _fail(self, exception: BaseException, pointer: int, own: Any) -> None:
        """Keeps the exception and ends the run. Functions of policies are not called any more, as there is no view."""
        self.exception = self.exception or exception
        self._end_view()
        try:
            text = f"{_name(own)}: {type(exception).__name__}: {exception}"
        except BaseException:  # of its __str__
            text = f"{type(own).__name__}: {type(exception).__name__}"
        quick.tw_abort_run(pointer, " ".join(text.split()).encode(errors="replace")[:400])

    def _end_view(self) -> None:
        if self._view is not None:
            del self._view.graph._pointer
            self._view = None

    # The functions below are called for each event of a run: they are short, as Python's time is most of theirs. The
    # view has the run in them alone: other threads must not ask while the library changes the run. Nor may a method
    # call anything between its look at `_pointer` and the library, as that may switch threads.

    def _init(self, function: Callable[..., Any], own: Any) -> Callable[..., int]:
        def init(pointer: int, _state: int, _error: Any) -> int:
            try:
                if self._view is None and self.exception is None:
                    self._view = Sched(pointer, self._scene)
                finish(pointer, 0)
            except BaseException as exception:
                self._fail(exception, pointer, own)
            return 0 if self.exception is None else _interface.TW_INVALID

        finish = self._finish(function, own)
        return init

    def _finish(self, function: Callable[..., Any], own: Any) -> Callable[..., None]:
        def finish(pointer: int, _state: int) -> None:
            event(pointer, 0, 0, 0)

        event = self._event(lambda view, *_: function(view), own)

        return finish

    def _event(self, function: Callable[..., Any], own: Any) -> Callable[..., None]:
        def event(pointer: int, _state: int, item: int, place: int) -> None:
            view = self._view
            if view is not None:
                try:
                    view._depth += 1
                    view._pointer = pointer
                    function(view, item, place)
                except BaseException as exception:
                    self._fail(exception, pointer, own)
                finally:
                    view._depth -= 1
                    if not view._depth:
                        del view._pointer

        return event

    def _pop(self, function: Callable[..., Any], own: Any) -> Callable[..., int]:
        def pop(pointer: int, _state: int, worker: int) -> int:
            view = self._view
            if view is None:
                return -1
            try:
                view._depth += 1
                view._pointer = pointer
                task = function(view, worker)
                if type(task) is int and -1 <= task < view._tasks:
                    return task
                return _number(task, "task", own, view._tasks)
            except BaseException as exception:
                self._fail(exception, pointer, own)
                return -1
            finally:
                view._depth -= 1
                if not view._depth:
                    del view._pointer

        return pop

    def _victim(self, function: Callable[..., Any], own: Any) -> Callable[..., int]:
        def victim(pointer: int, _state: int, node: int, query: Any) -> int:
            view = self._view
            if view is None:
                return -1
            victims = Victims(query.contents, view._data)
            try:
                view._depth += 1
                view._pointer = pointer
                data = _number(function(view, node, victims), "handle", own, view._data)
                if data != NONE and not victims.may_evict(data):
                    raise Invalid(f"{_name(own)}: victim returned {data}, whose copy on node {node} may not leave now")
                return data
            except BaseException as exception:
                self._fail(exception, pointer, own)
                return -1
            finally:
                del victims._query
                view._depth -= 1
                if not view._depth:
                    del view._pointer

        return victim


def _name(own: Any) -> str:
    return str(own.name or type(own).__name__)


def _number(result: Any, what: str, own: Any, n: int) -> int:
    """The number that a policy returned; numpy's are fine."""
    function = "pop" if what == "task" else "victim"
    try:
        number = None if isinstance(result, bool) else operator.index(result)
    except TypeError:
        number = None
    if number is not None and NONE <= number < n:
        return number
    wrong = f"{_name(own)}: {function} returned {reprlib.repr(result)}"
    if number is None:
        raise TypeError(f"{wrong}, a {type(result).__name__}: expected the number of a {what}, or NONE (-1)")
    raise Invalid(f"{wrong}: expected the number of a {what}, from 0 to {n - 1}, or NONE (-1)")
