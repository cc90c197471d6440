"""Users who do what nobody should: each gets an exception with a clear text, no crash, and the next run works."""

import copy
import gc
import os
import pickle
import random
import signal
import subprocess
import sys
import threading
import time

import numpy
import policies
import pytest

import tilewright as tw


@pytest.fixture(scope="module")
def scene():
    return tw.Scene(tw.Platform("mirage", cpus=4, gpus=2, gpu_mem="80MiB"), "cholesky:nt=10")


@pytest.fixture(autouse=True)
def quiet(capfd):
    """Nothing is printed: ctypes, threads and finalizers print the exceptions that they drop."""
    yield
    assert capfd.readouterr().err == ""


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


# --- re-entrancy, threads and processes -------------------------------------------------------------------------------


def test_runs_within_runs_and_collections(scene):
    inner = []

    class Nested(policies.Eager):
        def push(self, s, task, released_by):
            if task % 50 == 0:
                inner.append(tw.simulate("mirage", "cholesky:nt=3", policies.Dmda).makespan)
                inner.append(scene.run("dmdas").makespan)
                gc.collect()
            super().push(s, task, released_by)

    assert scene.run(Nested).makespan == scene.run("eager").makespan and len(set(inner)) == 2


def test_objects_may_die_during_their_run():
    owner = [tw.Platform("mirage", cpus=2, gpus=1), tw.Graph()]
    for _ in range(10):
        owner[1].submit("x", seconds=1.0)
    owner.append(tw.Scene(*owner))

    class Kills(policies.Eager):
        def pop(self, s, worker):
            owner.clear()
            gc.collect()
            return super().pop(s, worker)

    run = owner[-1].run(Kills)
    gc.collect()
    assert len(run.tasks) == 10 and run.row["tasks"] == 10


def in_threads(n, function):
    failures = []

    def work():
        try:
            function()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures


def test_one_object_in_many_threads(scene):
    own, ends = policies.Eager(), []

    def work():
        for _ in range(10):
            try:
                ends.append(scene.run(own).makespan)
            except tw.Invalid as error:
                assert "in another run" in str(error)

    assert in_threads(6, work) == [] and len(set(ends)) == 1


def test_one_run_in_many_threads(scene):
    for _ in range(5):
        run = scene.run("dmda")
        assert in_threads(6, lambda: (run.tasks, run.transfers, run.memory, run.row, pickle.dumps(run))) == []


def test_one_graph_in_many_threads(scene):
    graph = tw.Graph()
    handle = graph.data(8)

    def work():
        for _ in range(200):
            graph.submit("x", [(handle, tw.RW)], seconds=1e-3)

    assert in_threads(6, work) == [] and len(graph) == 1200
    assert in_threads(6, lambda: tw.Scene(scene.platform, graph).run("eager")) == []


def test_copies_live_on(scene):
    for duplicate in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        original = tw.Scene(tw.Platform("mirage", cpus=4, gpus=2, gpu_mem="80MiB"), "cholesky:nt=10")
        made = duplicate(original)
        run = duplicate(original.run("eager"))
        del original
        gc.collect()
        assert made.run("eager").makespan == run.makespan == scene.run("eager").makespan
    with pytest.raises(tw.Invalid) as caught:
        scene.run("dmdaz")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_forks(scene):
    on, expected = True, scene.run(policies.Eager).makespan

    def busy():
        while on:
            scene.run(policies.Dmda)

    thread = threading.Thread(target=busy)
    thread.start()
    for _ in range(10):
        child = os.fork()
        if child == 0:
            ends = {scene.run(policies.Eager).makespan, scene.run("eager", place="process").makespan}
            os._exit(0 if ends == {expected} else 1)
        assert os.waitpid(child, 0)[1] == 0
    on = False
    thread.join()


# --- signals ----------------------------------------------------------------------------------------------------------


