"""Policies in Python that are those of scheduling domains."""

import concurrent.futures
import pickle

import policies
import pytest
from test_policies import assert_equal

import tilewright as tw

TWINS = {"eager": policies.Eager, "prio": policies.Prio, "random": policies.Random, "ws": policies.Ws}
TWINS |= {"dm": policies.Dm, "dmda": policies.Dmda}
OPTIONS = {"assign": "gemm=gpus,syrk=gpus", "validate": True}


class Counted(policies.Eager):
    """Counts what it is asked for."""

    def __init__(self):
        self.calls = 0

    def init(self, s):
        super().init(s)
        self.workers, self.pushed, self.placed_there = s.n_workers(), [], []

    def push(self, s, task, released_by):
        assert s.task_is_mine(task) and -1 <= released_by < self.workers
        self.calls += 1
        self.pushed.append(task)
        super().push(s, task, released_by)

    def placed(self, s, task, worker):
        assert 0 <= worker < self.workers and not s.task_is_mine(task)
        self.placed_there.append(task)


@pytest.fixture(scope="module")
def scene():
    return tw.Scene(tw.Platform("mirage", cpus=5, gpus=2, gpu_mem="100MiB"), "cholesky:nt=10")


@pytest.mark.parametrize("cpus, gpus", [("eager", "prio"), ("ws", "dmda"), ("random", "dm"), ("dmda", "random")])
def test_policies_of_domains_have_the_schedules_of_their_twins_in_c(scene, cpus, gpus):
    twins = scene.run(f"cpus=cpu:{cpus}+gpus=gpu:{gpus}", seed=3, **OPTIONS)
    for mine in (
        {"cpus=cpu": TWINS[cpus], "gpus=gpu": TWINS[gpus]()},
        {"cpus=cpu": cpus, "gpus=gpu": TWINS[gpus]},
        {"cpus=cpu": TWINS[cpus], "gpus=gpu": gpus},
        {"cpus=cpu": cpus, "gpus=gpu": gpus},
    ):
        assert_equal(twins, scene.run(mine, seed=3, **OPTIONS))


def test_each_domain_has_its_state_and_its_view(scene):
    cpus, gpus = Counted(), Counted()
    run = scene.run({"cpus=cpu": cpus, "gpus=gpu": gpus}, **OPTIONS)
    assert (cpus.workers, gpus.workers) == (5, 2)
    assert sorted(cpus.pushed + gpus.pushed) == list(range(len(scene.tasks.kernel_names() and run.tasks)))
    kernels = scene.tasks.kernel_names()
    assert {kernels[scene.tasks.task_kernel(task)] for task in gpus.pushed} == {"gemm", "syrk"}
    assert run.row["policy"] == "cpus=cpu:Counted+gpus=gpu:Counted" and run.row["validated"]
    assert not cpus.placed_there and not gpus.placed_there


def test_a_policy_hears_what_another_domain_places(scene):
    mine = Counted()
    run = scene.run({"all=all": mine, "gpus=gpu": "dmdas"}, **OPTIONS)
    assert mine.placed_there and not set(mine.placed_there) & set(mine.pushed)
    assert run.row["validated"]


@pytest.mark.parametrize("function", ["init", "push", "pop", "done", "finish"])
@pytest.mark.parametrize("which", [0, 1])
def test_an_exception_in_one_of_two(scene, function, which):
    class Fails(Counted):
        pass

    def fail(self, s, *_):
        raise ZeroDivisionError("on purpose")

    setattr(Fails, function, fail)
    pair = [Counted(), Counted()]
    pair[which] = Fails()
    with pytest.raises(ZeroDivisionError, match="on purpose") as caught:
        scene.run(dict(zip(["cpus=cpu", "gpus=gpu"], pair)), **OPTIONS)
    assert caught.value is not None
    other = pair[1 - which]
    calls = other.calls
    run = scene.run({"cpus=cpu": other, "gpus=gpu": Counted()}, **OPTIONS)  # it can serve again
    assert other.calls > calls and run.row["status"].startswith("ok")


