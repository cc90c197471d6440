#!/usr/bin/env python3
"""Compares the native engine with SimGrid's on random cases: kernels (also cancelled ones) and transfers on the same
workers and links.

They must end in the same order, at dates equal to 1e-7 s or to 2e-6 of the transfer, and give the same row of results.
--most cases may differ: SimGrid computes bandwidths to a relative 1e-9, so an end may differ by one nanosecond. Then it
no longer coincides with another end.

Usage: native.py COMMAND [--cases N] [--seed N] [--most N]"""

import argparse
import concurrent.futures
import csv
import io
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

RUNTIMES = ["starpu", "ideal", "real", "starpu:link_shares=equal", "ideal:link_shares=latency",
            "starpu:order=idle_time", "ideal:order=random",
            "real:window=20", "starpu:eviction_waits=yes"]
LEFT_OUT = {"replay"}  # needs a record
MEASURED = {"engine", "wall_s", "tasks_per_s", "peak_rss_bytes", "identity"}


def names(command, what):
    return [name for name in subprocess.run([command, "list", what, "--names"], capture_output=True, text=True,
                                            check=True).stdout.split()
            if name not in LEFT_OUT]


def workload(r):
    blocks = r.choice([4, 8, 16])
    return r.choice([f"cholesky:nt={r.randint(2, 12)}:nb=960", f"lu:nt={r.randint(2, 8)}:nb=960",
                     f"matmul2d:nt={r.randint(2, 8)}",
                     f"stencil:dims=3:precision=b:nx=128:ny=128:nz={128 * blocks}:blocks={blocks}"
                     f":iterations={r.randint(1, 6)}", "forkjoin",
                     f"layered:seed={r.randint(1, 99)}", f"reduction:n={r.randint(2, 40)}:shots=100:bytes=80000",
                     f"qr:nt={r.randint(2, 6)}:nb=960",
                     f"matmul3d:nt={r.randint(2, 6)}:nb=960", f"cholesky_taskset:nt={r.randint(3, 10)}", "sparse:nt=8",
                     "life"])


def draw(r, platforms, policies, evictions):
    words = ["--platform", r.choice(platforms), "--workload", workload(r), "--policy", r.choice(policies), "--runtime",
             r.choice(RUNTIMES),
             "--seed", str(r.randint(1, 99)), "--extrapolate", "--validate"]
    for chance, more in ((0.5, ["--gpu-mem", r.choice(["20MiB", "40MiB", "80MiB", "200MiB"])]),
                         (0.3, ["--eviction", r.choice(evictions)]),
                         (0.2, ["--noise", r.choice(["0.05", "lognormal:0.1"])]),
                         (0.3, ["--gpus", str(r.randint(1, 3))])):
        words += more if r.random() < chance else []
    return words


def run(command, engine, words, trace):
    """The row (or the message of a refusal), and the executions and transfers in the order of their ends."""
    ended = subprocess.run([command, "run", "--engine", engine, "--format", "csv", "--trace", trace, *words],
                           capture_output=True, text=True, timeout=300, check=False)
    rows = list(csv.DictReader(io.StringIO(ended.stdout)))
    row = ({name: value for name, value in rows[0].items() if name not in MEASURED} if rows
           else {"status": "refused", "message": ended.stderr})
    spans = []
    if row["status"] == "ok":
        with open(trace, encoding="utf-8") as file:
            spans = [json.loads(line.rstrip(",\n")) for line in file if line.startswith('{"ph":"X"')]
    return row, spans


def difference(one, other):
    """The difference; None: no difference."""
    (row, spans), (other_row, other_spans) = one, other
    if row["status"] != other_row["status"]:
        return f"status {row['status']} and {other_row['status']}: {row['message']} {other_row['message']}"
    if row["status"] != "ok":
        return None
    for a, b in itertools.zip_longest(spans, other_spans):
        if not a or not b or [a[key] for key in ("pid", "name", "args")] != [b[key] for key in ("pid", "name", "args")]:
            return f"order: {a} and {b}; makespans {row['makespan_s']} and {other_row['makespan_s']}"
        apart_us = max(abs(a["ts"] - b["ts"]), abs(a["ts"] + a["dur"] - b["ts"] - b["dur"]))
        if apart_us > max(0.1, 2e-6 * a["dur"]):
            return f"dates: {a} and {b}"
    columns = [name for name, value in row.items() if value != other_row[name] and not name.endswith("_s")
               and name not in ("gflops", "idle_ratio")]
    return f"{columns[0]} {row[columns[0]]} and {other_row[columns[0]]}" if columns else None


def case(command, seed, number, lists):
    words = draw(random.Random(f"{seed} {number}"), *lists)
    with tempfile.TemporaryDirectory() as folder:
        ended = [run(command, engine, words, os.path.join(folder, engine + ".json"))
                 for engine in ("simgrid", "native")]
    return words, ended[0][0]["status"], difference(*ended), ended[0][1] == ended[1][1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1, help="cases that may differ (1)")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    lists = [names(args.command, what) for what in ("platforms", "policies", "evictions")]
    done = different = wrong = same = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        cases = pool.map(lambda i: case(args.command, args.seed, i, lists), range(args.cases))
        for i, (words, status, how, is_same) in enumerate(cases):
            done += status == "ok"
            same += status == "ok" and is_same
            if how:
                print(f"case {i}: {' '.join(words)}: {how}", flush=True)
                different += 1
                wrong += how.startswith("status")
    print(f"native: {args.cases} cases, {done} done, {same} of them the same to the nanosecond, {different} different")
    return 1 if wrong or different > args.most or done < args.cases / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
