"""Policies that do what nobody should: each gets an exception with a clear text, no crash, and the next run works."""

import copy
import gc
import pickle
import random
import sys
import threading
import time

import numpy
import policies
import pytest
from hostile import quiet, scene  # noqa: F401

import tilewright as tw


# --- exceptions -------------------------------------------------------------------------------------------------------


class Unprintable(Exception):
    def __str__(self):
        raise ValueError("no text")


class Untrue(Exception):
    def __bool__(self):
        return False


EXCEPTIONS = [
    Exception("plain"),
    KeyboardInterrupt(),
    SystemExit(3),
    GeneratorExit(),
    StopIteration(5),
    RecursionError("deep"),
    MemoryError(),
    Unprintable(),
    Untrue(),
    ValueError("zero \0 byte, \n line, \ud800 surrogate, %s %n"),
    OSError(28, "no space"),
    BaseExceptionGroup("several", [KeyError(1)]) if sys.version_info >= (3, 11) else BaseException(),
    ValueError("long " * 100_000),
]
POLICY = ("init", "push", "pop", "started", "done", "data_loaded", "data_evicted", "finish")
EVICTION = ("init", "loaded", "used", "evicted", "victim", "finish")


def raising(base, where, n, exception):
    """An object whose function `where` raises at its call number n."""
    calls = []

    def function(self, s, *numbers):
        calls.append(numbers)
        if len(calls) >= n:
            raise exception
        return getattr(base, where)(self, s, *numbers)

    return type("Raising", (base,), {where: function})(), calls


@pytest.mark.parametrize("exception", EXCEPTIONS, ids=lambda e: type(e).__name__)
def test_every_exception_leaves_every_function(scene, exception):
    expected = scene.run(policies.Dmda, policies.Lru).makespan
    for n in (1, 2, 100):
        for base, names in ((policies.Dmda, POLICY), (policies.Lru, EVICTION)):
            for where in names:
                own, calls = raising(base, where, n, exception)
                given = (own, policies.Lru) if base is policies.Dmda else (policies.Dmda, own)
                if where in ("init", "finish") and n > 1:
                    continue
                with pytest.raises(type(exception)) as caught:
                    scene.run(*given)
                assert caught.value is exception and len(calls) == n, where
                exception.__traceback__ = None
    assert scene.run(policies.Dmda, policies.Lru).makespan == expected


def test_the_last_call_of_a_function_raises_too(scene):
    own, calls = raising(policies.Dmda, "done", 10**9, None)
    scene.run(own)
    own, _ = raising(policies.Dmda, "done", len(calls), KeyError("last"))
    with pytest.raises(KeyError, match="last"):
        scene.run(own)


def test_exceptions_leave_no_references(scene):
    class Bad(policies.Dmda):
        def done(self, s, task, worker):
            raise KeyError(task)

    own = Bad()

    def runs(n):
        for _ in range(n):
            with pytest.raises(KeyError):
                scene.run(own)

    runs(3)
    gc.collect()
    gc.disable()  # nothing waits for the collector of cycles
    try:
        before, uses = len(gc.get_objects()), sys.getrefcount(own)
        runs(50)
        last = time.monotonic() + 10  # the thread that calls the library may still hold the last run
        while sys.getrefcount(own) != uses and time.monotonic() < last:
            time.sleep(0.01)
        assert sys.getrefcount(own) == uses and len(gc.get_objects()) - before < 50
    finally:
        gc.enable()


# --- results of policies ----------------------------------------------------------------------------------------------


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@pytest.mark.parametrize(
    "result",
    [
        1.5,
        None,
        True,
        "3",
        b"3",
        10**30,
        -2,
        -(10**30),
        [1],
        {},
        object(),
        numpy.float64(1),
        numpy.array([1, 2]),
        1j,
    ]
    + [numpy.array(3.5), Index(10**9), Index("x"), Exception("x"), type, lambda: 1, "x" * 10**6],
    ids=lambda result: type(result).__name__,
)
def test_nonsense_has_a_short_message(scene, result):
    class Pops(policies.Eager):
        def pop(self, s, worker):
            return result if super().pop(s, worker) != tw.NONE else tw.NONE

    class Chooses(policies.Lru):
        def victim(self, s, node, victims):
            return result

    for given, function in (((Pops,), "Pops: pop"), ((policies.Dmda, Chooses), "Chooses: victim")):
        with pytest.raises((TypeError, tw.Invalid), match=f"^{function} returned") as caught:
            scene.run(*given)
        assert len(str(caught.value)) < 300 and "\n" not in str(caught.value)


