"""Sweeps: the rows of the command, own policies, executors, and sweeps that are killed and go on."""

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import time

import pandas
import policies
import pytest

import tilewright as tw

LISTS = dict(platforms="mirage", graphs=["cholesky:nt=4", "cholesky:nt=6"], seeds=range(3), noise="0.05", cpus=[2, 4])
MEASURED = ["wall_s", "tasks_per_s", "peak_rss_bytes"]


def sweep(policy_list, **more):
    arguments = {**LISTS, **more}
    return tw.sweep(arguments.pop("platforms"), arguments.pop("graphs"), policy_list, progress=False, **arguments)


def sorted_rows(table):
    keys = ["workload", "policy", "cpus", "seed"]
    return table.drop(columns=[*MEASURED, "identity"]).sort_values(keys).reset_index(drop=True)


def test_words_have_the_rows_of_runs(tmp_path):
    table = sweep(["eager", "dmdas"], output=tmp_path / "rows.csv", jobs=2)
    assert len(table) == 2 * 3 * 2 * 2 and (table.status == "ok").all()
    row = table[(table.workload == "cholesky:nt=6") & (table.policy == "eager") & (table.cpus == 4) & (table.seed == 2)]
    run = tw.simulate("mirage", "cholesky:nt=6", "eager", cpus=4, seed=2, noise="0.05")
    assert row.makespan_s.item() == run.makespan and row.identity.item() == run.row["identity"]
    # All points are there: their measured times are those of the first sweep.
    again = sweep(["eager", "dmdas"], output=tmp_path / "rows.csv")
    pandas.testing.assert_frame_equal(again, table)


@pytest.mark.parametrize("number", [0, 1])
def test_numbers_are_no_flags(number):
    table = tw.sweep("mirage", "cholesky:nt=3", "eager", gpus=number, seeds=number, validate=True, progress=False)
    assert (table.gpus.item(), table.seed.item(), table.validated.item()) == (number, number, True)


def test_objects_have_the_rows_of_their_twins():
    mine, twins = sweep([policies.Eager, policies.Dmda()]), sweep(["eager", "dmda"])
    mine["policy"] = mine.policy.str.lower()
    pandas.testing.assert_frame_equal(sorted_rows(mine), sorted_rows(twins), check_dtype=False)
    mixed = sweep(["eager", policies.Dmda], evictions=[None, policies.Lru, "mru"])
    assert len(mixed) == 72 and set(mixed.eviction) == {"lru", "Lru", "mru"}


def test_a_sweep_goes_on(tmp_path):
    file = tmp_path / "rows.csv"
    first = sweep([policies.Eager], output=file)
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])  # a row is cut
    again = sweep([policies.Eager], output=file)
    assert len(again) == 12 and set(again.identity) == set(first.identity)
    assert (again.wall_s.isin(first.wall_s)).sum() in (4, 5)
    # The command reads the file, too, and Python's rows follow those of the command.
    mixed = sweep([policies.Eager, "dmdas"], output=file)
    assert len(mixed) == 24 and mixed.identity.is_unique


def test_other_code_and_other_attributes_are_other_points(tmp_path):
    class Window(policies.Eager):
        def __init__(self, window):
            self.window = window

    file = tmp_path / "rows.csv"
    assert len(sweep([Window(1), Window(2)], output=file)) == 24
    assert len(sweep([Window(2), Window(1)], output=file)) == 24

    class Window(policies.Eager):  # noqa: F811
        def __init__(self, window):
            self.window = window if callable(window) else window + 0

    assert len(sweep([Window(1)], output=file)) == 36
    with pytest.raises(tw.Invalid, match="Window.*attributes that can be pickled"):
        sweep([Window(lambda: 0)], output=file)


def test_a_graph_of_ones_own(tmp_path):
    graph = tw.Graph("pairs")
    for i in range(20):
        graph.submit("x", after=[i - 2] if i > 1 else [], seconds=0.1 + i / 100)
    table = sweep(["eager", policies.Eager], graphs=graph, output=tmp_path / "rows.csv", noise="0.1")
    assert len(table) == 12 and set(table.workload) == {"pairs"} and (table.makespan_s > 1).all()
    assert len(sweep(["eager", policies.Eager], graphs=graph, output=tmp_path / "rows.csv", noise="0.1")) == 12


@pytest.mark.parametrize("kind", ["threads", "processes", "dask"])
def test_executors(kind, tmp_path):
    graph = tw.Graph("one")
    graph.submit("x", seconds=0.5)
    lists = dict(graphs=["cholesky:nt=4", graph])
    expected = sorted_rows(sweep([policies.Dmda, "lws"], **lists))
    if kind == "dask":
        distributed = pytest.importorskip("distributed")
        executor = distributed.Client(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None)
    elif kind == "threads":
        executor = concurrent.futures.ThreadPoolExecutor(3)
    else:
        executor = concurrent.futures.ProcessPoolExecutor(2)
    with executor:
        table = sweep([policies.Dmda(), "lws"], executor=executor, output=tmp_path / "rows.csv", **lists)
    pandas.testing.assert_frame_equal(sorted_rows(table), expected, check_dtype=False)


