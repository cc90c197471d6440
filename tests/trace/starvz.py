#!/usr/bin/env python3
"""StarVZ's tables of a run: the columns that StarVZ expects, consistent rows, and the graph read back from the tables.

    tests/trace/starvz.py TILEWRIGHT"""

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

TILEWRIGHT = os.path.abspath(sys.argv[1])
failures = 0

# The columns as StarVZ's scripts write them for its first phase.
COLUMNS = {
    "rec.tasks.csv.gz": None,  # those of tasks.rec, in any order
    "rec.data_handles.csv.gz": "Handle,HomeNode,Size,Description",
    "dag.csv.gz": "Dependent,JobId",
    "entities.csv": "Parent, Name, Type, Nature",
    "paje.worker_state.csv.gz": "Nature, ResourceId, Type, Start, End, Duration, Depth, Value, Size, Params, "
                                "Footprint, Tag, JobId, "
                                "SubmitOrder, GFlop, X, Y, Iteration, Subiteration",
    "paje.memory_state.csv.gz": "Nature, ResourceId, Type, Start, End, Duration, Depth, Value",
    "paje.comm_state.csv.gz": "Nature, ResourceId, Type, Start, End, Duration, Depth, Value",
    "paje.other_state.csv.gz": "Nature, ResourceId, Type, Start, End, Duration, Depth, Value",
    "paje.variable.csv.gz": "Nature, ResourceId, Type, Start, End, Duration, Value",
    "paje.link.csv.gz": "Nature, Container, Type, Start, End, Duration, Size, Origin, Dest, Key, Tag, MPIType, "
                        "Priority, Handle",
    "paje.events.csv.gz": "Nature, Container, Type, Start, Value, Handle, Info, Size, Tid, Src",
}


def run(*words):
    return subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True)


def check(what, holds, *shown):
    global failures
    if not holds:
        failures += 1
        print("fails:", what, *shown)


def table(name):
    opened = (gzip.open if name.endswith(".gz") else open)(os.path.join("tables", name), "rt")
    with opened as f:
        return list(csv.DictReader(f, skipinitialspace=True))


