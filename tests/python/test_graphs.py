"""Graphs of one's own."""

import math
import os
import pathlib
import pickle

import numpy
import pytest

import tilewright as tw

R, W, RW = tw.R, tw.W, tw.RW


@pytest.fixture(scope="module")
def platform():
    return tw.Platform("mirage", cpus=2, gpus=1)


def test_tasks_one_by_one(platform):
    graph = tw.Graph("chain")
    data = graph.data(10**6)
    first = graph.submit("x", [(data, W)], seconds=1)
    second = graph.submit("x", [(data, R)], seconds={"processors": 2.0})
    third = graph.submit("y", priority=3, seconds=0.5, after=[first])
    run = tw.simulate(platform, graph, "eager", runtime="ideal")
    tasks = run.tasks.set_index("task")
    assert (first, second, third) == (0, 1, 2) and len(graph) == 3
    assert tasks.end_s[second] - tasks.start_s[second] == 2 and not tasks.worker[second].startswith("GPU")
    assert tasks.end_s[third] - tasks.start_s[third] == 0.5 and tasks.start_s[third] >= tasks.end_s[first]
    assert run.row["workload"] == "chain" and run.row["tasks"] == 3
    view = graph.finish()
    assert view.successors(first) == [1, 2] and view.accesses(0) == [(0, W)] and view.kernel_names() == ["x", "y"]
    # The graph serves more scenes, and takes no more tasks.
    assert tw.simulate("mirage", graph, "heft", runtime="ideal", gpus=0).makespan >= 3
    with pytest.raises(tw.Invalid, match="chain: .*finished"):
        graph.submit("x", seconds=1)


@pytest.mark.parametrize("seconds", [-1, math.nan, math.inf, 1e10, {"processors": -2}])
def test_wrong_seconds(platform, seconds):
    graph = tw.Graph()
    graph.submit("x", seconds=seconds)
    with pytest.raises(tw.Invalid, match="task 0 takes .* s, expected a time above 0"):
        tw.Scene(platform, graph)


@pytest.mark.parametrize(
    "build",
    [
        lambda graph: graph.data(0),
        lambda graph: graph.submit("x", [(7, R)], seconds=1),
        lambda graph: graph.submit("x", [(graph.data(1), 99)], seconds=1),
        lambda graph: graph.submit(5, seconds=1),
        lambda graph: graph.submit("x", after=[4], seconds=1),
        lambda graph: graph.submit("unknown kernel"),
        lambda graph: graph.kernel("x", size="a\nb"),
    ],
)
def test_other_errors(platform, build):
    graph = tw.Graph()
    build(graph)
    graph.submit("y", seconds=1)
    with pytest.raises(tw.Invalid):
        tw.Scene(platform, graph)


def test_types_are_checked():
    graph = tw.Graph()
    for call in (
        lambda: graph.data(1.5),
        lambda: graph.submit(1.0),
        lambda: graph.submit("x", [("a", R)]),
        lambda: graph.submit("x", after=["a"]),
        lambda: graph.submit(None),
    ):
        with pytest.raises(TypeError):
            call()


def test_networkx(platform):
    networkx = pytest.importorskip("networkx")
    g = networkx.DiGraph()
    g.add_node("a", seconds=1.0, kernel="load")
    g.add_node("b", seconds={"processors": 2.0, "accelerators": 1.0}, bytes=500)
    g.add_node("c", seconds=1.0, priority=5)
    g.add_node("d", seconds=1.0)
    g.add_edge("a", "b", bytes=10**6)
    g.add_edge("a", "c")
    g.add_edges_from([("b", "d"), ("c", "d")])
    graph = tw.Graph.from_networkx(g)
    view = graph.finish()
    assert graph.task_names == ["a", "b", "c", "d"]
    assert view.successors(0) == [1, 2] and view.successors(1) == [3] and view.successors(2) == [3]
    assert view.n_data() == 2 and view.data_bytes(0) == 10**6 and view.priority(2) == 5
    assert tw.simulate(platform, graph, "heft", runtime="ideal").makespan >= 3
    g.add_edge("d", "a")
    with pytest.raises(tw.Invalid, match="a cycle: .* -> .* -> "):
        tw.Graph.from_networkx(g)
    with pytest.raises(tw.Invalid, match="undirected"):
        tw.Graph.from_networkx(networkx.Graph())


