#!/usr/bin/env python3
"""`tilewright describe` prints what a slow computation of its own finds: random graphs, and a graph of each workload.

    tests/describe/brute_force.py TILEWRIGHT [SEED]

The computation reads Tilewright's JSON format. It derives the dependencies from the accesses, closes them, and searches
the largest antichain by matching in the closure. Random graphs are measured on a platform of two archs, too.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TILEWRIGHT = os.path.abspath(sys.argv[1])
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
RANDOM_GRAPHS = 200
MODES = {1: "R", 2: "W", 3: "RW", 4: "SCRATCH", 8: "REDUX"}
GIVEN = {  # parameters that make a small graph of each workload
    "allgather": "nodes=6:bytes=9", "allreduce": "nodes=6:bytes=9", "broadcast": "nodes=9:bytes=9",
    "reduce": "nodes=9:bytes=9",
    "chain": "n=30", "grid": "n=90", "independent": "n=30", "star": "n=30",
    "cholesky": "nt=6", "cholesky_taskset": "nt=5", "forkjoin": "stages=3:width=7", "layered": "n=120:jump=3", 
    "life": "iterations=3",
    "lu": "nt=5", "matmul2d": "nt=6", "matmul3d": "nt=4", "qr": "nt=5:tree=binary", "reduction": "n=40",
    "sparse": "nt=20",
    "qrmumps": "grid2d=20", "spldlt": "grid2d=20", "stencil": "nx=30:ny=30:nz=256:blocks=16:iterations=4",
}

BINS = 60
ARCHS = {"cpu": None, "gpu": (1e9, 1e-5), "card": (5e8, 3e-5)}  # bandwidth and latency of the route from main memory
PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="C" speed="1Gf" core="4"><prop id="arch" value="cpu"/></host><host id="RAM" speed="1f"/>
%s</zone></platform>
"""
CARD = """<host id="{0}" speed="1Gf"><prop id="arch" value="{0}"/><prop id="memory" value="1GB"/></host>
<link id="link-{0}" bandwidth="{1}Bps" latency="{2}s" sharing_policy="SPLITDUPLEX"/>
<route src="RAM" dst="{0}"><link_ctn id="link-{0}" direction="DOWN"/></route>
"""


def peak_live(tasks, sizes):
    """The most bytes of handles between their first and last tasks, but scratch."""
    users = {}
    for t, task in enumerate(tasks):
        for d, mode in accesses_of(task):
            if mode != 4:
                users.setdefault(d, []).append(t)
    return max(sum(sizes[d] for d, at in users.items() if at[0] <= t <= at[-1]) for t in range(len(tasks)))


def tilewright(*words):
    done = subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tilewright {' '.join(words)}: {done.stderr}")
    return done.stdout


def random_graph(rng):
    """A graph of few handles that are accessed often, so that every kind of dependency occurs."""
    kernels = [{"name": f"k{i}", "size": "1", "precision": "s",
        "flops": rng.choice([0, 1, 3.5, 1e6])} for i in range(rng.randint(1, 4))]
    sizes = [rng.randint(1, 10**6) for _ in range(rng.randint(1, 12))]
    use = [rng.choice(["plain", "plain", "plain", "redux", "scratch"]) for _ in sizes]
    tasks = []
    for t in range(rng.randint(1, 60)):
        task = [rng.randrange(len(kernels)), 0]
        for d in rng.sample(range(len(sizes)), rng.randint(0, min(4, len(sizes)))):
            task += [d, {"plain": rng.choice([1, 1, 2, 3]), "redux": rng.choice([8, 8, 8, 1, 3]), "scratch": 4}[use[d]]]
        if t and rng.random() < 0.1:
            task.append({"after": sorted(rng.sample(range(t), min(t, rng.randint(1, 3))))})
        tasks.append(task)
    graph = {"tilewright": 1, "flops": 1, "priorities": "all", "kernels": kernels, "data": sizes, "tasks": tasks}
    reduced = [d for d, kind in enumerate(use) if kind == "redux"]
    if reduced:
        graph["reductions"] = [[d, 0] for d in reduced]
    return graph


def accesses_of(task):
    numbers = task[2:-1] if isinstance(task[-1], dict) else task[2:]
    return [(numbers[i], numbers[i + 1] & 15) for i in range(0, len(numbers), 2)]