def trace(*words):
    done = run("run", *words, "--trace", "tables/", "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)[0]


def exported(workload):
    done = run("export", "--workload", workload, "-o", "graph.json")
    assert done.returncode == 0, done.stderr
    with open("graph.json") as f:
        return json.load(f), done.stderr


def canonical(graph):
    """Tasks with their kernels and handles, numbered by first use; and the dependencies that no data implies."""
    numbers, tasks = {}, []
    for kernel, priority, *rest in graph["tasks"]:
        extra = rest.pop() if rest and isinstance(rest[-1], dict) else {}
        accesses = [(numbers.setdefault(d, len(numbers)), mode, graph["data"][d])
                    for d, mode in zip(rest[::2], rest[1::2])]
        k = graph["kernels"][kernel]
        tasks.append((k["name"], k["size"], k["precision"], priority, accesses, extra.get("after", [])))
    return tasks


def tables_agree():
    """One run with evictions: compares the tables with the results."""
    result = trace("--platform", "mirage", "--workload", "cholesky:nt=8", "--policy", "dmdas", "--gpu-mem", "60MiB")
    for name, columns in COLUMNS.items():
        path = os.path.join("tables", name)
        with (gzip.open if name.endswith(".gz") else open)(path, "rt") as f:
            first = f.readline().rstrip("\n")
        check(f"{name} has its columns", columns is None or first == columns, first)
    jobs = [r for r in table("rec.tasks.csv.gz") if not r["Control"]]
    states = table("paje.worker_state.csv.gz")
    ran = [s for s in states if s["Value"] != "Idle"]
    check("as many jobs and executions as tasks", len(jobs) == len(ran) == result["tasks"], len(jobs), len(ran))
    by_job = {s["JobId"]: s for s in ran}
    for job in jobs:
        state = by_job[job["JobId"]]
        check("a job's dates are those of its execution",
              (job["StartTime"], job["EndTime"]) == (state["Start"], state["End"]), job)
        check("dates are in order", float(job["SubmitTime"]) <= float(job["ReadyTime"]) <= float(job["StartTime"]), job)
    for rows in (states, table("paje.variable.csv.gz"), table("paje.link.csv.gz")):
        for r in rows:
            check("durations are those of the dates",
                  abs(float(r["End"]) - float(r["Start"]) - float(r["Duration"])) < 1e-6 and float(r["Duration"]) >= 0,
                  r)
    makespan = 1e3 * result["makespan_s"]
    for resource in {s["ResourceId"] for s in states}:
        mine = [s for s in states if s["ResourceId"] == resource]
        check("states of a worker fill the time", abs(sum(float(s["Duration"]) for s in mine) - makespan) < 1e-3,
              resource)
    idle = sum(float(s["Duration"]) for s in states if s["Value"] == "Idle") / makespan / 12
    check("idle states make the idle ratio", abs(idle - result["idle_ratio"]) < 1e-3, idle)
    check("workers have StarPU's names",
          {s["ResourceId"] for s in states} == {*(f"CPU{i}" for i in range(9)), *(f"CUDA{i}_0" for i in range(3))})
    links = table("paje.link.csv.gz")
    moved = sum(int(r["Size"]) for r in links)
    check("links are the transfers", moved == result["transferred_bytes"] and len(links) == result["transfers"], moved)
    variables = table("paje.variable.csv.gz")
    for kind in ("In", "Out"):
        area = sum(float(v["Value"]) * float(v["Duration"]) * 1e3 for v in variables
                   if v["Type"] == f"Bandwidth {kind} (MB/s)")
        check(f"bandwidths {kind} make the bytes", abs(area - moved) < 10, area, moved)
    host = {kind: [(float(v["Start"]), float(v["Value"])) for v in variables
                   if v["ResourceId"] == "LINK_host" and v["Type"] == f"{kind} (MB/s)"]
            for kind in ("Bandwidth", "Capacity")}
    check("the host's link passes less of several transfers than of one",
          {round(value) for _, value in host["Capacity"]} >= {6517, 7669}, host["Capacity"])
    check("it never passes more than one transfer gets", max(value for _, value in host["Bandwidth"]) < 7669)
    used = [float(v["Value"]) for v in variables if v["Type"] == "Used (MB)" and v["ResourceId"] != "MEMMANAGER0"]
    check("memories are used, within their bound", 20 < max(used) <= 60, max(used))
    ready = [float(v["Value"]) for v in variables if v["Type"] == "Number of Ready Tasks"]
    check("tasks are ready, and none in the end", max(ready) > 3 and ready[-1] == 0 and min(ready) == 0)
    check("every entity of a table is one of the containers",
          {r["ResourceId"] for r in states + variables if "LINK_" not in r["ResourceId"]} <=
          {e["Name"] for e in table("entities.csv")})
    edges = {(r["Dependent"], r["JobId"]) for r in table("dag.csv.gz")}
    told = {(d, j["JobId"]) for j in jobs for d in j["DependsOn"].split()}
    check("both tables of dependencies tell the same", edges == told and len(edges) > len(jobs))
    first = {n: open(os.path.join("tables", n), "rb").read() for n in COLUMNS}
    trace("--platform", "mirage", "--workload", "cholesky:nt=8", "--policy", "dmdas", "--gpu-mem", "60MiB")
    check("the same run gives the same bytes",
          all(open(os.path.join("tables", n), "rb").read() == first[n] for n in COLUMNS))


def round_trip(workload, *words):
    # Recorded tasks are submitted in the order of their starts. A small graph that waits for submissions would take
    # longer.
    quick = ("--runtime", "starpu:submit_cost=0")
    result = trace("--platform", "mirage", "--workload", workload, "--policy", "dmdas", *quick, *words)
    back, said = exported("file:tables")
    graph, _ = exported(workload)
    check(f"{workload}: the same graph", canonical(graph) == canonical(back),
          next(((a, b) for a, b in zip(canonical(graph), canonical(back)) if a != b), "lengths"))
    check(f"{workload}: the same flops of kernels", flops(graph) == flops(back), flops(graph), flops(back))
    check(f"{workload}: nothing is left out", "; " not in said.replace("; tasks of 0 s, counted as 1 ns", ""), said)
    done = run("run", "--platform", "mirage", "--workload", "file:tables:replay=yes", "--policy", "replay", *quick,
               "--validate",
               "--format", "json")
    check(f"{workload} runs again", done.returncode == 0, done.stderr)
    again = json.loads(done.stdout)[0]["makespan_s"]
    check(f"{workload}: takes as long", abs(again / result["makespan_s"] - 1) < 0.1, again, result["makespan_s"])


def flops(graph):
    return {(k["name"], k["size"], k["precision"]): round(k["flops"]) for k in graph["kernels"]}


def reduction():
    """Tasks that combine accumulators have executions, but are not in the graph: readers of the sum wait for all its
    contributors."""
    tasks = [[0, 0, 0, 8]] * 3 + [[0, 0, 0, 3]]
    with open("sum.json", "w") as f:
        json.dump({"tilewright": 1, "flops": 0, "priorities": "all", "data": [8], "reductions": [[0, 0]],
                   "tasks": tasks,
                   "kernels": [{"name": "gemm", "size": "960", "precision": "s", "flops": 1e9}]}, f)
    trace("--platform", "mirage", "--workload", "file:sum.json", "--policy", "eager")
    ran = [s for s in table("paje.worker_state.csv.gz") if s["Value"] != "Idle"]
    check("combining tasks ran, as jobs behind all others",
          len(ran) > 4 and {s["JobId"] for s in ran if int(s["JobId"]) > 4} ==
          {s["JobId"] for s in ran if not s["SubmitOrder"]} != set(), ran)
    back, said = exported("file:tables")
    check("reductions are counted", "accesses for reductions, counted as reads: 3" in said, said)
    edges = sorted((r["Dependent"], r["JobId"]) for r in table("dag.csv.gz"))
    check("the last task waits for all others",
          len(back["tasks"]) == 4 and edges == [("1", "4"), ("2", "4"), ("3", "4")], edges)


def archs():
    """If a kind has several archs, their names differ, and the graph can still be read back."""
    trace("--platform", "synthetic", "--workload", "cholesky:nt=4", "--policy", "dmdas")
    names = {s["ResourceId"] for s in table("paje.worker_state.csv.gz")}
    check("own names behind kinds", "CPU_FAST_0" in names and all(n.startswith(("CPU_", "CUDA_")) for n in names),
          names)
    back, said = exported("file:tables")
    check("all kinds are known", len(back["tasks"]) == 20 and "unknown" not in said, said)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tables_agree()
        for workload in ("cholesky:nt=6", "cholesky:nt=4:precision=d", "lu:nt=5", "qr:nt=4", "qr:nt=3:ib=0",
                         "matmul2d:nt=4",
                         "matmul3d:nt=3", "sparse:nt=8:density=0.3", "stencil:blocks=4:iterations=3", "layered:n=30",
                         "forkjoin:width=4:stages=3", "qrmumps:grid2d=60", "spldlt:grid2d=60",
                         "cholesky:nt=6:priority=submission"):
            round_trip(workload, "--extrapolate")
        reduction()
        archs()
        os.chdir("/")
    return 1 if failures else 0


sys.exit(main())
