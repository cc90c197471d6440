"""Runs, their results, and the exceptions that end them."""

import gc
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback

import numpy
import pandas
import policies
import pytest

import tilewright as tw


@pytest.fixture(scope="module")
def scene():
    return tw.Scene(tw.Platform("mirage", cpus=9, gpus=3), "cholesky:nt=10")


def command(*words):
    from tilewright._library import COMMAND

    return subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout


def test_a_row_is_that_of_the_command(scene):
    row = scene.run("dmdas", seed=4).row
    header, line = command(
        "run",
        "--platform",
        "mirage",
        "--workload",
        "cholesky:nt=10",
        "--policy",
        "dmdas",
        "--cpus",
        "9",
        "--gpus",
        "3",
        "--seed",
        "4",
        "--format",
        "csv",
    ).splitlines()
    given = dict(zip(header.split(","), line.split(",")))
    for name in ("makespan_s", "gflops", "transferred_bytes", "idle_ratio", "identity"):
        assert str(row[name]) == given[name] or row[name] == float(given[name])


def test_clusters(tmp_path):
    network = ("--bandwidth", "4GBps", "--latency", "1us")
    command("platform", "cluster", "--node", "mirage", "--count", "2", *network, "-o", str(tmp_path / "two"))
    scene = tw.Scene(tw.Platform(str(tmp_path / "two" / "platform.xml"), distribution="rows"), "cholesky:nt=6")
    run = scene.run("dmdas", validate=True)
    assert run.row["nodes"] == 2 and run.row["distribution"] == "rows" and run.row["messages"] > 0
    assert {name.split(".")[0] for name in run.tasks.worker} == {"node0", "node1"}
    twin = {name: scene.run(name, validate=True).makespan for name in ("eager", "dmda", "eager+1=dmda", "dmda+0=eager")}
    assert len(set(twin.values())) == 3
    assert scene.run(policies.Eager, policies.Lru, validate=True).makespan == twin["eager"]
    assert scene.run(lambda: policies.Dmda()).makespan == twin["dmda"]
    assert scene.run({"all": policies.Eager, "1": policies.Dmda()}).makespan == twin["eager+1=dmda"]
    mixed = scene.run({"all": "dmda", "node0": policies.Eager()})
    assert mixed.makespan == twin["dmda+0=eager"] and mixed.row["policy"] == "dmda+node0=Eager"
    one = policies.Eager()
    for own, message in (
        ({"policy": one}, "Eager: this object is on two nodes of a cluster: .* expected a class, or a function"),
        ({"eviction": policies.Lru()}, "Lru: this object is on two nodes"),
        ({"policy": lambda: one}, "Eager: the same object for two nodes of a cluster"),
        ({"policy": iter([policies.Eager(), policies.Dmda()]).__next__}, "expected objects of one class"),
        ({"policy": {"1": one, "all": "eager"}}, "policy: expected 'all' first"),
    ):
        with pytest.raises(tw.Invalid, match=message):
            scene.run(**own)
    with pytest.raises(TypeError, match="or what makes objects"):
        scene.run(lambda: 3)
    table = tw.sweep(str(tmp_path / "two" / "platform.xml"), "cholesky:nt=6", [policies.Eager, lambda: policies.Dmda()])
    assert set(table.policy) == {"Eager", "Dmda"} and (table.nodes == 2).all()
    assert scene.run("dmdas").makespan == run.makespan
    tasks, messages = run.tasks, run.messages
    assert all(f"node{rank}" == name.split(".")[0] for rank, name in zip(tasks["rank"], tasks.worker))
    assert len(messages) == run.row["messages"] and messages.bytes.sum() == run.row["network_bytes"]
    assert (messages["from"] != messages["to"]).all() and (messages.start_s < messages.end_s).all()
    assert len(messages) + run.row["transfers"] == len(run.transfers)
    pandas.testing.assert_frame_equal(pickle.loads(pickle.dumps(run)).messages, messages)


