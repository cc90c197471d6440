#!/usr/bin/env python3
"""Copies overlap kernels. Kernels sleep and links have a set bandwidth. The makespan is at most 1.1 times the greater
of two sums: the times of all kernels, and the times of all copies of one direction. Tiles are small, so computing takes
no time. Other processes may delay a run, so the best of three counts.

Usage: overlap.py COMMAND STANDIN"""

import csv
import io
import sys

from standin import Standin

# Workload, tasks, seconds of a kernel, bytes/s of a copy, and what takes longer.
CASES = [
    ("matmul3d:nt=6:nb=64", 216, 4e-3, 8e6, "kernels"),
    ("matmul3d:nt=6:nb=64", 216, 2e-3, 1e6, "copies"),
    ("cholesky:nt=14:nb=64", 560, 4e-3, 3e6, "kernels"),
]
MOST, TIMES = 1.1, 3


def run(standin, workload, tasks, kernel_s, bandwidth):
    """The makespan, and the two sums, in seconds."""
    ended = standin.run("run", "--engine", "real", "--platform", "mirage", "--extrapolate", "--cpus", 0, "--gpus", 1,
                        "--gpu-mem", "256MiB",
                        "--workload", workload, "--policy", "dmdas", "--check", "residual", "--format", "csv",
                        kernel_us=1e6 * kernel_s, bandwidth=bandwidth)
    row = next(csv.DictReader(io.StringIO(ended.stdout)), {"status": ended.stderr})
    if row["status"] != "ok" or ended.stderr:
        sys.exit(f"{workload}: {row['status']} {ended.stderr}")
    return float(row["makespan_s"]), tasks * kernel_s, max(float(row["h2d_bytes"]), float(row["d2h_bytes"])) / bandwidth


def main():
    standin, wrong = Standin(sys.argv[1], sys.argv[2]), 0
    for workload, tasks, kernel_s, bandwidth, longer in CASES:
        ratios = []
        while len(ratios) < TIMES and (not ratios or min(ratios) > MOST):
            makespan_s, kernels_s, copies_s = run(standin, workload, tasks, kernel_s, bandwidth)
            ratios.append(makespan_s / max(kernels_s, copies_s))
            print(
                f"{workload}: makespan {makespan_s:.3f} s, kernels {kernels_s:.3f}, copies {copies_s:.3f}: "
                f"{ratios[-1]:.3f}")
            wrong += (kernels_s > copies_s) != (longer == "kernels")
        wrong += min(ratios) > MOST
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
