"""Divided handles and recursive tasks in graphs of Python, and a policy that splits tasks."""

import pickle

import policies
import pytest

import tilewright as tw


def graph():
    """A tile of which a task updates the first of two halves, and a recursive task that updates all."""
    g = tw.Graph()
    tile = g.data(8_000_000)
    halves = g.partition(tile, [4_000_000, 4_000_000])
    assert list(halves) == [1, 2]
    g.submit("work", [(halves[0], tw.RW)], seconds=0.004)
    g.submit("work", [(tile, tw.RW)], seconds=0.004)
    with g.recursive():
        for half in halves:
            g.submit("work", [(half, tw.RW)], seconds=0.001)
    return g


class Splits(policies.Eager):
    def __init__(self, wanted):
        self.wanted, self.asked, self.pushed = wanted, [], []

    def splits(self, s, task):
        self.asked.append(task)
        return self.wanted

    def push(self, s, task, released_by):
        self.pushed.append(task)
        super().push(s, task, released_by)


@pytest.fixture(scope="module")
def platform():
    return tw.Platform("mirage", cpus=2, gpus=0)


@pytest.mark.parametrize("wanted, pushed, makespan", [(False, [0, 1], 0.008), (True, [0, 2, 3], 0.005)])
def test_a_policy_splits(platform, wanted, pushed, makespan):
    policy = Splits(wanted)
    run = tw.Scene(platform, graph()).run(policy, runtime="ideal", validate=True)
    assert policy.asked == [1] and policy.pushed == pushed
    assert run.makespan == pytest.approx(makespan)


def test_an_exception_in_splits_ends_the_run(platform):
    class Wrong(Splits):
        def splits(self, s, task):
            raise KeyError(task)

    with pytest.raises(KeyError):
        tw.Scene(platform, graph()).run(Wrong(True))


def test_graphs_are_pickled_with_parts_and_tasks_inside(platform):
    again = pickle.loads(pickle.dumps(graph()))
    policy = Splits(True)
    tw.Scene(platform, again).run(policy, runtime="ideal", validate=True)
    assert policy.pushed == [0, 2, 3]


def test_views_tell_parts_and_tasks_inside():
    view = graph().finish()
    assert list(view.parts(0)) == [1, 2] and list(view.parts(1)) == []
    assert view.parent(2) == 0 and view.parent(0) == tw.NONE
    assert view.n_inside(1) == 2 and view.around(2) == 1


def test_matrices_are_divided_by_blocks():
    g = tw.Graph()
    assert len(g.partition_matrix(g.data(10 * 7 * 4), 10, 7, 4, 4)) == 6


@pytest.mark.parametrize("wrong", [[], [1], [4, 3], [-1, 9]])
def test_wrong_parts(wrong):
    g = tw.Graph()
    d = g.data(8)
    with pytest.raises((tw.Invalid, ValueError)):
        g.partition(d, wrong)
        g.submit("work", [(d, tw.R)])
        g.finish()
