#!/usr/bin/env python3
"""A run's own schedule, replayed: the same tasks on the same workers in the same order, in about the same time.

    replay_keeps_places.py POLICY PLATFORM WORKLOAD [OPTION]..."""

import collections
import sys

from runs import rows_of, run


def places(path):
    """Of each worker, its tasks in order."""
    tasks = collections.defaultdict(list)
    for row in rows_of(path):
        tasks[row["kind"], row["index"]].append(row["task"])
    return tasks


def main():
    policy, platform, workload, *rest = sys.argv[1:]
    node = f"--platform {platform} --workload {workload} --extrapolate --validate"
    original, = run(node, *rest, f"--policy {policy} --trace original.csv")
    again, = run(node, *rest, "--policy replay:file=original.csv --trace again.csv")
    ratio = again.makespan_s / original.makespan_s
    if places("original.csv") != places("again.csv"):
        print(f"{policy}: other places")
    valid = original["validated"] == again["validated"] == "true"
    good = valid and 0.93 < ratio < 1.07
    print(f"{policy}: " + ("the same" if good else f"valid: {valid}, {ratio:g} times the makespan"))


main()
