"""Policies of Python in a run of the library: the tables of functions that it calls."""

from __future__ import annotations

import ctypes
import operator
import reprlib
import threading
from typing import Any, Callable

from . import _interface
from ._library import Invalid, encoded, quick
from .policy import NONE, Eviction, Policy, Sched, Victims


class _Seat:
    """A policy in a run. Each node of a cluster has an object of its own: the first has `own`, and `make` makes the
    others. `views`: those of nodes, by the pointers that the library gives, while they are in the run."""

    def __init__(self, own: Any, make: Callable[[], Any] | None) -> None:
        self.own, self._make = own, make
        self.views: dict[int, Sched] = {}

    def begin(self, pointer: int, scene: Any) -> None:
        """A node's policy begins."""
        own = self.own
        if self.views:
            if self._make is None:
                raise Invalid(
                    f"{named(own)}: this object is on two nodes of a cluster: each node has a policy of its own: "
                    "expected a class, or a function that makes objects"
                )
            own = self._make()
            if any(own is view._own for view in self.views.values()):
                raise Invalid(f"{named(own)}: the same object for two nodes of a cluster: expected a new one each time")
            if type(own) is not type(self.own):
                kinds = f"a {type(self.own).__name__} and a {type(own).__name__}"
                raise Invalid(f"{named(own)}: {kinds} for two nodes of a cluster: expected objects of one class")
        view = self.views[pointer] = Sched(pointer, scene)
        view._own = own

    def end(self, pointer: int) -> None:
        """The view of a node tells nothing more."""
        view = self.views.pop(pointer, None)
        if view is not None:
            del view.graph._pointer


