"""Graphs, options and surroundings that nobody should give: each gets an exception with a clear text."""

import os
import random
import subprocess
import sys

import numpy
import pytest
from hostile import quiet, scene  # noqa: F401

import tilewright as tw


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
