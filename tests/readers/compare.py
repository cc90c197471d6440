#!/usr/bin/env python3
"""Compares task graphs that the command reads with the same files, which this script reads in other ways.

    compare.py TILEWRIGHT cholesky     a trace of Cholesky in StarPU's format gives the workload cholesky
    compare.py TILEWRIGHT wfcommons    the reference's workflows: tasks, seconds, files and dependencies
    compare.py TILEWRIGHT starvz       the reference's trace of qr_mumps: dependencies, and the makespan of a replay

The reference is in $TILEWRIGHT_REFERENCE, else in ../shared/reference beside the source tree. Without it the exit
status is 77."""

import csv
import gzip
import heapq
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
REFERENCE = pathlib.Path(os.environ.get("TILEWRIGHT_REFERENCE") or ROOT.parent / "shared" / "reference")
R, W = 1, 2


def check(what, expected, got):
    if expected != got:
        sys.exit(f"{what}: expected {expected!r:.300}, got {got!r:.300}")


def export(command, workload, ending=".json"):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "graph" + ending)
        subprocess.run([command, "export", "--workload", workload, "-o", path], check=True, stderr=subprocess.DEVNULL)
        return path.read_text()


def escape(path):
    return str(path).replace(":", "\\:")


def ancestors(n, edges):
    """The ancestors of each task as bit sets. Edges go to greater numbers."""
    above = [0] * n
    for before, behind in sorted(edges, key=lambda e: e[1]):
        above[behind] |= above[before] | 1 << before
    return above


def edges_of(command, workload):
    edges = []
    for line in export(command, workload, ".dot").splitlines():
        words = line.split()
        if len(words) >= 3 and words[1] == "->":
            edges.append((int(words[0]), int(words[2])))
    return edges


def renumbered(graph):
    """The tasks of a graph, with kernels by name, and data numbered in the order of first accesses. Without marks of
    critical tasks, which traces do not contain."""
    kernels = [(k["name"], k["size"], k["precision"]) for k in graph["kernels"]]
    data, tasks = {}, []
    for task in graph["tasks"]:
        numbers = [number for number in task if isinstance(number, int)]
        accesses = [(data.setdefault(d, len(data)), mode) for d, mode in zip(numbers[2::2], numbers[3::2])]
        rest = {name: value for each in task[len(numbers):] for name, value in each.items() if name != "critical"}
        tasks.append((kernels[numbers[0]], numbers[1], accesses, rest))
    return tasks


def run(command, policies, workload, *options):
    """The results of each policy's run."""
    ended = subprocess.run([command, "run", "--platform", "mirage", "--workload", workload, "--policy", policies,
                            "--validate",
                            "--format", "json", *options], check=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL)
    return [(row["makespan_s"], row["transferred_bytes"], row["gpu_tasks"]) for row in json.loads(ended.stdout)]


def cholesky(command):
    for nt in (1, 2, 3, 7, 12):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "tasks.rec")
            with path.open("w") as file:
                subprocess.run([sys.executable, ROOT / "tests/readers/make_tasks_rec.py", str(nt), "320"], stdout=file,
                               check=True)
            read = json.loads(export(command, f"file:{escape(path)}:times=model"))
            made = json.loads(export(command, f"cholesky:nt={nt}:nb=320"))
            check(f"nt={nt}", renumbered(made), renumbered(read))
            # The workload hides its priorities from eager and lws, but a file cannot.
            for policies, priority in (("eager,lws", "none"), ("dmdas", "workload")):
                runs = [run(command, policies, f"{workload}:priority={priority}")
                        for workload in (f"cholesky:nt={nt}:nb=320", f"file:{escape(path)}:times=model")]
                check(f"runs of nt={nt}", *runs)