class Stuck(policies.Eager):
    def pop(self, s, worker):
        while True:
            pass


class Asleep(policies.Eager):
    def pop(self, s, worker):
        time.sleep(1)
        return tw.NONE


class StuckInInit(policies.Eager):
    def init(self, s):
        while True:
            pass


@pytest.fixture(scope="module")
def great():
    return tw.Scene(tw.Platform("mirage", cpus=9, gpus=3), "cholesky:nt=80")


@pytest.mark.parametrize(
    "about",
    [("dmdas",), ("hfp",), ("eager", policies.Lru), (policies.Dmda,), (policies.Eager,), (Stuck,), (Asleep,)]
    + [(StuckInInit,), ("dmdas", {"place": "process"}), ("dmdas", {"engine": "simgrid"})],
    ids=lambda about: " ".join(str(getattr(word, "__name__", word)) for word in about),
)
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGALRM])
def test_an_exception_of_a_signal_handler_ends_a_run_in_time(great, about, kind):
    given = [word for word in about if not isinstance(word, dict)]
    options = {name: value for word in about if isinstance(word, dict) for name, value in word.items()}
    sent = []

    def handler(number, frame):
        sent.append(time.monotonic())
        raise TimeoutError("time is over")

    before = signal.signal(kind, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.15) if kind == signal.SIGALRM else threading.Timer(
            0.15, os.kill, (os.getpid(), kind)
        ).start()
        with pytest.raises(TimeoutError, match="time is over"):
            while True:
                great.run(*given, records=False, **options)
        took = time.monotonic() - sent[0]
    finally:
        signal.signal(kind, before)
    assert took < 1, took  # 0.2 s on an idle machine
    assert tw.simulate("mirage", "cholesky:nt=4", policies.Eager).makespan > 0


def test_an_interrupt_ends_the_making_of_a_scene():
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.1, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            tw.Scene("mirage", "cholesky:nt=130")
    assert time.monotonic() - sent[0] < 1  # 0.2 s on an idle machine


STORM = """
import os, random, signal, sys, threading, time
sys.path.insert(0, {folder!r})
import policies
import tilewright as tw
scene = tw.Scene(tw.Platform("mirage", cpus=4, gpus=2), "cholesky:nt=4")
expected = scene.run(policies.Dmda).makespan
sys.unraisablehook = threading.excepthook = lambda about: None  # of a finalizer that is interrupted
on, runs, interrupts = True, 0, 0
def storm():
    choose = random.Random(7)
    while on:
        time.sleep(choose.random() / 300)
        os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=storm)
def all_runs():
    global runs, interrupts
    while runs < 300:
        try:
            assert scene.run(["dmdas", policies.Eager, policies.Dmda, "lws"][runs % 4]).row["tasks"] == 20
            runs += 1
        except KeyboardInterrupt:
            interrupts += 1
def until_it_works(function):
    while True:
        try:
            return function()
        except KeyboardInterrupt:
            pass
until_it_works(thread.start)
until_it_works(all_runs)
on = False
until_it_works(thread.join)
until_it_works(lambda: time.sleep(0.2))
assert interrupts > 10 and scene.run(policies.Dmda).makespan == expected
"""

EXIT = """
import sys, threading, time
sys.path.insert(0, {folder!r})
import policies
import tilewright as tw
scene = tw.Scene(tw.Platform("mirage", cpus=4, gpus=2), "cholesky:nt=40")
for policy in ("dmdas", policies.Dmda):
    threading.Thread(target=lambda: [scene.run(policy) for _ in range(100)], daemon=True).start()
time.sleep(0.2)
"""


