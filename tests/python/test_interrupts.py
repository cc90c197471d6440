"""Ctrl-C, and other signals whose handlers raise exceptions, in the middle of every call that can be long: it ends
in time, and the next call works."""

import csv
import os
import pickle
import signal
import subprocess
import sys
import time
import types

import numpy
import policies
import pytest
from hostile import quiet  # noqa: F401

import tilewright as tw


# --- runs -------------------------------------------------------------------------------------------------------------


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
    in_time(kind, lambda: great.run(*given, records=False, **options))
    assert tw.simulate("mirage", "cholesky:nt=4", policies.Eager).makespan > 0


def in_time(kind, call):
    """Calls until a signal of another process raises an exception. That takes 0.2 s at most on an idle machine: other
    machines may try three times, with more time."""

    def handler(number, frame):
        raise KeyboardInterrupt

    def once():
        words = ["sh", "-c", f"read line; sleep 0.15; date +%s.%N; kill -{int(kind)} {os.getpid()}"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killer:
            last = time.monotonic() + 60
            with pytest.raises(KeyboardInterrupt):
                print(file=killer.stdin, flush=True)
                while time.monotonic() < last:
                    call()
            return time.time() - float(killer.stdout.read())

    before = signal.signal(kind, handler)
    try:
        took = once()
        for _ in range(2):
            took = took if took < 0.5 else once()
    finally:
        signal.signal(kind, before)
    assert took < 0.5, took


# --- other calls ------------------------------------------------------------------------------------------------------


def arrays(n):
    """A graph of n tasks as arrays: each reads the handle of an earlier one, and writes its own."""
    own = numpy.arange(n)
    return dict(
        kernels=["a"],
        kernel=numpy.zeros(n, int),
        data_bytes=numpy.full(n, 1000),
        first_access=2 * numpy.arange(n + 1),
        data=numpy.column_stack([numpy.maximum(own - 1 - own * 7 % 1000, -1) % n, own]).ravel(),
        mode=numpy.tile([tw.R, tw.W], n),
        seconds=numpy.full(n, 1e-4),
    )


LARGE = 400_000


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Objects for which the library needs long."""
    graph = tw.Graph.from_arrays(**arrays(LARGE))
    folder = tmp_path_factory.mktemp("large")
    graph.write(folder / "graph.json")
    scene = tw.Scene(tw.Platform("mirage", cpus=9, gpus=3), "cholesky:nt=90")
    row = tw.simulate("mirage", "cholesky:nt=4").row
    with (folder / "rows.csv").open("w", newline="") as out:
        rows = csv.DictWriter(out, row)
        rows.writeheader()
        rows.writerows({**row, "workload": f"cholesky:nt={n}"} for n in range(4, 30_000))
    return types.SimpleNamespace(
        arrays=arrays(LARGE),
        graph=graph,
        folder=folder,
        pickled=pickle.dumps(graph),
        scene=scene,
        runs=[scene.run("eager"), scene.run("lws")],
        rows=[row] * 15_000,
    )


CALLS = {
    "finish": lambda on: tw.Graph.workload("cholesky:nt=200").finish(),
    "len": lambda on: len(tw.Graph.workload("lu:nt=130")),
    "from_file": lambda on: len(tw.Graph.from_file(on.folder / "graph.json")),
    "from_arrays": lambda on: tw.Graph.from_arrays(**on.arrays).finish(),
    "dumps": lambda on: pickle.dumps(on.graph),
    "loads": lambda on: pickle.loads(on.pickled),
    "write": lambda on: on.graph.write(on.folder / "again.json"),
    "Scene of words": lambda on: tw.Scene("mirage", "cholesky:nt=150"),
    "Scene": lambda on: tw.Scene(on.scene.platform, on.graph),
    "bounds": lambda on: tw.bounds("mirage", "cholesky:nt=6", milp_time=60),
    "bounds of a scene": lambda on: tw.bounds(on.scene),
    "describe": lambda on: tw.describe(on.graph, exact=True),
    "describe a scene": lambda on: tw.describe(on.scene, exact=True),
    "explain": lambda on: tw.explain(on.runs[0]),
    "diff": lambda on: tw.diff(*on.runs),
    "validate": lambda on: tw.validate(on.runs[0]),
    "write_trace": lambda on: tw.write_trace(on.runs[0], on.folder / "trace.json"),
    "gantt": lambda on: on.runs[0].gantt(explain=True),
    "plot": lambda on: tw.plot("gflops", on.folder / "rows.csv"),
    "plot of rows": lambda on: tw.plot("gflops", on.rows),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_signal_ends_a_call_in_time(large, name):
    if name in ("gantt", "plot", "plot of rows"):
        needs_gnuplot()
    in_time(signal.SIGINT, lambda: CALLS[name](large))
    # The same objects serve further calls, while the one that was left ends in the background.
    assert len(large.graph) == LARGE and large.scene.run("dmdas").makespan > 0
    small = tw.Scene("mirage", "cholesky:nt=4")
    run = small.run("eager")
    tw.validate(run)
    assert tw.describe(small)["tasks"] == len(pickle.loads(pickle.dumps(run)).tasks) == 20
    assert tw.bounds(small, milp_time=0)["critical_path_s"] > 0 and tw.explain(run)["policy"] == "eager"


def needs_gnuplot():
    try:
        subprocess.run(["gnuplot", "--version"], stdout=subprocess.DEVNULL)
    except FileNotFoundError:
        pytest.skip("gnuplot is not installed")


# Each waits until the call goes on in the background, and then uses or drops the call's objects. Only the objects of
# the call are large.
BACKGROUND = """
import os, signal, sys, threading
import tilewright as tw
graph = tw.Graph.workload("cholesky:nt={of_graph}")
scene = tw.Scene("mirage", "cholesky:nt=6")
run = tw.simulate("mirage", "cholesky:nt={of_run}")
threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        {call}
except KeyboardInterrupt:
    {then}
"""
SIZES = {  # tiles of the graph and of the run
    "graph.finish()": (220, 4),
    "tw.bounds(scene, milp_time=60)": (4, 4),
    "tw.explain(run)": (4, 110),
}


@pytest.mark.parametrize("then", ["pass", "del graph, scene, run", "assert len(graph) == {n_tasks}"])
@pytest.mark.parametrize("call", SIZES)
def test_a_program_ends_well_while_a_call_goes_on(call, then):
    nt, of_run = SIZES[call]
    then = then.format(n_tasks=nt * (nt + 1) * (nt + 2) // 6)
    program = BACKGROUND.format(call=call, then=then, of_graph=nt, of_run=of_run)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