def test_no_task_of_another_worker(scene):
    graph = tw.Graph()
    graph.submit(graph.kernel("gpu", only_on="accelerators"), seconds={"accelerators": 1.0})
    for _ in range(4):
        graph.submit("both", seconds=1.0)

    class Blind(policies.Eager):
        def push(self, s, task, released_by):
            super().push(s, task, released_by)
            s.wake()

        def pop(self, s, worker):
            return self.queue.pop(0) if self.queue and not s.worker_is_accelerator(worker) else tw.NONE

    with pytest.raises(tw.Failed, match="Blind.* task 0.*worker|Blind.* worker .*task 0"):
        tw.simulate(scene.platform, graph, Blind)


@pytest.mark.parametrize("victim", [0, 5, 54])
def test_no_victim_that_may_not_leave(scene, victim):
    class Blind(policies.Lru):
        def victim(self, s, node, victims):
            return victim if not victims.may_evict(victim) else super().victim(s, node, victims)

    with pytest.raises(tw.Invalid, match="Blind: victim returned .* may not leave now"):
        scene.run(policies.Dmda, Blind)


@pytest.mark.parametrize("attributes", [{"name": "a\0b"}, {"eviction": 7}, {"sorts_by_priority": "x"}, {"pop": 5}])
def test_a_refused_object_is_free_again(scene, attributes):
    own = policies.Eager()
    for name, value in attributes.items():
        setattr(own, name, value)
    with pytest.raises((TypeError, tw.Invalid)) as caught:
        scene.run(own)
    assert "another run" not in str(caught.value)
    for name in attributes:
        delattr(own, name)
    assert scene.run(own).makespan == scene.run("eager").makespan


def test_policies_may_be_empty(scene):
    class Empty(policies.Eager):
        def __len__(self):
            return 0

    assert scene.run(Empty).row["policy"] == "Empty"


@pytest.mark.parametrize("wrong", [5, None, int, object, tw.Eviction, policies.Lru(), [], b"eager", 1.5])
def test_no_policy(scene, wrong):
    with pytest.raises(TypeError, match="expected"):
        scene.run(wrong)
    with pytest.raises(TypeError, match="expected"):
        scene.run("eager", policies.Eager if wrong in (None, tw.Eviction) or isinstance(wrong, tw.Eviction) else wrong)


# --- views ------------------------------------------------------------------------------------------------------------


def test_views_that_are_kept_tell_nothing(scene):
    kept = {}

    class Keeps(policies.Lru):
        def victim(self, s, node, victims):
            kept.update(s=s, victims=victims, items=iter(victims), graph=s.graph)
            next(kept["items"], None)
            return super().victim(s, node, victims)

    scene.run(policies.Dmda, Keeps)
    for call in (
        lambda: kept["s"].now(),
        lambda: kept["s"].wake_set([0]),
        lambda: kept["s"].report("a", 1),
        lambda: kept["graph"].successors(0),
        lambda: kept["victims"].may_evict(0),
        lambda: list(kept["victims"]),
        lambda: list(kept["items"]),
    ):
        with pytest.raises(tw.Error, match="has ended"):
            call()
    for view in (kept["s"], kept["victims"], kept["graph"], scene.tasks):
        for duplicate in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied"):
                duplicate(view)


def test_another_thread_may_not_ask_while_the_library_runs(scene):
    views, seen, on = [], {}, True

    class Shares(policies.Dmda):
        def init(self, s):
            super().init(s)
            views.append(s)

    def other():
        while on:
            for call in (
                lambda s: s.prefetch_task(random.randrange(220), random.randrange(s.n_nodes())),
                lambda s: s.wake(),
                lambda s: s.graph.successors(3),
                lambda s: s.task_lack(5, 1),
                lambda s: s.copies_changed(1),
            ):
                try:
                    seen[call(views[-1]) is None] = True
                except (tw.Error, IndexError) as error:
                    seen[type(error)] = True

    thread = threading.Thread(target=other)
    scene.run(Shares)
    thread.start()
    for _ in range(20):
        scene.run(Shares, validate=True)
    on = False
    thread.join()
    assert tw.Error in seen


@pytest.mark.parametrize("argument", [1.5, "0", None, numpy.float32(0), [0], 2**40, -7, 2**70, b"0"])
def test_methods_take_numbers_that_exist(scene, argument):
    names = ["task_length", "worker_node", "task_priority", "data_bytes", "wake", "prefetch_task", "task_accesses"]
    seen = []

    class Wrong(policies.Eager):
        def done(self, s, task, worker):
            for name in names:
                with pytest.raises(Exception) as caught:
                    getattr(s, name)(*(argument, 0)[: 2 if name in ("task_length", "prefetch_task") else 1])
                seen.append(caught.type.__name__)

    scene.run(Wrong)
    assert set(seen) <= {"IndexError", "TypeError", "ArgumentError"} and len(seen) == 220 * len(names)
