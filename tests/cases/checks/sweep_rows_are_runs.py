#!/usr/bin/env python3
"""The rows of a sweep of a plan with all kinds of lists are those of single runs: 32 with noise are compared.
Prints how many rows agree, and how many the sweep has."""

import itertools
import subprocess
import sys

from runs import rows_of, run

PLAN = """platform = synthetic
workload = cholesky:nt=4
policy = dmdas
communication = on,off
cpu-groups = none,2+2
runtime = starpu,ideal
noise = 0,0.05
belief-error = 0,0.2
seed = 1,7
output = s.csv
"""
MEASURED = ("wall_s", "tasks_per_s", "peak_rss_bytes")


def results(rows):
    return sorted(tuple((column, value) for column, value in row.items() if column not in MEASURED) for row in rows)


def main():
    with open("plan.ini", "w", encoding="utf-8") as file:
        file.write(PLAN)
    if subprocess.run(["tilewright", "sweep", "plan.ini", "--quiet"], check=False).returncode:
        sys.exit("the sweep failed")
    runs = []
    for links, groups, runtime, error, seed in itertools.product(
            ("on", "off"), ("", "--cpu-groups 2+2"), ("starpu", "ideal"), (0, 0.2), (1, 7)):
        runs += run("--engine native --platform synthetic --workload cholesky:nt=4 --policy dmdas",
                    f"--communication {links}", groups, f"--runtime {runtime} --noise 0.05",
                    f"--belief-error {error} --seed {seed}")
    swept = rows_of("s.csv")
    noisy = results(row for row in swept if row["noise"] == "0.05")
    if noisy != results(runs):
        sys.exit("the rows differ: " + str(next((a, b) for a, b in zip(noisy, results(runs)) if a != b)))
    print(len(noisy))
    print(len(swept))


main()