def test_tables(scene):
    run = scene.run("dmda")
    tasks, transfers, memory = run.tasks, run.transfers, run.memory
    assert "rank" not in tasks and run.messages.empty
    assert len(tasks) == 220 and tasks.end_s.max() == pytest.approx(run.makespan, abs=1e-9)
    assert (
        tasks.start_s.is_monotonic_increasing and (tasks.ready_s <= tasks.start_s).all() and not tasks.cancelled.any()
    )
    assert set(tasks.kernel.cat.categories) == {"potrf", "trsm", "syrk", "gemm"}
    assert set(tasks.worker) <= {worker.name for worker in scene.platform.workers}
    assert len(transfers) == run.row["transfers"] and transfers.bytes.sum() == run.row["transferred_bytes"]
    assert (
        set(transfers.cause) <= {"task", "prefetch", "idle", "eviction"}
        and (transfers["from"] != transfers["to"]).all()
    )
    assert set(memory.node) <= {node.name for node in scene.platform.nodes} and memory.bytes.max() > 0


def test_a_run_can_be_pickled(scene):
    run = scene.run(policies.Dmda)
    copy = pickle.loads(pickle.dumps(run))
    assert copy.row == run.row and copy.makespan == run.makespan
    for name in ("tasks", "transfers", "memory"):
        pandas.testing.assert_frame_equal(getattr(copy, name), getattr(run, name))
    platform = pickle.loads(pickle.dumps(scene.platform))
    assert platform.workers == scene.platform.workers


def test_places(scene, tmp_path):
    here = scene.run("dmdas", place="here")
    assert numpy.array_equal(scene.run("dmdas", place="process").task_array, here.task_array)
    assert scene.run("dmdas", engine="simgrid").makespan == here.makespan
    with pytest.raises(tw.Invalid, match="its engine runs once in a process"):
        scene.run("dmdas", engine="simgrid", place="here")
    with pytest.raises(tw.Invalid, match="in this process"):
        scene.run(policies.Eager, place="process")
    for options in ({"engine": "simgrid"}, {"time_limit": 60}):  # no callbacks of Python in a forked child
        with pytest.raises(tw.Invalid, match="cannot take place in this process"):
            scene.run(policies.Eager, **options)
    scene.run("dmdas", trace=tmp_path / "run.json")
    assert (tmp_path / "run.json").stat().st_size > 1000
    assert "makespan" in scene.run("dmdas", explain="text").explanation


def test_errors_are_those_of_the_library(scene):
    with pytest.raises(tw.Invalid, match="unknown platform 'mirrage'.*mirage"):
        tw.Platform("mirrage")
    with pytest.raises(tw.Invalid, match="cpus"):
        tw.Platform("mirage", cpus=-3)
    with pytest.raises(tw.Invalid, match="unknown option 'colour'|colour"):
        scene.run("dmdas", colour="red")
    with pytest.raises(tw.Invalid, match="unknown policy 'dmdaz'"):
        scene.run("dmdaz")
    with pytest.raises(ValueError):  # an Invalid is one
        tw.Scene(scene.platform, "cholesky:nt=-1")
    with pytest.raises(TypeError):
        tw.Platform(7)


def test_a_refused_call_does_not_keep_its_policy(scene):
    policy = policies.Eager()
    with pytest.raises(TypeError):
        scene.run(policy, trace=3)
    policy.name = "a\0b"
    with pytest.raises(tw.Invalid, match="zero bytes"):
        scene.run(policy)
    policy.name = "mine"
    assert scene.run(policy).makespan > 0


def test_a_failed_run_has_no_makespan(scene):
    class Idle(policies.Eager):
        def pop(self, s, worker):
            return tw.NONE

    with pytest.raises(tw.Failed) as failure:
        scene.run(Idle)
    assert "Idle: nan s" in repr(failure.value.run)


