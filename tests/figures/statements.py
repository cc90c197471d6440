#!/usr/bin/env python3
"""Every statement of every figure (scripts/figures) can fail: made-up runs, on which some of them hold and others do
not.

    tests/figures/statements.py TILEWRIGHT"""

import itertools
import math
import pathlib
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/figures"))
from lib import figure, peerj2019
from lib.claim import DIRECTION, FAILS, UNDECIDED
from lib.command import Command
from lib.plan import numbers
from lib.rows import Row, Rows
from lib.trace import Map

MOST_DRAWS, MOST_ROWS = 16, 3000
SIZE = "small"
EVICTIONS = {"hfp": "belady", "metis": "belady"}  # that policies bring
GPUS = {"cpu-outofcore": "0", "mordor": "4"}  # that are there


def points(plan, place):
    """What the sweep would run, as far as rows tell it."""
    options = plan.at(SIZE, place)
    workloads = [f"{w}:nt={nt}" for w in options["workload"]
                 for nt in numbers(options["nt"])] if "nt" in options else options["workload"]
    for platform in options["platform"]:
        for workload in workloads:
            for gpus in numbers(options.get("gpus", [GPUS.get(platform, "3")])):
                for groups, cpus, policy, error, distribution in itertools.product(
                        options.get("cpu-groups", ["none"]), options.get("cpus", ["20"]), options["policy"],
                        options.get("belief-error", ["0"]), options.get("distribution", [""])):
                    groups = "" if groups == "none" else groups
                    yield {"platform": platform, "workload": workload, "gpus": str(gpus), "cpu_groups": groups,
                           "policy": policy, "distribution": distribution,
                           "cpus": str(groups.count("+") + 1) if groups else cpus, "repeat": "0", "seed": "1",
                           "gpu_mem_bytes": "2e9" if options.get("gpu-mem") == ["2GB"] else "28e9",
                           "status": "ok", "noise": options.get("noise", ["0"])[0], "belief_error": error,
                           "runtime": options["runtime"][0], "amdahl": options.get("amdahl", [""])[0],
                           "eviction": options.get("eviction", [EVICTIONS.get(policy.split(":")[0], "lru")])[0]}


def tasks_of(workload):
    """Those of n equal tasks, which the name of the file tells."""
    found = re.search(r"-(\d+)\.dot$", workload)
    return int(found[1]) if found else 1000


def made_up(random_numbers, point, tendency):
    """A run of such a point: speed and bytes are anything, but by policy, or by size, more of the one and less of the
    other."""
    def draw(low, high):
        return math.exp(random_numbers.uniform(math.log(low), math.log(high)))
    least = tendency.setdefault("least", random_numbers.choice([0.2, 0.2, 0.95]))
    bias = tendency.setdefault((point["policy"], point["eviction"]), draw(least, 1))
    size = tendency.setdefault(point["workload"], draw(0.5, 1))
    speed = bias * size * draw(*tendency.setdefault("spread",
                                                    (draw(0.3, 1) if random_numbers.random() < 0.7 else 1, 1)))
    gflops = tendency.setdefault("peak", random_numbers.choice([14000, 400])) * max(1, int(point["gpus"]))
    row = {"makespan_s": 1 / speed, "bound_area_s": 1, "bound_critical_path_s": draw(0.1, 2), "flops": 1e9 * gflops,
           "gflops": gflops * speed,
           "working_set_bytes": draw(1e9, 2e11), "tasks": tasks_of(point["workload"])}
    for column in "h2d_bytes", "d2h_bytes", "p2p_bytes", "network_bytes":
        row[column] = draw(1e9, 1e11) / bias ** random_numbers.choice([0, 2])
    row["loads"] = row["h2d_bytes"] / 1e7
    row["transferred_bytes"] = row["h2d_bytes"] + row["d2h_bytes"] + row["p2p_bytes"]
    counters = {"bmd_" + f: draw(0.01, 1) for f in peerj2019.FORMULAS}
    counters |= {"used_" + f: random_numbers.random() for f in peerj2019.AUTOMATIC}
    if "@" in point["workload"]:  # two graphs
        row["idle_ratio_gpu"] = draw(0.01, 1)
        counters["graph1.makespan_s"] = row["makespan_s"] * draw(0.5, 1)
    row["counters"] = ";".join(f"{name}={value}" for name, value in counters.items())
    return Row({**point, **{column: str(value) for column, value in row.items()}})


