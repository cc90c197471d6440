#!/usr/bin/env python3
"""Worst graphs that `tilewright adversary` found, in graphs/: each runs under all policies, with valid schedules, and
no policy is below the optimum. The policy that loses still loses as much as it did.

    tests/adversary/worst_graphs.py TILEWRIGHT            check
    tests/adversary/worst_graphs.py TILEWRIGHT --update   search again, and print the ratios
"""

import csv
import io
import pathlib
import subprocess
import sys

TILEWRIGHT = sys.argv[1]
GRAPHS = pathlib.Path(__file__).resolve().parent / "graphs"
NODE = ["--platform", "mirage", "--cpus", "2", "--gpus", "2", "--runtime", "ideal"]
# The policies, and the ratio of their makespans on the graph, at least.
PAIRS = [
    ("heft", "cpop", 16),
    ("cpop", "heft", 19),
    ("dmda", "heft", 6.9),
    ("lws", "dmdas", 57),
    ("heteroprio", "heft", 35),
    ("peft", "heft", 12),
]


def tilewright(*words):
    done = subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tilewright {' '.join(map(str, words))}: {done.stderr}")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def update():
    for policy, against, _ in PAIRS:
        row, = tilewright("adversary", *NODE, "--policy", policy, "--against", against, "--tasks", "8",
                          "-o", GRAPHS / f"{policy}-{against}.json", "--format", "csv")
        print(policy, against, row["worst_ratio"])


def check():
    failures = runs = 0
    names = subprocess.run([TILEWRIGHT, "list", "policies", "--names"], capture_output=True, text=True).stdout.split()
    policies = [p for p in names if p != "replay"]  # of recorded graphs
    for policy, against, ratio in PAIRS:
        name = f"{policy}-{against}"
        workload = ["--workload", f"file:{GRAPHS / name}.json"]
        optimum, = tilewright("optimum", *NODE[:-2], *workload, "--format", "csv")
        rows = tilewright("run", *NODE, *workload, "--policy", ",".join(policies), "--validate", "--format", "csv")
        makespan = {row["policy"]: float(row["makespan_s"]) for row in rows}
        runs += len(rows)
        for row in rows:
            if row["validated"] != "true" or makespan[row["policy"]] < float(optimum["makespan_s"]):
                failures += 1
                print(f"{name}, {row['policy']}: {row['makespan_s']} s, validated: {row['validated']}; the optimum is "
                      f"{optimum['makespan_s']} s")
        if optimum["optimal"] != "true" or len(rows) != len(policies):
            failures += 1
            print(f"{name}: optimal: {optimum['optimal']}, {len(rows)} rows of {len(policies)} policies")
        if makespan[policy] < ratio * makespan[against]:
            failures += 1
            print(f"{name}: {makespan[policy]} s and {makespan[against]} s: expected a ratio of at least {ratio}; see "
                  "--update")
    print(f"{len(PAIRS)} graphs, {runs} runs, {failures} failures")
    sys.exit(failures != 0 or runs == 0)


update() if sys.argv[2:] == ["--update"] else check()
