"""Do policies in Python make the schedules of the same policies in C, to the nanosecond?"""

import numpy
import policies
import pytest

import tilewright as tw

PAIRS = {
    "eager": policies.Eager,
    "prio": policies.Prio,
    "random": policies.Random,
    "ws": policies.Ws,
    "dm": policies.Dm,
    "dmda": policies.Dmda,
}
SCENES = [
    ("mirage", {"cpus": 9, "gpus": 3}, "cholesky:nt=12", {}),
    ("mirage", {"cpus": 4, "gpus": 2, "gpu_mem": "100MiB"}, "cholesky:nt=16", {"seed": 3, "noise": "0.05"}),
    ("mirage", {"cpus": 2, "gpus": 1, "gpu_mem": "80MiB"}, "lu:nt=8", {"runtime": "ideal", "seed": 5}),
    ("sirocco", {"gpus": 2}, "cholesky:nt=10:priority=bottom_level", {"seed": 7}),
    ("attila", {"gpus": 0}, "cholesky:nt=8", {}),
    ("gemini", {"cpus": 6, "gpu_mem": "60MiB"}, "cholesky:nt=12", {"seed": 2}),
]


@pytest.fixture(scope="module", params=range(len(SCENES)), ids=lambda i: f"{SCENES[i][0]}-{SCENES[i][2]}")
def scene(request):
    platform, about, workload, options = SCENES[request.param]
    return tw.Scene(tw.Platform(platform, **about), workload), options


def assert_equal(a, b):
    for what in ("task_array", "member_array", "transfer_array", "memory_array"):
        x, y = getattr(a, what), getattr(b, what)
        assert len(x) == len(y) and all(numpy.array_equal(x[name], y[name]) for name in x.dtype.names), what
    assert a.makespan == b.makespan and len(a.task_array) > 0


@pytest.mark.parametrize("name", PAIRS)
def test_a_policy_has_the_schedule_of_its_twin_in_c(scene, name):
    scene, options = scene
    twin = scene.run(name, validate=True, **options)
    mine = scene.run(PAIRS[name], validate=True, **options)
    assert_equal(twin, mine)
    assert mine.row["policy"] == PAIRS[name].__name__ and mine.row["validated"] and twin.row["validated"]


def test_an_eviction_policy_has_the_schedule_of_its_twin_in_c(scene):
    scene, options = scene
    assert_equal(scene.run("dmda", "lru", **options), scene.run("dmda", policies.Lru, **options))
    assert_equal(scene.run("dm", "lru", **options), scene.run(policies.Dm, policies.Lru, **options))


def test_runs_evict():
    """The scenes above compare something."""
    about = [
        tw.simulate(platform, workload, "dmda", **options, **more).row["evictions"]
        for platform, options, workload, more in SCENES
    ]
    assert sum(n > 0 for n in about) >= 3, about


class First(policies.Lru):
    """Whatever may leave."""

    def victim(self, s, node, victims):
        return min(victims, default=tw.NONE)


def test_victims_can_be_listed():
    run = tw.simulate("mirage", "cholesky:nt=12", "dmda", First, gpu_mem="80MiB", validate=True)
    assert run.row["evictions"] > 10 and run.row["eviction"] == "First"


@pytest.mark.parametrize("result", [None, 0.5, 10**6, "may not leave"])
def test_wrong_victims(result):
    class Wrong(policies.Lru):
        def victim(self, s, node, victims):
            pinned = [data for data in range(78) if not victims.may_evict(data)]
            return pinned[0] if result == "may not leave" else result

    with pytest.raises((tw.Invalid, TypeError), match="^Wrong: victim returned"):
        tw.simulate("mirage", "cholesky:nt=12", "dmda", Wrong, gpu_mem="80MiB")


class Pairs(tw.Policy):
    """Workers 0 and 1 run all tasks together."""

    def init(self, s):
        self.queues = [[], []]

    def push(self, s, task, released_by):
        s.combine(task, (0, 1))
        for worker, queue in enumerate(self.queues):
            queue.append(task)
            s.wake(worker)

    def pop(self, s, worker):
        return self.queues[worker].pop(0) if self.queues[worker] else tw.NONE


def test_parallel_tasks():
    node = tw.Platform("mirage", cpus=2, gpus=0, max_parallelism=2, extrapolate=True)
    together = tw.simulate(node, "matmul2d:nt=2", Pairs, validate=True)
    assert together.makespan == tw.simulate(node, "matmul2d:nt=2", "parallel_greedy").makespan
    assert list(together.members["task"]) == list(together.tasks["task"])
    assert list(together.members["worker"] != together.tasks["worker"]) == [True] * 4
    assert list(together.members["joined_s"] <= together.tasks["start_s"]) == [True] * 4
    with pytest.raises(IndexError, match="worker 2"):
        tw.simulate(node, "matmul2d:nt=2", type("Wrong", (Pairs,), {"push": lambda self, s, *_: s.combine(0, [2])}))