def layered(n, width, seed=1):
    """Arrays of a random graph: each task reads two handles of the layer before, and writes its own."""
    random = numpy.random.default_rng(seed)
    layer = numpy.arange(n) // width * width
    reads = [numpy.maximum(layer - width, 0) + random.integers(0, width, n) for _ in range(2)]
    reads[1] = numpy.where(reads[0] == reads[1], -1, reads[1])
    data = numpy.column_stack([*reads, numpy.arange(n)])
    mode = numpy.tile(numpy.array([R, R, W]), (n, 1))
    there = (data >= 0) & ((mode == W) | (layer > 0)[:, None])
    return dict(
        kernels=["a", "b"],
        kernel=numpy.arange(n) % 2,
        data_bytes=numpy.full(n, 1000),
        first_access=numpy.concatenate([[0], there.sum(1).cumsum()]),
        data=data[there],
        mode=mode[there],
        priority=numpy.arange(n) % 7,
        seconds=random.uniform(1e-4, 2e-4, n),
    )


def test_arrays_make_the_graph_that_calls_make(platform):
    about = layered(500, 20)
    fast, slow = tw.Graph.from_arrays(**about), tw.Graph()
    kernels = [slow.kernel(name) for name in about["kernels"]]
    for size in about["data_bytes"]:
        slow.data(size)
    for i in range(500):
        part = slice(*about["first_access"][i : i + 2])
        slow.submit(
            kernels[about["kernel"][i]],
            zip(about["data"][part], about["mode"][part]),
            int(about["priority"][i]),
            about["seconds"][i],
        )
    a, b = (tw.simulate(platform, graph, "dmdas") for graph in (fast, slow))
    assert numpy.array_equal(a.task_array["end_ns"], b.task_array["end_ns"]) and len(a.task_array) == 500


@pytest.mark.parametrize(
    "change, message",
    [
        ({"kernel": [0, 5]}, "kernel: expected numbers from 0 to 0"),
        ({"kernel": [0.5, 0]}, "kernel: expected whole numbers"),
        ({"first_access": [0, 1]}, "first_access: shape"),
        ({"first_access": [0, 2, 1]}, "first_access: expected ascending numbers from 0 to 2"),
        ({"first_access": [0, 1, 5]}, "first_access: expected ascending"),
        ({"mode": [W]}, "mode: shape"),
        ({"data": [0, 9]}, "handle|data"),
        ({"data_bytes": [0]}, "0 bytes|bytes"),
        ({"seconds": [1, -1]}, "task 1 takes -1 s"),
        ({"seconds": [1, 2, 3]}, "seconds|broadcast|shape"),
        ({"depends_on": [0], "first_dependency": [0, 0, 2]}, "first_dependency: expected ascending"),
        ({"depends_on": [1], "first_dependency": [0, 1, 1]}, "depend"),
    ],
)
def test_wrong_arrays(platform, change, message):
    about = dict(
        kernels=["x"], kernel=[0, 0], data_bytes=[8], first_access=[0, 1, 2], data=[0, 0], mode=[W, R], seconds=[1, 2]
    )
    assert tw.simulate(platform, tw.Graph.from_arrays(**about), runtime="ideal").makespan >= 3
    with pytest.raises((tw.Invalid, TypeError, ValueError), match=message):
        tw.Scene(platform, tw.Graph.from_arrays(**(about | change)))


def test_files_and_words(platform):
    file = pathlib.Path(os.environ["SOURCE"]) / "traces" / "variants.json"
    graph = tw.Graph.from_file(file)
    assert tw.simulate(platform, graph, "heft").row["tasks"] > 3
    run = tw.simulate("mirage", tw.Graph.workload("cholesky:nt=4"), "heft", cpus=3)
    assert run.row["workload"] == "cholesky:nt=4" and run.row["cpus"] == 3
    with pytest.raises(tw.Invalid, match="takes no tasks"):
        graph.data(1)


def test_pickling_and_writing(platform, tmp_path):
    graph = tw.Graph.from_arrays(**layered(200, 10))
    copy = pickle.loads(pickle.dumps(graph))
    assert copy.name == graph.name and len(copy) == 200
    first, second = (tw.simulate(platform, g, "dmdas") for g in (graph, copy))
    assert numpy.array_equal(first.task_array["end_ns"], second.task_array["end_ns"]) and first.row["identity"]
    graph.write(tmp_path / "graph.json")
    assert tw.simulate(platform, tw.Graph.from_file(tmp_path / "graph.json"), "dmdas").makespan == first.makespan
    with pytest.raises(tw.Invalid, match="expected a file that ends in"):
        graph.write(tmp_path / "graph.txt")
    words = tw.Graph.workload("cholesky:nt=4")
    assert pickle.loads(pickle.dumps(words)).words == words.words
    assert len(words) == 20 and words.finish().kernel_names() == ["potrf", "trsm", "syrk", "gemm"]