class Counting(policies.Eager):
    """Raises in the function `where`, at its call number `n`."""

    def __init__(self, where, n):
        self.where, self.n = where, n

    def __getattribute__(self, name):
        get = super().__getattribute__
        if name not in ("init", "push", "pop", "started", "done", "finish") or name != get("where"):
            return get(name)

        def function(s, *numbers):
            self.n -= 1
            if self.n == 0:
                raise KeyError(f"in {name}")
            return get(name)(s, *numbers)

        return function


@pytest.mark.parametrize("n", [1, 2, 50])
@pytest.mark.parametrize("where", ["init", "push", "pop", "started", "done", "finish"])
def test_an_exception_ends_the_run(scene, where, n):
    if where in ("init", "finish") and n > 1:
        pytest.skip("it is called once")
    with pytest.raises(KeyError, match=f"in {where}") as caught:
        scene.run(Counting(where, n))
    assert any(frame.name == "function" for frame in traceback.extract_tb(caught.value.__traceback__))
    assert scene.run(policies.Eager).makespan == scene.run("eager").makespan


@pytest.mark.parametrize("result", [1.5, None, True, "3", 10**12, -2, [1], math.nan])
def test_nonsense_is_refused_with_the_policys_name(scene, result):
    class Nonsense(policies.Eager):
        def pop(self, s, worker):
            return result if super().pop(s, worker) != tw.NONE else tw.NONE

    with pytest.raises((TypeError, tw.Invalid), match="^Nonsense: pop returned"):
        scene.run(Nonsense)


def test_a_task_that_was_not_pushed_is_refused(scene):
    class Twice(policies.Eager):
        def pop(self, s, worker):
            return 0

    class Never(policies.Eager):
        def pop(self, s, worker):
            return tw.NONE

    class Far(policies.Eager):
        def pop(self, s, worker):
            return 219

    for kind in (Twice, Never, Far):
        with pytest.raises(tw.Failed, match="policy"):
            scene.run(kind)


def test_numbers_of_numpy_are_numbers(scene):
    class Numpy(policies.Eager):
        def pop(self, s, worker):
            return numpy.int32(super().pop(s, numpy.int64(worker)))

    assert scene.run(Numpy).makespan == scene.run("eager").makespan


def test_calls_with_numbers_that_do_not_exist(scene):
    calls = {
        "task_length": (9999, 0),
        "worker_node": (99,),
        "node_used": (-1,),
        "data_bytes": (10**6,),
        "wake": (-3,),
        "prefetch_task": (0, 77),
        "task_lack": (0, 9),
        "wake_set": ([1, 200],),
        "copies_changed": (-1,),
    }
    seen = []

    class Curious(policies.Eager):
        def finish(self, s):
            for name, numbers in calls.items():
                with pytest.raises(IndexError, match="expected a number from 0 to"):
                    getattr(s, name)(*numbers)
                seen.append(name)

    scene.run(Curious)
    assert seen == list(calls)


def test_all_that_a_policy_may_ask(scene):
    seen = {}

    class Curious(policies.Eager):
        def done(self, s, task, worker):
            seen["accesses"] = s.task_accesses(task)
            seen["lack"] = s.task_lack(task, s.worker_node(worker))
            seen["changed"] = s.copies_changed(1)
            seen["slowed"] = s.data_transfer_times_slowed(0, 2.0)
            seen["times"] = s.task_transfer_times(task)
            seen["time"] = [s.task_transfer_time(task, node) for node in range(s.n_nodes())]
            seen["running"] = s.running_task(0)
            seen["kernel"] = s.graph.kernel_name(s.graph.task_kernel(task))
            seen["after"] = s.graph.successors(0)
            s.wake_set(range(s.n_workers()))

        def finish(self, s):
            s.report("answer", 42)
            self.view = s

    policy = Curious()
    run = scene.run(policy)
    assert run.row["counters"] == "answer=42" and seen["kernel"] == "potrf" and seen["lack"] == (0, 0, 0)
    assert len(seen["slowed"]) == 4 and seen["after"][0] == 1 and seen["accesses"]
    assert seen["times"] == seen["time"]
    with pytest.raises(tw.Error, match="the run has ended"):
        policy.view.now()
    with pytest.raises(tw.Error, match="the run has ended"):
        policy.view.graph.n_tasks()


