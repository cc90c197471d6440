"""Mistakes of newcomers: each gets an exception whose text says what to do."""

import os
import pickle
import subprocess
import sys

import networkx
import pytest

import tilewright as tw

WORDS = "cholesky:nt=4"


class Silent(tw.Policy):
    """It tells nobody that a task is ready."""

    def push(self, s, task, released_by):
        pass

    def pop(self, s, worker):
        return tw.NONE


class NoPop(tw.Policy):
    def push(self, s, task, released_by):
        pass


class NoPush(tw.Policy):
    def pop(self, s, worker):
        return tw.NONE


class NoVictim(tw.Eviction):
    def loaded(self, s, data, node):
        pass


def submitted(**arguments):
    graph = tw.Graph()
    graph.data(8)
    graph.submit("x", **{"seconds": 1, **arguments})
    return graph.finish()


def arrays(**change):
    one = {"kernels": ["a"], "kernel": [0], "data_bytes": [8], "first_access": [0, 1], "data": [0], "mode": [tw.R]}
    return tw.Graph.from_arrays(**{**one, "seconds": 1, **change})


def swept(*arguments, **options):
    return tw.sweep("mirage", WORDS, *(arguments or ["eager"]), progress=False, **options)


MISTAKES = {
    "no pop": (lambda: tw.simulate("mirage", WORDS, NoPop()), TypeError, "NoPop has no function pop"),
    "no push": (lambda: tw.simulate("mirage", WORDS, NoPush), TypeError, "NoPush has no function push"),
    "no victim": (lambda: tw.simulate("mirage", WORDS, eviction=NoVictim()), TypeError, "no function victim"),
    "no wake": (lambda: tw.simulate("mirage", WORDS, Silent()), tw.Failed, "since: s.wake is missing"),
    "memory": (lambda: tw.simulate("mirage", WORDS, gpu_mem="1MiB"), tw.Invalid, "with option 'gpu_mem=32MiB'$"),
    "explain": (lambda: tw.simulate("mirage", WORDS, explain=True), tw.Invalid, "explain True: expected 'text' or"),
    "networkx": (lambda: tw.Scene("mirage", networkx.DiGraph()), TypeError, "DiGraph: see Graph.from_networkx"),
    "one access": (lambda: submitted(accesses=(0, tw.R)), TypeError, r"0: expected a pair, as in \[\(handle, tw.R\)\]"),
    "a handle": (lambda: submitted(accesses=0), TypeError, "accesses: 0: expected a list of pairs"),
    "mode": (lambda: submitted(accesses=[(0, "R")]), TypeError, "'R': expected a mode such as tw.R"),
    "no mode": (lambda: submitted(accesses=[(0, 77)]), tw.Invalid, "expected a mode: R, W, RW, SCRATCH or REDUX"),
    "after": (lambda: submitted(after=0), TypeError, "after: 0: expected a list of tasks"),
    "unit": (lambda: submitted(seconds="1ms"), TypeError, "'1ms': expected seconds, a number, not str"),
    "kernels": (lambda: arrays(kernels="gemm"), TypeError, "kernels: 'gemm': expected a list of names"),
    "dependencies": (lambda: arrays(depends_on=[0]), tw.Invalid, "expected both of first_dependency and depends_on"),
    "column": (lambda: tw.simulate("mirage", WORDS).row["makespan"], KeyError, "did you mean 'makespan_s'"),
    "member": (lambda: tw.describe(WORDS)["n_tasks"], KeyError, "did you mean 'tasks'"),
    "seed": (lambda: swept(seed=[1, 2]), tw.Invalid, "option 'seed': expected it as seeds"),
    "option": (lambda: swept(gpu_memory="1GiB"), tw.Invalid, "^sweep: unknown option 'gpu_memory': expected one"),
    "no policies": (lambda: swept([]), tw.Invalid, "sweep: policies: an empty list"),
    "no limits": (lambda: swept("eager", gpu_mem=[]), tw.Invalid, "sweep: gpu_mem: an empty list"),
    "plot": (lambda: tw.plot("gflops", tw.simulate("mirage", WORDS)), TypeError, "expected a file, a DataFrame, or a"),
    "empty plot": (lambda: tw.plot("gflops", [{}]), tw.Invalid, "^no column of results: expected a file of"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_has_an_exception_that_helps(name):
    make, kind, text = MISTAKES[name]
    with pytest.raises(kind, match=text) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_exceptions_have_the_name_that_users_catch():
    with pytest.raises(tw.Invalid) as caught:
        tw.Platform("mirrage")
    assert type(caught.value).__module__ == "tilewright"
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), tw.Invalid)


def test_a_sweep_takes_iterators():
    assert len(swept((name for name in ["eager", "lws"]), seeds={1: "a", 2: "b"}.keys())) == 4


def test_the_source_of_the_package_is_none():
    folder = os.path.join(os.environ["SOURCE"], "python")
    words = [sys.executable, "-c", "import tilewright"]
    done = subprocess.run(words, env={**os.environ, "PYTHONPATH": folder}, capture_output=True, text=True)
    assert done.stderr.endswith("expected the built one, in build/python\n")
