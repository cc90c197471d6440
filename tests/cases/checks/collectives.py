#!/usr/bin/env python3
"""Collective operations on clusters take the times of the formulas in docs/reference/collectives.md.

    collectives.py ENGINE NODES...     runs all algorithms that are for this number of nodes"""

import subprocess
import sys

from runs import run

MB, GB = 10**6, 10**9
BANDWIDTH, LATENCY = 4 * GB, 2e-6  # of a route: two links of 1 us
SEGMENTS = 16
COMBINE = 1e-3
SLACK = 3e-9  # of a step: it has at most two tasks of 1 ns, and a transfer ends at a whole nanosecond


def message(size):
    return LATENCY + size / BANDWIDTH


def expected(n, size):
    """Of each specification: the slack, the makespan, the messages and the bytes of the network."""
    log = (n - 1).bit_length()
    power = n == 1 << log
    piece, segment = size / n, size / SEGMENTS
    shared = LATENCY + (n - 1) * size / BANDWIDTH
    yield "broadcast", "", log * SLACK, log * message(size), n - 1, (n - 1) * size
    yield ("broadcast", f"algorithm=chain:segments={SEGMENTS}", (n + SEGMENTS) * SLACK,
           (n - 2 + SEGMENTS) * message(segment), (n - 1) * SEGMENTS, (n - 1) * size)
    yield "broadcast", "algorithm=flat", SLACK, shared, n - 1, (n - 1) * size
    # the root adds the operands one after the other
    yield "reduce", f"algorithm=flat:combine={COMBINE}", n * SLACK, shared + (n - 1) * COMBINE, n - 1, (n - 1) * size
    yield ("allreduce", f"combine={COMBINE}", 2 * n * SLACK,
           2 * (n - 1) * message(piece) + (n - 1) * COMBINE / n, 2 * (n - 1) * n, 2 * (n - 1) * size)
    yield "allgather", "", n * SLACK, (n - 1) * message(size), n * (n - 1), n * (n - 1) * size
    # without a power of two, messages share the root's link, and some latencies overlap
    less = 0.0 if power else log * LATENCY
    yield "reduce", "", less / 2 + log * SLACK, log * message(size) - less / 2, n - 1, (n - 1) * size
    yield ("allreduce", "algorithm=reduce_broadcast", less / 2 + 2 * log * SLACK, 2 * log * message(size) - less / 2,
           2 * (n - 1), 2 * (n - 1) * size)
    if not power:
        return
    yield "reduce", f"combine={COMBINE}", log * SLACK, log * (message(size) + COMBINE), n - 1, (n - 1) * size
    yield ("allreduce", f"algorithm=recursive_doubling:combine={COMBINE}", log * SLACK, log * (message(size) + COMBINE),
           n * log, n * log * size)
    yield ("allgather", "algorithm=recursive_doubling", log * SLACK,
           log * LATENCY + (n - 1) * size / BANDWIDTH, n * log, n * (n - 1) * size)


def check(engine, n):
    size = n * MB
    subprocess.run(["tilewright", "platform", "cluster", "--node", "mirage", "--count", str(n), "--bandwidth", "4GBps",
                    "--latency", "1us", "--force", "-o", f"c{n}"], check=True, stdout=subprocess.DEVNULL)
    cases = list(expected(n, size))
    words = ",".join(f"{name}:nodes={n}:bytes={size}:{more}".rstrip(":") for name, more, *_ in cases)
    rows = run(f"--platform ./c{n} --gpus 0 --workload {words} --distribution rows --policy eager --runtime ideal",
               f"--engine {engine} --validate")
    if len(rows) != len(cases):
        sys.exit(f"{len(rows)} rows for {len(cases)} runs")
    for row, (_, _, slack, makespan, messages, size) in zip(rows, cases):
        if not row.is_valid() or abs(row.makespan_s - makespan) > slack:
            print(f"{row['workload']}: {row['status']}, {row['makespan_s']} s instead of {makespan:.9f}")
        if row.messages != messages or row.network_bytes != size:
            print(f"{row['workload']}: {row['messages']} messages, {row['network_bytes']} bytes instead of "
                  f"{messages}, {size}")
    return len(rows)


print(sum(check(sys.argv[1], int(n)) for n in sys.argv[2:]), "runs")