@pytest.mark.parametrize("program", [STORM, EXIT], ids=["interrupts at any time", "exit while runs go on"])
@pytest.mark.parametrize("options", [[], ["-X", "dev", "-bb"]], ids=["plain", "dev"])
def test_a_program_ends_well(program, options):
    text = program.format(folder=os.path.dirname(__file__))
    ended = subprocess.run([sys.executable, *options, "-c", text], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr


def test_small_stacks_of_threads():
    text = "import threading, tilewright as tw\nthreading.stack_size(32768)\n"
    text += "print(tw.simulate('mirage', 'cholesky:nt=4', 'dmdas').makespan, threading.stack_size())"
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0 and ended.stdout.endswith(" 32768\n"), ended.stderr


# --- graphs -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "build",
    [
        lambda graph: graph.submit("x", [(2**32, tw.R)], seconds=1),
        lambda graph: graph.submit("x", [(0, 2**32 + tw.R)], seconds=1),
        lambda graph: graph.submit("x", priority=2**40 + 5, seconds=1),
        lambda graph: graph.submit("x", priority="high", seconds=1),
        lambda graph: graph.submit("x", after=[2**32], seconds=1),
        lambda graph: graph.submit(2**32, seconds=1),
        lambda graph: graph.submit("x", seconds={"processors": "a"}),
        lambda graph: graph.submit("x", seconds={5: 1}),
        lambda graph: graph.submit("x", after=["a"], seconds=1),
        lambda graph: graph.submit("a\0b", seconds=1),
        lambda graph: graph.data(-1),
        lambda graph: graph.data(2**64),
        lambda graph: graph.kernel("z", flops="x"),
    ],
)
def test_a_refused_call_changes_no_graph(scene, build):
    graph = tw.Graph()
    graph.data(8)
    graph.submit("y", [(0, tw.RW)], seconds=1)
    with pytest.raises(Exception, match="."):
        build(graph)
    assert len(graph) == 1 and tw.simulate(scene.platform, graph, "eager").makespan > 1


def test_any_nodes_of_networkx(scene):
    networkx = pytest.importorskip("networkx")
    g = networkx.MultiDiGraph()
    for node in ("a", "b", ("a", "b"), "c", frozenset([1]), float("nan"), tw.Graph):
        g.add_node(node, seconds=1)
    g.add_edge("a", "b", bytes=5)
    g.add_edge("a", "b", bytes=7)
    g.add_edge(("a", "b"), "c")
    view = tw.Graph.from_networkx(g).finish()
    assert view.accesses(0) == [(0, tw.W), (1, tw.W)] and view.accesses(1) == [(0, tw.R), (1, tw.R)]
    assert view.successors(0) == [1] and view.successors(2) == [3] and view.accesses(3) == []
    for edge in (("b", "a"), ("c", "c")):
        g.add_edge(*edge)
        with pytest.raises(tw.Invalid, match="a cycle"):
            tw.Graph.from_networkx(g)
        g.remove_edge(*edge)
    for wrong in (5, None, "g", tw.Graph()):
        with pytest.raises(TypeError, match="expected a DiGraph"):
            tw.Graph.from_networkx(wrong)


@pytest.mark.parametrize(
    "form",
    [
        lambda array: array[::-1][::-1],
        lambda array: numpy.repeat(array, 2)[::2],
        lambda array: array.astype(array.dtype.newbyteorder(">")),
        lambda array: array.tolist(),
        lambda array: numpy.frombuffer(array.tobytes(), array.dtype),  # not writeable
        lambda array: array.astype("float64") if array.dtype.kind == "f" else array.astype("int16"),
    ],
)
def test_arrays_of_any_form(scene, form):
    about = dict(
        kernel=[0, 0], data_bytes=[8], first_access=[0, 1, 2], data=[0, 0], mode=[tw.W, tw.R], seconds=[1.0, 2]
    )
    graph = tw.Graph.from_arrays(["x"], **{name: form(numpy.array(values)) for name, values in about.items()})
    assert 3 <= tw.simulate(scene.platform, graph, "eager").makespan < 3.1


