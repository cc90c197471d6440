"""Analyses and figures, beside those of the command."""

import base64
import json
import pickle
import subprocess

import pytest

import tilewright as tw
from tilewright._library import COMMAND

OPTIONS = {"cpus": 4, "gpus": 2, "gpu_mem": "64MiB"}
NODE = ["--platform", "mirage", "--cpus", "4", "--gpus", "2"]


@pytest.fixture(scope="module")
def scene():
    return tw.Scene(tw.Platform("mirage", **OPTIONS), "cholesky:nt=7")


@pytest.fixture(scope="module")
def run(scene):
    return scene.run("dmdas")


def command(*words):
    return subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout


def has_gnuplot():
    try:
        return subprocess.run(["gnuplot", "--version"], stdout=subprocess.DEVNULL).returncode == 0
    except FileNotFoundError:
        return False


figures = pytest.mark.skipif(not has_gnuplot(), reason="gnuplot is not installed")


def chain(n, name="chain"):
    graph = tw.Graph(name)
    tile = graph.data(1000)
    for _ in range(n):
        graph.submit("step", [(tile, tw.RW)], seconds=0.5)
    return graph


# --- beside the command ---


def test_bounds(scene):
    words = [*NODE, "--gpu-mem", "64MiB", "--workload", "cholesky:nt=7", "--format", "json"]
    assert tw.bounds(scene) == json.loads(command("bounds", *words))[0]
    assert (
        tw.bounds("mirage", "cholesky:nt=7", rounds=2, milp_time=0, **OPTIONS)
        == json.loads(command("bounds", *words, "--rounds", "2", "--milp-time", "0"))[0]
    )
    assert tw.bounds(scene.platform, scene.graph) == tw.bounds(scene)


def test_describe(scene):
    words = ["describe", "cholesky:nt=7", "--format", "json"]
    assert tw.describe("cholesky:nt=7") == json.loads(command(*words))[0]
    assert tw.describe(scene.graph, exact=True) == json.loads(command(*words, "--exact"))[0]
    timed = json.loads(command(*words, "--platform", "mirage"))[0]
    assert tw.describe("cholesky:nt=7", "mirage") == tw.describe(tw.Scene("mirage", "cholesky:nt=7")) == timed
    assert tw.describe("cholesky:nt=7", "mirage", **OPTIONS) == tw.describe(scene) != timed
    assert tw.describe(scene.graph, scene.platform) == tw.describe(scene)


def test_explain(run, tmp_path):
    report = tw.explain(run)
    tw.write_trace(run, tmp_path / "run.record")
    theirs = json.loads(command("explain", tmp_path / "run.record", "--format", "json"))
    assert report == {name: value for name, value in theirs.items() if name != "trace"}
    assert report.text in command("explain", tmp_path / "run.record")
    assert "Causes of the makespan" in report.text
    again = pickle.loads(pickle.dumps(report))
    assert again == report and again.text == report.text


def test_diff(scene, run, tmp_path):
    other = scene.run("lws")
    report = tw.diff(run, other)
    for name, one in (("a", run), ("b", other)):
        tw.write_trace(one, tmp_path / f"{name}.record")
    theirs = json.loads(command("diff", tmp_path / "a.record", tmp_path / "b.record", "--format", "json"))
    del theirs["a"]["trace"], theirs["b"]["trace"]
    assert report == theirs and report["arguments"] == [{"name": "policy", "a": "dmdas", "b": "lws"}]
    assert report.text.startswith("A: cholesky:nt=7, policy dmdas, platform mirage: makespan ")
    with pytest.raises(tw.Invalid, match="tasks"):
        tw.diff(run, tw.simulate("mirage", "cholesky:nt=5"))


def test_diff_of_clusters(tmp_path):
    network = ["--bandwidth", "4GBps", "--latency", "1us"]
    command("platform", "cluster", "--node", "mirage", "--count", "2", *network, "-o", tmp_path / "c")
    runs = [tw.simulate(str(tmp_path / "c"), "cholesky:nt=7", gpus=0, distribution=d) for d in ("rows", "columns")]
    messages = tw.diff(*runs)["messages"]
    for side, run in zip("ab", runs):
        assert sum(node[f"{side}_messages"] for node in messages["nodes"]) == 2 * run.row["messages"] > 0
        assert messages["both"] + sum(one[f"{side}_times"] for one in messages["alone"]) == run.row["messages"]
    assert tw.diff(runs[0], tw.simulate("mirage", "cholesky:nt=7", gpus=0))["messages"]["both"] == 0
    assert "messages" not in tw.diff(*[tw.simulate("mirage", "cholesky:nt=7", policy=p) for p in ("eager", "lws")])


def test_validate_and_traces(run, tmp_path):
    tw.validate(run)
    for name in ("run.json", "run.paje", "run.record"):
        tw.write_trace(run, tmp_path / name)
        assert "valid: 84 tasks" in command("validate", tmp_path / name)
    with pytest.raises(tw.Invalid, match="unknown kind of trace"):
        tw.write_trace(run, tmp_path / "run.txt")


# --- graphs and policies of Python ---


class Last(tw.Policy):
    def __init__(self):
        self.ready = []

    def push(self, s, task, by):
        self.ready.append(task)
        s.wake(tw.ALL)

    def pop(self, s, worker):
        return self.ready.pop() if self.ready else tw.NONE


