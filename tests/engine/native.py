#!/usr/bin/env python3
"""The native engine beside SimGrid's, on random cases: the same status, makespan (to 1e-7 s or 2e-6 of it), bytes and evictions. Where things that
end at the same date compete, rounding decides who is first, and a schedule may differ: --most of them may.

Usage: native.py COMMAND [--cases N] [--seed N] [--most N]"""

import argparse
import csv
import io
import random
import subprocess
import sys

RUNTIMES = ["starpu", "ideal", "real", "starpu:link_shares=equal", "ideal:link_shares=latency", "starpu:order=idle_time", "real:window=20"]
LEFT_OUT = {"replay"}  # needs a record


def names(command, what):
    return [name for name in subprocess.run([command, "list", what, "--names"], capture_output=True, text=True, check=True).stdout.split()
            if name not in LEFT_OUT]


def workload(r):
    blocks = r.choice([4, 8, 16])
    return r.choice([f"cholesky:nt={r.randint(2, 12)}:nb=960", f"lu:nt={r.randint(2, 8)}:nb=960", f"matmul2d:nt={r.randint(2, 8)}",
                     f"stencil:dims=3:precision=b:nx=128:ny=128:nz={128 * blocks}:blocks={blocks}:iterations={r.randint(1, 6)}", "forkjoin",
                     f"layered:seed={r.randint(1, 99)}", f"reduction:n={r.randint(2, 40)}:shots=100:bytes=80000",
                     f"matmul3d:nt={r.randint(2, 6)}:nb=960", f"cholesky_taskset:nt={r.randint(3, 10)}"])


def draw(r, platforms, policies, evictions):
    words = ["--platform", r.choice(platforms), "--workload", workload(r), "--policy", r.choice(policies), "--runtime", r.choice(RUNTIMES),
             "--extrapolate", "--validate"]
    for chance, more in ((0.5, ["--gpu-mem", r.choice(["40MiB", "80MiB", "200MiB"])]), (0.3, ["--eviction", r.choice(evictions)]),
                         (0.2, ["--noise", r.choice(["0.05", "lognormal:0.1"])]), (0.3, ["--gpus", str(r.randint(1, 3))])):
        words += more if r.random() < chance else []
    return words


def run(command, engine, words):
    """The row; a refusal's message."""
    ended = subprocess.run([command, "run", "--engine", engine, "--format", "csv", *words], capture_output=True, text=True, timeout=300, check=False)
    rows = list(csv.DictReader(io.StringIO(ended.stdout)))
    return rows[0] if rows else {"status": "refused", "message": ended.stderr}


def difference(one, other):
    """What differs; None: nothing."""
    if one["status"] != other["status"]:
        return f"status {one['status']} and {other['status']}: {one['message']} {other['message']}"
    if one["status"] != "ok":
        return None
    a, b = float(one["makespan_s"]), float(other["makespan_s"])
    if abs(a - b) > max(1e-7, 2e-6 * a):
        return f"makespan {a} and {b}"
    columns = [column for column in ("transferred_bytes", "evictions", "gpu_tasks") if one[column] != other[column]]
    return f"{columns[0]} {one[columns[0]]} and {other[columns[0]]}" if columns else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=8, help="cases that may differ (8)")
    args = parser.parse_args()
    lists = [names(args.command, what) for what in ("platforms", "policies", "evictions")]
    done = different = wrong = 0
    for i in range(args.cases):
        words = draw(random.Random(f"{args.seed} {i}"), *lists)
        rows = [run(args.command, engine, words) for engine in ("simgrid", "native")]
        done += rows[0]["status"] == "ok"
        if how := difference(*rows):
            print(f"case {i}: {' '.join(words)}: {how}")
            different += 1
            wrong += how.startswith("status")
    print(f"native: {args.cases} cases, {done} done, {different} different")
    return 1 if wrong or different > args.most or done < args.cases / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
