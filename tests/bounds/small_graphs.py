#!/usr/bin/env python3
"""The bounds of small graphs are in order, and no validated run of any policy is shorter than a bound.

    tests/bounds/small_graphs.py TILEWRIGHT
"""

import csv
import io
import json
import os
import subprocess
import sys

TILEWRIGHT = sys.argv[1]
# With few workers, it matters which worker runs which task. The integer program solves most of these within its
# second.
SCENES = [
    ("mirage", ["--cpus", "2", "--gpus", "1"],
     "cholesky:nt=4,cholesky:nt=5,lu:nt=3,qr:nt=3,forkjoin:width=6:stages=3,reduction:n=20"),
    ("mirage", ["--cpus", "0", "--gpus", "2"],
     "cholesky:nt=4,matmul3d:nt=2,layered:n=20,chain:n=12,star:n=20,grid:n=25,independent:n=20"),
    ("synthetic", ["--cpus", "3", "--gpus", "2"], "cholesky:nt=4,lu:nt=4"),
]
ORDER = ["critical_path_s", "area_s", "mixed_s", "iterative_s", "milp_s"]


def tilewright(*words):
    done = subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tilewright {' '.join(words)}: {done.stderr}")
    return done.stdout


def main():
    failures = runs = optimal = 0
    policies = [p for p in tilewright("list", "policies", "--names").split() if p != "replay"]  # of recorded graphs
    policies = policies[::int(os.environ.get("EVERY", "1"))]
    for platform, workers, workloads in SCENES:
        graphs = ["--platform", platform, *workers, "--workload", workloads, "--extrapolate"]
        bounds = {b["workload"]: b
                  for b in json.loads(tilewright("bounds", *graphs, "--milp-time", "1", "--format", "json"))}
        for name, b in bounds.items():
            optimal += b["milp_optimal"]
            least = max(b["critical_path_s"], b["area_s"])
            if not (least <= b["iterative_s"] * (1 + 1e-6) and b["mixed_s"] <= b["milp_s"]
                    and b["iterative_s"] <= b["milp_s"]):
                failures += 1
                print(f"{name} on {platform} {workers}: not in order:", {key: b[key] for key in ORDER})
        for communication in ("on", "off"):
            small = ",".join(w for w in workloads.split(",") if not w.startswith("reduction"))  # optimum refuses them
            optima = {row["workload"]: float(row["bound_s"]) for row in csv.DictReader(io.StringIO(tilewright(
                "optimum", "--platform", platform, *workers, "--workload", small, "--extrapolate", "--communication",
                communication, "--time-limit", "1s", "--format", "csv")))}
            out = tilewright("run", *graphs, "--policy", ",".join(policies), "--runtime", "ideal", "--communication",
                             communication, "--validate", "--format", "csv")
            for row in csv.DictReader(io.StringIO(out)):
                runs += 1
                makespan = float(row["makespan_s"] or "nan")
                bound = max(optima.get(row["workload"], 0), *(bounds[row["workload"]][key] for key in ORDER))
                if not (row["validated"] == "true" and makespan >= bound * (1 - 1e-9)):
                    failures += 1
                    print(f"{row['workload']} on {platform} {workers}, {row['policy']}: {makespan} s, bound {bound} s",
                          row["message"])
    print(f"{runs} runs, {optimal} graphs solved, {failures} failures")
    return 1 if failures else 0


sys.exit(main())