def test_an_object_is_in_one_run_at_a_time(scene):
    class Nested(policies.Eager):
        def done(self, s, task, worker):
            scene.run(self)

    with pytest.raises(tw.Invalid, match="in another run"):
        scene.run(Nested())
    policy = policies.Eager()
    assert scene.run(policy).makespan == scene.run(policy).makespan  # in turn


def test_runs_in_threads(scene):
    results = []

    def work():
        for _ in range(5):
            results.append(scene.run(policies.Dmda).makespan)
            results.append(scene.run("dmda").makespan)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 40 and set(results) == {scene.run("dmda").makespan}


@pytest.mark.parametrize("policy", ["dmdas", policies.Dmda, "stuck"])
def test_an_interrupt_ends_a_run_at_once(policy):
    class Stuck(policies.Eager):
        def pop(self, s, worker):
            while True:
                pass

    # A great graph, so that the run takes seconds.
    scene = tw.Scene(tw.Platform("mirage", cpus=9, gpus=3), "cholesky:nt=80")
    sent = []

    def interrupt():
        time.sleep(0.2)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            scene.run(Stuck if policy == "stuck" else policy, records=False, validate=True)
    assert time.monotonic() - sent[0] < 2  # 0.2 s on an idle machine
    assert tw.simulate("mirage", "cholesky:nt=4").makespan > 0


@pytest.mark.parametrize("policy", ["dmda", policies.Dmda, policies.Eager])
def test_no_interrupt_is_lost(policy, monkeypatch):
    """Not even one that is handled at the begin of a callback, whose exceptions ctypes only prints."""
    scene = tw.Scene(tw.Platform("mirage", cpus=9, gpus=3), "cholesky:nt=30")
    lost = []
    monkeypatch.setattr(sys, "unraisablehook", lost.append)
    for i in range(20):
        thread = threading.Timer(0.002 * (i % 7), os.kill, (os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            thread.start()
            while True:
                scene.run(policy, records=False)
        thread.join()
    assert not lost and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_real_kernels():
    """They find the library's functions among the global names of the process."""
    run = tw.simulate("machine", "cholesky:nt=3:nb=64", "dmdas", engine="real", cpus=1)
    assert run.row["status"] == "ok" and len(run.task_array) == 10


GROWTH = """
import gc, os, resource, sys
sys.path.insert(0, {folder!r})
import policies
import tilewright as tw
scene = tw.Scene(tw.Platform("mirage", cpus=4, gpus=2), "cholesky:nt=4")
class Bad(policies.Eager):
    def done(self, s, task, worker):
        raise KeyError
def runs(n):
    for i in range(n):
        run = scene.run([policies.Dmda, "dmdas", policies.Eager, "lws"][i % 4], records=i % 3 == 0)
        run.row
        if i % 3 == 0:
            run.task_array
        if i % 5 == 0:
            try:
                scene.run(Bad)
            except KeyError:
                pass
        if i % 10 == 0:
            tw.simulate("mirage", "cholesky:nt=2")
gc.disable()  # nothing waits for the collector of cycles
runs(300)
before, files = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, os.listdir("/proc/self/fd")
runs({n})
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, len(os.listdir("/proc/self/fd")) - len(files))
"""


def test_runs_leave_nothing():
    """EVERY=1: all 10,000 runs."""
    n = 10000 // int(os.environ.get("EVERY", "5"))
    program = GROWTH.format(folder=os.path.dirname(__file__), n=n)
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    kilobytes, files = map(int, output.split())
    assert kilobytes < 2000 and files == 0, output
