#!/usr/bin/env python3
"""Collective operations on clusters: all algorithms that are for these numbers of nodes.

    collectives.py contents NODES...             tasks bring the right data to the right nodes
    collectives.py makespans ENGINE NODES...     runs take the times of docs/reference/collectives.md"""

import collections
import json
import subprocess
import sys

from runs import choose, run

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


def makespans(engine, *nodes):
    yield f"{sum(check(engine, int(n)) for n in nodes)} runs"


def initial(name, words, n, columns):
    """What handles have at the start: (node, column) of each operand, or nothing."""
    for node in range(n):
        for column in range(columns):
            own = {"broadcast": node == 0, "allgather": column == (0 if "doubling" in words else node)}.get(name, True)
            yield collections.Counter([(node, column)] if own else [])


def after(graph, has):
    """What handles have at the end. Reading an empty one is an error."""
    for kernel, _, *access in graph["tasks"]:
        pairs = [item for item in access if isinstance(item, int)]
        read = [data for data, mode in zip(pairs[::2], pairs[1::2]) if mode & 1]
        written, = (data for data, mode in zip(pairs[::2], pairs[1::2]) if mode & 2)
        if not all(has[data] for data in read):
            sys.exit(f"{graph['kernels'][kernel]['name']} reads nothing")
        has[written] = sum((has[data] for data in read), collections.Counter())
    return has


def wanted(name, words, n, columns):
    """The contents that some handles must have: by (node, column)."""
    log = (n - 1).bit_length()
    everybody = [collections.Counter((node, column) for node in range(n)) for column in range(columns)]
    for node in range(n):
        if name == "broadcast":
            pieces = columns if "flat" in words else columns - 1
            yield from (((node, piece), collections.Counter([(0, piece)])) for piece in range(pieces))
        elif name == "reduce" and node == 0 or "reduce_broadcast" in words:
            yield (node, 0), everybody[0]
        elif "doubling" in words:
            yield (node, log % 2 if name == "allreduce" else log), everybody[0]
        elif name == "allreduce":
            yield from (((node, column), everybody[column]) for column in range(n))
        elif name == "allgather":
            yield from (((node, block), collections.Counter([(block, block)])) for block in range(n))


def contents(*nodes):
    checked = 0
    for n in map(int, nodes):
        for name, words, *_ in expected(n, n * MB):
            workload = f"{name}:nodes={n}:bytes={n * MB}:{words}".rstrip(":")
            subprocess.run(["tilewright", "export", "--workload", workload, "-o", "graph.json"], check=True)
            with open("graph.json", encoding="utf-8") as file:
                graph = json.load(file)
            columns = len(graph["data"]) // n
            end = after(graph, list(initial(name, words, n, columns)))
            for (node, column), content in wanted(name, words, n, columns):
                if end[node * columns + column] != content:
                    yield f"{workload}: node {node}, column {column}: {dict(end[node * columns + column])}"
            checked += 1
    yield f"{checked} graphs"


choose([contents, makespans])