def workflow(command, path):
    root = json.loads(path.read_text())["workflow"]
    tasks, execution = root["specification"]["tasks"], {t["id"]: t for t in root["execution"]["tasks"]}
    sizes = {f["id"]: f["sizeInBytes"] for f in root["specification"]["files"]}
    number = {task["id"]: i for i, task in enumerate(tasks)}
    writer, edges = {}, set()
    for i, task in enumerate(tasks):
        edges |= {(number[parent], i) for parent in task["parents"]} | {(i, number[c]) for c in task["children"]}
        for file in task.get("outputFiles", []):
            writer.setdefault(file, set()).add(i)
    for i, task in enumerate(tasks):
        for file in task.get("inputFiles", []):
            if len(writer.get(file, [])) == 1 and file not in task.get("outputFiles", []):
                edges |= {(w, i) for w in writer[file]}
    # A topological order; ties: the order of the file.
    waiting = [sum(behind == i for _, behind in edges) for i in range(len(tasks))]
    ready, order = [i for i, n in enumerate(waiting) if n == 0], []
    heapq.heapify(ready)
    while ready:
        i = heapq.heappop(ready)
        order.append(i)
        for before, behind in edges:
            if before == i:
                waiting[behind] -= 1
                if waiting[behind] == 0:
                    heapq.heappush(ready, behind)
    place = {i: n for n, i in enumerate(order)}
    workload = f"file:{escape(path)}"
    graph = json.loads(export(command, workload))
    check(f"{path.name}: tasks", len(tasks), len(graph["tasks"]))
    for i, task in zip(order, graph["tasks"]):
        numbers = [n for n in task if isinstance(n, int)]
        check(f"{path.name}: {tasks[i]['id']}: seconds", max(execution[tasks[i]["id"]]["runtimeInSeconds"], 1e-9),
              task[-1]["seconds"])
        files = [(sizes[f] or 1, mode) for key, mode in (("inputFiles", R), ("outputFiles", W))
                 for f in tasks[i].get(key, [])]
        if len({*tasks[i].get("inputFiles", []), *tasks[i].get("outputFiles", [])}) == len(files):
            check(f"{path.name}: {tasks[i]['id']}: files", files,
                  [(graph["data"][d], mode) for d, mode in zip(numbers[2::2], numbers[3::2])])
    expected = ancestors(len(tasks), [(place[a], place[b]) for a, b in edges])
    check(f"{path.name}: order", expected, ancestors(len(tasks), edges_of(command, workload)))


def wfcommons(command):
    paths = sorted((REFERENCE / "wfcommons").glob("*.json"))
    if not paths:
        print(f"{REFERENCE / 'wfcommons'} is not there: nothing to compare with", file=sys.stderr)
        sys.exit(77)
    for path in paths:
        workflow(command, path)
    print(f"{len(paths)} workflows")


def starvz(command):
    folder = REFERENCE / "qr_mumps_trace"
    if not folder.is_dir():
        print(f"{folder} is not there: nothing to compare with", file=sys.stderr)
        sys.exit(77)
    with gzip.open(folder / "rec.tasks.csv.gz", "rt") as file:
        rows = {row["JobId"]: row for row in csv.DictReader(file)}
    tasks = sorted((row for row in rows.values() if row["WorkerId"]), key=lambda row: float(row["StartTime"]))
    place = {row["JobId"]: i for i, row in enumerate(tasks)}

    def waits_for(job, seen):
        """The tasks on which a job depends, directly or through jobs that are not tasks."""
        for other in rows[job]["DependsOn"].split():
            if other in place:
                yield place[other]
            elif other in rows and other not in seen:
                seen.add(other)
                yield from waits_for(other, seen)

    workload = f"file:{escape(folder)}:replay=yes"
    graph = json.loads(export(command, workload))
    check("tasks", len(tasks), len(graph["tasks"]))
    for row, task in zip(tasks, graph["tasks"]):
        check(f"job {row['JobId']}: worker", int(row["WorkerId"]), task[-1]["processor"][0])
        seconds = (float(row["EndTime"]) - float(row["StartTime"])) / 1e3
        if abs(task[-1]["seconds"] - seconds) > 1e-9:
            check(f"job {row['JobId']}: seconds", seconds, task[-1]["seconds"])
    above = ancestors(len(tasks), edges_of(command, workload))
    for job, i in place.items():
        for before in waits_for(job, set()):
            check(f"job {job} waits for job {tasks[before]['JobId']}", 1, above[i] >> before & 1)

    makespan, *_ = run(command, "replay", workload, "--cpus", "10", "--gpus", "0")[0]
    recorded = (max(float(row["EndTime"]) for row in tasks) - float(tasks[0]["StartTime"])) / 1e3
    difference = 100 * (makespan - recorded) / recorded
    print(f"recorded {recorded:.4f} s, replayed {makespan:.4f} s: {difference:+.2f} %")
    if abs(difference) > 1:
        sys.exit("expected at most 1 % of difference")


if __name__ == "__main__":
    modes = {"cholesky": cholesky, "wfcommons": wfcommons, "starvz": starvz}
    if len(sys.argv) != 3 or sys.argv[2] not in modes:
        sys.exit(__doc__)
    modes[sys.argv[2]](sys.argv[1])
