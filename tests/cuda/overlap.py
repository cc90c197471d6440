#!/usr/bin/env python3
"""Copies overlap kernels. Kernels sleep and links have a set bandwidth. The makespan is at most 1.1 times the greater
of two makespans: one with copies that take no time, and one with kernels that take none. Tiles are small, so computing
takes no time. Other processes may delay a run, so the best of several trials counts.

Usage: overlap.py COMMAND STANDIN"""

import csv
import io
import sys

from standin import Standin

# Workload, tasks, seconds of a kernel, bytes/s of a copy, and what takes longer in all.
CASES = [
    ("matmul3d:nt=6:nb=64", 216, 4e-3, 8e6, "kernels"),
    ("matmul3d:nt=6:nb=64", 216, 2e-3, 1e6, "copies"),
    ("cholesky:nt=14:nb=64", 560, 4e-3, 3e6, "kernels"),
]
MOST, TRIALS = 1.1, 8


def run(standin, workload, kernel_s, bandwidth):
    """The makespan in seconds, and the bytes in the direction that has more."""
    ended = standin.run("run", "--engine", "real", "--platform", "mirage", "--extrapolate", "--cpus", 0, "--gpus", 1,
                        "--gpu-mem", "256MiB",
                        "--workload", workload, "--policy", "dmdas", "--check", "residual", "--format", "csv",
                        kernel_us=1e6 * kernel_s, bandwidth=bandwidth)
    row = next(csv.DictReader(io.StringIO(ended.stdout)), {"status": ended.stderr})
    if row["status"] != "ok" or ended.stderr:
        sys.exit(f"{workload}: {row['status']} {ended.stderr}")
    return float(row["makespan_s"]), max(float(row["h2d_bytes"]), float(row["d2h_bytes"]))


def try_once(standin, workload, kernel_s, bandwidth):
    """The ratio of makespans, and the bytes of the run with kernels and copies."""
    both, size = run(standin, workload, kernel_s, bandwidth)
    kernels, _ = run(standin, workload, kernel_s, 0)
    copies, _ = run(standin, workload, 0, bandwidth)
    ratio = both / max(kernels, copies)
    print(f"{workload}: makespan {both:.3f} s, kernels alone {kernels:.3f}, copies alone {copies:.3f}: {ratio:.3f}")
    return ratio, size


def main():
    standin, wrong = Standin(sys.argv[1], sys.argv[2]), 0
    for workload, tasks, kernel_s, bandwidth, longer in CASES:
        for _ in range(TRIALS):
            ratio, size = try_once(standin, workload, kernel_s, bandwidth)
            wrong += (tasks * kernel_s > size / bandwidth) != (longer == "kernels")
            if ratio <= MOST:
                break
        else:
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