def predecessors_of(graph):
    """For each task the set of tasks that it waits for."""
    writers, readers, adding = {}, {}, {}  # sets of tasks by handle; `adding`: to the open reduction
    result = []
    for t, task in enumerate(graph["tasks"]):
        before = set(task[-1].get("after", [])) if isinstance(task[-1], dict) else set()
        for d, mode in accesses_of(task):
            if mode == 4:
                continue
            if mode != 8 and d in adding:
                writers[d], readers[d] = adding.pop(d), set()
            if mode == 8:
                before |= readers.get(d) or writers.get(d, set())
                adding.setdefault(d, set()).add(t)
            elif mode == 1:
                before |= writers.get(d, set())
                readers.setdefault(d, set()).add(t)
            else:
                before |= readers.get(d) or writers.get(d, set())
                writers[d], readers[d] = {t}, set()
        result.append(before)
    return result


def antichain_of(ancestors):
    """Dilworth: tasks less the links of a largest matching between the ends of the pairs of the closure."""
    partner = {}

    def match(t, tried):
        for u in ancestors[t]:
            if u not in tried:
                tried.add(u)
                if u not in partner or match(partner[u], tried):
                    partner[u] = t
                    return True
        return False

    return len(ancestors) - sum(match(t, set()) for t in range(len(ancestors)))


def components_of(before):
    parent = list(range(len(before)))

    def root(t):
        while parent[t] != t:
            t = parent[t]
        return t

    for t, ones in enumerate(before):
        for u in ones:
            parent[root(t)] = root(u)
    sizes = {}
    for t in range(len(before)):
        sizes[root(t)] = sizes.get(root(t), 0) + 1
    return sizes


def degrees(numbers):
    return {"min": min(numbers), "mean": sum(numbers) / len(numbers), "max": max(numbers),
            "histogram": [[d, numbers.count(d)] for d in sorted(set(numbers))]}


def measure(graph):
    before = predecessors_of(graph)
    n, sizes = len(before), graph["data"]
    flops = [graph["kernels"][task[0]]["flops"] for task in graph["tasks"]]
    ancestors, level, path = [], [], []
    for t, ones in enumerate(before):
        ancestors.append(set(ones).union(*(ancestors[u] for u in ones)))
        level.append(max((level[u] + 1 for u in ones), default=0))
        path.append(flops[t] + max((path[u] for u in ones), default=0))
    after = [0] * n
    for ones in before:
        for u in ones:
            after[u] += 1
    accesses = [a for task in graph["tasks"] for a in accesses_of(task)]
    levels = [level.count(i) for i in range(max(level) + 1)]
    parts = components_of(before)
    return {
        "tasks": n,
        "kernels": [sum(task[0] == k for task in graph["tasks"]) for k in range(len(graph["kernels"]))],
        "handles": len(sizes),
        "divided_handles": 0,
        "parts": 0,
        "handle_bytes": sum(sizes),
        "working_set_bytes": sum(sizes[d] for d in {d for d, mode in accesses if mode != 4}),
        "peak_live_bytes": peak_live(graph["tasks"], sizes),
        "largest_task_bytes": max(sum(sizes[d] for d, _ in accesses_of(task)) for task in graph["tasks"]),
        "accesses": {name: sum(mode == bits for _, mode in accesses) for bits, name in MODES.items()},
        "access_bytes": sum(sizes[d] for d, mode in accesses if mode != 4),
        "task_flops": sum(flops),
        "critical_path_flops": max(path),
        "dependencies": sum(map(len, before)),
        "transitive_dependencies": sum(any(u in ancestors[p] for p in ones) for ones in before for u in ones),
        "predecessors": degrees([len(ones) for ones in before]),
        "successors": degrees(after),
        "components": len(parts),
        "largest_component_tasks": max(parts.values()),
        "depth": len(levels),
        "level_width": max(levels),
        "antichain": antichain_of(ancestors),
        "level_tasks": levels,
    }


def write_platform(rng):
    """Writes a platform and its times; returns {kernel: {arch: whole nanoseconds}}. Some kernels lack an arch."""
    cards = "".join(CARD.format(name, *route) for name, route in ARCHS.items() if route)
    times = {f"k{k}": {arch: rng.randint(1, 10**6)
                                         for arch in rng.sample(list(ARCHS), rng.choice([2, 3, 3]))} for k in range(4)}
    rows = [f"{k},{arch},1,1,s,{ns / 1000},0,1," for k, of in times.items() for arch, ns in of.items()]
    os.mkdir("node")
    pathlib.Path("node/platform.xml").write_text(PLATFORM % cards)
    pathlib.Path(
        "node/kernels.csv").write_text("kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\n"
        + "\n".join(rows) + "\n")
    return times