def test_a_large_graph_from_arrays():
    about = layered(10**6, 1000)
    graph = tw.Graph.from_arrays(**about)
    assert len(graph) == 10**6 and graph.finish().n_data() == 10**6


def test_numbers_are_those_of_c():
    graph = tw.Graph()
    tile = graph.data(8)
    for call in (
        lambda: graph.data(-5),
        lambda: graph.submit("k", [(tile + 2**32, tw.R)]),
        lambda: graph.submit(2**32),
        lambda: graph.submit("k", priority=2**32 + 1),
        lambda: graph.submit("k", after=[2**32]),
    ):
        with pytest.raises(tw.Invalid, match="expected .* from"):
            call()


def test_arrays_use_the_times_of_the_platform():
    graph = tw.Graph.from_arrays([("gemm", "960", "s")], [0], [8], [0, 0], [], [])
    with pytest.raises(tw.Invalid, match="size 1"):
        tw.simulate("mirage", tw.Graph.from_arrays(["gemm"], [0], [8], [0, 0], [], []))
    assert 0 < tw.simulate("mirage", graph).makespan < 1


def test_discarded_handles_are_not_written_back():
    moved = {}
    for discards in (False, True):
        graph = tw.Graph("chain")
        handles = [graph.data(10_000_000) for _ in range(21)]
        for before, behind in zip(handles, handles[1:]):
            graph.submit("work", [(before, tw.R), (behind, tw.W)], seconds={"accelerators": 0.001})
        for handle in handles if discards else []:
            graph.discard(handle)
        run = tw.simulate("mirage", graph, "eager", gpus=1, cpus=0, gpu_mem="64MB", validate=True)
        moved[discards] = len(run.transfers)
    assert moved[True] == 1 < moved[False]
    with pytest.raises(tw.Invalid, match="data 7 is discarded: expected a known handle"):
        graph = tw.Graph("wrong")
        graph.discard(7)
        graph.finish()


def test_a_task_may_access_any_number_of_handles():
    graph = tw.Graph("wide")
    handles = [graph.data(8) for _ in range(5000)]
    graph.submit("work", [(handle, tw.RW) for handle in handles], seconds={"accelerators": 0.001})
    assert tw.simulate("mirage", graph, "dmdas").makespan >= 0.001


def test_the_end_of_a_handle():
    makespans = []
    for home, end in ((0, None), (1, None), (1, 0)):
        graph = tw.Graph("end")
        handle = graph.data(1000000)
        graph.submit("work", [(handle, tw.RW)], seconds={"accelerators": 0.001})
        graph.set_home(handle, home)
        if end is not None:
            graph.set_end(handle, end)
        makespans.append(tw.simulate("mirage", graph, "eager", gpus=1, runtime="ideal").makespan)
    assert makespans[1] == pytest.approx(0.001)
    assert makespans[0] > makespans[1] < makespans[2]


def test_homes_are_memories_of_the_platform():
    for home, expected in ((0, None), (4, "data 0 starts in memory 4, but the run has 4 memories")):
        graph = tw.Graph("one")
        handle = graph.data(8)
        graph.submit("work", [(handle, tw.RW)], seconds={"processors": 0.001})
        graph.set_home(handle, home)
        if expected:
            with pytest.raises(tw.Invalid, match=expected):
                tw.simulate("mirage", graph, "eager")
        else:
            assert tw.simulate("mirage", graph, "eager").makespan >= 0.001


def test_a_workload_as_networkx():
    networkx = pytest.importorskip("networkx")
    tasks = tw.Scene("mirage", "cholesky:nt=6").tasks
    made = tasks.to_networkx()
    assert list(made) == list(range(56)) and networkx.is_directed_acyclic_graph(made)
    assert all(made.in_degree(task) == tasks.n_predecessors(task) for task in made)
    assert networkx.dag_longest_path_length(made) + 1 == 16  # 3 kernels a step, but for the last one
    assert made.nodes[0]["kernel"] == "potrf" and made.nodes[0]["flops"] == tasks.kernel_flops(0) > 0
    assert sum(about["flops"] for _, about in made.nodes(data=True)) == pytest.approx(tasks.flops())
    of_pairs = networkx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")])
    graph = tw.Graph.from_networkx(of_pairs)
    names = dict(enumerate(graph.task_names))
    assert set(networkx.relabel_nodes(graph.finish().to_networkx(), names).edges) == set(of_pairs.edges)


