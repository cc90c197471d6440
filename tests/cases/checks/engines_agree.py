#!/usr/bin/env python3
"""The engines simgrid and native make the same schedules."""

import sys

from runs import choose, run

ENGINES = ("simgrid", "native")


def differences(both):
    return [f"simgrid {a}, native {b}" for a, b in zip(*both) if a != b]


def on(*options):
    """With these options each row has the same figures. Yields how many rows there are."""
    both = []
    for engine in ENGINES:
        rows = run(f"--engine {engine} --validate", *options)
        both.append([(row["workload"], row["policy"], f"{row.makespan_s:.7f}", row["transferred_bytes"],
                      row["evictions"], row["gpu_tasks"], row["status"]) for row in rows])
    yield from differences(both)
    if len(both[0]) != len(both[1]):
        sys.exit(f"{len(both[0])} and {len(both[1])} rows")
    yield len(both[1])


def when_kernels_are_cancelled():
    both = []
    for engine in ENGINES:
        row, = run(f"--platform mirage --engine {engine} --workload cholesky:nt=12:nb=960 --policy heteroprio_types",
                   "--validate")
        both.append([(f"{row.makespan_s:.7f}", row["status"], row["validated"], row.counter("spoliations") > 0)])
    yield from differences(both)
    status, validated, cancels = both[1][0][1:]
    yield f"{status} {validated} {'some are cancelled' if cancels else 'none is cancelled'}"


def long_graph(seconds):
    """A task of that many seconds, and behind it tasks of nanoseconds to milliseconds with their data."""
    tasks = [f'a -> c{i} [size=3686400]; c{i} [seconds="{i / 1e3 + 1e-4:.4f}"]; '
             f'c{i} -> d{i} [size=8000]; d{i} [seconds="{i}e-9"]' for i in range(1, 41)]
    first = f'first [seconds="{seconds}"]; first -> a; a [seconds="1e-9"]'
    return "\n".join(["digraph { node [on=accelerators]", first, *tasks, "}"])


def behind_long_kernels():
    """Yields engine, policy, status, validated, and whether the makespan is that of the long kernel and less than a
    second more."""
    for seconds in ("1e7", "1e9"):
        with open("long.dot", "w", encoding="utf-8") as file:
            file.write(long_graph(seconds))
        for engine in ENGINES:
            for row in run(f"--platform mirage --cpus 0 --workload file:long.dot --policy eager,dmda,lws",
                           f"--engine {engine} --validate"):
                as_long = int(float(seconds) < row.makespan_s < float(seconds) + 1)
                yield f"{engine} {row['policy']} {row['status']} {row['validated']} {as_long}"


choose([on, when_kernels_are_cancelled, behind_long_kernels])