def test_failures():
    table = sweep(["dmdas", policies.Dmda], gpu_mem="20MiB", cpus=[0, 2], noise="0")
    assert set(table.status) == {"failed"} and table.message.str.contains("memory").all() and len(table) == 24

    class Bad(policies.Eager):
        def done(self, s, task, worker):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        sweep([Bad])
    with pytest.raises(tw.Invalid, match="unknown policy 'dmdaz'"):
        sweep(["dmdaz"])
    with pytest.raises(tw.Invalid, match="expected it with the Platform"):
        sweep(["eager"], platforms=tw.Platform("mirage"))
    with pytest.raises(tw.Invalid):
        sweep(["eager"], noise="much")


def test_another_file_is_refused(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    for policy in ("eager", policies.Eager):
        with pytest.raises(tw.Error, match="rows.csv.*expected the columns that this"):
            sweep([policy], output=tmp_path / "rows.csv")
    assert (tmp_path / "rows.csv").read_text() == "a,b\n1,2\n"


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import policies
import tilewright as tw
kinds = {"own": (policies.Eager, 20), "words": ("eager", 40)}  # the command writes rows once a second
policy, nt = kinds[sys.argv[2]]
tw.sweep("mirage", f"cholesky:nt={nt}", policy, seeds=range(150), noise="0.02", output=sys.argv[3], progress=False)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("kind", ["own", "words"])
def test_a_killed_sweep_leaves_whole_rows_and_goes_on(kind, how, tmp_path):
    file = tmp_path / "rows.csv"
    command = [sys.executable, "-c", PROGRAM, os.path.dirname(__file__), kind, file]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < 5):
            time.sleep(0.005)
        process.send_signal(how)
        errors = process.communicate()[1]
    assert process.returncode != 0 and (how == signal.SIGKILL or "KeyboardInterrupt" in errors)
    time.sleep(0.3)  # the command ends after its parent
    rows = file.read_text().splitlines()
    whole = [row for row in rows if row.count(",") >= rows[0].count(",")]
    assert 4 <= len(whole) and len(rows) - len(whole) <= (how == signal.SIGKILL)
    subprocess.run(command, check=True)
    table = pandas.read_csv(file)
    assert sorted(table.seed) == list(range(150)) and pathlib.Path(file).read_text().startswith("\n".join(whole))


def test_seeds_are_more_than_an_argument_holds():
    seeds = [10**18 + i for i in range(7000)]
    assert sorted(tw.sweep("mirage", "cholesky:nt=1", "eager", seeds=seeds, progress=False).seed) == seeds


def write_graph(path, seconds):
    graph = tw.Graph("file")
    graph.submit("k", seconds=seconds)
    graph.write(path)


def test_executors_see_that_a_file_has_changed(tmp_path):
    path, makespans = tmp_path / "graph.json", []
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        for seconds in (1, 2):
            write_graph(path, seconds)
            table = tw.sweep("mirage", f"file:{path}", "eager", executor=executor, progress=False)
            makespans.append(round(table.makespan_s.item()))
    assert makespans == [1, 2]


def test_refused_points_are_rows(tmp_path):
    for output in (None, tmp_path / "rows.csv"):
        memory = {"gpu_mem": ["none", "1KB"], "output": output, "progress": False}
        table = tw.sweep("mirage", "cholesky:nt=2", policies.Eager, **memory)
        assert list(table.status) == ["ok", "failed"]


@pytest.mark.parametrize("speedup", [{"a,b": 20, "*": 2}, ["a\\,b=20", "*=2"], "a\\,b=20,*=2"])
def test_options_of_several_items(speedup, tmp_path):
    graph = tw.Graph()
    graph.submit("a,b", seconds={"processors": 20})
    graph.submit("c", seconds={"processors": 2})
    graph.write(tmp_path / "graph.json")
    words = f"file:{tmp_path}/graph.json"
    own = tw.simulate("mirage", words, "dmda", speedup=speedup, runtime="ideal")
    assert own.makespan == 1
    table = tw.sweep("mirage", words, ["dmda", "heft"], speedup=[speedup], runtime="ideal", progress=False)
    assert table.speedup[0] == own.row["speedup"] and table.makespan_s.eq(1).all()
    assert table.given_cpus.isna().all() and (table.status == "ok").all()


def test_options_that_no_list_of_words_can_have():
    for wrong in ({"validate": [True, False]}, {"noise": [None, 0.01]}):
        with pytest.raises(tw.Invalid, match="expected texts or numbers alone"):
            tw.sweep("mirage", "cholesky:nt=2", "eager", progress=False, **wrong)
    with pytest.raises(tw.Invalid, match="^option 'belief_error=7': expected"):
        tw.sweep("mirage", "cholesky:nt=2", "eager", progress=False, belief_error=7)