def test_views_end(scene):
    class Keeps(Counted):
        def init(self, s):
            super().init(s)
            self.view = s

    cpus, gpus = Keeps(), Keeps()
    scene.run({"cpus=cpu": cpus, "gpus=gpu": gpus}, **OPTIONS)
    assert cpus.view is not gpus.view
    for own in (cpus, gpus):
        with pytest.raises(tw.Error):
            own.view.now()


@pytest.mark.parametrize(
    "policy, kind, message",
    [
        ({}, tw.Invalid, "policy: no domains: expected at least one"),
        ({"cpus=cpu": 3}, TypeError, "3: expected words, or an object or a subclass of Policy, or what makes objects"),
        ({"cpus": policies.Eager}, tw.Invalid, "Eager"),
        ({"cpus=cpu": policies.Eager, "cpus=gpu": "dmdas"}, tw.Invalid, "cpus"),
        ({"cpus=cpu": policies.Eager, "gpus=gpu": "no_such_policy"}, tw.Invalid, "no_such_policy"),
        ({"cpus=cpu": policies.Eager, "gpus=gpu": "./no.so"}, tw.Invalid, "shared object"),
        ({"cpus=cpu": policies.Eager, "gpus=gpu+x=gpu": policies.Eager}, tw.Invalid, "gpus=gpu"),
    ],
)
def test_refused(scene, policy, kind, message):
    with pytest.raises(kind, match=message):
        scene.run(policy)


def test_one_object_for_each_domain(scene):
    mine = Counted()
    with pytest.raises(tw.Invalid, match="Counted: this object is in two domains: expected one object for each"):
        scene.run({"cpus=cpu": mine, "gpus=gpu": mine}, **OPTIONS)
    assert scene.run({"cpus=cpu": mine, "gpus=gpu": "eager"}, **OPTIONS).row["validated"]


def test_graphs_in_domains_of_their_own():
    """Each graph also runs alone, with the same policies."""
    graphs = (tw.Graph.workload("cholesky:nt=5"), 0), (tw.Graph.workload("lu:nt=4"), 0.05, "b")
    scene = tw.Scene(tw.Platform("mirage", cpus=4, gpus=2), tw.Graph.join(*graphs))
    twins = scene.run("a=cpu0-1/gpu0:eager+b=cpu2-3/gpu1:dmda", validate=True)
    mine = scene.run({"a=cpu0-1/gpu0": policies.Eager, "b=cpu2-3/gpu1": policies.Dmda}, validate=True)
    assert_equal(twins, mine)
    assert mine.row["counters"] == twins.row["counters"]


def test_runs_and_sweeps_go_to_other_processes(scene, tmp_path):
    run = scene.run({"cpus=cpu": policies.Eager, "gpus=gpu": policies.Prio}, **OPTIONS)
    assert_equal(run, pickle.loads(pickle.dumps(run)))
    points = [{"cpus=cpu": policies.Eager(), "gpus=gpu": policies.Prio}, "cpus=cpu:eager+gpus=gpu:prio"]
    about = {"seeds": range(2), "assign": "gemm=gpus", "cpus": 4}
    here = tw.sweep("mirage", "cholesky:nt=6", points, output=tmp_path / "rows.csv", **about)
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        there = tw.sweep("mirage", "cholesky:nt=6", points, executor=pool, **about)
    assert sorted(here.makespan_s) == sorted(there.makespan_s) and len(here) == 4
    by_policy = here.groupby("policy").makespan_s.agg(sorted)
    assert by_policy.iloc[0] == by_policy.iloc[1] and len(by_policy) == 2
    points[0] = {"cpus=cpu": policies.Eager(), "gpus=gpu": policies.Ws}
    assert len(tw.sweep("mirage", "cholesky:nt=6", points, output=tmp_path / "rows.csv", **about)) == 6