def test_own(tmp_path):
    """Also of a graph whose name is that of a workload."""
    scene = tw.Scene("mirage", chain(5, "cholesky:nt=7"))
    found = tw.bounds(scene)
    assert found["critical_path_s"] == pytest.approx(2.5) and found["leading_one_gpu_bytes"] is None
    assert tw.describe(scene)["depth"] == tw.describe(chain(5))["depth"] == 5
    run = scene.run(Last())
    assert tw.explain(run)["policy"] == "Last"
    assert tw.diff(run, scene.run("dmda"))["tasks"]["all"] == 5
    tw.validate(run)
    tw.write_trace(run, tmp_path / "run.json")


# --- figures ---


@figures
def test_gantt(run, tmp_path):
    figure = run.gantt()
    assert figure.svg.startswith("<?xml") and "mirage: makespan" in figure.svg
    shown = figure._repr_svg_()
    assert shown.startswith("<svg") and figure.svg.endswith(shown)
    image = base64.b64encode(figure.svg.encode()).decode()
    assert f'src="data:image/svg+xml;base64,{image}"' in figure._repr_html_()
    why = run.gantt(explain=True, fold="CPU", workers=["GPU0", "CPU"])
    assert "critical chain" in why.svg and "critical chain" not in figure.svg and "CPU0" not in why.svg
    for name, start in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF"), ("a.gp", b"set"), ("a.svg", b"<?xml")):
        why.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
    with pytest.raises(tw.Invalid, match="a.jpg"):
        why.save(tmp_path / "a.jpg")
    with pytest.raises(tw.Invalid, match="GPU9"):
        run.gantt(workers="GPU9")


@figures
def test_plot(tmp_path):
    workloads = [f"cholesky:nt={n}" for n in (4, 6)]
    runs = [tw.simulate("mirage", w, p, records=False, **OPTIONS) for w in workloads for p in ("eager", "dmdas")]
    command(
        *(
            "sweep",
            "--jobs",
            "1",
            *NODE,
            "--gpu-mem",
            "64MiB",
            "--workload",
            ",".join(workloads),
            "--policy",
            "eager,dmdas",
        ),
        *("--output", tmp_path / "rows.csv"),
    )
    options = {"x": "nt", "title": "Both", "where": {"policy": ["eager", "dmdas"], "gpus": 2}}
    expected = tw.plot("gflops", tmp_path / "rows.csv", **options).svg
    assert "Both" in expected and expected.startswith("<?xml")
    assert tw.plot("gflops", runs, **options).svg == expected
    assert tw.plot("gflops", [run.row for run in runs], **options).svg == expected
    import pandas

    table = pandas.DataFrame([run.row for run in runs])
    assert tw.plot("gflops", table, **options).svg == expected
    command("plot", "gflops", tmp_path / "rows.csv", "--x", "nt", "--title", "Both", "-o", tmp_path / "theirs.svg")
    assert (tmp_path / "theirs.svg").read_text() == expected
    assert "dmdas" not in tw.plot("gflops", table, where={"policy": "eager"}).svg
    for wrong, message in ((("gflop", table), "did you mean 'gflops'"), (("bars", tmp_path / "no.csv"), "no.csv")):
        with pytest.raises(tw.Invalid, match=message):
            tw.plot(*wrong)
    with pytest.raises(tw.Invalid, match="^no row has the values that plot gflops needs"):
        tw.plot("gflops", [tw.Scene("mirage", chain(3)).run("eager")])  # no flops are known
    with pytest.raises(tw.Invalid, match="unknown option 'colour'"):
        tw.plot("bars", table, colour="red")


def test_memory_over_time(run):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = tw.plot_memory(run)
    assert len(axes.lines) == run.memory["node"].nunique() and axes.get_xlabel() == "time (s)"
    assert all(line.get_xdata()[0] == 0 and line.get_xdata()[-1] == run.makespan for line in axes.lines)
    assert max(axes.lines[0].get_ydata()) * 1e6 == run.memory["bytes"][run.memory["node"] == "GPU0"].max()


# --- refusals ---


def test_runs_without_their_schedule(scene):
    bare = scene.run("eager", records=False)
    pickled = pickle.loads(pickle.dumps(scene.run("eager")))
    for run, message in ((bare, "the run keeps no schedule"), (pickled, "the run was pickled")):
        for function in (tw.explain, tw.validate, tw.gantt, lambda run: tw.diff(run, run)):
            with pytest.raises(tw.Invalid, match=message):
                function(run)
    for run in (bare, pickle.loads(pickle.dumps(bare))):
        for table in ("tasks", "transfers", "memory"):
            with pytest.raises(tw.Invalid, match="the run keeps no schedule: expected records=True"):
                getattr(run, table)
        assert run.makespan == scene.run("eager").makespan


def test_wrong_arguments(scene):
    with pytest.raises(tw.Invalid, match="^option 'rounds=-1': expected"):
        tw.bounds(scene, rounds=-1)
    with pytest.raises(tw.Invalid, match="option 'cpus': expected it with the Platform"):
        tw.bounds(scene, cpus=3)
    with pytest.raises(tw.Invalid, match="option 'cpus': expected it with the name of a platform"):
        tw.describe("cholesky:nt=4", cpus=3)
    with pytest.raises(TypeError, match="expected a Scene, or a platform and a graph"):
        tw.bounds("mirage")
    with pytest.raises(tw.Invalid, match="task 0 takes -1 s"):
        wrong = tw.Graph()
        wrong.submit("step", seconds=-1)
        tw.describe(wrong)
