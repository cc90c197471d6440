#!/usr/bin/env python3
"""Compares what `tilewright describe` says of files of task graphs with the same files, which this script reads with
Python's own parsers: tasks, dependencies, bytes of all handles, work, critical path.

    formats.py TILEWRIGHT FILE...

Prints a row for each file. The name's ending tells the format: .dax, .xml, .graphml, .stg, .sm, .json; with .gz or
without. The exit status is 1 if a number differs."""

import gzip
import json
import math
import subprocess
import sys
import xml.etree.ElementTree as ET


def text(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return file.read()


def of_files(seconds, edges, uses):
    """Adds the dependencies of files to `edges`, and sums their bytes. Uses: (task, file, bytes, written). Each of
    several writers of one name has a file of its own, which tasks read that depend on it directly."""
    given, written = set(edges), {}
    for task, file, size, writes in uses:
        if writes:
            written.setdefault(file, {}).setdefault(task, size)
    sizes = {(file, task): size for file, tasks in written.items() for task, size in tasks.items()}
    for task, file, size, writes in uses:
        writers = written.get(file, {})
        if len(writers) == 1 and not writes and task not in writers:
            edges.add((*writers, task))
        if not writers or (len(writers) > 1 and not writes and task not in writers and
                           not any((w, task) in given for w in writers)):
            sizes.setdefault((file, None), size)
    return seconds, edges, sum(max(size, 1) for size in sizes.values())


def read_dax(root):
    space = root.tag[:root.tag.find("}") + 1]
    seconds, uses, edges = {}, [], set()
    for job in root.iter(space + "job"):
        profile = [p.text for p in job.findall(space + "profile") if p.get("namespace") == "pegasus" and
                   p.get("key") == "runtime"]
        seconds[job.get("id")] = max(float(job.get("runtime") or (profile or ["nan"])[0]), 0)
        for use in job.findall(space + "uses"):
            if use.get("type") == "executable" or use.get("executable") == "true":
                continue
            for way in ("input", "output"):
                if use.get("link") in (way, "inout"):
                    uses.append((job.get("id"), use.get("file") or use.get("name"),
                                 max(math.ceil(float(use.get("size") or 0)), 0), way == "output"))
    for child in root.iter(space + "child"):
        edges |= {(parent.get("ref"), child.get("ref")) for parent in child}
    return of_files(seconds, edges, uses)


def read_workflow(workflow):
    """WfCommons: schemas before 1.4 have jobs, 1.4 has tasks, and 1.5 a specification and an execution."""
    spec = workflow.get("specification", workflow)
    tasks = spec.get("tasks", spec.get("jobs"))
    run = {task["id"]: task for task in workflow.get("execution", {}).get("tasks", [])}
    sizes = {file["id"]: file["sizeInBytes"] for file in spec.get("files", [])}
    seconds, uses, edges = {}, [], set()
    for task in tasks:
        name = task["id"] if run else task["name"]
        times = run.get(name, task)
        seconds[name] = times.get("runtimeInSeconds", times.get("runtime"))
        edges |= {(parent, name) for parent in task.get("parents", [])}
        edges |= {(name, child) for child in task.get("children", [])}
        uses += [(name, file, sizes.get(file, 0), writes) for key, writes in (("inputFiles", 0), ("outputFiles", 1))
                 for file in task.get(key, [])]
        uses += [(name, file["name"], file.get("sizeInBytes", file.get("size")), file["link"] == "output")
                 for file in task.get("files", [])]
    return of_files(seconds, edges, uses)


def read_saga(graph):
    seconds = {task["name"]: task["cost"] for task in graph["tasks"]}
    edges = {(d["source"], d["target"]) for d in graph["dependencies"]}
    return seconds, edges, sum(math.ceil(d["size"]) for d in graph["dependencies"])


def read_json(root):
    return read_workflow(root["workflow"]) if "workflow" in root else read_saga(root.get("task_graph", root))


def read_graphml(root):
    space = root.tag[:root.tag.find("}") + 1]
    names = {(key.get("id"), key.get("for")): key.get("attr.name") for key in root.iter(space + "key")}
    defaults = {(key.get("attr.name"), key.get("for")): key.findtext(space + "default")
                for key in root.iter(space + "key") if key.find(space + "default") is not None}

    def attributes(of, kind):
        found = {name: value for (name, what), value in defaults.items() if what == kind}
        return {**found, **{names[data.get("key"), kind]: data.text for data in of.findall(space + "data")}}

    seconds, edges, handles = {}, set(), {}
    for node in root.iter(space + "node"):
        values = attributes(node, "node")
        seconds[node.get("id")] = float(values.get("seconds") or values.get("weight"))
    for number, edge in enumerate(root.iter(space + "edge")):
        values = attributes(edge, "edge")
        edges.add((edge.get("source"), edge.get("target")))
        size = math.ceil(float(values.get("bytes") or values.get("size") or 0))
        if size:
            handles[edge.get("source"), values.get("data", number)] = size
    return seconds, edges, sum(handles.values())


def without(nodes, edges):
    """Edges without some nodes, which pass on order."""
    for node in nodes:
        before = {a for a, b in edges if b == node}
        behind = {b for a, b in edges if a == node}
        edges = {(a, b) for a, b in edges if node not in (a, b)} | {(a, b) for a in before for b in behind}
    return edges


def read_stg(lines):
    rows = [[float(word) for word in line.split()] for line in lines if line.strip() and not line.startswith("#")]
    tasks = [(int(row[0]), row[1], [int(word) for word in row[3:]]) for row in rows[1:]]
    seconds = {number: cost for number, cost, _ in tasks}
    edges = {(before, number) for number, _, waits in tasks for before in waits}
    more = len(tasks) - int(rows[0][0])
    dummies = [tasks[-1][0]] * (more > 0) + [tasks[0][0]] * (more > 1)
    for number in dummies:
        del seconds[number]
    return seconds, without(dummies, edges), 0


def read_psplib(lines):
    def section(title):
        rows = lines[lines.index(title) + 1:]
        rows = rows[:next(i for i, row in enumerate(rows) if row.startswith("**"))]
        return [[int(word) for word in row.split()] for row in rows if row.split()[0].isdigit()]

    edges = {(row[0], behind) for row in section("PRECEDENCE RELATIONS:") for behind in row[3:]}
    seconds = {row[0]: row[2] for row in section("REQUESTS/DURATIONS:")}
    dummies = [number for number in (1, max(seconds)) if seconds[number] == 0]
    for number in dummies:
        del seconds[number]
    return seconds, without(dummies, edges), 0


def read(path):
    content, name = text(path), path.removesuffix(".gz")
    if name.endswith((".stg", ".sm")):
        lines = [line.rstrip() for line in content.decode().splitlines()]
        return read_stg(lines) if name.endswith(".stg") else read_psplib(lines)
    if name.endswith(".json"):
        return read_json(json.loads(content))
    root = ET.fromstring(content)
    return read_graphml(root) if root.tag.endswith("graphml") else read_dax(root)


def critical_path(seconds, edges):
    before = {task: [] for task in seconds}
    behind = {task: [] for task in seconds}
    for a, b in edges:
        before[b].append(a)
        behind[a].append(b)
    waiting = {task: len(tasks) for task, tasks in before.items()}
    ready, ends = [task for task, n in waiting.items() if n == 0], {}
    for task in ready:
        ends[task] = seconds[task] + max((ends[b] for b in before[task]), default=0)
        for b in behind[task]:
            waiting[b] -= 1
            if waiting[b] == 0:
                ready.append(b)
    return max(ends.values())


def main():
    command, *paths = sys.argv[1:]
    if not paths:
        sys.exit(__doc__)
    bad = 0
    print(f"{'tasks':>6} {'edges':>6} {'bytes':>15} {'work (s)':>15} {'critical path (s)':>17}  file")
    for path in paths:
        options = ":unit_seconds=1" if path.removesuffix(".gz").endswith((".stg", ".sm")) else ""
        if b'"task_graph"' in text(path):
            options = ":unit_seconds=1:unit_bytes=1"
        workload = "file:" + path.replace(":", "\\:").replace(",", "\\,") + options
        done = subprocess.run([command, "describe", workload, "--format", "json"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True)
        told = json.loads(done.stdout)[0]
        seconds, edges, size = read(path)
        seconds = {task: max(s, 1e-9) for task, s in seconds.items()}
        wanted = [len(seconds), len(edges), size, sum(seconds.values()), critical_path(seconds, edges)]
        got = [told[key] for key in ("tasks", "dependencies", "handle_bytes", "recorded_s", "critical_path_recorded_s")]
        got[3:] = [math.nan if value is None else value for value in got[3:]]  # a file without times
        same = wanted[:3] == got[:3] and all(math.isclose(a, b) or (math.isnan(a) and math.isnan(b)) for a, b in
                                             zip(wanted[3:], got[3:]))
        print("{:6} {:6} {:15} {:15.9g} {:17.9g}  {}".format(*got, path))
        if not same:
            bad = 1
            print("{:6} {:6} {:15} {:15.9g} {:17.9g}  expected".format(*wanted))
    return bad


if __name__ == "__main__":
    sys.exit(main())