def test_networkx_uses_the_times_of_the_platform():
    networkx = pytest.importorskip("networkx")
    graph = networkx.DiGraph()
    graph.add_node("a", kernel=("gemm", "960", "s"))
    assert 0 < tw.simulate("mirage", tw.Graph.from_networkx(graph)).makespan < 1


def test_join(platform):
    lu = tw.Graph.workload("lu:nt=4")
    joined = tw.Graph.join((tw.Graph.workload("cholesky:nt=5"), 0), (lu, 0.05, "cpus"), (lu, 0.5, None), name="three")
    words = "cholesky:nt=5+lu:nt=4@0.05s:domain=cpus+lu:nt=4@0.5s"
    domains = "all=all:dmdas+cpus=cpu:lws"
    of_words, own = (tw.simulate(platform, graph, domains, validate=True).row for graph in (words, joined))
    assert own["workload"] == "three" and len(joined) == 35 + 2 * len(lu)
    for column in ("makespan_s", "slowdown_mean", "slowdown_max", "fairness", "transfers"):
        assert own[column] == of_words[column]


@pytest.mark.parametrize(
    "graphs, message",
    [
        ([], "0 graphs to join: expected 1 to 16"),
        ([(tw.Graph.workload("lu:nt=2"), -1)], "graph 0 to join: arrival at -1 s: expected a date from 0"),
        ([(tw.Graph.workload("lu:nt=2"), 0)] * 17, "17 graphs to join"),
        ([(tw.Graph(), 0)], "the task graph is empty"),
        ([(tw.Graph.join((tw.Graph.workload("lu:nt=2"), 0)), 0)], "it has several graphs: expected one"),
    ],
)
def test_bad_joins(graphs, message):
    with pytest.raises(tw.Invalid, match=message):
        tw.Graph.join(*graphs)


def test_figures_and_records_name_joined_graphs(platform, tmp_path):
    """Dates and names come from the run's graph, as there are no words."""
    first, second = tw.Graph.workload("cholesky:nt=3"), tw.Graph.workload("lu:nt=3")
    first.name, second.name = "the first, with a comma", "the second"
    run = tw.simulate(platform, tw.Graph.join((first, 0.25), (second, 0.5)), "eager", trace=tmp_path / "run.record")
    lines = (tmp_path / "run.record").read_text().splitlines()
    assert [line for line in lines if line.startswith("graph,")] == [
        "graph,0,250000000,the first\\x2c with a comma",
        f"graph,{len(first)},500000000,the second",
    ]
    for figure in (run.gantt(), run.gantt(explain=True), tw.plot("gantt", tmp_path / "run.record")):
        assert "the first, with a comma" in figure._repr_svg_() and "the second" in figure._repr_svg_()


def test_a_joined_graph_goes_to_files(platform, tmp_path):
    """A joined graph that is written or pickled, and read again, is the same: identities and schedules."""
    lu = tw.Graph.workload("lu:nt=4")
    joined = tw.Graph.join((tw.Graph.workload("cholesky:nt=5"), 0.1), (lu, 0.05, "cpus"), (lu, 0.5, None), name="three")
    joined.write(tmp_path / "three.json")
    again, file = pickle.loads(pickle.dumps(joined)), tw.Graph.from_file(tmp_path / "three.json")
    file.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "three.json").read_bytes()
    scenes = [tw.Scene(platform, graph) for graph in (joined, again, file)]
    policy = "all=all:dmdas+cpus=cpu:lws"
    runs = [scene.run(policy, validate=True) for scene in scenes]
    assert scenes[0].identity(policy) == scenes[1].identity(policy)
    for run in runs[1:]:
        assert run.row["counters"] == runs[0].row["counters"]
        assert numpy.array_equal(run.task_array, runs[0].task_array)
    for ending in ("dot", "gv", "graphml"):
        with pytest.raises(tw.Invalid, match="3 graphs with dates of arrival: this format has one, expected .json"):
            joined.write(tmp_path / f"three.{ending}")