def dates_of(before, ns):
    """(start, end) of each task, if it starts when its predecessors have ended."""
    dates = []
    for ones, length in zip(before, ns):
        start = max((dates[u][1] for u in ones), default=0)
        dates.append((start, start + length))
    return dates


def measure_on_platform(graph, times):
    before = predecessors_of(graph)
    names = [graph["kernels"][task[0]]["name"] for task in graph["tasks"]]
    archs = {}
    for arch in ARCHS:
        missing = sum(arch not in times[name] for name in names)
        ns = [times[name].get(arch, 0) for name in names]
        archs[arch] = [missing, *([None, None] if missing else [max(end for _,
                                  end in dates_of(before, ns)) / 1e9, sum(ns) / 1e9])]
    best = [min(times[name].values()) for name in names]
    dates = dates_of(before, best)
    last = max(end for _, end in dates)
    edges = [last * b / BINS for b in range(BINS + 1)]
    inside = [sum(max(0, min(end, edges[b + 1]) - max(start, edges[b])) for start, end in dates) for b in range(BINS)]
    routes = [route for route in ARCHS.values() if route]
    seconds = [sum(latency + size / bandwidth for bandwidth, latency in routes) / len(routes) for size in graph["data"]]
    reads = [d for task in graph["tasks"] for d, mode in accesses_of(task) if mode in (1, 3)]
    return {
        "archs": archs,
        "critical_path_s": last / 1e9,
        "work_s": sum(best) / 1e9,
        "most": max(sum(start <= date < end for start, end in dates) for date, _ in dates),
        "running": [busy / (last / BINS) for busy in inside],
        "read_transfer_s": sum(seconds[d] for d in reads),
        "handle_transfer_s": sum(seconds[d] for d in set(reads)),
    }


def on_platform(described):
    """The same measures as `tilewright describe` has them."""
    keys = ("critical_path_s", "work_s", "read_transfer_s", "handle_transfer_s")
    archs = {one["arch"]: [one["tasks_without_time"], one["critical_path_s"], one["work_s"]]
        for one in described["archs"]}
    return {
    "archs": archs,
    "most": described["parallelism"]["max"],
    "running": described["parallelism"]["bins"]} | {
        k: described[k] for k in keys}


def equal(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return None not in (a, b) and abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def differences(name, computed, described):
    for key, value in computed.items():
        if not equal(value, described[key]):
            yield f"{name}: {key} is {described[key]}, computed {value}"


def main():
    rng = random.Random(SEED)
    graphs = {}
    sys.setrecursionlimit(10000)
    for i in range(RANDOM_GRAPHS):
        graphs[f"random{i}.json"] = random_graph(rng)
        pathlib.Path(f"random{i}.json").write_text(json.dumps(graphs[f"random{i}.json"]))
    for name in tilewright("list", "workloads", "--names").split():
        if name != "file":
            tilewright("export", "--workload", f"{name}:{GIVEN[name]}", "-o", f"{name}.json")
            graphs[f"{name}.json"] = json.loads(pathlib.Path(f"{name}.json").read_text())
    found = json.loads(tilewright("describe", "--format", "json", *graphs))
    # A graph of a workload is described as its file is.
    given = [f"{name[:-5]}:{GIVEN[name[:-5]]}" for name in graphs if name[:-5] in GIVEN]
    for one, of_file in zip(json.loads(tilewright("describe", "--format", "json", *given)),
                            found[RANDOM_GRAPHS:], strict=True):
        if {**one, "workload": ""} != {**of_file, "workload": ""}:
            sys.exit(f"{one['workload']} is not described as its file")
    failures = []
    for (name, graph), one in zip(graphs.items(), found, strict=True):
        failures += differences(name, measure(graph), one | {"kernels": [kernel["tasks"] for kernel in one["kernels"]]})
    times = write_platform(rng)
    names = list(graphs)[:RANDOM_GRAPHS]
    for name, one in zip(names, json.loads(tilewright("describe", "--platform",
                         "./node", "--format", "json", *names)), strict=True):
        failures += differences(f"{name} on a platform", measure_on_platform(graphs[name], times), on_platform(one))
    print(*failures[:40], sep="\n")
    # Measures that are 0 for every graph would be compared for nothing.
    for key in ("transitive_dependencies", "largest_task_bytes"):
        if not any(one[key] for one in found):
            failures.append(key)
            print(f"{key}: 0 for every graph")
    if not any(one["antichain"] > one["level_width"] for one in found):
        failures.append("antichain")
        print("no antichain is larger than the largest level")
    print(f"{len(graphs)} graphs, {len(failures)} differences")
    return 1 if failures else 0


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    status = main()
    os.chdir("/")
sys.exit(status)