class Bridge:
    """The functions of policies and of one eviction policy as the library calls them, in one run.

    `policies`: an item for each domain, or group of nodes, or one if there are none; None: the library has that policy.
    Each has a view. `makers`: what makes further objects of each, for other nodes of a cluster; the last one is that of
    the eviction policy.

    ctypes would print an exception of a callback and go on with 0, which is a task. So the first one is kept, ends the
    run, and is raised after it. No function of the policies is called after it."""

    _OWN = ("init", "finish")  # they make and end the view
    _MANDATORY = (*_OWN, "push", "pop", "loaded", "victim")
    _busy: set[int] = set()  # identities of the objects that are in a run
    _lock = threading.Lock()

    def __init__(
        self,
        policies: list[Policy | None],
        eviction: Eviction | None,
        makers: list[Callable[[], Any] | None],
        scene: Any,
    ) -> None:
        self.exception: BaseException | None = None
        self.objects = [own for own in (*policies, eviction) if own is not None]
        self._policies, self._eviction, self._makers, self._scene = policies, eviction, makers, scene
        self._seats: list[_Seat] = []

    def __enter__(self) -> None:
        """A run begins."""
        with Bridge._lock:
            for i, policy in enumerate(self._policies):
                if policy is not None and any(policy is other for other in self._policies[:i]):
                    raise Invalid(f"{named(policy)}: this object is in two domains: expected one object for each")
            for own in self.objects:
                if id(own) in Bridge._busy:
                    raise Invalid(
                        f"{named(own)}: this object is in another run: expected one object for each run at a time"
                    )
            Bridge._busy.update(map(id, self.objects))

    def fill(self, about: _interface.tw_run_options) -> None:
        """Gives the run its policies."""
        eviction = self._eviction
        tables: list[Any] = [
            None if own is None else self._policy_table(own, make) for own, make in zip(self._policies, self._makers)
        ]
        if len(tables) == 1:
            about.own_policy = tables[0]
        elif any(tables):
            self._own = (ctypes.POINTER(_interface.tw_policy) * len(tables))(*tables)  # and what it points to
            about.own_policies = ctypes.cast(self._own, ctypes.c_void_p)
            about.n_own_policies = len(tables)
        if eviction is not None:
            table = self._table(
                eviction, self._makers[-1], Eviction, _interface.tw_eviction, _interface.TW_EVICTION_ABI
            )
            table.flags = _interface.TW_EVICTS_ALL * eviction.evicts_all
            about.own_eviction = ctypes.pointer(table)

    def _policy_table(self, policy: Policy, make: Callable[[], Any] | None) -> Any:
        table = self._table(policy, make, Policy, _interface.tw_policy, _interface.TW_POLICY_ABI)
        table.eviction = encoded(policy.eviction) if policy.eviction else None
        table.flags = (
            _interface.TW_SORTS_BY_PRIORITY * policy.sorts_by_priority
            | _interface.TW_SEES_CRITICAL * policy.sees_critical
            | _interface.TW_POP_ONLY_TAKES * policy.pop_only_takes
        )
        return ctypes.pointer(table)

    def __exit__(self, *_: object) -> None:
        """The run has ended: its views tell nothing more, and the policies may serve other runs."""
        with Bridge._lock:
            Bridge._busy.difference_update(map(id, self.objects))
        self._end_views()
        self.exception = None

    def _table(self, own: Any, make: Callable[[], Any] | None, base: type, structure: Any, abi: int) -> Any:
        """The structure that the library reads: functions that the subclass lacks are NULL."""
        table = structure(abi=abi, name=encoded(named(own)), summary=b"a policy in Python")
        seat = _Seat(own, make)
        self._seats.append(seat)
        wraps = {"init": self._init, "finish": self._finish, "pop": self._pop, "victim": self._victim}
        wraps["splits"] = self._splits
        for member, kind in structure._fields_:
            missing = getattr(base, member, None)
            function = getattr(own, member, None)
            if missing and issubclass(kind, ctypes._CFuncPtr):  # type: ignore[attr-defined]
                if member in Bridge._MANDATORY or getattr(function, "__func__", function) not in (missing, None):
                    if member not in Bridge._OWN and getattr(function, "__func__", function) is missing:
                        raise TypeError(f"{named(own)} has no function {member}: each {base.__name__} needs one")
                    if not callable(function):
                        raise TypeError(f"{named(own)}: {member}: expected a function, not {function!r}")
                    setattr(table, member, kind(wraps.get(member, self._event)(member, seat)))
        return table

    def _fail(self, exception: BaseException, pointer: int, own: Any) -> None:
        """Keeps the exception and ends the run. No function of policies is called any more, as there are no views."""
        self.exception = self.exception or exception
        self._end_views()
        try:
            text = f"{named(own)}: {type(exception).__name__}: {exception}"
        except BaseException:  # of its __str__
            text = f"{type(own).__name__}: {type(exception).__name__}"
        quick.tw_abort_run(pointer, " ".join(text.split()).encode(errors="replace")[:400])

    def _end_views(self) -> None:
        for seat in self._seats:
            for pointer in list(seat.views):
                seat.end(pointer)

    # The functions below are called for each event of a run: they are short, as Python's time is most of theirs. The
    # view has the run in them alone: other threads must not ask while the library changes the run. Nor may a method
    # call anything between its look at `_pointer` and the library, as that may switch threads. `member`: the name of
    # the function, of the object of the node that calls.

    def _init(self, member: str, seat: _Seat) -> Callable[..., int]:
        def init(pointer: int, _state: int, _error: Any) -> int:
            try:
                if self.exception is None:
                    seat.begin(pointer, self._scene)
                event(pointer, 0)
            except BaseException as exception:
                self._fail(exception, pointer, seat.own)
            return 0 if self.exception is None else _interface.TW_INVALID

        event = self._event(member, seat)
        return init

    def _finish(self, member: str, seat: _Seat) -> Callable[..., None]:
        def finish(pointer: int, _state: int) -> None:
            event(pointer, 0)
            seat.end(pointer)

        event = self._event(member, seat)

        return finish

    def _event(self, member: str, seat: _Seat) -> Callable[..., None]:
        views = seat.views

        def event(pointer: int, _state: int, *items: int) -> None:
            view = views.get(pointer)
            if view is not None:
                try:
                    view._depth += 1
                    view._pointer = pointer
                    getattr(view._own, member)(view, *items)
                except BaseException as exception:
                    self._fail(exception, pointer, seat.own)
                finally:
                    view._depth -= 1
                    if not view._depth:
                        del view._pointer

        return event

    def _pop(self, member: str, seat: _Seat) -> Callable[..., int]:
        views = seat.views

        def pop(pointer: int, _state: int, worker: int) -> int:
            view = views.get(pointer)
            if view is None:
                return -1
            try:
                view._depth += 1
                view._pointer = pointer
                task = getattr(view._own, member)(view, worker)
                if type(task) is int and -1 <= task < view._tasks:
                    return task
                return _number(task, "task", seat.own, view._tasks)
            except BaseException as exception:
                self._fail(exception, pointer, seat.own)
                return -1
            finally:
                view._depth -= 1
                if not view._depth:
                    del view._pointer

        return pop

    def _splits(self, member: str, seat: _Seat) -> Callable[..., bool]:
        views = seat.views

        def splits(pointer: int, _state: int, task: int) -> bool:
            view = views.get(pointer)
            if view is None:
                return False
            try:
                view._depth += 1
                view._pointer = pointer
                return bool(getattr(view._own, member)(view, task))
            except BaseException as exception:
                self._fail(exception, pointer, seat.own)
                return False
            finally:
                view._depth -= 1
                if not view._depth:
                    del view._pointer

        return splits

    def _victim(self, member: str, seat: _Seat) -> Callable[..., int]:
        views = seat.views

        def victim(pointer: int, _state: int, node: int, query: Any) -> int:
            view = views.get(pointer)
            if view is None:
                return -1
            victims = Victims(query.contents, view._data)
            try:
                view._depth += 1
                view._pointer = pointer
                data = _number(getattr(view._own, member)(view, node, victims), "handle", seat.own, view._data)
                if data != NONE and not victims.may_evict(data):
                    name = named(seat.own)
                    raise Invalid(f"{name}: victim returned {data}, whose copy on node {node} may not leave now")
                return data
            except BaseException as exception:
                self._fail(exception, pointer, seat.own)
                return -1
            finally:
                del victims._query
                view._depth -= 1
                if not view._depth:
                    del view._pointer

        return victim


def named(own: Any) -> str:
    """What results call a policy."""
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
    wrong = f"{named(own)}: {function} returned {reprlib.repr(result)}"
    if number is None:
        raise TypeError(f"{wrong}, a {type(result).__name__}: expected the number of a {what}, or NONE (-1)")
    raise Invalid(f"{wrong}: expected the number of a {what}, from 0 to {n - 1}, or NONE (-1)")
