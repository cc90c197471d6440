"""Threads, processes and signals at any time: no crash, no hang, and the next run works."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading

import policies
import pytest
from hostile import quiet, scene  # noqa: F401

import tilewright as tw


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


# --- whole programs ---------------------------------------------------------------------------------------------------


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
until_it_works(lambda: thread.ident or thread.start())
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