def made_up_trace(random_numbers, path):
    """Updates of 32 x 32 tiles, those of the first iterations, by one of several orders, on two or four GPUs or as many
    cores. All but one may end early."""
    tasks = [(i, j, k) for k in range(10) for j in range(k + 1, 32) for i in range(j, 32)]
    random_numbers.shuffle(tasks)
    order = random_numbers.choice([lambda t: 0, lambda t: t[2], lambda t: t[0] + t[1],
                                   lambda t: (t[0] // 6, t[1] // 6, t[2])])
    share = random_numbers.choice([0.5, 0.8])
    owner = random_numbers.choice([None, {}])
    first, stops = random_numbers.choice([1, 1, 5]), random_numbers.choice([1, 0.8])
    pairs = random_numbers.choice([1, 2])
    with open(path, "w", encoding="utf-8") as file:
        for start, (i, j, k) in enumerate(sorted(tasks, key=order)):
            gpu = first + 2 * random_numbers.randrange(pairs) + (random_numbers.random() > share)
            gpu = gpu if owner is None else owner.setdefault((i, j), gpu)
            gpu = first if start > stops * len(tasks) else gpu
            tiles = [(i, k, "R"), *([(j, k, "R")] if i != j else []), (i, j, "RW")]
            data = ", ".join(f"{a * (a + 1) // 2 + b} {mode}" for a, b, mode in tiles)
            file.write(
                f'{{"ph":"X","pid":1,"tid":{gpu},"ts":{start}.0,"dur":1.0,"cat":"task",'
                f'"name":"{"gemm" if i != j else "syrk"}",'
                f'"args":{{"task":{start},"size":"2880","data":"{data}"}}}},\n')


def made_up_traces(what, place, random_numbers):
    """Where they are, if the figure has any."""
    for plot in what.plots:
        if isinstance(plot, Map):
            made_up_trace(random_numbers, plot.source(pathlib.Path(place)))
    return pathlib.Path(place)


def rows_of(what, place, random_numbers):
    tendency = {}
    def rows(figures):
        return [made_up(random_numbers, point, tendency) for f in figures for plan in f.plans
                for point in points(plan, place)]
    beside = [f for name in what.beside for f in figure.load(name).drawn()]
    found = Rows.that_went_well(rows(what.drawn()), rows(beside), made_up_traces(what, place, random_numbers))
    for f in beside:
        found.beside.place = made_up_traces(f, place, random_numbers)
    return found


def main():
    failed = statements = 0
    command = Command(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        for name in figure.names():
            what = figure.load(name)
            for plan in what.plans:
                missing = plan.missing(SIZE, place, command)
                if missing:
                    print(f"{name}: not in this version: {missing}")
                    failed += 1
            random_numbers = random.Random(name)
            seen = [set() for _ in what.statements]
            rows = len(rows_of(what, place, random.Random(name))) + 1
            for _ in range(min(MOST_DRAWS, 6 + MOST_ROWS // rows)):
                for verdicts, (_, verdict) in zip(seen, what.judge(rows_of(what, place, random_numbers))):
                    verdicts.add(verdict.of)
            for statement, verdicts in zip(what.statements, seen):
                statements += 1
                if not verdicts & {FAILS, DIRECTION}:
                    print(f"{name}: '{statement.text}': always {' or '.join(sorted(verdicts))}")
                    failed += 1
            for statement, verdict in what.judge(Rows.that_went_well([])):
                if verdict.of != UNDECIDED:
                    print(f"{name}: '{statement.text}': {verdict.of}, without a run")
                    failed += 1
    print(f"{statements} statements of {len(figure.names())} figures, {failed} faults")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