@pytest.mark.parametrize("seed", range(200))
def test_random_arrays(scene, seed):
    choose = random.Random(seed)
    about = dict(
        kernel=[0, 0], data_bytes=[8], first_access=[0, 1, 2], data=[0, 0], mode=[tw.W, tw.R], seconds=[1.0, 2]
    )
    about |= dict(priority=[0, 1], first_dependency=[0, 0, 1], depends_on=[0])
    wild = [-1, 2**31, -(2**63), 2**63 - 1, 2**64, 3, 255, 256, 1.5, "a", None, [], numpy.nan, numpy.inf, True]
    for name in choose.sample(sorted(about), choose.randint(1, 3)):
        values = list(about[name])
        if choose.random() < 0.7:
            values[choose.randrange(len(values))] = choose.choice(wild)
        else:
            values = choose.choice([values[:-1], values * 2, [values], [], None, 5, numpy.array(values, object)])
        about[name] = values
    try:
        tw.simulate(scene.platform, tw.Graph.from_arrays(["x"], **about), "eager")
    except (tw.Invalid, ValueError, TypeError, OverflowError) as error:
        assert str(error)


@pytest.mark.parametrize(
    "first", [[0, 2**62, 2, 2], [0, (2**64 + 2) // 3, -((2**64) // 3), 2], [0, -1, 1, 2], [1, 1, 1, 2]]
)
def test_indices_that_overflow(first):
    with pytest.raises(tw.Invalid, match="first_access: expected ascending"):
        tw.Graph.from_arrays(["x"], [0] * 3, [8], numpy.array(first), [0, 0], [tw.R, tw.R], seconds=1)


@pytest.mark.parametrize("analysis", [tw.explain, tw.validate, lambda run: tw.diff(run, run)])
def test_analyses_of_runs_alone(scene, analysis):
    graph = tw.Graph()
    graph.submit("x", seconds=1)
    for wrong in (5, None, "run", scene, graph, scene.platform):
        with pytest.raises(TypeError, match="expected a Run"):
            analysis(wrong)


# --- options and surroundings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{"colour": 1}, {"seed": -1}, {"seed": 2**70}, {"seed": "é"}, {"noise": "a" * 10**6}, {"noise": "\0"}, {"": 5}]
    + [{"_": 5}, {"a=b": 1}, {"place": []}, {"place": None}, {"trace": 5}, {"trace": "/no/x.json"}, {"trace": "\0"}]
    + [{"explain": True}, {"seed": True}, {"cpus": 3}, {"eviction": 5}, {"time_limit": 0}, {"validate": "maybe"}],
    ids=lambda options: repr(options)[:30],
)
def test_wrong_options(scene, options):
    with pytest.raises((tw.Invalid, TypeError)) as caught:
        scene.run("eager", **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments", [(5, "cholesky:nt=2"), (None, "cholesky:nt=2"), ("mirage", 5), ("mirage", tw.Graph), ("mirage", {})]
)
def test_no_scene(arguments):
    with pytest.raises(TypeError, match="expected a"):
        tw.Scene(*arguments)


@pytest.mark.parametrize(
    "surroundings",
    ["env -u HOME", "env TILEWRIGHT_PLATFORMS=/nowhere", "env TERM= LC_ALL=C", "eval exec <&- >&- 2>&-;"]
    + ["eval ulimit -n 16;", "eval mkdir -p $DIR; cd $DIR; rmdir $DIR;"],
)
def test_surroundings(surroundings, tmp_path):
    program = (
        "import tilewright as tw\ntry:\n    assert tw.simulate('mirage', 'cholesky:nt=4', 'dmdas').makespan > 0\n"
    )
    program += "except tw.Invalid as error:\n    assert '/nowhere' in str(error)"
    command = f"""{surroundings.removeprefix("eval ")} {sys.executable} -c "{program}" """
    ended = subprocess.run(["bash", "-c", command], env={**os.environ, "DIR": str(tmp_path / "gone")}, timeout=60)
    assert ended.returncode == 0
